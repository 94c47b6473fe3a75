"""Summary: what all games of a store tell together. Each part is worked out when it is first asked for, from the games alone."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from msgspec.structs import asdict

from pitboss_tournament.statistics.blocks import margins
from pitboss_tournament.statistics.pairwise import Comparison, compare_entrants
from pitboss_tournament.statistics.rankings import RankingCounts
from pitboss_tournament.statistics.ratings import Ratings, rate_rankings
from pitboss_tournament.statistics.running_standings import RunningStandings, Standing
from pitboss_tournament.statistics.variance_reduction import VarianceReduction, estimate_reductions
from pitboss_tournament.store.store import Store


class TournamentSummary:
    """A tournament as it stands in its store, the games that are there at the moment."""

    def __init__(self, store: Store) -> None:
        header = store.header
        self.store = store
        self.names: Sequence[str] = header.bots
        self.tally = RunningStandings(header.bots, header.block_games or header.seats, header.faults.disqualify_after)
        self.voids = store.void_causes()
        self._rankings = RankingCounts(header.sides)
        for result in store.results():
            self.tally.add(result)
            self._rankings.add(result)

    @cached_property
    def ratings(self) -> Ratings:
        """How strong the bots are."""
        return rate_rankings(self._rankings, self.names)

    @cached_property
    def standings(self) -> list[Standing]:
        """The lines: by rating if all bots that played can be compared, else by share of wins; who has not played comes last."""
        lines = self.tally.standings()
        if self.ratings.group_count > 1:
            return lines
        by_name = {line.name: line for line in lines}
        return [by_name[rating.name] for rating in self.ratings.lines]

    def plain_standings(self) -> list[dict[str, object]]:
        """Return the lines with their ratings as plain data."""
        ratings = {line.name: line for line in self.ratings.lines}
        return [
            {**asdict(line), "rating": ratings[line.name].points, "group": ratings[line.name].group}
            for line in self.standings
        ]

    @cached_property
    def comparisons(self) -> list[Comparison]:
        """Each two bots, by their number, whether they met or not."""
        header = self.store.header
        results = self.store.results(with_times=False)
        return compare_entrants(results, len(self.names), sides=header.sides, block_games=header.block_games)

    @cached_property
    def variance_reduction(self) -> VarianceReduction:
        """What duplicate deals saved for all bots together, by points above the mean of the table."""
        return estimate_reductions(self.store.results(with_times=False), margins, self.store.header.block_games)[0]
