"""The next night: bots join, change and leave between two runs of one tournament, and nothing is pooled or lost."""

from __future__ import annotations

import json
import random
import shutil
import signal
import subprocess
from contextlib import closing
from pathlib import Path
from time import sleep
from typing import Final, NamedTuple

import pytest
from msgspec.structs import replace

from pitboss.records.record import Record
from pitboss_tournament.audit.store_audit import find_problems
from pitboss_tournament.exchange.export import strip_times
from pitboss_tournament.plan.plan import Roster
from pitboss_tournament.statistics.scoring import GameResult
from pitboss_tournament.store.header import Entry
from pitboss_tournament.store.store import Store
from tests.bots.zoo_entrants import ZOO
from tests.tournament.command_line import COMMAND, CommandResult, run_pitboss

pytestmark = pytest.mark.once

FEW: Final = ("--seats", "2", "-o", "max_rounds=1", "-o", "max_turns=3", "--seed", "x")
KILL_WINDOW_S: Final = 1.5  # a run is killed at a random moment within so many seconds


def write_bot(base: Path, name: str, version: int = 1) -> None:
    """Write a bot that plays; its version changes a file of it, not what it plays."""
    folder = base / name
    folder.mkdir(exist_ok=True)
    (folder / "bot.toml").write_text('command = ["{python}", "bot.py"]\n')
    shutil.copy(ZOO / "polite.py", folder)
    (folder / "bot.py").write_text(f"{(ZOO / 'good.py').read_text()}\n# version {version}\n")


def match(base: Path, *words: str) -> CommandResult:
    """Play a match in a folder."""
    return run_pitboss("match", "racko", *words, *FEW, cwd=base)


def standings(base: Path) -> dict[str, int]:
    """Return the games of each bot."""
    shown = run_pitboss("standings", "racko-x.pitboss", "--json", cwd=base).json_value
    return {row["name"]: row["games"] for row in shown["standings"]}


# ---- code that changed is not added up


@pytest.mark.long
def test_a_bot_that_was_overwritten(tmp_path: Path) -> None:
    """Six old and six new games do not stand under one name: the run is refused, and says what one may do."""
    for name in ("alice", "bob"):
        write_bot(tmp_path, name)
    assert match(tmp_path, "alice", "bob", "--deals", "3").status == 0
    (tmp_path / "alice" / "bot.py").write_text("import sys\nsys.exit(3)\n")

    refused = match(tmp_path, "alice", "bob", "--deals", "6")

    assert refused.status == 2
    said = " ".join(refused.err.split())
    assert "bots are not those that played here (alice: bot.py), and games of different code are not added up" in said
    assert "play on with --new-version (alice@2 joins, alice@1 keeps its games and plays no more)" in said
    assert standings(tmp_path) == {"alice": 6, "bob": 6}

    played = match(tmp_path, "alice", "bob", "--deals", "3", "--new-version", "-s", "on_broken=skip")
    assert (played.status, "alice@2 never played" in played.err) == (3, True)
    assert standings(tmp_path) == {"alice@1": 6, "alice@2": 6, "bob": 12}


@pytest.mark.long
def test_the_old_files_are_taken_back(tmp_path: Path) -> None:
    """A run goes on with the old files taken back, as if nothing had been."""
    for name in ("alice", "bob"):
        write_bot(tmp_path, name)
    match(tmp_path, "alice", "bob", "--deals", "1")
    write_bot(tmp_path, "alice", 2)
    assert match(tmp_path, "alice", "bob", "--deals", "2").status == 2
    write_bot(tmp_path, "alice", 1)

    assert match(tmp_path, "alice", "bob", "--deals", "2").status == 0
    assert standings(tmp_path) == {"alice": 4, "bob": 4}


@pytest.mark.long
def test_what_the_files_have_no_more(tmp_path: Path) -> None:
    """`integrity` says of which bots the files are now others."""
    for name in ("alice", "bob"):
        write_bot(tmp_path, name)
    match(tmp_path, "alice", "bob", "--deals", "1")
    digest = Store(tmp_path / "racko-x.pitboss").header.entries[0].digest[:12]
    write_bot(tmp_path, "alice", 2)

    shutil.rmtree(tmp_path / "bob")

    said = run_pitboss("integrity", "racko-x.pitboss", cwd=tmp_path)
    read = run_pitboss("integrity", "racko-x.pitboss", "--json", cwd=tmp_path).json_value

    assert said.status == 0  # the store is whole
    assert f"alice: the files in {tmp_path}/alice are not those that played ({digest}): bot.py" in said.out
    assert f"bob: {tmp_path}/bob is gone" in said.out
    assert [(one["bot"], one["files"]) for one in read["other_files"]] == [("alice", ["bot.py"]), ("bob", [])]
    planned = run_pitboss("plan", "--from", "racko-x.pitboss", cwd=tmp_path)
    assert f"({digest}): bot.py; the plan is for the bots that played the pilot" in " ".join(planned.err.split())


