"""Spelling: one decision, chosen letter by letter. Letters that are forced are left out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pitboss.learning.alphabet import Alphabet, RangeNumber


class Spelling:
    """A decision that is being spelled: `letters` are those that may come next, ascending.

    A decision among few actions takes one step; a meld of three cards takes as many as it leaves a choice. `spelled`
    are the letters so far, forced ones included.
    """

    __slots__ = ("_last_letters", "_words", "letters", "spelled")

    def __init__(self, alphabet: Alphabet, legal: Sequence[Any]) -> None:
        self._words = alphabet.spell_legal(legal)
        self.spelled: tuple[int, ...] = ()
        self.letters: list[int] = []
        self._last_letters: dict[int, tuple[tuple[int, ...], Any]] = {}  # those that leave one action, with its word
        self._list_letters()

    @property
    def forced(self) -> Any | None:  # noqa: ANN401 - an action of any game
        """The action, if there is one alone."""
        return _find_action(self._words[0][1]) if len(self._words) == 1 else None

    def copy(self) -> Spelling:
        """Return an independent spelling of the same decision."""
        twin = Spelling.__new__(Spelling)
        twin._words, twin.spelled, twin.letters = self._words, self.spelled, self.letters
        twin._last_letters = self._last_letters
        return twin

    def add(self, letter: int) -> Any:  # noqa: ANN401 - an action of any game
        """Take a letter; return the action, or None while it is not clear yet.

        Raises:
            ValueError: the letter is not one of `letters`.
        """
        last = self._last_letters.get(letter)
        if last is not None:
            words = [last]
        else:
            at = len(self.spelled)
            words = [pair for pair in self._words if pair[0][at] == letter]
            if not words:
                raise ValueError(f"letter {letter} is not legal here; legal: {self.letters}")
        self._words = words
        self.spelled += (letter,)
        if len(words) == 1:
            return _find_action(words[0][1])
        self._list_letters()
        return None

    def spell(self, action: Any) -> list[int]:  # noqa: ANN401
        """Return the letters to be added, one by one, so that the action is chosen; of a range the nearest number.

        Raises:
            ValueError: no action of this kind is legal.
        """
        words = [word for word, one in self._words if _find_action(one) == action]
        if not words:
            words = [_find_nearest(self._words, action)]
        twin, chosen = self.copy(), []
        while True:
            letter = words[0][len(twin.spelled)]
            chosen.append(letter)
            if twin.add(letter) is not None:
                return chosen

    def _list_letters(self) -> None:
        """Set `letters`, after letters without a choice."""
        words, at = self._words, len(self.spelled)
        if not words:
            self.letters, self._last_letters = [], {}
            return
        first = words[0][0]
        found = {pair[0][at]: pair for pair in words} if at < len(first) else {}
        if len(found) <= 1 and len(words) > 1:
            while len(found) <= 1:
                at += 1
                if at >= len(first):
                    raise ValueError(f"two legal actions are spelled alike: {words[0][1]!r} and {words[1][1]!r}")
                found = {pair[0][at]: pair for pair in words}
            self.spelled = first[:at]
        self.letters = sorted(found)
        self._last_letters = found if len(found) == len(words) else {}


def _find_action(choice: Any) -> Any:  # noqa: ANN401 - an action of any game
    """Return the action of a word."""
    return choice.action if type(choice) is RangeNumber else choice


def _find_nearest(words: Sequence[tuple[tuple[int, ...], Any]], action: Any) -> tuple[int, ...]:  # noqa: ANN401
    """Return the word of the legal action that differs from `action` in one number, the nearest one."""
    found: list[tuple[float, tuple[int, ...]]] = []
    for word, choice in words:
        other = _find_action(choice)
        if type(other) is type(action):
            differing = [
                (getattr(other, name), getattr(action, name))
                for name in action.__struct_fields__
                if getattr(other, name) != getattr(action, name)
            ]
            if len(differing) == 1 and all(type(value) is int for value in differing[0]):
                found.append((abs(differing[0][0] - differing[0][1]), word))
    if not found:
        raise ValueError(f"{action!r} is not legal here")
    return min(found)[1]
