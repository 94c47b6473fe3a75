"""The sabotage table: faults planted in games, one at a time, and what `pitboss check-game` says of each.

    python bench/sabotage.py [NAME …] [--seconds S] [--quick] [--faults FILE]

A line for each fault: what found it, after how many seconds of processor time, or that nothing did. The games and the
faults lie in `bench/sabotaged`: the games are as somebody wrote them from the docs alone. A fault is a change of their
text. A copy with the change is installed as a plugin, in a folder of its own; the games themselves, unchanged, come
first and must pass. "noted" is what passed with a note that the unchanged game does not have.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

FOLDER: Final = Path(__file__).parent / "sabotaged"
PROGRAM: Final = "from pitboss_tournament.cli import main; main()"


class PlantedFault(NamedTuple):
    """A change of a game's text that breaks a promise."""

    name: str
    game: str
    kind: str
    changes: Sequence[tuple[str, str]]

    def plant(self, text: str) -> str:
        """Return the text of the game with the fault."""
        for old, new in self.changes:
            if old not in text:
                raise SystemExit(f"{self.name}: the game {self.game} has no {old!r}")
            text = text.replace(old, new)
        return text


class FoundFault(NamedTuple):
    """What a run of the suite said."""

    how: str  # found, noted or missed
    what: str
    seconds: float  # of the processor


def main() -> int:
    """Print the table; return 1 if a fault was missed or an unchanged game fails."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("names", nargs="*", help="of faults or kinds; by default all")
    parser.add_argument("--faults", type=Path, default=FOLDER / "faults.toml")
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--quick", action="store_true")
    given = parser.parse_args()
    arguments = ["--seconds", f"{given.seconds:g}", *(["--quick"] if given.quick else [])]
    faults = [one for one in read_faults(given.faults) if not given.names or {one.name, one.kind} & {*given.names}]
    games = dict.fromkeys(one.game for one in faults)
    sound = {game: run_suite(game, read_game(given.faults.parent, game), arguments) for game in games}
    for game, (result, _) in sound.items():
        print(
            f"{'unchanged':9} {game:10} {'':14} {'':34} {result.seconds:6.1f} s  {result.how}: {result.what}",
            flush=True,
        )
    results = []
    for fault in faults:
        result, notes = run_suite(fault.game, fault.plant(read_game(given.faults.parent, fault.game)), arguments)
        if result.how == "missed" and (new := [note for note in notes if note not in sound[fault.game][1]]):
            result = result._replace(how="noted", what=", ".join(new))
        results.append(result)
        print(
            f"{result.how:9} {fault.game:10} {fault.kind:14} {fault.name:34} {result.seconds:6.1f} s  {result.what}",
            flush=True,
        )
    counts = {how: sum(result.how == how for result in results) for how in ("found", "noted", "missed")}
    print(f"\n{len(results)} faults: {', '.join(f'{count} {how}' for how, count in counts.items())}")
    return int(counts["missed"] > 0 or any(result.how == "found" for result, _ in sound.values()))


def read_faults(file: Path) -> Iterator[PlantedFault]:
    """Yield the faults of a table."""
    for row in tomllib.loads(file.read_text())["faults"]:
        changes = [(old, new) for old, new in row["changes"]]
        yield PlantedFault(row["name"], row["game"], row["kind"], changes)


def read_game(folder: Path, game: str) -> str:
    """Return the text of a game."""
    return (folder / f"{game.replace('-', '_')}.txt").read_text()


def run_suite(game: str, text: str, arguments: Sequence[str]) -> tuple[FoundFault, list[str]]:
    """Put a game through the suite up to the first failure; return what was found, and the checks with a note."""
    with tempfile.TemporaryDirectory() as folder:
        env = install_game(Path(folder), game, text)
        words = [sys.executable, "-c", PROGRAM, "check-game", game, "--json", *arguments]
        # its standard output goes to a file: a pipe that nobody reads would stop it
        with (Path(folder) / "out").open("w+") as out:
            run = subprocess.Popen(words, env=env, stdout=out, stderr=subprocess.PIPE, text=True)
            assert run.stderr
            failed, last = "", ""
            for line in run.stderr:
                last = line
                if line.startswith("FAILED"):
                    failed = line.split()[1].rstrip(":")
                    run.kill()
                    break
            run.stderr.close()
            _, status, usage = os.wait4(run.pid, 0)
            run.returncode = os.waitstatus_to_exitcode(status)
            out.seek(0)
            printed = out.read()
        seconds = usage.ru_utime + usage.ru_stime
        if failed:
            return FoundFault("found", failed, seconds), []
        try:
            checks: list[dict[str, Any]] = json.loads(printed)["checks"]
        except ValueError:
            raise SystemExit(f"check-game ended without a report: {last.strip()}") from None
        failures = [one["name"] for one in checks if one["outcome"] == "failed"]
        notes = [one["name"] for one in checks if one["outcome"] == "passed" and one["detail"]]
        if failures:
            return FoundFault("found", failures[0], seconds), notes
        return FoundFault("missed", "no game was checked to its end" if run.returncode else "", seconds), notes


def install_game(folder: Path, game: str, text: str) -> dict[str, str]:
    """Write a plugin with a game into a folder; return the environment in which it is found."""
    module = f"sabotaged_{game.replace('-', '_')}"
    (folder / f"{module}.py").write_text(text)
    info = folder / f"pitboss_{module}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: pitboss-{module}\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[pitboss]\n{game} = {module}\n")
    paths = [str(folder), *filter(None, [os.environ.get("PYTHONPATH")])]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}


if __name__ == "__main__":
    sys.exit(main())
