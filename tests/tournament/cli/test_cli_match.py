"""What is said on the command line of `match` and `run` is what is played."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from pitboss.protocol.messages import Clock
from pitboss_tournament.plan.limits import Limits
from pitboss_tournament.plan.plan import FaultRules
from pitboss_tournament.store.store import Store
from tests.mistakes import each_mistake
from tests.tournament.command_line import COMMAND, run_pitboss
from tests.tournament.small_tournaments import BOT_TESTS

pytestmark = pytest.mark.once

GOOD = f"{sys.executable} -S {BOT_TESTS / 'zoo' / 'good.py'}"
MATCH = [
    "match",
    "magpie",
    GOOD,
    GOOD,
    "--deals",
    "1",
    "--seed",
    "s",
    "-o",
    "turns=3",
    "--store",
    "x",
]


def test_the_options_of_a_match(tmp_path: Path) -> None:
    """Clocks, rules for faults, limits and the sandbox are those that were asked for."""
    (tmp_path / "openings").mkdir()
    words = [
        "-s",
        "clock.decision_ms=700",
        "-s",
        "clock.start_ms=8000",
        "-s",
        "clock.game_ms=9000",
        "-s",
        "clock.increment_ms=5",
        "-s",
        "clock.margin_ms=7",
    ]
    words += [
        "-s",
        "faults.policy=substitute",
        "-s",
        "faults.substitutions=4",
        "-s",
        "faults.disqualify_after=6",
        "--sandbox",
        "none",
        "-s",
        "pinned=false",
    ]
    words += ["-s", "limits.memory_mb=300", "-s", 'limits.read=["openings"]', "--workers", "1", "-s", "logs.keep=all"]
    ran = run_pitboss(*MATCH, *words, cwd=tmp_path)
    store = Store(tmp_path / "x")

    assert (ran.status, ran.error_lines) == (0, [])
    assert store.header.clock == Clock(start_ms=8000, decision_ms=700, game_ms=9000, increment_ms=5, margin_ms=7)
    assert store.header.faults == FaultRules(policy="substitute", substitutions=4, disqualify_after=6)
    assert store.header.sandbox == "none"
    assert [entry.limits for entry in store.header.entries] == [
        Limits(memory_mb=300, read=(str(tmp_path / "openings"),))
    ] * 2
    logs = [json.loads(line) for line in run_pitboss("export", "x", "--what", "logs", cwd=tmp_path).out.splitlines()]
    assert {log["game_id"] for log in logs} == {0, 1}


@pytest.mark.parametrize("number", [pytest.param(1, marks=pytest.mark.long), 3])
def test_workers_of_a_tournament_file(tmp_path: Path, number: int) -> None:
    """`run --workers` counts, whatever the file says."""
    bots = "".join(f"[[bots]]\nbot = {json.dumps(GOOD)}\nname = {json.dumps(name)}\n" for name in "ab")
    head = 'game = "magpie"\ndeals = 2\nworkers = 2\nsandbox = "none"\noptions = { turns = 3 }\n'
    (tmp_path / "friday.toml").write_text(head + bots)
    ran = run_pitboss("run", "friday.toml", "--workers", str(number), "-s", "pinned=false", "--json", cwd=tmp_path)

    events = [json.loads(line) for line in ran.out.splitlines()]
    assert ran.status == 0
    assert sorted(event["id"] for event in events if event["event"] == "game") == [0, 1, 2, 3]


@each_mistake(__file__)
def test_mistakes_of_a_match(tmp_path: Path, written: str, said: str) -> None:
    """A limit or a number that does not exist is named, with what is allowed."""
    ran = run_pitboss(*MATCH, *written.split(), cwd=tmp_path)

    assert ran.status == 2
    assert said in ran.err
    assert not (tmp_path / "x").exists()


@pytest.mark.long
@pytest.mark.parametrize(("descriptors", "status"), [pytest.param(64, 0, marks=pytest.mark.long), (24, 1)])
def test_few_file_descriptors(tmp_path: Path, descriptors: int, status: int) -> None:
    """No bot forfeits a game because the machine has too few: the match is played, or ends with what is missing."""
    words = (*MATCH[:-1], str(tmp_path / "x.pitboss"), "--workers", "1", "--json")
    ran = subprocess.run(
        ["bash", "-c", f'ulimit -n {descriptors}; exec "$@"', "bash", *COMMAND, *words],
        capture_output=True,
        text=True,
        check=False,
    )

    assert ran.returncode == status, ran.stderr
    if status:
        said, as_json = ran.stderr.splitlines()
        assert said.endswith("cannot be started: Too many open files")
        assert said.endswith(json.loads(as_json)["errors"][0]["message"])
    else:
        assert [line["faults"] for line in json.loads(ran.stdout.splitlines()[-1])["standings"]] == [{}, {}]


NEVER_PLAYS = "{python} -c exit(7)"
CRASHES_LATER = f"{sys.executable} -S {BOT_TESTS / 'zoo' / 'crashes_later.py'}"
SHORT = ("--deals", "2", "-o", "turns=3")


@pytest.mark.parametrize(
    ("bot", "words", "status", "said"),
    [
        (
            NEVER_PLAYS,
            (),
            3,
            "python- never played: it forfeited each of its games before a decision of its own (crashed 4)",
        ),
        (CRASHES_LATER, (), 0, ""),
        (
            CRASHES_LATER,
            ("--fail-on-faults",),
            3,
            "crashes_later committed faults, and --fail-on-faults is given: 4 games forfeited (crashed 4)",
        ),
    ],
)
def test_the_exit_status_tells_of_faults(
    tmp_path: Path, bot: str, words: tuple[str, ...], status: int, said: str
) -> None:
    """Status 3 and a sentence for a bot that never played, and with --fail-on-faults for every fault; the match is
    played and kept all the same.
    """
    ran = run_pitboss("match", "magpie", GOOD, bot, "--seed", "s", *SHORT[:3], "turns=6", *words, cwd=tmp_path)

    assert (ran.status, [line for line in ran.error_lines if line.startswith("pitboss: ")]) == (
        status,
        [f"pitboss: {said}"] if said else [],
    )
    assert Store(tmp_path / "magpie-s.pitboss").count_games() == 4


def test_a_match_without_a_store(tmp_path: Path) -> None:
    """With --no-store no file is left, and no command is named that would need one."""
    folder = tmp_path / "tmp"
    folder.mkdir()
    words = ("match", "magpie", GOOD, NEVER_PLAYS, *SHORT, "--no-store")
    ran = run_pitboss(*words, cwd=tmp_path, env={"TMPDIR": str(folder)})

    assert ran.status == 3
    assert "first in game 0, question 0, crashed" in ran.out
    assert "pitboss replay" not in ran.out
    assert [path.name for path in tmp_path.rglob("*")] == ["tmp"]


def test_a_match_without_a_seed_is_carried_on_by_its_store(tmp_path: Path) -> None:
    """The store of a match without a seed is named by the bots and the time; --store alone finds its seed and its games
    again.
    """
    first = run_pitboss("match", "magpie", GOOD, GOOD, *SHORT, cwd=tmp_path)
    [store] = tmp_path.iterdir()
    again = run_pitboss("match", "magpie", GOOD, GOOD, *SHORT, "--store", store.name, cwd=tmp_path)

    assert re.fullmatch(r"magpie-good-good-2-\d{4}-\d\d-\d\d-\d{6}\.pitboss", store.name)
    assert again.out.splitlines()[0] == f"{first.out.splitlines()[0]}, of which 4 are already played"
