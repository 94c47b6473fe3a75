"""Imagining: a table that a seat cannot tell from the real one.

What a seat cannot place is exchangeable within each batch, so a world is a fair shuffle of the batch's cards over the places where
they lie, kept if it satisfies every constraint. Everything that belongs to a *place* (who knows the card there, its batch) stays with the place.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pitboss.errors import TableError
from pitboss.knowledge import mask_of_batches
from pitboss.zones import EMPTY

if TYPE_CHECKING:
    from pitboss.randomness import Random
    from pitboss.table import Chance, Constraint, Table

FAIR_DEALS = 200  # tried before the Markov chain
SWEEPS = 30  # steps of the chain, per hidden card


def imagined(table: Table, seat: int, rng: Random, also: Sequence[Constraint]) -> Table:
    """Return a world of `seat`: see `Table.imagine`.

    A fair deal that happens to satisfy the constraints is exactly fair. Where that is too rare, a Markov chain of exchanges,
    from the cards as they lie, is nearly so.

    Raises:
        TableError: the constraints do not hold on the table itself; the game has stated something untrue.
    """
    bit = 1 << seat
    hidden = [card for card, seats in enumerate(table.known) if not seats & bit]
    constraints = [*table.constraints, *also]
    for _ in range(FAIR_DEALS):
        dealt = _fair_deal(table, seat, hidden, rng)
        if dealt is not None:
            now = _places(table, hidden, dealt)
            if not constraints or _satisfied(constraints, now, table.backs):
                return _world(table, seat, rng, hidden, dealt, now)
    now = _places(table, hidden, hidden)
    if not _satisfied(constraints, now, table.backs):
        raise TableError(f"of the {len(constraints)} constraints that the game has stated, not all are true")
    _exchange(table, hidden, _domains(table, seat, hidden), constraints, now, rng)
    return _world(table, seat, rng, hidden, [now[card] for card in hidden], now)


def _places(table: Table, hidden: list[int], dealt: list[int]) -> list[int]:
    """Return what lies where each card lay; at the end what lies in an empty slot, whose number is -1."""
    now = [*range(len(table.known)), EMPTY]
    for card, other in zip(hidden, dealt, strict=True):
        now[card] = other
    return now


def _satisfied(constraints: Sequence[Constraint], now: list[int], backs: list[int] | None) -> bool:
    lies = now.__getitem__
    return all(holds(map(lies, cards if backs is None else map(backs.__getitem__, cards))) for holds, cards in constraints)


def _fair_deal(table: Table, seat: int, hidden: list[int], rng: Random) -> list[int] | None:
    """Deal the hidden cards anew; return what lies in each one's place instead, or None if that cannot be."""
    dealt = hidden[:]
    if len(table.batches) == 1:
        rng.shuffle(dealt)
        return dealt
    batch = table.batch
    groups: dict[int, list[int]] = {}
    for card in hidden:
        groups.setdefault(batch[card], []).append(card)
    if len(groups) > 1 and not all(table.batches[number].closed >> seat & 1 for number in groups):
        rng.shuffle(dealt)
        domains = _domains(table, seat, hidden)
        return dealt if all(domain >> card & 1 for card, domain in zip(dealt, domains, strict=True)) else None
    into: dict[int, int] = {}
    for cards in groups.values():
        order = cards[:]
        rng.shuffle(order)
        into.update(zip(cards, order, strict=True))
    return [into[card] for card in hidden]


def _domains(table: Table, seat: int, hidden: Sequence[int]) -> list[int]:
    """Return for each hidden card the mask of the cards that may lie in its place.

    A card that the seat saw going into a batch cannot lie in an older one.
    """
    by_number: dict[int, int] = {}
    for number in {table.batch[card] for card in hidden}:
        domain = mask_of_batches([number], table.batch, table.batches, seat)
        for later in table.batches[number + 1 :]:
            if later.sure:
                domain &= ~later.sure[seat]
        by_number[number] = domain
    return [by_number[table.batch[card]] for card in hidden]


def _exchange(
    table: Table, hidden: Sequence[int], domains: Sequence[int], constraints: Sequence[Constraint], now: list[int], rng: Random
) -> None:
    """Exchange random pairs of hidden cards, as long as all stays true."""
    count = len(hidden)
    for word in rng.words(SWEEPS * count):
        at, to = word % count, (word >> 32) % count
        one, two = hidden[at], hidden[to]
        if domains[at] >> now[two] & 1 and domains[to] >> now[one] & 1:
            now[one], now[two] = now[two], now[one]
            if not _satisfied(constraints, now, table.backs):
                now[one], now[two] = now[two], now[one]


def _world(table: Table, seat: int, rng: Random, hidden: list[int], dealt: list[int], now: list[int]) -> Table:
    """Return the table with each hidden card replaced: `now[card]` lies where `card` lay."""
    world = object.__new__(type(table))
    world.layout = table.layout
    world.rng = rng
    world.zones = [[now[card] for card in zone] for zone in table.zones]
    known = table.known
    world.known = knows = known[:]
    for card, other in zip(hidden, dealt, strict=True):
        knows[other] = known[card]
    world.batches = table.batches[:]
    world.batch = table.batch[:]
    if len(table.batches) > 1:
        for card, other in zip(hidden, dealt, strict=True):
            world.batch[other] = table.batch[card]
    world.constraints = table.constraints
    world.backs = now if table.backs is None else [now[card] for card in table.backs]
    world.patience = table.patience
    world.log = None
    world.chance = None if table.chance is None else _past(table, seat, now)
    return world


def _past(table: Table, seat: int, now: Sequence[int]) -> list[Chance] | None:
    """Return the chance record that would have led to the world."""
    if table.chance is None or not all(batch.closed >> seat & 1 for batch in table.batches):
        return None
    past = list(table.chance)
    for number, batch in enumerate(table.batches):
        order = past[batch.chance] if batch.chance >= 0 else 0
        if isinstance(order, tuple):
            past[batch.chance] = tuple(now[card] if table.batch[card] == number else card for card in order)
    return past
