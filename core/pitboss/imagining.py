"""Imagining: a table that a seat cannot tell from the real one.

What a seat cannot place is exchangeable within each batch, so a world is a fair shuffle of the batch's cards over the places where
they lie, kept if it satisfies every constraint; where hidden cards were mixed with others, it is the end of a fair history (`histories`).
Everything that belongs to a *place* (who knows the card there, its batch) stays with the place.

Cards with equal faces are different cards to the table: where one is shown, it takes as seen which of them it is. So where copies lie in several batches, what
worlds there are is right, but their shares are those of somebody who could tell the copies apart.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from pitboss.errors import TableError
from pitboss.knowledge import Batch, is_plain
from pitboss.outlook import Outlook
from pitboss.zones import EMPTY

if TYPE_CHECKING:
    from pitboss.constraints import Constraint
    from pitboss.histories import History
    from pitboss.randomness import Random
    from pitboss.table import Chance, Table

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
    outlook = table.outlook
    if outlook is None or not outlook.is_current(table, seat):
        table.outlook = outlook = Outlook(table, seat)
    hidden, told = outlook.hidden, outlook.told
    for _ in range(FAIR_DEALS):
        now, knows = _placed(table, hidden, outlook.dealt(rng))
        if _satisfied(told, now) and (not also or _satisfied(also, now)):
            return _world(table, rng, now, knows)
    now = [*range(len(table.known)), EMPTY]
    if not (_satisfied(told, now) and _satisfied(also, now) and _is_confined(table, now)):
        raise _untrue(table, also)
    _exchange(table, hidden, [*told, *also], now, rng)
    return _world(table, rng, *_placed(table, hidden, [now[card] for card in hidden]))


def _placed(table: Table, hidden: Sequence[int], dealt: Sequence[int]) -> tuple[list[int], list[int]]:
    """Return what lies where each card lay, at the end what lies in an empty slot, whose number is -1; and who knows each card then."""
    known = table.known
    now, knows = [*range(len(known)), EMPTY], known[:]
    for card, other in zip(hidden, dealt):  # noqa: B905 - they are equally long
        now[card] = other
        knows[other] = known[card]
    return now, knows


def _satisfied(constraints: Sequence[Constraint], now: list[int]) -> bool:
    lies = now.__getitem__
    for holds, cards in constraints:  # noqa: SIM110 - a generator would take twice as long
        if not holds(map(lies, cards)):
            return False
    return True


def _is_confined(table: Table, now: Sequence[int]) -> bool:
    backs = table.backs or range(len(now))
    return all(now[backs[card]] in among for among, cards in table.confined for card in cards)


def _untrue(table: Table, also: Sequence[Constraint]) -> TableError:
    stated = len(table.constraints) + len(table.confined) + len(also)
    return TableError(f"of the {stated} constraints that the game has stated, not all are true")


def _exchange(table: Table, hidden: Sequence[int], told: Sequence[Constraint], now: list[int], rng: Random) -> None:
    """Exchange random pairs of hidden cards of one batch, as long as all stays true."""
    count, batch = len(hidden), table.batch
    for word in rng.words(SWEEPS * count):
        one, two = hidden[word % count], hidden[(word >> 32) % count]
        if batch[one] == batch[two]:
            now[one], now[two] = now[two], now[one]
            if not (_satisfied(told, now) and _is_confined(table, now)):
                now[one], now[two] = now[two], now[one]


def _end_of_history(table: Table, seat: int, rng: Random, also: Sequence[Constraint]) -> Table:
    """Return the world at the end of a fair history: where hidden cards were mixed with others."""
    from pitboss.histories import History  # only here: most tables are plain

    return world_at_end(table, History(table.batches, table.known, 1 << seat), rng, also)


def world_at_end(table: Table, history: History, rng: Random, also: Sequence[Constraint] = ()) -> Table:
    """Return the world at the end of a history that is drawn anew, fairly, as far as it is not pinned.

    Raises:
        TableError: the constraints do not hold at the end of the history as it was.
    """
    backs = table.backs or [*range(len(table.known)), EMPTY]

    def holds() -> bool:
        now = history.now()
        lies = [*map(now.__getitem__, backs), *history.then()]
        return _satisfied(table.constraints, lies) and _satisfied(also, now) and _is_confined(table, now)

    if not history.draw(holds, rng):
        raise _untrue(table, also)
    now = history.now()
    hidden = [card for card in range(len(table.known)) if now[card] != card]
    world = _world(table, rng, *_placed(table, hidden, [now[card] for card in hidden]))
    then = iter(history.then())
    world.batches = [Batch(batch.chance, tuple(next(then) for _ in batch.cards), batch.known) for batch in table.batches]
    for card in hidden:
        world.batch[now[card]] = table.batch[card]
    world.chance = None
    return world


def _world(table: Table, rng: Random, now: list[int], knows: list[int]) -> Table:
    """Return the table with each hidden card replaced: `now[card]` lies where `card` lay."""
    world = object.__new__(type(table))
    world.layout = table.layout
    world.rng = rng
    world.zones = [[now[card] for card in cards] if cards else [] for cards in table.zones]
    world.known = knows
    world.batches = table.batches[:]
    world.batch = table.batch[:]  # of a plain table: a card and what lies in its place are of one batch
    world.constraints = table.constraints
    world.confined = table.confined
    world.intricate = table.intricate
    world.backs = now if table.backs is None else [now[card] for card in table.backs]
    world.patience = table.patience
    world.outlook = None
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
