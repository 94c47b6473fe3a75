"""The outlook of a seat: what it has to imagine on a table, worked out once for all worlds of one moment."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from pitboss.errors import TableError
from pitboss.table.constrained_deal import ConstrainedDeal
from pitboss.table.constraints import Constraint
from pitboss.table.zones import EMPTY

if TYPE_CHECKING:
    from pitboss.table.randomness import Random
    from pitboss.table.table import Table


class InformationSet:
    """The cards that a seat cannot place on a plain table, and what it has been told about them.

    Raises:
        TableError: there is no way to deal the cards so that each place holds one that it may hold.
    """

    __slots__ = (
        "_group_deals",
        "_seat",
        "_table_constraints",
        "_table_domains",
        "_table_known_by",
        "constraints",
        "unseen",
    )

    def __init__(self, table: Table, seat: int) -> None:
        bit, known = 1 << seat, table.known_by
        self._seat, self._table_known_by, self._table_constraints, self._table_domains = (
            seat,
            known[:],
            table.constraints,
            table.card_domains,
        )
        self.unseen = [card for card, seats in enumerate(known) if not seats & bit]  # what is dealt anew
        stated = [Constraint(one.holds, _current_cards(table, one.cards)) for one in table.constraints]
        self.constraints = [one for one in stated if not one.holds(_known_cards(known, bit, one.cards))]
        self._group_deals = _build_group_deals(table, self.unseen)

    def is_current(self, table: Table, seat: int) -> bool:
        """Tell whether this is what the seat has to imagine now (a mixing too makes a new list of constraints)."""
        return (
            seat == self._seat
            and table.constraints is self._table_constraints
            and table.card_domains is self._table_domains
            and table.known_by == self._table_known_by
        )

    def sample_deal(self, rng: Random) -> list[int]:
        """Deal the hidden cards anew, within each batch; return what lies in each one's place instead."""
        if not self._group_deals:
            dealt = self.unseen[:]
            rng.shuffle(dealt)
            return dealt
        into: dict[int, int] = {}
        for cards, deal in self._group_deals:
            if deal is None:
                order = cards[:]
                rng.shuffle(order)
            else:
                order = deal.sample_deal(rng)
            into.update(zip(cards, order, strict=True))
        return [into[card] for card in self.unseen]


def _build_group_deals(table: Table, unseen: Sequence[int]) -> list[tuple[list[int], ConstrainedDeal | None]]:
    """Return the hidden cards of each batch, with a deal for those that may not lie anywhere; nothing if it is one batch of which all may."""
    limits = _domains_by_card(table)
    if len(table.shuffle_groups) == 1 and limits.keys().isdisjoint(unseen):
        return []
    batches: dict[int, list[int]] = {}
    for card in unseen:
        batches.setdefault(table.shuffle_group_of[card], []).append(card)
    deals: list[tuple[list[int], ConstrainedDeal | None]] = []
    for cards in batches.values():
        deal = None
        if not limits.keys().isdisjoint(cards):
            deal = ConstrainedDeal(cards, [limits.get(card) for card in cards])
            if not deal.is_possible:
                raise TableError(
                    "cards are confined in a way that leaves no place for some of them; not all that the game has stated is true"
                )
        deals.append((cards, deal))
    return deals


def _domains_by_card(table: Table) -> dict[int, frozenset[int]]:
    """Return for each card in whose place not every card may lie those that may."""
    limits: dict[int, frozenset[int]] = {}
    for among, cards in table.card_domains:
        for card in _current_cards(table, cards):
            limits[card] = limits[card] & among if card in limits else among
    return limits


def _current_cards(table: Table, cards: tuple[int, ...]) -> tuple[int, ...]:
    """Return the cards that lie where the cards of a constraint lay."""
    return cards if table.stands_for is None else tuple(map(table.stands_for.__getitem__, cards))


def _known_cards(known_by: Sequence[int], bit: int, cards: Iterable[int]) -> list[int | None]:
    """Return the cards that a seat can place, None for the others; an empty slot is EMPTY."""
    count = len(known_by)
    return [EMPTY if not 0 <= card < count else card if known_by[card] & bit else None for card in cards]
