"""Kills of an arena: `python -m tests.soak.arena_kills` kills an arena with SIGKILL again and again, and carries it on.

An arena that has begun is copied. One copy runs undisturbed; the other one is killed at moments of all phases. In the
end both have the same versions in each round, the same practice games, the same work spaces and the same feedback but
for times and the deals that count, whose seed follows from a journal with times in it: these games are played again by
the audit. Each entrant adds to its bot in each round, so that a round that was edited twice would show.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from time import monotonic, sleep
from typing import Any, Final

from pitboss_tournament.arena.beginning import begin_arena
from pitboss_tournament.arena.journal import Frozen, Journal, Played
from pitboss_tournament.processes import reaper
from tests.soak.promises import PromiseTally
from tests.tournament.arena.arenas import make_arena, open_arena
from tests.tournament.command_line import run_pitboss

PATIENCE_S: Final = 600.0  # a run that hangs takes so long
JITTER_S: Final = 0.6  # a kill comes so long after a line of the journal, at most
LEAVE_S: Final = 30.0  # until the processes of a killed run are gone
VARYING: Final = ("edit", "winner", "verdict", "judged", "overfit", "faults")  # of feedback: times, and other deals

COUNTS: Final = """
    import re, time
    from pathlib import Path
    bot = Path("bot/bot.py")
    text = bot.read_text()
    number = text.count("# edited") + 1
    bot.write_text(text + "# edited\\n")
    time.sleep(0.3)
    text = re.sub("    return .*legal.*", f'    return {number} % len(question["legal"])', bot.read_text())
    bot.write_text(text)
    with Path("NOTES.md").open("a") as notes:
        notes.write(f"edited {number}\\n")
"""
BREAKS: Final = """
    from pathlib import Path
    bot = Path("bot/bot.py")
    bot.write_text(bot.read_text() + "# edited\\n")
    if bot.read_text().count("# edited") == 2:
        bot.write_text("raise SystemExit(1)\\n# edited\\n# edited\\n")
"""


def main(words: Sequence[str] | None = None) -> int:
    """Run both copies, compare them, and return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak.arena_kills", description=__doc__)
    parser.add_argument("--kills", type=int, default=20, help="kills (default: %(default)s)")
    parser.add_argument("--rounds", type=int, default=3, help="rounds (default: %(default)s)")
    parser.add_argument("--seed", default="kills", help="the moments follow from it (default: %(default)s)")
    given = parser.parse_args(words)
    promises = PromiseTally()
    with tempfile.TemporaryDirectory(prefix="pitboss-arena-kills-") as home:
        Path(home).chmod(0o755)
        root = make_arena(Path(home), {"counts": COUNTS, "breaks": BREAKS}, rounds=given.rounds)
        kill_beginning(root, promises)
        begin_arena(*open_arena(root))
        killed = root.with_name("killed")
        shutil.copytree(root, killed, symlinks=True)
        promises.check(run_pitboss("arena", "run", str(root)).status == 0, "the undisturbed arena comes to its end")
        lines = len(open_arena(root)[1].entries)
        phases = kill_arena(killed, choose_moments(lines, given.kills, given.seed), promises)
        print(f"       killed after these lines of the journal: {phases}", flush=True)
        compare_arenas(root, killed, given.rounds, promises)
    return promises.exit_status()


def kill_beginning(root: Path, promises: PromiseTally) -> None:
    """Kill an arena that has no journal yet, and see that it can begin again."""
    for pause in (0.3, 0.8, 1.2):
        with start_arena(root) as run:
            until = monotonic() + pause
            while monotonic() < until and not (root / "judge" / "journal.jsonl").exists():
                sleep(0.01)
            run.kill()
        shutil.rmtree(root / "judge" / "rounds", ignore_errors=True)
        (root / "judge" / "journal.jsonl").unlink(missing_ok=True)
    promises.check(not wait_leftovers(root), "killed before its journal has a line, an arena leaves no process")


def choose_moments(lines: int, kills: int, seed: str) -> list[tuple[int, float]]:
    """Return after which line of the journal, and how many seconds later, to kill, in their order."""
    chance = random.Random(seed)
    return sorted((chance.randrange(1, lines), chance.uniform(0.0, JITTER_S)) for _ in range(kills))


