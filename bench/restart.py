"""How long a league takes to go on after a restart: prints seconds and memory by the games in its store.

    python -m bench.restart [--games 1000000] [--bots 1000] [--deals 5] [--tail 50000] [--from-games] [--store FILE]

A ladder of bots of known strength is played on paper (`simulated_league`) into a store, each game with a dummy record
of RECORD_BYTES. The checkpoint is the one of `--tail` games before the end, as after a crash. Then each thing that a
restart does is done once in a process of its own, after the file was read once; `--from-games` takes the tournament up
without the checkpoint, too, and says whether both know the same. A file that is there already is used again.
"""

from __future__ import annotations

import argparse
import hashlib
import subprocess
import sys
import tempfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from time import perf_counter, process_time
from typing import Final

import msgspec

sys.path.insert(0, str(Path(__file__).resolve().parent))  # for `python -m bench.restart`
from pitboss.plugins.registry import Registry
from pitboss_tournament.counting.live_counts import LiveCounts
from pitboss_tournament.plan.plan import Entrant, Plan, ResolvedSettings, name_version
from pitboss_tournament.rounds.checkpoint import Checkpoint, encode_checkpoint
from pitboss_tournament.running.tournament import Tournament
from pitboss_tournament.statistics.scoring import GameResult
from pitboss_tournament.store.header import Header
from pitboss_tournament.store.rows import RecordedRound
from pitboss_tournament.store.store import Store
from simulated_league import LeagueSetup, SimulatedLeague

BATCH: Final = 20_000  # games that are written at once
RECORD_BYTES: Final = 100  # of a game; a real one has ten times as many, of which a restart reads none
STEPS: Final = ("open", "rounds", "count", "voids", "begin_run", "end_run", "checkpoint", "take_up", "from_games")


