"""Laying a written position out: the cards that are named where they are said to lie, others at random where a place is left open."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from pitboss.errors import PositionError
from pitboss.table.cards import Face
from pitboss.table.constrained_deal import ConstrainedDeal
from pitboss.table.table import Table
from pitboss.table.zones import Zone


def check_row_lengths(seats: int, **rows: Sequence[object] | None) -> None:
    """Check that each row of a position has an entry for each seat; None is a row that is left open.

    Raises:
        PositionError: a row has more or fewer.
    """
    for name, row in rows.items():
        if row is not None and len(row) != seats:
            raise PositionError(f"{name} has {len(row)} entries; {seats} play")


def set_up_zones(
    table: Table,
    start: Zone,
    rows: Iterable[tuple[Zone, Sequence[Face | None]]],
    domains: Mapping[Zone, frozenset[int]] | None = None,
) -> list[int]:
    """Put cards from `start`, where the whole deck lies, into zones; None stands for any card that is written nowhere.

    Such a place gets one of `among[zone]`, if that is given; every way to fill all of them is as likely as any other. A card is known to those who see it
    where it comes to lie. What is left over stays in `start`, in random order and known to nobody, and is returned; what is written for `start` itself lies on it.

    Raises:
        PositionError: the deck does not hold a card (so often), or the cards that are left do not fit the open places.
    """
    written = [(zone, list(row)) for zone, row in rows]
    named = iter(table.layout.deck.find_cards([face for _, row in written for face in row if face is not None]))
    placed = [(zone, [None if face is None else next(named) for face in row]) for zone, row in written]
    mentioned = {card for _, row in placed for card in row}
    rest = [card for card in range(len(table.known_by)) if card not in mentioned]
    limits = [(domains or {}).get(zone) for zone, row in placed for card in row if card is None]
    deal = ConstrainedDeal(rest, [*limits, *[None] * (len(rest) - len(limits))])
    if len(limits) > len(rest) or not deal.is_possible:
        raise PositionError(
            f"{len(limits)} places are left open, and the {len(rest)} cards that are written nowhere cannot fill them"
        )
    others = iter(deal.sample_deal(table.rng))
    filled = [(zone, [next(others) if card is None else card for card in row]) for zone, row in placed]
    left = list(others)
    for zone, cards in [
        *(one for one in filled if one[0] != start),
        (start, left),
        *(one for one in filled if one[0] == start),
    ]:
        table.place(cards, start, zone, 0)
    return left
