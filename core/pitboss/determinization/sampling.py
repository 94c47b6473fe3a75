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
from pitboss.table.information_set import InformationSet
from pitboss.table.knowledge import ShuffleGroup, has_only_public_groups
from pitboss.table.zones import EMPTY

if TYPE_CHECKING:
    from pitboss.determinization.mixing_history import MixingHistory
    from pitboss.table.constraints import Constraint
    from pitboss.table.randomness import Random
    from pitboss.table.table import ChanceEvent, Table

REJECTION_TRIES: Final = 200  # tried before the Markov chain
CHAIN_STEPS_PER_CARD: Final = 30  # steps of the chain, per hidden card


def sample_world(table: Table, seat: int, rng: Random, also: Sequence[Constraint]) -> Table:
    """Return a world of `seat`: see `Table.imagine`.

    A fair deal that happens to satisfy the constraints is exactly fair. Where that is too rare, a Markov chain of exchanges,
    from the cards as they lie, is nearly so.

    Raises:
        TableError: the constraints do not hold on the table itself; the game has stated something untrue.
    """
    if not has_only_public_groups(table.shuffle_groups):
        return _sample_with_private_mixing(table, seat, rng, also)
    outlook = table.information_set
    if outlook is None or not outlook.is_current(table, seat):
        table.information_set = outlook = InformationSet(table, seat)
    hidden, told = outlook.unseen, outlook.constraints
    for _ in range(REJECTION_TRIES):
        now, knows = _place_deal(table, hidden, outlook.sample_deal(rng))
        if _is_satisfied(told, now) and (not also or _is_satisfied(also, now)):
            return _build_world(table, rng, now, knows)
    now = [*range(len(table.known_by)), EMPTY]
    if not (_is_satisfied(told, now) and _is_satisfied(also, now) and _is_in_domains(table, now)):
        raise _constraint_error(table, also)
    _run_exchange_chain(table, hidden, [*told, *also], now, rng)
    return _build_world(table, rng, *_place_deal(table, hidden, [now[card] for card in hidden]))


def _place_deal(table: Table, unseen: Sequence[int], deal: Sequence[int]) -> tuple[list[int], list[int]]:
    """Return what lies where each card lay, at the end what lies in an empty slot, whose number is -1; and who knows each card then."""
    known = table.known_by
    now, knows = [*range(len(known)), EMPTY], known[:]
    for card, other in zip(unseen, deal):  # noqa: B905 - they are equally long
        now[card] = other
        knows[other] = known[card]
    return now, knows


def _is_satisfied(constraints: Sequence[Constraint], now: list[int]) -> bool:
    lies = now.__getitem__
    for holds, cards in constraints:  # noqa: SIM110 - a generator would take twice as long
        if not holds(map(lies, cards)):
            return False
    return True


def _is_in_domains(table: Table, now: Sequence[int]) -> bool:
    backs = table.stands_for or range(len(now))
    return all(now[backs[card]] in among for among, cards in table.card_domains for card in cards)


def _constraint_error(table: Table, also: Sequence[Constraint]) -> TableError:
    stated = len(table.constraints) + len(table.card_domains) + len(also)
    return TableError(f"of the {stated} constraints that the game has stated, not all are true")


def _run_exchange_chain(
    table: Table, unseen: Sequence[int], constraints: Sequence[Constraint], now: list[int], rng: Random
) -> None:
    """Exchange random pairs of hidden cards of one batch, as long as all stays true."""
    count, batch = len(unseen), table.shuffle_group_of
    for word in rng.draw_words(CHAIN_STEPS_PER_CARD * count):
        one, two = unseen[word % count], unseen[(word >> 32) % count]
        if batch[one] == batch[two]:
            now[one], now[two] = now[two], now[one]
            if not (_is_satisfied(constraints, now) and _is_in_domains(table, now)):
                now[one], now[two] = now[two], now[one]


def _sample_with_private_mixing(table: Table, seat: int, rng: Random, also: Sequence[Constraint]) -> Table:
    """Return the world at the end of a fair history: where hidden cards were mixed with others."""
    from pitboss.determinization.mixing_history import MixingHistory  # only here: most tables are plain

    return sample_world_from_history(table, MixingHistory(table.shuffle_groups, table.known_by, 1 << seat), rng, also)


def sample_world_from_history(
    table: Table, history: MixingHistory, rng: Random, also: Sequence[Constraint] = ()
) -> Table:
    """Return the world at the end of a history that is drawn anew, fairly, as far as it is not pinned.

    Raises:
        TableError: the constraints do not hold at the end of the history as it was.
    """
    backs = table.stands_for or [*range(len(table.known_by)), EMPTY]

    def holds() -> bool:
        now = history.current_cards()
        lies = [*map(now.__getitem__, backs), *history.group_input_cards()]
        return _is_satisfied(table.constraints, lies) and _is_satisfied(also, now) and _is_in_domains(table, now)

    if not history.sample_history(holds, rng):
        raise _constraint_error(table, also)
    now = history.current_cards()
    hidden = [card for card in range(len(table.known_by)) if now[card] != card]
    world = _build_world(table, rng, *_place_deal(table, hidden, [now[card] for card in hidden]))
    then = iter(history.group_input_cards())
    world.shuffle_groups = [
        ShuffleGroup(batch.chance_index, tuple(next(then) for _ in batch.cards), batch.known_by)
        for batch in table.shuffle_groups
    ]
    for card in hidden:
        world.shuffle_group_of[now[card]] = table.shuffle_group_of[card]
    world.chance_events = None
    return world


def _build_world(table: Table, rng: Random, now: list[int], known_by: list[int]) -> Table:
    """Return the table with each hidden card replaced: `now[card]` lies where `card` lay."""
    world = object.__new__(type(table))
    world.layout = table.layout
    world.rng = rng
    world.zones = [[now[card] for card in cards] if cards else [] for cards in table.zones]
    world.known_by = known_by
    world.shuffle_groups = table.shuffle_groups[:]
    world.shuffle_group_of = table.shuffle_group_of[
        :
    ]  # of a plain table: a card and what lies in its place are of one batch
    world.constraints = table.constraints
    world.card_domains = table.card_domains
    world.has_constraints_or_mixing = table.has_constraints_or_mixing
    world.stands_for = now if table.stands_for is None else [now[card] for card in table.stands_for]
    world.prune_limit = table.prune_limit
    world.information_set = None
    world.log = None
    world.chance_events = (
        None if table.chance_events is None else _rewrite_chance_events(table.chance_events, table, now)
    )
    return world


def _rewrite_chance_events(chance_events: list[ChanceEvent], table: Table, now: Sequence[int]) -> list[ChanceEvent]:
    """Return the chance record that would have led to the world."""
    past, alone = chance_events[:], len(table.shuffle_groups) == 1
    for number, batch in enumerate(table.shuffle_groups):
        order = past[batch.chance_index] if batch.chance_index >= 0 else 0
        if isinstance(order, tuple):
            lies = (
                now
                if alone
                else [now[card] if at == number else card for card, at in enumerate(table.shuffle_group_of)]
            )
            past[batch.chance_index] = tuple(map(lies.__getitem__, order))
    return past
