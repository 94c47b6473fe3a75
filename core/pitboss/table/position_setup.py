"""Position setup: deal the cards that a written position names to their zones, random ones to open places."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from pitboss.errors import PositionError
from pitboss.table.cards import Face
from pitboss.table.constrained_deal import ConstrainedDeal
from pitboss.table.table import Table
from pitboss.table.zones import Zone
from pitboss.text import format_count, join_words


def check_row_lengths(seats: int, **rows: Sequence[object] | None) -> None:
    """Check that each row of a position has an entry for each seat; None is a row that is left open.

    Raises:
        PositionError: a row has more or fewer.
    """
    for name, row in rows.items():
        if row is not None and len(row) != seats:
            raise PositionError(f"{name} has {len(row)} entries; {seats} play")


def check_seats(seats: int, **named: int | None) -> None:
    """Check that each named value is a seat number below `seats`, or None, which leaves it open.

    Raises:
        PositionError: a value is neither.
    """
    for name, seat in named.items():
        if seat is not None and not 0 <= seat < seats:
            raise PositionError(f"{name} {seat} is no seat; {seats} play")


def stack_deck(table: Table, start: Zone, deck: Sequence[Face], position: Struct, beside: Sequence[str]) -> None:
    """Put the cards of `start` into the order of the `deck` of a written position, the top card first.

    The game then deals from it, so `deck` and the fields of `beside` are the only ones that the position may give.

    Raises:
        PositionError: another field is given, or `deck` is not the whole deck of the game.
    """
    blank = type(position)()
    closed = [name for name in position.__struct_fields__ if name not in ("deck", *beside)]
    if given := [name for name in closed if getattr(position, name) != getattr(blank, name)]:
        raise PositionError(f"a position with a deck is dealt from it; it cannot give {join_words(given)}")
    cards = table.layout.deck.find_cards(deck)
    if len(cards) != len(table.known_by):
        raise PositionError(f"the deck must be all {len(table.known_by)} cards; it has {len(cards)}")
    table.shuffle(start, order=cards[::-1])


def set_up_zones(
    table: Table,
    start: Zone,
    rows: Iterable[tuple[Zone, Sequence[Face | None]]],
    domains: Mapping[Zone, frozenset[int]] | None = None,
) -> list[int]:
    """Move cards from `start`, which holds the whole deck, to the zones of a written position.

    None stands for a card that the position leaves open; it is drawn uniformly among the cards named nowhere and in
    `domains[zone]`. A card becomes known to the seats that see it in its zone. Returns the cards left in `start`, in
    random order, known to no seat. Cards written for `start` lie on top of these.

    Raises:
        PositionError: the deck lacks a card that is named, or the remaining cards do not fit the open places.
    """
    written = [(zone, list(row)) for zone, row in rows]
    named = iter(table.layout.deck.find_cards([face for _, row in written for face in row if face is not None]))
    placed = [(zone, [None if face is None else next(named) for face in row]) for zone, row in written]
    mentioned = {card for _, row in placed for card in row}
    rest = [card for card in range(len(table.known_by)) if card not in mentioned]
    open_domains = [(domains or {}).get(zone) for zone, row in placed for card in row if card is None]
    deal = ConstrainedDeal(rest, [*open_domains, *[None] * (len(rest) - len(open_domains))])
    if len(open_domains) > len(rest) or not deal.is_possible:
        places = format_count(len(open_domains), "open place")
        raise PositionError(f"the {format_count(len(rest), 'card')} named nowhere cannot fill {places}")
    drawn = iter(deal.sample_deal(table.rng))
    filled = [(zone, [next(drawn) if card is None else card for card in row]) for zone, row in placed]
    left = list(drawn)
    for zone, cards in sorted([(start, left), *filled], key=lambda row: row[0] == start):  # rows of `start` last
        table.place(cards, start, zone, 0)
    return left
