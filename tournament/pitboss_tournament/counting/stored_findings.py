"""Findings of the games in a store, and those that a store keeps, as of many games they take seconds to compute.

What is kept is forgotten as soon as a game or the header changes (`schema.KEPT_STANDINGS`), and not used by other code
than that which has made it (`kept`).
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Final

from pitboss_tournament.counting.counts import Counts
from pitboss_tournament.counting.findings import Findings, KeptFindings
from pitboss_tournament.counting.kept import open_kept, seal_kept
from pitboss_tournament.counting.open_length import explain_open_length
from pitboss_tournament.counting.pair_choice import PairChoice, choose_pairs
from pitboss_tournament.counting.report_findings import KeptReport, ReportCounts, ReportFindings
from pitboss_tournament.counting.scored_results import read_scored_results
from pitboss_tournament.counting.team_standings import read_team_scores
from pitboss_tournament.statistics.blocks import margins
from pitboss_tournament.statistics.control_variate import SeatLuck
from pitboss_tournament.statistics.pairwise import Comparison, compare_entrants
from pitboss_tournament.statistics.teams import TeamScores, TeamStanding
from pitboss_tournament.statistics.variance_reduction import VarianceReduction, estimate_reduction
from pitboss_tournament.store.store import Store

MIN_KEPT_GAMES: Final = 1_000  # the findings of fewer are computed in a blink


class StoredFindings(Findings):
    """Findings of the games that are in a store when these are made."""

    def __init__(self, store: Store, anchor: str | None = None, luck: SeatLuck | None = None) -> None:
        """Read the games. The rating of `anchor` is 0, by default of the header's; points and wins are without `luck`.

        Raises:
            ConfigError: no bot is called `anchor`.
            StoreError: the games cannot be read.
        """
        self.store = store
        self.voids = store.void_causes()
        counts, kept = Counts(store.header, anchor, luck), _load_usable(store, anchor, luck)
        if kept is None:
            counts.add_all(read_scored_results(store))
        else:
            counts.load_rated(kept.tally, kept.meetings, kept.points, kept.ratings)
        self.open_length = explain_open_length(store, counts.tally.games)
        super().__init__(counts, anytime=self.open_length is not None, kept=kept)

    @cached_property
    def comparisons(self) -> list[Comparison]:
        """Comparisons of all pairs of bots, by number, whether they met or not."""
        return self.compare_pairs()

    @cached_property
    def pair_choice(self) -> PairChoice:
        """The pairs that are shown unless others are asked for."""
        numbers = {name: number for number, name in enumerate(self.names)}
        return choose_pairs(self.meetings, [numbers[line.name] for line in self.standings])

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

    def leave_out_gifts(self) -> Findings:
        """Return the findings of these games without those in which two bots of the `gifts` sat at one table."""
        pairs = [{gift.giver, gift.gainer} for gift in self.gifts.found]
        counts = Counts(self.header, None, None if self.luck_removal is None else self.luck_removal.luck)
        for result in read_scored_results(self.store):
            seated = {seat.entrant for seat in result.seats}
            if not any(pair <= seated for pair in pairs):
                counts.add(result)
        return Findings(counts, anytime=self.anytime)

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


def kept_luck(store: Store) -> SeatLuck | None:
    """Return the luck to take out of a tournament's results: what its store keeps; None if it asks for none."""
    return store.kept.luck() if store.header.reduce == "luck" else None


# ---- reports, and what a store keeps


def collect_report(store: Store, anchor: str | None = None, luck: SeatLuck | None = None) -> ReportFindings:
    """Return the findings of a report, from what the store keeps if that is of this anchor and with luck.

    Raises:
        ConfigError: no bot is called `anchor`.
        StoreError: the games cannot be read.
    """
    kept = _load_usable(store, anchor, luck)
    report = None if kept is None else load_kept_report(store)
    return read_report(store, anchor, luck) if kept is None or report is None else _restore_report(store, kept, report)


def read_report(store: Store, anchor: str | None = None, luck: SeatLuck | None = None) -> ReportFindings:
    """Return the findings of a report, from all games; as `collect_report` otherwise."""
    games = store.count_games()
    counts = ReportCounts(store.header, anchor, luck, games=games)
    counts.add_all(read_scored_results(store))
    return ReportFindings(counts, open_length=explain_open_length(store, games))


def keep_findings(store: Store) -> None:
    """Compute the findings of a store's games, and keep them in it, if there are enough games for that to matter.

    Raises:
        StoreError: they cannot be read or written.
    """
    if store.count_games() >= MIN_KEPT_GAMES:
        found = read_report(store)
        store.kept.write_standings(seal_kept(found.dump()), seal_kept(found.dump_report()))


def load_kept_findings(store: Store) -> KeptFindings | None:
    """Return the findings that a store keeps; None if there are none, or none that this code has computed."""
    kept = open_kept(store.kept.standings(), KeptFindings)
    return kept if kept is not None and kept.fits(store.header) else None


def load_kept_report(store: Store) -> KeptReport | None:
    """Return what a store keeps for a report; None if that is nothing, or nothing that this code has computed."""
    kept = open_kept(store.kept.report(), KeptReport)
    return kept if kept is not None and kept.fits(store.header) else None


def _load_usable(store: Store, anchor: str | None, luck: SeatLuck | None) -> KeptFindings | None:
    """Return the findings that a store keeps, if they are of this anchor and with luck."""
    return load_kept_findings(store) if luck is None and anchor in (None, store.header.anchor) else None


def _restore_report(store: Store, kept: KeptFindings, report: KeptReport) -> ReportFindings:
    counts = ReportCounts(store.header)
    counts.load_rated(kept.tally, kept.meetings, kept.points, kept.ratings)
    counts.load_report(report)
    open_length = explain_open_length(store, counts.tally.games)
    return ReportFindings(counts, open_length=open_length, kept=kept, kept_report=report)
