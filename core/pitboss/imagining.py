"""Imagining: a table that a seat cannot tell from the real one.

What a seat cannot place is exchangeable within each batch, so a world is a fair shuffle of the batch's cards over the places where
they lie, kept if it satisfies every constraint; where hidden cards were mixed with others, it is the end of a fair history (`histories`).
Everything that belongs to a *place* (who knows the card there, its batch) stays with the place.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from pitboss.errors import TableError
from pitboss.knowledge import Batch, is_plain
from pitboss.zones import EMPTY

if TYPE_CHECKING:
    from pitboss.randomness import Random
    from pitboss.table import Chance, Constraint, Table

FAIR_DEALS: Final = 200  # tried before the Markov chain
SWEEPS: Final = 30  # steps of the chain, per hidden card


def imagined(table: Table, seat: int, rng: Random, also: Sequence[Constraint]) -> Table:
    """Return a world of `seat`: see `Table.imagine`.

    A fair deal that happens to satisfy the constraints is exactly fair. Where that is too rare, a Markov chain of exchanges,
    from the cards as they lie, is nearly so.

    Raises:
        TableError: the constraints do not hold on the table itself; the game has stated something untrue.
    """
    if not is_plain(table.batches):
        return _end_of_history(table, seat, rng, also)
    bit = 1 << seat
    hidden = [card for card, seats in enumerate(table.known) if not seats & bit]
    constraints = table.constraints
    for _ in range(FAIR_DEALS):
        dealt = _fair_deal(table, hidden, rng)
        now = _places(table, hidden, dealt)
        if (not constraints or _satisfied(constraints, now, table.backs)) and (not also or _satisfied(also, now)):
            return _world(table, rng, hidden, dealt, now)
    now = _places(table, hidden, hidden)
    if not (_satisfied(constraints, now, table.backs) and _satisfied(also, now)):
        raise _untrue(table, also)
    _exchange(table, hidden, also, now, rng)
    return _world(table, rng, hidden, [now[card] for card in hidden], now)


def _places(table: Table, hidden: list[int], dealt: list[int]) -> list[int]:
    """Return what lies where each card lay; at the end what lies in an empty slot, whose number is -1."""
    now = [*range(len(table.known)), EMPTY]
    for card, other in zip(hidden, dealt):  # noqa: B905 - they are equally long
        now[card] = other
    return now


def _satisfied(constraints: Sequence[Constraint], now: list[int], backs: list[int] | None = None) -> bool:
    lies = now.__getitem__
    for holds, cards in constraints:  # noqa: SIM110 - a generator would take twice as long
        if not holds(map(lies, cards if backs is None else map(backs.__getitem__, cards))):
            return False
    return True


def _untrue(table: Table, also: Sequence[Constraint]) -> TableError:
    stated = len(table.constraints) + len(also)
    return TableError(f"of the {stated} constraints that the game has stated, not all are true")


def _fair_deal(table: Table, hidden: list[int], rng: Random) -> list[int]:
    """Deal the hidden cards anew, within each batch; return what lies in each one's place instead."""
    dealt = hidden[:]
    if len(table.batches) == 1:
        rng.shuffle(dealt)
        return dealt
    batch = table.batch
    groups: dict[int, list[int]] = {}
    for card in hidden:
        groups.setdefault(batch[card], []).append(card)
    into: dict[int, int] = {}
    for cards in groups.values():
        order = cards[:]
        rng.shuffle(order)
        into.update(zip(cards, order, strict=True))
    return [into[card] for card in hidden]


def _exchange(table: Table, hidden: Sequence[int], also: Sequence[Constraint], now: list[int], rng: Random) -> None:
    """Exchange random pairs of hidden cards of one batch, as long as all stays true."""
    count, batch = len(hidden), table.batch
    for word in rng.words(SWEEPS * count):
        one, two = hidden[word % count], hidden[(word >> 32) % count]
        if batch[one] == batch[two]:
            now[one], now[two] = now[two], now[one]
            if not (_satisfied(table.constraints, now, table.backs) and _satisfied(also, now)):
                now[one], now[two] = now[two], now[one]


def _end_of_history(table: Table, seat: int, rng: Random, also: Sequence[Constraint]) -> Table:
    """Return the world at the end of a fair history: where hidden cards were mixed with others."""
    from pitboss.histories import History  # only here: most tables are plain

    history = History(table.batches, table.known, 1 << seat)
    backs = table.backs or [*range(len(table.known)), EMPTY]

    def holds() -> bool:
        now = history.now()
        return _satisfied(table.constraints, [*map(now.__getitem__, backs), *history.then()]) and _satisfied(also, now)

    if not history.draw(holds, rng):
        raise _untrue(table, also)
    now = history.now()
    hidden = [card for card in range(len(table.known)) if now[card] != card]
    world = _world(table, rng, hidden, [now[card] for card in hidden], now)
    then = iter(history.then())
    world.batches = [Batch(batch.chance, tuple(next(then) for _ in batch.cards), batch.known) for batch in table.batches]
    for card in hidden:
        world.batch[now[card]] = table.batch[card]
    world.chance = None
    return world


def _world(table: Table, rng: Random, hidden: list[int], dealt: list[int], now: list[int]) -> Table:
    """Return the table with each hidden card replaced: `now[card]` lies where `card` lay."""
    world = object.__new__(type(table))
    world.layout = table.layout
    world.rng = rng
    world.zones = [[now[card] for card in cards] if cards else [] for cards in table.zones]
    known = table.known
    world.known = knows = known[:]
    for card, other in zip(hidden, dealt):  # noqa: B905 - they are equally long
        knows[other] = known[card]
    world.batches = table.batches[:]
    world.batch = table.batch[:]  # of a plain table: a card and what lies in its place are of one batch
    world.constraints = table.constraints
    world.backs = now if table.backs is None else [now[card] for card in table.backs]
    world.patience = table.patience
    world.log = None
    world.chance = None if table.chance is None else _past(table.chance, table, now)
    return world


def _past(chance: list[Chance], table: Table, now: Sequence[int]) -> list[Chance]:
    """Return the chance record that would have led to the world."""
    past, alone = chance[:], len(table.batches) == 1
    for number, batch in enumerate(table.batches):
        order = past[batch.chance] if batch.chance >= 0 else 0
        if isinstance(order, tuple):
            lies = now if alone else [now[card] if at == number else card for card, at in enumerate(table.batch)]
            past[batch.chance] = tuple(map(lies.__getitem__, order))
    return past
