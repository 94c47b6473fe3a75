"""Kept report: what only a report tells of the games, as a store keeps it beside the standings.

Only of a field of which all pairs are shown: of a larger one a report reads the games, which takes seconds.
"""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

import msgspec
from msgspec import Struct

from pitboss_tournament.counting import notable_games, pair_choice, rating_history, report_findings
from pitboss_tournament.counting.findings import compute_code_version
from pitboss_tournament.counting.kept_standings import MIN_KEPT_GAMES, keep_standings, load_kept_standings
from pitboss_tournament.counting.open_length import explain_open_length
from pitboss_tournament.counting.pair_choice import MAX_PAIRED_BOTS
from pitboss_tournament.counting.report_findings import ReportStatistics, ReportTotals
from pitboss_tournament.counting.scored_results import read_scored_results
from pitboss_tournament.statistics.control_variate import SeatLuck
from pitboss_tournament.store.store import Store


class KeptReport(Struct, frozen=True):
    """What a report tells, and by what code."""

    code_version: str
    totals: ReportTotals


def keep_statistics(store: Store) -> None:
    """Compute what standings and reports tell of a store's games, and keep it in it, if there are enough games.

    Raises:
        StoreError: they cannot be read or written.
    """
    games = store.count_games()
    if games < MIN_KEPT_GAMES or len(store.header.bots) > MAX_PAIRED_BOTS:
        keep_standings(store)
        return
    statistics = _read_games(store, games)
    kept = KeptReport(compute_report_version(), statistics.report_totals())
    store.kept.write_standings(msgspec.msgpack.encode(statistics.totals()), msgspec.msgpack.encode(kept))


def collect_statistics(store: Store, anchor: str | None = None, luck: SeatLuck | None = None) -> ReportStatistics:
    """Return the statistics of a report, from what the store keeps if that is of this anchor and with luck.

    Raises:
        ConfigError: no bot is called `anchor`.
        StoreError: the games cannot be read.
    """
    games = store.count_games()
    kept = load_kept_report(store) if luck is None and anchor in (None, store.header.anchor) else None
    standings = None if kept is None else load_kept_standings(store)
    if kept is None or standings is None:
        return _read_games(store, games, anchor, luck)
    statistics = _make_statistics(store, games)
    statistics.restore(standings)
    statistics.restore_report(kept.totals)
    return statistics


def load_kept_report(store: Store) -> KeptReport | None:
    """Return what a store keeps for a report; None if that is nothing, or nothing that this code has computed."""
    encoded = store.kept.report()
    try:
        kept = None if encoded is None else msgspec.msgpack.decode(encoded, type=KeptReport)
    except msgspec.MsgspecError:
        return None
    is_good = kept and kept.code_version == compute_report_version() and kept.totals.fits(store.header)
    return kept if is_good else None


@cache
def compute_report_version() -> str:
    """Return a checksum of the code that computes what is kept for a report."""
    version = hashlib.blake2b(compute_code_version().encode(), digest_size=16)
    for module in (notable_games, pair_choice, rating_history, report_findings):
        version.update(Path(str(module.__file__)).read_bytes())
    version.update(Path(__file__).read_bytes())
    return version.hexdigest()


def _make_statistics(
    store: Store, games: int, anchor: str | None = None, luck: SeatLuck | None = None
) -> ReportStatistics:
    return ReportStatistics(store.header, anchor, luck, open_length=explain_open_length(store, games), games=games)


def _read_games(store: Store, games: int, anchor: str | None = None, luck: SeatLuck | None = None) -> ReportStatistics:
    statistics = _make_statistics(store, games, anchor, luck)
    statistics.add_all(read_scored_results(store))
    return statistics
