"""A table of the games of other libraries: `python -m tests.soak.foreign_games spiel- --seconds 6 > table.md`.

Each game whose name begins so goes through `pitboss check-game --quick` in a process of its own, so that a crash of
native code is a line of the table. `--reports FOLDER` keeps each report as NAME.json, and checks no game again whose
report is there: a table of many games can be made in several runs.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path
from typing import Any, Final, NamedTuple

from pitboss.foreign_input import InputRefused, read_json
from pitboss.plugins.registry import Registry

MOST_WORDS: Final = 170  # letters of what a check has seen
WAIT_FACTOR: Final = 20  # times the processor time that a game may take by the clock


class GameLine(NamedTuple):
    """What was seen of a game."""

    name: str
    plays: bool
    passed: int = 0
    failed: int = 0
    not_applicable: int = 0
    seen: str = ""


def main() -> None:
    """Print the table, line by line as it is made."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("prefix")
    parser.add_argument("--seconds", type=float, default=6, help="of the processor, for each game")
    parser.add_argument("--from", dest="first", default="", help="leave out the games before this name")
    parser.add_argument("--reports", type=Path, help="a folder of reports")
    given = parser.parse_args()
    if given.reports:
        given.reports.mkdir(parents=True, exist_ok=True)
    print("| game | plays | passed | failed | not applicable | what was seen |")
    print("|---|---|---:|---:|---:|---|", flush=True)
    lines = []
    for name in Registry().games:
        if name.startswith(given.prefix) and name >= given.first:
            lines.append(look(name, given.seconds, given.reports and given.reports / f"{name}.json"))
            name, plays, passed, failed, other, seen = lines[-1]
            print(f"| {name} | {'yes' if plays else 'no'} | {passed} | {failed} | {other} | {seen} |", flush=True)
    whole = [line for line in lines if line.plays and not line.failed]
    print(f"\n{len(lines)} games; {sum(line.plays for line in lines)} play; {len(whole)} of them fail no check")


def look(name: str, seconds: float, kept: Path | None) -> GameLine:
    """Check a game, or read the report of an earlier check."""
    if kept and kept.exists() and kept.stat().st_size:
        return summarize(name, read_json(kept.read_bytes(), dict[str, Any]))
    command = [sys.executable, "-m", "pitboss_tournament.cli", "check-game", name, "--quick", "--json"]
    try:
        done = subprocess.run(
            [*command, "--seconds", f"{seconds:g}"], capture_output=True, timeout=seconds * WAIT_FACTOR, check=False
        )
    except subprocess.TimeoutExpired:
        return GameLine(name, plays=False, seen=f"not checked within {seconds * WAIT_FACTOR:.0f} s")
    if done.returncode < 0:
        return GameLine(name, plays=False, seen=f"the process ended by signal {-done.returncode}")
    try:
        report = read_json(done.stdout, dict[str, Any])
    except InputRefused:
        return GameLine(name, plays=False, seen=shorten(done.stderr.decode(errors="replace")))
    if kept:
        kept.write_bytes(done.stdout)
    return summarize(name, report)


def summarize(name: str, report: dict[str, Any]) -> GameLine:
    """Return the line of a report."""
    checks = report["checks"]
    outcomes = [one["outcome"] for one in checks]
    failed = [f"`{one['name']}`: {one['detail']}" for one in checks if one["outcome"] == "failed"]
    worlds = [one for one in checks if one["name"] == "worlds-can-be-played" and one["outcome"] != "passed"]
    return GameLine(
        name,
        report["decisions"] > 0 or report["playout_decisions"] > 0,
        passed=outcomes.count("passed"),
        failed=outcomes.count("failed"),
        not_applicable=outcomes.count("not applicable"),
        seen="; ".join(map(shorten, failed or [one["detail"] for one in worlds])),
    )


def shorten(text: str) -> str:
    """Return the beginning of a text as a cell of a table."""
    line = " ".join(text.split()).replace("|", "/")
    return line if len(line) <= MOST_WORDS else f"{line[:MOST_WORDS]}…"


if __name__ == "__main__":
    main()
