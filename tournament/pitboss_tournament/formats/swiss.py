"""Swiss: in each round bots of similar rank meet that have not met before. Few rounds rank many bots.

After each round bots are ranked by their mean place score, then by the mean score of their opponents, then as listed.
From the top each table takes the next bots; then bots change tables as long as that saves rematches or, with as many
rematches, brings bots of similar rank closer. In the first round the list is dealt out over the tables like cards, so
that its first bots do not meet. If a round's tables do not take all bots, those sit out that have done so least often,
and of these the last ranked; as scores are means, that neither gains nor costs anything. A disqualified bot is in no
later round, and ends behind all others; its opponents keep what the complete blocks gave. So does a bot that leaves. A
bot that joins is the last of the ranking in its first round. If too few for a table are left, the tournament is over.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from itertools import combinations
from math import ceil, log2
from typing import TYPE_CHECKING, Annotated, Final

from msgspec import Meta

from pitboss.plugins.formats import EntrantField, FormatOptions, PlannedRound, RoundGenerator

if TYPE_CHECKING:
    from pitboss_tournament.statistics.head_to_head import HeadToHead

MAX_TABLES_AWAY: Final = 4  # tables that a bot may move away to avoid a rematch
MAX_PASSES: Final = 20


RoundCount = Annotated[
    int, Meta(ge=1, le=1_000, description="Rounds. Default: one more than the halvings that leave one bot.")
]


class SwissOptions(FormatOptions, frozen=True, kw_only=True):
    """The options of `swiss`."""

    rounds: RoundCount | None = None


class Swiss:
    """Rounds in which bots of similar score meet."""

    name = "swiss"
    summary = "Some rounds, in each of which those meet who have done about equally well."
    is_static = False
    why_closed = ""
    Options = SwissOptions

    def check(self, field: EntrantField, options: SwissOptions) -> None:
        """Require a game in which each seat plays for itself."""
        field.require_single_seats(self.name)

    def count_blocks(self, field: EntrantField, options: SwissOptions) -> int:
        """Return the blocks of all rounds."""
        return _round_count(field, options) * (len(field.names) // field.seats) * field.deals

    def rounds(self, field: EntrantField, options: SwissOptions) -> RoundGenerator:
        """Yield the rounds; return the final ranking."""
        from pitboss_tournament.statistics.head_to_head import HeadToHead  # noqa: PLC0415 - a list needs none

        ranked = list(range(len(field.names)))
        known = set(ranked)
        results, met, rests = HeadToHead(len(ranked)), Counter[tuple[int, int]](), Counter[int]()
        for number in range(_round_count(field, options)):
            resting = _choose_resting(ranked, rests, len(ranked) % field.seats)
            rests.update(resting)
            playing = [bot for bot in ranked if bot not in resting]
            if not playing:
                break
            tables = _deal_tables(playing, field.seats) if number == 0 else _pair_tables(playing, field.seats, met)
            met.update(pair for table in tables for pair in combinations(sorted(table), 2))
            played = yield PlannedRound(tables, field.deals)
            for table in played.tables:
                results.add_all(table.blocks)
            ranked = _rank_bots([bot for bot in ranked if bot not in played.disqualified], results)
            ranked += [bot for bot in played.joined if bot not in played.disqualified]
            known |= set(ranked)
            results.make_room(max(known) + 1)
        return [*ranked, *_rank_bots([bot for bot in known if bot not in ranked], results)]


def _round_count(field: EntrantField, options: SwissOptions) -> int:
    return options.rounds or ceil(log2(max(2, len(field.names)))) + 1


def _rank_bots(bots: Sequence[int], results: HeadToHead) -> list[int]:
    return sorted(bots, key=lambda bot: (-results.mean_score(bot), -results.opposition_score(bot), bot))


def _choose_resting(ranked: Sequence[int], rests: Counter[int], count: int) -> set[int]:
    """Return the bots that sit out."""
    places = {bot: place for place, bot in enumerate(ranked)}
    return set(sorted(ranked, key=lambda bot: (rests[bot], -places[bot]))[:count])


def _deal_tables(bots: Sequence[int], seats: int) -> list[list[int]]:
    tables = len(bots) // seats
    return [list(bots[table::tables]) for table in range(tables)]


def _pair_tables(ranked: Sequence[int], seats: int, met: Counter[tuple[int, int]]) -> list[list[int]]:
    """Return tables of similar rank with few rematches.

    The ranking is cut into tables, then bots are swapped while that lowers `_table_cost`.
    """
    places = list(ranked)
    cost_at = partial(_table_cost, places, seats, ranked, met)
    for _ in range(MAX_PASSES):
        has_changed = False
        for here in range(len(places)):
            first_beyond = (here // seats + 1) * seats
            for there in range(first_beyond, min(len(places), first_beyond + MAX_TABLES_AWAY * seats)):
                has_changed |= _exchange_if_better(places, here, there, cost_at)
        if not has_changed:
            break
    return [places[first : first + seats] for first in range(0, len(places), seats)]


def _exchange_if_better(places: list[int], here: int, there: int, cost_at: Callable[[int], tuple[int, int]]) -> bool:
    """Swap two bots of different tables if that lowers the cost of both together; return whether it did."""
    before = _add_costs(cost_at(here), cost_at(there))
    places[here], places[there] = places[there], places[here]
    if _add_costs(cost_at(here), cost_at(there)) < before:
        return True
    places[here], places[there] = places[there], places[here]
    return False


def _add_costs(one: tuple[int, int], other: tuple[int, int]) -> tuple[int, int]:
    return one[0] + other[0], one[1] + other[1]


def _table_cost(
    places: Sequence[int], seats: int, ranked: Sequence[int], met: Counter[tuple[int, int]], place: int
) -> tuple[int, int]:
    """Return the sum of squared rematch counts and the sum of squared rank differences of a table."""
    first = place // seats * seats
    table = places[first : first + seats]
    rematches = sum(
        met[one, other] ** 2 if one < other else met[other, one] ** 2 for one, other in combinations(table, 2)
    )
    ranks = [ranked.index(bot) for bot in table]
    return rematches, sum((one - other) ** 2 for one, other in combinations(ranks, 2))