def main() -> None:
    """Make the store, and print a row for each thing that a restart does."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=1_000_000, help="(default: %(default)s)")
    parser.add_argument("--bots", type=int, default=1_000, help="(default: %(default)s)")
    parser.add_argument("--deals", type=int, default=5, help="(default: %(default)s)")
    parser.add_argument("--newcomers", type=int, default=100, help="(default: %(default)s)")
    parser.add_argument("--tail", type=int, default=50_000, help="games after the checkpoint (default: %(default)s)")
    parser.add_argument("--from-games", action="store_true", help="without the checkpoint, too")
    parser.add_argument("--store", type=Path, help="by default it is not kept")
    parser.add_argument("--step", choices=STEPS, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.step:
        print(measure_step(given.step, given.store), flush=True)
        return
    with tempfile.TemporaryDirectory(prefix="pitboss-restart-") as folder:
        path = given.store or Path(folder) / "league.pitboss"
        if not path.exists():
            rounds = -(-given.games // (given.bots * given.deals))
            setup = LeagueSetup(bots=given.bots, deals=given.deals, newcomers=given.newcomers, rounds=rounds)
            make_league_store(setup, given.games, given.tail, path)
        print(f"{'step':12}{'wall s':>9}{'cpu s':>8}{'MiB':>7}")
        for step in STEPS if given.from_games else STEPS[:-1]:
            subprocess.run([sys.executable, "-m", "bench.restart", "--step", step, "--store", str(path)], check=True)


def make_league_store(setup: LeagueSetup, games: int, tail: int, path: Path) -> None:
    """Play a league on paper into a store; the checkpoint in it is that of some games before the end."""
    began, queue, rounds = perf_counter(), list[GameResult](), list[RecordedRound]()
    league = SimulatedLeague(setup, path, queue.append, rounds.append)
    record = bytes(RECORD_BYTES)
    has_checkpoint = False
    with closing(Store.open_to_write(path, league.header)) as store:

        def write() -> None:
            store.change_header(league.header)
            store.rounds.add(rounds)
            store.add([(result, record, ()) for result in queue])
            rounds.clear()
            queue.clear()

        while league.games < games:
            league.play_round()
            if len(queue) >= BATCH:
                write()
            if not has_checkpoint and league.games >= games - tail:
                has_checkpoint = True
                write()
                write_checkpoint(league, store)
        write()
        store.begin_run(0, None)
    print(
        f"{league.games:,} games of {len(league.header.entries):,} versions in {league.progress.rounds_begun:,} rounds:"
    )
    print(f"{path.stat().st_size / 1e9:.2f} GB, made in {perf_counter() - began:.0f} s", flush=True)


def write_checkpoint(league: SimulatedLeague, store: Store) -> None:
    """Write a checkpoint as a league does, and print what it takes."""
    times = [process_time()]
    state, counted = league.progress.keep_state(), league.progress.list_counted()
    assert state is not None
    times.append(process_time())
    head = encode_checkpoint(Checkpoint(state, counted, league.counts.dump()))
    parts = list(league.counts.rankings.pack_parts())
    times.append(process_time())
    written = perf_counter()
    store.rounds.write_checkpoint(head, dict(enumerate(parts, start=1)))
    seconds = (times[1] - times[0], times[2] - times[1], perf_counter() - written)
    sizes = (len(state.format_state), len(head), sum(map(len, parts)))
    print(
        f"checkpoint after {league.games:,} games: {seconds[0]:.2f} s on the loop, {seconds[1]:.2f} s in the thread, "
        f"{seconds[2]:.2f} s on the disk; {sizes[0] / 1e6:.1f} MB of the format, {sizes[1] / 1e6:.1f} MB with all but "
        f"the rankings, {sizes[2] / 1e6:.1f} MB in {len(parts)} parts of those",
        flush=True,
    )


def measure_step(step: str, path: Path) -> str:
    """Do one thing that a restart does; return its row."""
    store = Store.open_to_write(path, Store(path).header)
    plan = recall_plan(store.header, path)

    def take_up() -> str:
        live = LiveCounts(store.header)
        tournament = Tournament(plan, Registry().find_game(plan.game), store, live=live)
        progress, counts = tournament.progress, live._counts
        known = hashlib.sha256(msgspec.msgpack.encode(progress.keep_state()))
        known.update(msgspec.msgpack.encode(progress.list_counted()))
        open_games = progress.games_end - progress.first_open_game
        return (
            f"  {tournament.games_before:,} games, {counts.rankings.block_count:,} blocks, {open_games:,} since "
            f"an open round began, rounds {known.hexdigest()[:8]}"
        )

    def from_games() -> str:
        store.rounds.list_checkpoint_parts = list  # type: ignore[method-assign]
        return take_up()

    def begin_run() -> str:
        store.begin_run(0, None)
        return ""

    def end_run() -> str:
        store.record_run_end()
        return ""

    calls: dict[str, Callable[[], object]] = {
        "open": lambda: Store(path).close(),
        "rounds": lambda: max(one.number for one in store.rounds.read()),
        "count": store.count_games,
        "voids": store.void_causes,
        "begin_run": begin_run,
        "end_run": end_run,
        "checkpoint": lambda: sum(map(len, store.rounds.list_checkpoint_parts())),
        "take_up": take_up,
        "from_games": from_games,
    }
    wall, cpu = perf_counter(), process_time()
    note = calls[step]()
    wall, cpu = perf_counter() - wall, process_time() - cpu
    return f"{step:12}{wall:9.3f}{cpu:8.3f}{_read_peak_mib():7.0f}  {note or ''}"


def recall_plan(header: Header, path: Path) -> Plan:
    """Return the plan of a stored league."""
    settings = {name: getattr(header, name) for name in ResolvedSettings.__struct_fields__}
    entrants = tuple(
        Entrant(name=name_version(entry.name, entry.version), command=entry.command, about=entry.about)
        for entry in header.entries
    )
    return Plan(**settings, entrants=entrants, rosters=header.rosters, store=path)


def _read_peak_mib() -> float:
    """Return the peak memory of this process, which `getrusage` mixes with that of the one that has started it."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM:")) / 1024


if __name__ == "__main__":
    main()
