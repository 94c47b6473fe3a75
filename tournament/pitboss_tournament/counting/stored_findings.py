"""Summary of a tournament: standings, ratings, pairs and variance reduction, from the games of its store."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from pitboss_tournament.counting.findings import RatedStandings
from pitboss_tournament.counting.kept_standings import load_kept_standings
from pitboss_tournament.counting.open_length import explain_open_length
from pitboss_tournament.counting.pair_choice import PairChoice, choose_pairs
from pitboss_tournament.counting.scored_results import read_scored_results
from pitboss_tournament.counting.team_standings import read_team_scores
from pitboss_tournament.statistics.blocks import margins
from pitboss_tournament.statistics.control_variate import SeatLuck
from pitboss_tournament.statistics.pairwise import Comparison, compare_entrants
from pitboss_tournament.statistics.teams import TeamScores, TeamStanding
from pitboss_tournament.statistics.variance_reduction import VarianceReduction, estimate_reduction
from pitboss_tournament.store.store import Store


def kept_luck(store: Store) -> SeatLuck | None:
    """Return the luck to take out of a tournament's results: what its store keeps; None if it asks for none."""
    return store.kept.luck() if store.header.reduce == "luck" else None


class TournamentSummary(RatedStandings):
    """Statistics of the games in a store when it is made; each part is computed on first use."""

    def __init__(self, store: Store, anchor: str | None = None, luck: SeatLuck | None = None) -> None:
        super().__init__(store.header, anchor, luck)
        self.store = store
        self.voids = store.void_causes()
        kept = load_kept_standings(store) if luck is None and anchor in (None, store.header.anchor) else None
        if kept is None:
            self.add_all(read_scored_results(store))
        else:
            self.restore(kept)
        self.open_length = explain_open_length(store, self.tally.games)
        self.anytime = self.open_length is not None

    @cached_property
    def comparisons(self) -> list[Comparison]:
        """Comparisons of all pairs of bots, by number, whether they met or not."""
        return self.compare_pairs()

    @cached_property
    def pair_choice(self) -> PairChoice:
        """The pairs that are shown unless others are asked for."""
        numbers = {name: number for number, name in enumerate(self.names)}
        return choose_pairs(self._meetings, [numbers[line.name] for line in self.standings])

    @cached_property
    def shown_comparisons(self) -> list[Comparison]:
        """Comparisons of the pairs that are shown."""
        return self.compare_pairs(self.pair_choice.pairs)

    def compare_pairs(self, pairs: Iterable[tuple[int, int]] | None = None) -> list[Comparison]:
        """Return comparisons of pairs of bots, by number, the lower one first; by default of all pairs."""
        header = self.store.header
        results = read_scored_results(self.store, with_times=False)
        luck = None if self.luck_removal is None else self.luck_removal.luck
        return compare_entrants(
            *(results, len(self.names)),
            pairs=pairs,
            sides=header.sides,
            block_games=header.block_games,
            luck=luck,
        )

    @cached_property
    def teams(self) -> list[TeamStanding]:
        """The teams of a cooperative game, most points first; none of any other game."""
        return self.team_scores.list_standings(self.names, anytime=self.anytime) if self.team_scores else []

    @cached_property
    def team_scores(self) -> TeamScores | None:
        """The points of the teams of a cooperative game; None of any other."""
        return read_team_scores(self.store)

    @cached_property
    def variance_reduction(self) -> VarianceReduction:
        """Variance reduction by duplicate deals for all bots together, by points above the mean of the table."""
        results = read_scored_results(self.store, with_times=False)
        return estimate_reduction(results, margins, self.store.header.block_games)
