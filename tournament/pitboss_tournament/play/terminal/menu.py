"""A menu: legal actions numbered from 1, found by number or words, shown in pages; a range of actions is one entry."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple

from pitboss_tournament.text.terminal_text import count_cells, pad_cells

MENU_GAP: Final = 3  # blanks between two columns


class MenuMatch(NamedTuple):
    """The chosen entry, or the reason why the input chose none."""

    choice: int | None = None
    number: int | None = None  # of a range, if it was typed too
    complaint: str | None = None  # None: there is a choice, or the list has been narrowed


class Menu:
    """The actions of one decision by their texts; `visible` are those listed: all, or those with the words typed.

    `bounds` are the bounds of those entries that are ranges, by index.
    """

    def __init__(self, texts: Sequence[str], bounds: Mapping[int, tuple[int, int]] | None = None) -> None:
        self.texts = texts
        self.bounds = bounds or {}
        self.visible: Sequence[int] = range(len(texts))
        self.page = 0

    @property
    def is_narrowed(self) -> bool:
        """Whether not all actions are listed."""
        return len(self.visible) < len(self.texts)

    def find(self, typed: str) -> MenuMatch:
        """Choose an action by its number or by words that only it has; other words narrow the list.

        Of a range both may be followed by a number: "3 500", "raise 500".
        """
        if typed.isdecimal():
            return self._match_number(typed)
        words = typed.lower().split()
        if (match := self._match_range(words)) is not None:
            return match
        found = self._match_words(words, self.visible) or self._match_words(words, range(len(self.texts)))
        if not found:
            return MenuMatch(complaint=f"No action has {typed!r} in it.")
        if len(found) == 1:
            return MenuMatch(found[0])
        self._show_only(found)
        return MenuMatch()

    def widen(self) -> None:
        """List all actions again."""
        self._show_only(range(len(self.texts)))

    def turn_page(self, pages: int, width: int, rows: int) -> None:
        """Turn `pages` pages, back if negative; the first page follows the last."""
        self.page = (self.page + pages) % self.count_pages(width, rows)

    def count_pages(self, width: int, rows: int) -> int:
        """Return the number of pages of the listed actions."""
        return -(-len(self.visible) // self._actions_per_page(width, rows))

    def lines(self, width: int, rows: int) -> list[str]:
        """Return the current page as lines of aligned cells, numbered along the lines."""
        per_page, wide = self._actions_per_page(width, rows), self._cell_width()
        columns = max(1, (width + MENU_GAP) // (wide + MENU_GAP))
        shown = self.visible[self.page * per_page : (self.page + 1) * per_page]
        cells = [f"{choice + 1:>{self._number_width()}} {self.texts[choice]}" for choice in shown]
        rows_of_cells = [cells[first : first + columns] for first in range(0, len(cells), columns)]
        return [(" " * MENU_GAP).join(pad_cells(cell, wide) for cell in row).rstrip() for row in rows_of_cells]

    def _match_number(self, typed: str) -> MenuMatch:
        if len(typed) <= self._number_width() and 1 <= int(typed) <= len(self.texts):
            return MenuMatch(int(typed) - 1)
        return MenuMatch(complaint=f"There is no action {typed}: they are numbered 1 to {len(self.texts)}.")

    def _match_range(self, words: Sequence[str]) -> MenuMatch | None:
        """Choose a range and a number in it; None if no range is named so, or more than one."""
        if len(words) < 2 or not words[-1].isdecimal():
            return None
        *named, number = words
        is_counted = len(named) == 1 and named[0].isdecimal() and len(named[0]) <= self._number_width()
        found = [int(named[0]) - 1] if is_counted else self._match_words(named, [*self.bounds])
        if len(found) != 1 or found[0] not in self.bounds:
            return None
        lowest, highest = self.bounds[found[0]]
        if len(number) > len(str(highest)) or not lowest <= int(number) <= highest:
            return MenuMatch(complaint=f"The number may be {lowest} to {highest}, not {number}.")
        return MenuMatch(found[0], int(number))

    def _match_words(self, words: Sequence[str], among: Sequence[int]) -> list[int]:
        """Return the actions that contain all the words: as whole words, else as prefixes, else as substrings."""
        for fits in _WORD_MATCHERS:
            found = [choice for choice in among if all(fits(word, self.texts[choice].lower()) for word in words)]
            if found:
                return [choice for choice in found if self.texts[choice].lower().split() == list(words)] or found
        return []

    def _show_only(self, choices: Sequence[int]) -> None:
        self.visible = choices
        self.page = 0

    def _actions_per_page(self, width: int, rows: int) -> int:
        return max(1, (width + MENU_GAP) // (self._cell_width() + MENU_GAP)) * rows

    def _cell_width(self) -> int:
        return self._number_width() + 1 + max(count_cells(self.texts[choice]) for choice in self.visible)

    def _number_width(self) -> int:
        return len(str(len(self.texts)))


_WORD_MATCHERS: Final[tuple[Callable[[str, str], bool], ...]] = (
    lambda word, text: word in text.split(),
    lambda word, text: any(part.startswith(word) for part in text.split()),
    lambda word, text: word in text,
)
