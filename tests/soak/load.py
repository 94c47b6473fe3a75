"""Honest bots on a machine that is loaded many times over: `python -m tests.soak.load` counts the games that they lose
on time.

The bots: one in Python, one that computes for 20 ms about each question, one in a shell, and new bots in compiled and
interpreted languages, those that this machine has. With `--burner` there is one more, whose children compute for ever.
What it loses is counted apart.
"""

from __future__ import annotations

import argparse
import os
import shlex
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from pitboss.plugins.registry import Registry
from pitboss.protocol.messages import Clock
from pitboss_tournament.authoring.bot_build import announce_nothing, build
from pitboss_tournament.authoring.templates import NewBot, Template, find_template, load_templates, make_bot
from pitboss_tournament.config.entrants import resolve_entrant
from pitboss_tournament.plan.limits import Limits
from pitboss_tournament.plan.plan import Entrant
from pitboss_tournament.processes.cpu import available_cpus
from pitboss_tournament.statistics.time_histogram import GameTimes, TimeHistogram, quantile
from pitboss_tournament.statistics.times_of_games import TotalTimes
from tests.bots.zoo_entrants import ZooBuilder, open_zoo
from tests.languages.template_trial import missing_programs
from tests.plugins import magpie_installed
from tests.soak.promises import PromiseTally
from tests.soak.tournament_games import StoredTournament, play_whole_tournament
from tests.soak.zoo_match import SANDBOX
from tests.tournament.small_tournaments import make_plan

LOAD_FACTOR: Final = 4  # busy processes for each processor
DECISIONS_A_GAME: Final = 20  # two bots, five turns each, of a draw and a drop
LANGUAGES: Final = ("go", "ruby", "java")
BURNER: Final = "burns_the_others_time"
_BUSY_LOOP: Final = (
    "import os\nparent = os.getppid()\nwhile os.getppid() == parent:\n    for _ in range(1_000_000): pass"
)


@magpie_installed()
def main(words: Sequence[str] | None = None) -> int:
    """Play and count; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak.load", description=__doc__)
    parser.add_argument("--count", type=int, default=20_000, help="decisions (default: %(default)s)")
    parser.add_argument("--limit-ms", type=int, default=100, help="time for each decision (default: %(default)s)")
    parser.add_argument("--busy", type=int, help=f"busy processes (default: {LOAD_FACTOR} for each processor)")
    parser.add_argument("--workers", type=int, default=available_cpus(), help="(default: %(default)s)")
    parser.add_argument("--burner", action="store_true", help="with a bot that computes at the others' cost")
    parser.add_argument("--no-sandbox", action="store_true", help="without a sandbox, even where there is one")
    given = parser.parse_args(words)
    sandbox = "none" if given.no_sandbox else SANDBOX
    busy = LOAD_FACTOR * available_cpus() if given.busy is None else given.busy
    promises = PromiseTally()
    with tempfile.TemporaryDirectory(prefix="pitboss-load-") as home, open_zoo(Path(home)) as keeper:
        os.chmod(home, 0o755)  # noqa: PTH101 - in a sandbox the bots are somebody else
        bots = [*build_honest_bots(keeper, Path(home)), *([keeper.build_named_bot(BURNER)] if given.burner else [])]
        deals = -(-given.count // (len(bots) * (len(bots) - 1) * DECISIONS_A_GAME))
        print(f"bots: {', '.join(bot.name for bot in bots)}; {deals} deals for each pair", flush=True)
        print(f"{busy} busy processes on {available_cpus()} processors, sandbox: {sandbox}", flush=True)
        plan = make_plan(
            Path(home) / "load.pitboss",
            *bots,
            deals=deals,
            workers=given.workers,
            games_at_once=given.workers,
            clock=Clock(start_ms=60_000, decision_ms=given.limit_ms),
            sandbox=sandbox,
        )
        with load_processors(busy):
            games = play_whole_tournament(plan)
    report_times(games, given.limit_ms, promises)
    return promises.exit_status()


def build_honest_bots(keeper: ZooBuilder, home: Path) -> list[Entrant]:
    """Return the bots of this machine's languages, and those of the zoo."""
    shell = keeper.build_named_bot("good", "shell")
    assert shell.folder
    (shell.folder / "start.sh").write_text(f"{shlex.join(shell.command)}\ntrue\n")
    limits = replace(shell.limits, read=(sys.prefix, sys.base_prefix))
    found, registry = load_templates(), Registry()
    languages = [find_template(name, found) for name in LANGUAGES]
    return [
        keeper.build_good_bot("python"),
        keeper.build_named_bot("thinks"),
        replace(shell, command=("sh", "start.sh"), limits=limits),
        *(build_new_bot(one, home, registry) for one in languages if not missing_programs(one)),
    ]


def build_new_bot(template: Template, home: Path, registry: Registry) -> Entrant:
    """Return a new bot in a language."""
    new = NewBot(name=template.language.lower(), into=home)
    make_bot(new, template)
    build(new.folder, announce_nothing, is_shown=False)
    entrant = resolve_entrant(str(new.folder), registry, home, "magpie")
    return replace(entrant, limits=Limits())


def report_times(games: StoredTournament, limit_ms: int, promises: PromiseTally) -> None:
    """Print the times, and what was lost."""
    think = merge_times(seat.think for result in games.results for seat in result.seats)
    lag = merge_times(result.lag for result in games.results)
    waits = sorted(int(decision.note) for record in games.records for decision in record.decisions if decision.note)
    print(f"thinking time: {format_quantiles(think)}")
    print(f"the runner's lag: {format_quantiles(lag)}")
    print(
        f"a bot waited for its turn, µs: p50 {waits[len(waits) // 2]}, p99 {waits[len(waits) * 99 // 100]}, "
        f"worst {waits[-1]}"
    )
    by_bot = [(record.players[fault.seat], fault) for record in games.records for fault in record.faults]
    faults = [fault for name, fault in by_bot if name != BURNER]
    if burnt := Counter(fault.kind for name, fault in by_bot if name == BURNER):
        print(f"the burner's faults: {dict(burnt)}")
    for name, fault in [(name, fault) for name, fault in by_bot if name != BURNER][:10]:
        print(f"  {name}, question {fault.decision}: {fault.kind}: {fault.message}")
    if faults:
        print(f"lost: {dict(Counter(name for name, _ in by_bot if name != BURNER))}")
    decisions = sum(len(record.decisions) for record in games.records)
    promises.check(
        not faults,
        f"no game is lost on time in {decisions:,} decisions with a limit of {limit_ms} ms: {len(faults)} lost",
    )


def merge_times(times: Iterable[GameTimes]) -> TimeHistogram:
    """Return the times of all games as one histogram."""
    total = TotalTimes()
    total.add_all(list(times))
    return total.histogram()


def format_quantiles(times: TimeHistogram) -> str:
    """Return the quantiles in words."""
    return (
        ", ".join(f"p{share:g} {quantile(times, share / 100) or 0:,.0f} µs" for share in (50, 99, 99.9, 100))
        + f" of {sum(times.values()):,}"
    )


@contextmanager
def load_processors(count: int) -> Iterator[int]:
    """Keep so many processes busy for the length of a block. They end when this process does, however it does.

    Each has a session of its own: Linux shares processors first between sessions, then between their processes.
    """
    command = [sys.executable, "-I", "-S", "-c", _BUSY_LOOP]
    hogs = [subprocess.Popen(command, start_new_session=True) for _ in range(count)]
    try:
        yield count
    finally:
        for hog in hogs:
            hog.kill()
        for hog in hogs:
            hog.wait()


if __name__ == "__main__":
    sys.exit(main())
