"""What a ladder of a thousand bots that take no time does: prints how right its ratings are, and what they cost.

    python -m bench.ladder [--bots 1000] [--owners 250] [--seats 2] [--deals 5] [--rounds 100] [--spread 250]
        [--tables-at-once 16] [--newcomers 40] [--rows 10]

The bots' true ratings are known (`simulated_league`). Errors are in points, less their median, as ratings have no zero
of their own. After every tenth of the rounds a row says:

- RMS, top: the RMS errors of all bots that play, and of the fifty strongest;
- held: the intervals of differences that hold the truth, in percent: of any two bots / of neighbours in the table;
- rho: Spearman's correlation with the truth; games of a bot: least/median/most;
- owner: the games of the owner that has most, in multiples of the mean of all owners (its quota is 2);
- met: the pairs of bots that have met; out: the most rounds for which a bot has had no table;
- in processor time: a round (median/longest since the last row), a refit, a checkpoint (on the loop of the runner/in
  its thread/on the disk, the last in time of the clock); MB: its bytes; MiB: the memory.

At the end: the errors of newcomers after so many blocks, and the first round by bots.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations, pairwise
from math import sqrt
from pathlib import Path
from random import Random
from statistics import fmean, median
from time import perf_counter, process_time
from typing import Final

sys.path.insert(0, str(Path(__file__).resolve().parent))  # for `python -m bench.ladder`
from pitboss_tournament.rounds.checkpoint import Checkpoint, encode_checkpoint
from pitboss_tournament.statistics.ratings import Ratings
from pitboss_tournament.store.store import Store
from simulated_league import LeagueSetup, SimulatedLeague, iter_rounds

TOP: Final = 50
CHECKED_PAIRS: Final = 3_000
NEWCOMER_BLOCKS: Final = (20, 50, 100)
FIRST_ROUNDS: Final = (500, 1_000, 2_000, 4_000)  # bots
HEAD: Final = (
    f"{'round':>6}{'games':>11}{'RMS':>6}{'top':>6}{'held':>12}{'rho':>7}{'games of a bot':>17}{'owner':>7}{'met':>6}"
    f"{'out':>5}{'round ms':>13}{'refit s':>9}{'checkpoint ms':>18}{'MB':>7}{'MiB':>6}"
)


def main() -> None:
    """Play, and print a row after every so many games."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    plain = LeagueSetup(newcomers=40)
    for name in ("bots", "owners", "seats", "deals", "rounds", "tables_at_once", "newcomers", "placing"):
        option = f"--{name.replace('_', '-')}"
        parser.add_argument(option, type=int, default=getattr(plain, name), help="(default: %(default)s)")
    parser.add_argument("--spread", type=float, default=plain.spread, help="points (default: %(default)s)")
    parser.add_argument("--seed", default=plain.seed, help="(default: %(default)s)")
    parser.add_argument("--rows", type=int, default=10, help="(default: %(default)s)")
    given = vars(parser.parse_args())
    rows = given.pop("rows")
    with tempfile.TemporaryDirectory(prefix="pitboss-ladder-") as folder:
        measure_ladder(LeagueSetup(**given), rows, Path(folder))
        for bots in FIRST_ROUNDS:
            setup = LeagueSetup(**{**given, "bots": bots, "owners": bots // 4})
            first = SimulatedLeague(setup, Path(folder), lambda _: None, lambda _: None)
            print(f"first round of {bots:,} bots: {1000 * first.round_seconds[0]:.0f} ms")


def measure_ladder(setup: LeagueSetup, rows: int, folder: Path) -> None:
    """Play a ladder, and print its rows."""
    league = SimulatedLeague(setup, folder, lambda _: None, lambda _: None)
    measures = LadderMeasures(league, Store.open_to_write(folder / "ladder.pitboss", league.header))
    print(HEAD)
    for number in iter_rounds(league):
        measures.follow_newcomers()
        if number % max(1, setup.rounds // rows) == 0:
            print(measures.make_row(), flush=True)
    for (kind, blocks), errors in sorted(measures.newcomer_errors.items()):
        rms = sqrt(fmean(error * error for error in errors))
        print(f"new {kind}s after {blocks} blocks: RMS error {rms:.0f} points ({len(errors)} of them)")


class LadderMeasures:
    """What is measured of a league while it is played."""

    def __init__(self, league: SimulatedLeague, store: Store) -> None:
        self.newcomer_errors: dict[tuple[str, int], list[float]] = {}  # by kind and blocks
        self._league, self._store = league, store
        self._counted_games = Counter[int]()
        self._counted_rounds = 1
        self._parts_kept = 0
        self._measured = set[tuple[int, int]]()  # newcomers, and after how many blocks

    def make_row(self) -> str:
        """Return the row of this moment."""
        league = self._league
        began = process_time()
        rated = self._refit()
        refit = process_time() - began
        errors = self._list_errors(rated, [bot for bot in league.active if league.games_of[bot] >= 2 * self._seats])
        best = sorted(errors, key=lambda bot: -league.truth[bot])[:TOP]
        coverage = "/".join(f"{100 * share:.1f}" for share in _measure_coverage(rated, league))
        played = sorted(league.games_of[bot] for bot in league.active)
        games = f"{played[0]}/{round(median(played))}/{played[-1]}"
        rounds = sorted(league.round_seconds[self._counted_rounds :])
        self._counted_rounds = len(league.round_seconds)
        round_ms = f"{1000 * median(rounds):.0f}/{1000 * rounds[-1]:.0f}"
        costs, size = self._measure_checkpoint()
        present = set(league.active)
        met = {pair for table in league.tables for pair in combinations(table, 2) if present.issuperset(pair)}
        pairs = len(present) * (len(present) - 1) / 2
        number = league.progress.rounds_begun
        out = max(number - league.last_seat.get(bot, number) for bot in league.active)
        return (
            f"{number:6}{league.games:11,}{_rms(errors.values()):6.0f}{_rms(errors[bot] for bot in best):6.0f}"
            f"{coverage:>12}{_correlate_ranks(rated, league):7.4f}{games:>17}"
            f"{self._measure_owners():7.2f}{100 * len(met) / pairs:5.0f}%{out:5}{round_ms:>13}{refit:9.2f}{costs:>18}"
            f"{size / 1e6:7.1f}{_read_mib():6.0f}"
        )

    def follow_newcomers(self) -> None:
        """Note the errors of newcomers that have just had so many blocks."""
        league, wanted = self._league, list[tuple[int, int]]()
        for bot in league.joined:
            passed = [blocks for blocks in NEWCOMER_BLOCKS if league.games_of[bot] >= blocks * self._seats]
            if passed and (bot, passed[-1]) not in self._measured and bot in set(league.active):
                wanted.append((bot, passed[-1]))
        if not wanted:
            return
        errors = self._list_errors(self._refit(), league.active)
        for bot, blocks in wanted:
            self.newcomer_errors.setdefault((league.joined[bot], blocks), []).append(errors[bot])
        self._measured.update(wanted)

    @property
    def _seats(self) -> int:
        return self._league.setup.seats

    def _refit(self) -> Ratings:
        return self._league.counts.rate_bots()

    def _list_errors(self, rated: Ratings, bots: Sequence[int]) -> dict[int, float]:
        """Return by how much ratings are above the truth, whose mean is the same."""
        means = {bot: rated.rating_of(bot).points.mean for bot in bots}
        above = {bot: mean - self._league.truth[bot] for bot, mean in means.items() if mean is not None}
        middle = median(above.values())
        return {bot: error - middle for bot, error in above.items()}

    def _measure_owners(self) -> float:
        """Return the share of the owner with the most games since the last time, in multiples of the mean."""
        league = self._league
        since = league.games_of - self._counted_games
        self._counted_games = league.games_of.copy()
        shares = Counter[str]()
        for bot, games in since.items():
            shares[league.owners[bot]] += games
        return max(shares.values()) / (since.total() / len({league.owners[bot] for bot in league.active}))

    def _measure_checkpoint(self) -> tuple[str, int]:
        """Keep a checkpoint as a league does; return its milliseconds, and the bytes that were written."""
        league, began = self._league, process_time()
        state, counted = league.progress.keep_state(), league.progress.list_counted()
        assert state is not None
        begun = process_time()
        head = encode_checkpoint(Checkpoint(state, counted, league.counts.dump()))
        parts = list(league.counts.rankings.pack_parts(self._parts_kept))
        encoded, writing = process_time(), perf_counter()
        self._store.rounds.write_checkpoint(head, dict(enumerate(parts, start=self._parts_kept + 1)))
        written = perf_counter() - writing
        self._parts_kept += max(0, len(parts) - 1)
        times = (begun - began, encoded - begun, written)
        return "/".join(f"{1000 * seconds:.0f}" for seconds in times), len(head) + sum(map(len, parts))


def _measure_coverage(rated: Ratings, league: SimulatedLeague) -> tuple[float, float]:
    """Return the shares of intervals of differences that hold the truth: of any two bots, and of neighbours."""
    present = set(league.active)
    bots = [line.entrant for line in rated.lines if line.entrant in present and line.blocks > 1]
    rng = Random("pairs")
    shares = []
    for pairs in ([rng.sample(bots, 2) for _ in range(CHECKED_PAIRS)], pairwise(bots)):
        held = []
        for one, other in pairs:
            found = rated.difference(one, other)
            if found.mean is not None and found.half_width is not None:
                held.append(abs(found.mean - league.truth[one] + league.truth[other]) <= found.half_width)
        shares.append(fmean(held))
    return shares[0], shares[1]


def _correlate_ranks(rated: Ratings, league: SimulatedLeague) -> float:
    """Return Spearman's correlation of ratings and truth, of those that play."""
    present = set(league.active)
    found = [line.entrant for line in rated.lines if line.entrant in present and line.points.mean is not None]
    true = {bot: rank for rank, bot in enumerate(sorted(found, key=lambda bot: -league.truth[bot]))}
    squares = sum((rank - true[bot]) ** 2 for rank, bot in enumerate(found))
    return 1 - 6 * squares / (len(found) * (len(found) ** 2 - 1))


def _rms(errors: Iterable[float]) -> float:
    return sqrt(fmean(error * error for error in errors))


def _read_mib() -> float:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


if __name__ == "__main__":
    main()