@pytest.mark.long
def test_who_is_not_admitted(tmp_path: Path) -> None:
    """A bot that is not admitted gives no opponent free wins: it is left out, and the standings say why; mended it
    joins, as the first version.
    """
    for name in ("alice", "bob", "carol"):
        write_bot(tmp_path, name)
    (tmp_path / "bob" / "bot.py").write_text("import sys\nsys.exit(3)\n")
    (tmp_path / "t.toml").write_text(
        'game = "racko"\nseats = 2\nseed = "x"\ndeals = 1\nbots = ["*"]\nstore = "racko-x.pitboss"\n'
        'format = "swiss"\noptions = { max_rounds = 1, max_turns = 3 }\nadmission = { games = 2 }\n'
    )

    first = run_pitboss("run", "t.toml", cwd=tmp_path)
    shown = run_pitboss("standings", "racko-x.pitboss", "--json", cwd=tmp_path).json_value["standings"]

    assert first.status == 0, first.err
    assert "bob is left out: not admitted: crashed: exited with status 3 before it answered 'hello'" in first.err
    assert [(row["name"], row["games"] > 0) for row in shown] == [("alice", True), ("carol", True), ("bob", False)]
    assert shown[2]["left"].startswith("not admitted: crashed: ")

    write_bot(tmp_path, "bob")
    (tmp_path / "t.toml").write_text((tmp_path / "t.toml").read_text().replace("swiss", "round-robin"))
    (tmp_path / "racko-x.pitboss").rename(tmp_path / "old.pitboss")
    (tmp_path / "bob" / "bot.py").write_text("import sys\nsys.exit(3)\n")
    run_pitboss("run", "t.toml", cwd=tmp_path)
    write_bot(tmp_path, "bob", 2)
    mended = run_pitboss("run", "t.toml", cwd=tmp_path)
    assert (mended.status, "bob joined" in mended.err) == (0, True)
    assert standings(tmp_path) == {"alice": 4, "bob": 4, "carol": 4}
    assert "to play" not in run_pitboss("run", "t.toml", cwd=tmp_path).err


# ---- a week


class Night(NamedTuple):
    """What an organiser does before a night: versions of the bots that play, and the deals."""

    bots: dict[str, int]
    deals: int


WEEK: Final = (
    Night({"ann": 1, "bea": 1, "cid": 1, "dan": 1, "eve": 1}, 2),
    Night({"ann": 1, "bea": 1, "cid": 1, "dan": 1, "eve": 1, "fay": 1}, 2),  # one joins
    Night({"ann": 1, "bea": 2, "cid": 1, "dan": 1, "eve": 1, "fay": 1}, 2),  # one changes
    Night({"ann": 1, "bea": 2, "dan": 1, "eve": 1, "fay": 1}, 2),  # one leaves
    Night({"ann": 2, "bea": 2, "dan": 1, "fay": 1, "gus": 1}, 3),  # all three, and more deals
    Night({"ann": 2, "bea": 2, "cid": 1, "dan": 1, "fay": 1, "gus": 1}, 3),  # one is back
    Night({"ann": 1, "bea": 3, "cid": 1, "dan": 1, "fay": 1, "gus": 1}, 4),  # one takes the old code back
)


def begin_night(base: Path, night: Night) -> None:
    """Write the bots and the tournament file."""
    for name, version in night.bots.items():
        write_bot(base, name, version)
    bots = json.dumps(list(night.bots))
    (base / "week.toml").write_text(
        f'game = "racko"\nseats = 2\nseed = "week"\ndeals = {night.deals}\nbots = {bots}\n'
        'sandbox = "none"\noptions = { max_rounds = 1, max_turns = 3 }\n'
    )


def play_week(base: Path, kills: int, chance: random.Random) -> None:
    """Play all nights; in each, runs are killed at random moments, some of so many kills in all."""
    base.mkdir()
    for number, night in enumerate(WEEK):
        begin_night(base, night)
        words = [*COMMAND, "run", "week.toml", "--new-version"]
        for _ in range(kills * (number + 1) // len(WEEK) - kills * number // len(WEEK)):
            runner = subprocess.Popen(words, cwd=base, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            sleep(chance.uniform(0, KILL_WINDOW_S))
            runner.send_signal(signal.SIGKILL)
            runner.wait()
        done = run_pitboss("run", "week.toml", "--new-version", cwd=base)
        assert done.status == 0, done.err


def read_week(base: Path) -> tuple[list[Entry], tuple[Roster, ...], list[GameResult], list[tuple[int, Record]]]:
    """Return all that a store has, without times."""
    with closing(Store(base / "week.pitboss")) as store:
        assert list(find_problems(store)) == []
        entries = [replace(one, joined="", left=one.left and "then", folder="") for one in store.header.entries]
        results = [
            replace(one, lag={}, seats=tuple(replace(seat, think={}, think_us=0) for seat in one.seats))
            for one in store.results()
        ]
        records = [(number, strip_times(record)) for number, record in store.records()]
        return entries, store.header.rosters, results, records


@pytest.mark.long
@pytest.mark.parametrize("kills", [3, 40])
def test_a_week_of_nights(tmp_path: Path, kills: int) -> None:
    """A week of nights, killed at random moments, is the same as without a break; no bot loses a game, and none plays
    one twice.
    """
    play_week(tmp_path / "whole", 0, random.Random(0))
    play_week(tmp_path / "killed", kills, random.Random(kills))

    whole, killed = read_week(tmp_path / "whole"), read_week(tmp_path / "killed")
    assert whole == killed
    entries, _, results, _ = whole
    assert [(entry.name, entry.version, entry.why) for entry in entries] == [
        ("ann", 1, None),
        ("bea", 1, "replaced by bea@2"),
        ("cid", 1, None),
        ("dan", 1, None),
        ("eve", 1, "taken out"),
        ("fay", 1, None),
        ("bea", 2, "replaced by bea@3"),
        ("ann", 2, "replaced by ann@1"),
        ("gus", 1, None),
        ("bea", 3, None),
    ]
    last = [number for number, entry in enumerate(entries) if entry.left is None]
    played = [sum(bot in {seat.entrant for seat in one.seats} for one in results) for bot in last]
    assert all(games >= 5 * 4 * 2 for games in played)  # four deals with each of the others, in both orders
