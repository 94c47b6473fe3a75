"""Swiss: in each round bots meet others that have done about as well, and not again those whom they have met. Many bots are ranked in few rounds.

After each round bots are ranked by their mean place score, then by the mean score of those whom they met, then as they are listed. From the top each table takes the next bots; then bots change tables as
long as that saves rematches or, with as many rematches, brings bots of like rank closer. In the first round the list is dealt out over the tables like cards, so that its first bots do not meet.
Where a round's tables do not take all bots, those sit out who have done so least often, and of these the last ranked; as scores are means, that neither gains nor costs anything.
A bot that is put out is in no later round, and ends behind all who are not; who met it keeps what the complete blocks gave. Where too few for a table are left, the tournament is over.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from math import ceil, log2
from typing import Annotated, Final

from msgspec import Meta

from pitboss.formats import EntrantField, FormatOptions, PlannedRound, RoundGenerator
from pitboss_tournament.statistics.head_to_head import HeadToHead

MOST_TABLES_AWAY: Final = 4  # so many tables away a bot may go to avoid a rematch
MOST_PASSES: Final = 20


class SwissOptions(FormatOptions, frozen=True, kw_only=True):
    """The options of `swiss`."""

    rounds: (
        Annotated[
            int,
            Meta(ge=1, le=1_000, description="Rounds; by default one more than halving the bots takes to leave one."),
        ]
        | None
    ) = None


class Swiss:
    """Rounds in which those meet who have done equally well."""

    name = "swiss"
    summary = "Some rounds, in each of which those meet who have done about equally well."
    is_static = False
    Options = SwissOptions

    def check(self, field: EntrantField, options: SwissOptions) -> None:
        """Allow games in which each seat plays for itself."""
        field.require_single_seats(self.name)

    def count_blocks(self, field: EntrantField, options: SwissOptions) -> int:
        """Return those of all rounds."""
        return _round_count(field, options) * (len(field.names) // field.seats) * field.deals

    def rounds(self, field: EntrantField, options: SwissOptions) -> RoundGenerator:
        """Yield as many rounds as are wanted."""
        ranked = list(range(len(field.names)))
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
        return [*ranked, *_rank_bots([bot for bot in range(len(field.names)) if bot not in ranked], results)]


def _round_count(field: EntrantField, options: SwissOptions) -> int:
    return options.rounds or ceil(log2(max(2, len(field.names)))) + 1


def _rank_bots(bots: Sequence[int], results: HeadToHead) -> list[int]:
    return sorted(bots, key=lambda bot: (-results.mean_score(bot), -results.opposition_score(bot), bot))


def _choose_resting(ranked: Sequence[int], rests: Counter[int], count: int) -> set[int]:
    """Return who sits out."""
    places = {bot: place for place, bot in enumerate(ranked)}
    return set(sorted(ranked, key=lambda bot: (rests[bot], -places[bot]))[:count])


def _deal_tables(bots: Sequence[int], seats: int) -> list[list[int]]:
    tables = len(bots) // seats
    return [list(bots[table::tables]) for table in range(tables)]


def _pair_tables(ranked: Sequence[int], seats: int, met: Counter[tuple[int, int]]) -> list[list[int]]:
    """Return tables of like rank with few rematches: they begin as the ranking cut into pieces, and bots change places while that is an improvement."""
    places = list(ranked)
    for _ in range(MOST_PASSES):
        has_changed = False
        for here in range(len(places)):
            first_beyond = (here // seats + 1) * seats
            for there in range(first_beyond, min(len(places), first_beyond + MOST_TABLES_AWAY * seats)):
                has_changed |= _exchange_if_better(places, here, there, seats, ranked, met)
        if not has_changed:
            break
    return [places[first : first + seats] for first in range(0, len(places), seats)]


def _exchange_if_better(
    places: list[int], here: int, there: int, seats: int, ranked: Sequence[int], met: Counter[tuple[int, int]]
) -> bool:
    """Exchange two bots of different tables if that is an improvement; tell whether it was."""
    before = _table_cost(places, here, seats, ranked, met), _table_cost(places, there, seats, ranked, met)
    places[here], places[there] = places[there], places[here]
    after = _table_cost(places, here, seats, ranked, met), _table_cost(places, there, seats, ranked, met)
    if (sum(cost[0] for cost in after), sum(cost[1] for cost in after)) < (
        sum(cost[0] for cost in before),
        sum(cost[1] for cost in before),
    ):
        return True
    places[here], places[there] = places[there], places[here]
    return False


def _table_cost(
    places: Sequence[int], place: int, seats: int, ranked: Sequence[int], met: Counter[tuple[int, int]]
) -> tuple[int, int]:
    """Return the rematches at a table (a second one counts more than two first ones), and how far apart in rank its bots are."""
    first = place // seats * seats
    table = places[first : first + seats]
    rematches = sum(
        met[one, other] ** 2 if one < other else met[other, one] ** 2 for one, other in combinations(table, 2)
    )
    ranks = [ranked.index(bot) for bot in table]
    return rematches, sum((one - other) ** 2 for one, other in combinations(ranks, 2))