def start_arena(root: Path) -> subprocess.Popen[bytes]:
    """Start `pitboss arena run`."""
    words = [sys.executable, "-m", "pitboss_tournament.cli", "arena", "run", str(root)]
    return subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def kill_arena(root: Path, moments: Sequence[tuple[int, float]], promises: PromiseTally) -> Mapping[str, int]:
    """Kill a run at each of these moments, then let it come to its end; return how often after which kind of line."""
    phases, left, hung, early = Counter[str](), list[int](), 0, 0
    for line, later in moments:
        with start_arena(root) as run:
            until = monotonic() + PATIENCE_S
            while count_lines(root) < line and run.poll() is None and monotonic() < until:
                sleep(0.01)
            hung += monotonic() >= until
            sleep(later)
            early += run.poll() is not None
            run.kill()
        phases[type(Journal(root / "judge" / "journal.jsonl").entries[-1]).__name__] += 1
        left += wait_leftovers(root)
    promises.check(not hung, f"none of {len(moments)} runs hung")
    promises.check(not left, f"no process outlives {len(moments)} kills, {early} of them after the end: {left[:5]}")
    done = run_pitboss("arena", "run", str(root))
    promises.check(done.status == 0, f"carried on, the arena comes to its end: {done.status} {done.err[-300:]}")
    return phases


def count_lines(root: Path) -> int:
    """Return how many lines the journal has."""
    return (root / "judge" / "journal.jsonl").read_bytes().count(b"\n")


def wait_leftovers(root: Path) -> list[int]:
    """Wait until the processes of an arena's entrants are gone; return those that are left, which the next run ends."""
    mark, until = open_arena(root)[0].folder.mark, monotonic() + LEAVE_S
    while (left := [*reaper.find_marked(lambda found: found.startswith(f"{mark}-"))]) and monotonic() < until:
        sleep(0.05)
    return left


def compare_arenas(root: Path, killed: Path, rounds: int, promises: PromiseTally) -> None:
    """Check that two copies of an arena have come to the same end."""
    whole, other = open_arena(root)[1], open_arena(killed)[1]
    versions = [
        {(one.round, one.entrant): one.digest for one in found.list_entries(Frozen)} for found in (whole, other)
    ]
    promises.check(versions[0] == versions[1], f"the same {len(versions[0])} versions were frozen")
    played = [
        {one.round: (one.bots, one.games, one.records) for one in found.list_entries(Played) if one.kind == "practice"}
        for found in (whole, other)
    ]
    promises.check(
        played[0] == played[1] and len(played[0]) == rounds, f"the practice games of {rounds} rounds are the same"
    )
    judged = [
        {one.round: (one.bots, one.games) for one in found.list_entries(Played) if one.kind == "judged"}
        for found in (whole, other)
    ]
    promises.check(
        judged[0] == judged[1] and len(judged[0]) == rounds, "as many games that count, by the same versions"
    )
    lines = [Counter(map(name_step, found.entries)) for found in (whole, other)]
    twice = [step for step, count in lines[1].items() if count > 1]
    promises.check(lines[0] == lines[1] and not twice, f"each of {len(lines[1])} steps is noted once: {twice}")
    for name in open_arena(root)[0].file.entrants:
        one, two = (read_workspace(folder / "workspaces" / name) for folder in (root, killed))
        differing = sorted(path for path in {*one, *two} if one.get(path) != two.get(path))
        promises.check(
            not differing and len(one) > 5, f"{name}: {len(one)} files of the work space are the same: {differing}"
        )
        commits = [list_commits(folder / "workspaces" / name) for folder in (root, killed)]
        promises.check(
            commits[0] == commits[1] and len(commits[0]) == rounds + 1,
            f"{name}: the commits are the same: {commits[1]}",
        )
    for number in range(1, rounds + 1):
        done = run_pitboss("arena", "audit", str(killed), "--again", str(number), "--json")
        bad = [f"{one['what']}: {one['why']}" for one in json.loads(done.out) if not one["is_good"]]
        promises.check(
            done.status == 0, f"the audit is good, and round {number} is the same when it is played again: {bad}"
        )


def name_step(entry: Any) -> tuple[object, ...]:  # noqa: ANN401 - of several types
    """Return what a line of the journal is about."""
    fields = ("round", "entrant", "kind") if not hasattr(entry, "evidence") else ("entrant", "digest")
    return (type(entry).__name__, *(getattr(entry, field, None) for field in fields))


def read_workspace(folder: Path) -> Mapping[str, object]:
    """Return the files of a work space without its repository; feedback without what may vary."""

    def read() -> Iterator[tuple[str, object]]:
        for path in folder.rglob("*"):
            name = path.relative_to(folder)
            if path.is_file() and name.parts[0] != ".git":
                yield str(name), path.read_bytes() if path.suffix != ".json" else read_feedback(path)

    return dict(read())


def read_feedback(path: Path) -> object:
    """Return what a file of feedback says, without what may vary."""
    return {key: value for key, value in json.loads(path.read_bytes()).items() if key not in VARYING}


def list_commits(workspace: Path) -> list[str]:
    """Return the subjects of the commits of a work space."""
    words = ["git", "-c", "safe.directory=*", "log", "--format=%s"]
    return subprocess.run(words, cwd=workspace, capture_output=True, text=True, check=True).stdout.splitlines()


if __name__ == "__main__":
    raise SystemExit(main())
