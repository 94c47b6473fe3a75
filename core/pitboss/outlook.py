"""The outlook of a seat: what it has to imagine on a table, worked out once for all worlds of one moment."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from pitboss.confining import ConfinedDeal
from pitboss.constraints import Constraint
from pitboss.errors import TableError
from pitboss.zones import EMPTY

if TYPE_CHECKING:
    from pitboss.randomness import Random
    from pitboss.table import Table


class Outlook:
    """The cards that a seat cannot place on a plain table, and what it has been told about them.

    Raises:
        TableError: there is no way to deal the cards so that each place holds one that it may hold.
    """

    __slots__ = ("_confined", "_constraints", "_deals", "_known", "_seat", "hidden", "told")

    def __init__(self, table: Table, seat: int) -> None:
        bit, known = 1 << seat, table.known
        self._seat, self._known, self._constraints, self._confined = seat, known[:], table.constraints, table.confined
        self.hidden = [card for card, seats in enumerate(known) if not seats & bit]  # what is dealt anew
        stated = [Constraint(one.holds, _places(table, one.cards)) for one in table.constraints]
        self.told = [one for one in stated if not one.holds(_seen(known, bit, one.cards))]
        self._deals = _deals(table, self.hidden)

    def is_current(self, table: Table, seat: int) -> bool:
        """Tell whether this is what the seat has to imagine now (a mixing too makes a new list of constraints)."""
        return (
            seat == self._seat
            and table.constraints is self._constraints
            and table.confined is self._confined
            and table.known == self._known
        )

    def dealt(self, rng: Random) -> list[int]:
        """Deal the hidden cards anew, within each batch; return what lies in each one's place instead."""
        if not self._deals:
            dealt = self.hidden[:]
            rng.shuffle(dealt)
            return dealt
        into: dict[int, int] = {}
        for cards, deal in self._deals:
            if deal is None:
                order = cards[:]
                rng.shuffle(order)
            else:
                order = deal.dealt(rng)
            into.update(zip(cards, order, strict=True))
        return [into[card] for card in self.hidden]


def _deals(table: Table, hidden: Sequence[int]) -> list[tuple[list[int], ConfinedDeal | None]]:
    """Return the hidden cards of each batch, with a deal for those that may not lie anywhere; nothing if it is one batch of which all may."""
    limits = _limits(table)
    if len(table.batches) == 1 and limits.keys().isdisjoint(hidden):
        return []
    batches: dict[int, list[int]] = {}
    for card in hidden:
        batches.setdefault(table.batch[card], []).append(card)
    deals: list[tuple[list[int], ConfinedDeal | None]] = []
    for cards in batches.values():
        deal = None
        if not limits.keys().isdisjoint(cards):
            deal = ConfinedDeal(cards, [limits.get(card) for card in cards])
            if not deal.is_possible:
                raise TableError(
                    "cards are confined in a way that leaves no place for some of them; not all that the game has stated is true"
                )
        deals.append((cards, deal))
    return deals


def _limits(table: Table) -> dict[int, frozenset[int]]:
    """Return for each card in whose place not every card may lie those that may."""
    limits: dict[int, frozenset[int]] = {}
    for among, cards in table.confined:
        for card in _places(table, cards):
            limits[card] = limits[card] & among if card in limits else among
    return limits


def _places(table: Table, cards: tuple[int, ...]) -> tuple[int, ...]:
    """Return the cards that lie where the cards of a constraint lay."""
    return cards if table.backs is None else tuple(map(table.backs.__getitem__, cards))


def _seen(known: Sequence[int], bit: int, cards: Iterable[int]) -> list[int | None]:
    """Return the cards that a seat can place, None for the others; an empty slot is EMPTY."""
    count = len(known)
    return [EMPTY if not 0 <= card < count else card if known[card] & bit else None for card in cards]
