"""Melds that are shown from a hand and stay there, as in Pinochle: which a hand can show, and that it has no more.

A meld is some faces, by a name that the game gives it. A card counts in melds of several kinds, and once in those of
one kind: who has shown a marriage needs two other cards for a second one. The cards that a player has shown are those
of the hand that everybody knows.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Final

from pitboss.table.cards import Deck, Face
from pitboss.table.table import Table
from pitboss.table.zones import Zone

COUNT_BITS: Final = 4  # of the count of a face in a set of cards
MAX_EQUAL_CARDS: Final = 7  # of a face


class ShownMelds:
    """The melds of a game, with a deck: `faces[name]` are those of a meld, all different. Sets of cards are numbers."""

    def __init__(self, deck: Deck, melds: Mapping[str, Sequence[Face]]) -> None:
        kinds = [*dict.fromkeys(deck.faces)]
        if max(map(len, deck.copies_of)) > MAX_EQUAL_CARDS:
            raise ValueError(f"the deck holds a face more than {MAX_EQUAL_CARDS} times")
        self.faces: Mapping[str, tuple[Face, ...]] = {name: tuple(faces) for name, faces in melds.items()}
        self._codes = [1 << COUNT_BITS * kinds.index(face) for face in deck.faces]  # by card
        self._melds = {name: sum(self._codes[deck.copies(face)[0]] for face in meld) for name, meld in melds.items()}
        self._guards = sum(1 << COUNT_BITS * place + COUNT_BITS - 1 for place in range(len(kinds)))

    def count(self, name: str, cards: Iterable[int]) -> int:
        """Return how many melds of a kind some cards hold."""
        return self._count(self._melds[name], self._code(cards))

    def list_melds(self, table: Table, hand: Zone) -> list[str]:
        """Return the melds of which a hand holds one more than it has shown."""
        held, shown = self._code(table.zones[hand]), self._code(list_shown(table, hand))
        return [name for name, meld in self._melds.items() if self._count(meld, held) > self._count(meld, shown)]

    def show(self, table: Table, hand: Zone, name: str, event: str = "meld") -> list[int]:
        """Show the cards that one more meld of `list_melds` needs and that nobody was shown yet; return them."""
        shown = set(list_shown(table, hand))
        wanted = 1 + self.count(name, shown)
        more = []
        for face in self.faces[name]:
            copies = table.layout.deck.copies(face)
            if sum(card in shown for card in copies) < wanted:
                more.append(next(card for card in table.zones[hand] if card in copies and card not in shown))
        table.reveal(hand, event, cards=more)
        return more

    def tell_no_more(self, table: Table, hand: Zone, names: Iterable[str] | None = None) -> None:
        """State that a hand holds no meld beside those shown, which everybody knows where all have to be shown.

        `names` are the melds of which that is known; None: all. It is one predicate on the hand, which takes some
        microseconds: the worlds of a search ask it often.
        """
        shown = self._code(list_shown(table, hand))
        melds = self._melds.values() if names is None else [self._melds[name] for name in names]
        too_many = tuple([meld * (1 + self._count(meld, shown)) for meld in melds])
        table.constrain(partial(holds_none_of, too_many, self._codes, self._guards), table.zones[hand])

    def _code(self, cards: Iterable[int]) -> int:
        return sum(map(self._codes.__getitem__, cards))

    def _count(self, meld: int, held: int) -> int:
        count, guards = 0, self._guards
        while (held | guards) - meld * (count + 1) & guards == guards:
            count += 1
        return count


def list_shown(table: Table, hand: Zone) -> list[int]:
    """Return the cards of a hand that everybody knows, the spectator too."""
    known, everybody = table.known_by, table.layout.everybody
    return [card for card in table.zones[hand] if known[card] == everybody]


def holds_none_of(sets: Sequence[int], codes: Sequence[int], guards: int, cards: Sequence[int | None]) -> bool:
    """Return whether cards surely hold none of some sets; None is a card that may be any."""
    if None not in cards:
        held = sum(map(codes.__getitem__, cards)) | guards  # type: ignore[arg-type]
        for wanted in sets:  # noqa: SIM110 - a generator would take twice as long
            if held - wanted & guards == guards:
                return False
        return True
    seen = [card for card in cards if card is not None]
    held, unknown = sum(map(codes.__getitem__, seen)), len(cards) - len(seen)
    return all(_count_missing(held, wanted) > unknown for wanted in sets)


def _count_missing(held: int, wanted: int) -> int:
    """Return how many cards a set lacks for another."""
    mask, missing = (1 << COUNT_BITS) - 1, 0
    while wanted:
        missing += max(0, (wanted & mask) - (held & mask))
        held, wanted = held >> COUNT_BITS, wanted >> COUNT_BITS
    return missing
