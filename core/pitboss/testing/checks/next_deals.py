"""The deals of a match: their cards do not depend on how the deals before them were played."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from pitboss.simulation.random_play import choose_from, play_decisions
from pitboss.table.randomness import Random
from pitboss.table.secret_table import ChanceEvent
from pitboss.testing.framework.check import CheckFailed, NotApplicable, check
from pitboss.testing.framework.checked_setup import CheckedSetup
from pitboss.testing.framework.deal_numbers import read_deal_number

PLAYS: Final = 3  # of the same match
MAX_DEALS: Final = 4  # of each
MAX_MATCH_DECISIONS: Final = 1_500
MIN_SHUFFLED: Final = 5  # cards


@check("table")
def next_deal_is_the_same_however_one_plays(setup: CheckedSetup) -> None:
    """In a match the cards of a deal are shuffled by the seed and the number of the deal alone, whatever was played in
    the deals before: so bots that play the same match differently go on with the same cards.
    """
    seed, compared = f"{setup.seed}/deals", 0
    plays = [_list_orders(setup, seed, str(number)) for number in range(PLAYS)]
    for play in plays[1:]:
        for number in sorted(play.keys() & plays[0].keys()):
            one, other = plays[0][number], play[number]
            if number > 1 and sorted(one) == sorted(other):
                compared += 1
                if one != other:
                    raise CheckFailed(
                        f"deal {number} is shuffled {_show(one)} after one play of the deals before, and "
                        f"{_show(other)} after another; {setup}, seed {seed!r}; "
                        "`collect_and_shuffle(pile, f'deal-{number}')` shuffles by the number"
                    )
    if not compared:
        raise NotApplicable("no second deal was shuffled")


def _list_orders(setup: CheckedSetup, seed: str, play: str) -> dict[int, Sequence[int]]:
    """Return by the number of a deal the order of its largest shuffle, for the first deals of a match."""
    state = setup.deal(seed)
    orders = dict[int, Sequence[int]]()
    number, known = read_deal_number(state), 0
    choose = choose_from(Random(f"{seed}/{play}"))
    for _ in play_decisions(state, choose, MAX_MATCH_DECISIONS):
        if (now := read_deal_number(state)) is None or now > MAX_DEALS:
            break
        chance = state.table.chance_events or ()
        if now != number or not orders:
            order = _find_shuffle(chance[known:])
            if order is not None:
                orders[now] = order
            number = now
        known = len(chance)
    return orders


def _find_shuffle(chance: Sequence[ChanceEvent]) -> Sequence[int] | None:
    shuffles = [one for one in chance if isinstance(one, tuple) and len(one) >= MIN_SHUFFLED]
    return max(shuffles, key=len, default=None)


def _show(order: Sequence[int]) -> str:
    return f"{', '.join(map(str, order[:MIN_SHUFFLED]))}, …"
