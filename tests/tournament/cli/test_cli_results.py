"""`standings`, `replay` and `export` of a store in which bots did wrong: all of it is shown, counted and exported, and
none of it harms.
"""

from __future__ import annotations

import csv
import io
import json
import os
import re
import subprocess
from pathlib import Path

import pytest

from pitboss_tournament.store.rows import void_game
from pitboss_tournament.store.store import Store
from tests.marks import first_rows
from tests.tournament.command_line import COMMAND, run_pitboss
from tests.tournament.play_terminal import run_in_terminal
from tests.tournament.rogue_bot import FORGED_LINE, play_rogue

pytestmark = pytest.mark.once

REPLAY = ("replay", "{}", "0")
BOLD = re.compile(r"\x1b\[[01]?m")


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the store of a match against a rogue, in which three games were void."""
    path = play_rogue(tmp_path_factory.mktemp("results"))
    writing = Store(path)
    writing.add_voids([void_game(0, "no_process", "too many"), *[void_game(1, "no_guardian", "killed")] * 2])
    writing.close()
    return path


def test_the_first_screen(store: Path) -> None:
    """The first screen has thinking times, void games by cause, the rogue's faults by kind with the first one, who is
    out, and the verdict; the runner's lag where it is asked for.
    """
    lines = run_pitboss("standings", str(store)).out.splitlines()
    explained = run_pitboss("standings", str(store), "--explain").out.splitlines()

    assert lines[0] == "magpie, 2 at a table, seed 'test': 2 games played"
    assert lines.pop(1) == "No winner: all games were forfeited."
    assert lines[1].split() == [
        "bot",
        "games",
        "blocks",
        "rating",
        "points",
        "wins",
        "%",
        "p50",
        "ms",
        "p99",
        "ms",
        "faults",
        "digest",
    ]
    assert lines[3].split()[-4:-1] == ["2", "+4", "out"]
    assert any(
        re.fullmatch(r"The runner's lag in reading answers: p50 [\d.,]+ ms, p99 [\d.,]+ ms; billed to nobody\.", line)
        for line in explained
    )
    assert "Void without a fault of a bot, and played again: 3 games (no_guardian 2, no_process 1)." in lines
    at = lines.index(
        "rogue: 2 games forfeited (malformed 2), 4 decisions substituted (malformed 4); it is out of the tournament"
    )
    assert lines[at + 1].startswith(
        r"  first in game 0, question 2, malformed: the line '\x1b[2J\\xff' is not a message"
    )
    assert lines[at + 2] == "  its standard error then:"
    written = at + 3 + 5
    assert all(line.startswith("     | ") for line in lines[at + 3 : written])
    assert f"     | {FORGED_LINE}" in lines[at + 3 : written]
    assert lines[written:] == [
        "  what to do: print for yourself to standard error: standard output is the wire",
        *lines[written + 1 : written + 2],
        f"  to see it: pitboss replay {store} 0",
        f"  what was said: pitboss log {store} 0 --seat 1",
        f"  to ask it again: pitboss ask {store} 0 --seat 1",
        "Verdict: all 2 games were forfeited (rogue 2); that tells nothing about how the bots play.",
        f"More, and what the numbers mean: pitboss standings {store} --explain",
    ]


def test_the_first_screen_for_programs(store: Path) -> None:
    """--json has all of it, and the first faults with their evidence."""
    value = run_pitboss("standings", str(store), "--json").json_value
    good, rogue = sorted(value["standings"], key=lambda line: str(line["name"]))

    assert value["voids"] == {"no_guardian": 2, "no_process": 1}
    assert 0 < value["lag_p50_ms"] <= value["lag_p99_ms"]
    assert 0 < good["think_p50_ms"] <= good["think_p99_ms"]
    assert (rogue["faults"], rogue["substituted"], rogue["is_out"]) == ({"malformed": 2}, {"malformed": 4}, True)
    [first] = value["first_faults"]
    assert (first["bot"], first["game_id"]) == ("rogue", 0)
    assert first["incident"]["fault"]["verdict"] == "substitute"
    assert first["incident"]["exchange"][-1].startswith("< ")


@pytest.mark.parametrize("columns", [60, 80, 120])
@first_rows(1)("words", [("standings", "{}"), REPLAY], ids=["standings", "replay"])
def test_in_a_terminal(store: Path, words: tuple[str, ...], columns: int) -> None:
    """The standings are never wider than the terminal, nothing that the rogue wrote is obeyed, and no line of ours is
    forged.
    """
    text = BOLD.sub("", run_in_terminal(*(word.format(store) for word in words), columns=columns))
    lines = text.splitlines()

    assert all(line.isprintable() for line in lines)
    commands = ("  to see it: ", "  what was said: ", "  to ask it again: ", "      ")  # a path is as long as it is
    assert [line for line in lines if len(line) > columns and not line.startswith(commands)] == []
    assert not any(line.lstrip().startswith(FORGED_LINE) for line in lines)


def test_without_colour(store: Path) -> None:
    """Standings with NO_COLOR have no colour; a heading is bold at most."""
    assert "\x1b" not in BOLD.sub("", run_in_terminal("standings", str(store), NO_COLOR="1"))


def test_a_replay_shows_where_it_went_wrong(store: Path) -> None:
    """A replay marks the substituted decisions, the forfeited one and those after it; at the end all three
    are listed.
    """
    text = run_pitboss("replay", str(store), "0").out

    assert text.count("(neutral: substituted)") == 2
    assert text.count("(neutral: it forfeits here)") == 1
    assert text.count("(neutral: it has forfeited before)") > 1
    assert r'     | < \x1b[2J\xff\n0.1 > {"type":"bye"}' in text
    assert [line.split(": ")[1].split(",")[0] for line in text.splitlines()[-3:]] == [
        "substituted",
        "substituted",
        "forfeited",
    ]


def test_incidents_are_exported(store: Path) -> None:
    """Incidents are exported as a line each, with the game and the bot; they are those of the records."""
    lines = [json.loads(line) for line in run_pitboss("export", str(store), "-w", "incidents").out.splitlines()]
    records = [json.loads(line) for line in run_pitboss("export", str(store)).out.splitlines()]

    assert [(line["game_id"], line["bot"], line["fault"]["verdict"]) for line in lines[:3]] == [
        (0, "rogue", "substitute"),
        (0, "rogue", "substitute"),
        (0, "rogue", "forfeit"),
    ]
    known = [{key: line[key] for key in ("fault", "exchange", "last_words", "us")} for line in lines]
    assert known == [incident for record in records for incident in record["incidents"]]
    assert all(line["us"] > 0 and line["exchange"] and FORGED_LINE in line["last_words"] for line in lines)


def test_logs_are_exported(store: Path) -> None:
    """Logs are exported as a line for each seat of each game whose logs are kept, as `pitboss log` has them."""
    lines = [json.loads(line) for line in run_pitboss("export", str(store), "-w", "logs").out.splitlines()]
    first, second = Store(store).game_ids()
    shown = run_pitboss("log", str(store), str(second), "--json").json_value["logs"]

    assert [(line["game_id"], line["seat"]) for line in lines] == [(first, 0), (first, 1), (second, 0), (second, 1)]
    assert [{key: line[key] for key in ("seat", "errors", "wire")} for line in lines[2:]] == [
        {key: log[key] for key in ("seat", "errors", "wire")} for log in shown
    ]


def test_times_and_substituted_decisions_in_csv(store: Path) -> None:
    """Each seat has its own; the lag is the game's; without times these cells are empty."""
    wanted = ("substituted", "decisions", "think_ms", "think_p50_ms", "think_p99_ms", "lag_p99_ms")
    good, rogue = list(csv.DictReader(io.StringIO(run_pitboss("export", str(store), "-w", "csv").out)))[:2]
    assert (good["substituted"], rogue["substituted"], rogue["decisions"]) == ("0", "2", "3")
    assert 0 < float(good["think_p50_ms"]) <= float(good["think_p99_ms"])
    assert good["lag_p99_ms"] == rogue["lag_p99_ms"] != ""

    without = list(csv.DictReader(io.StringIO(run_pitboss("export", str(store), "-w", "csv", "--no-times").out)))
    assert [without[1][name] for name in wanted] == ["2", "3", "", "", "", ""]


@pytest.mark.long
def test_two_runs_export_the_same_bytes(store: Path, tmp_path: Path) -> None:
    """Two runs export the same bytes without times and evidence, whatever the bots did wrong; the faults themselves are
    there.
    """
    again = play_rogue(tmp_path)
    for what in ("records", "events", "incidents", "csv"):
        first, second = (run_pitboss("export", str(path), "-w", what, "--no-times").out for path in (store, again))

        assert first == second
    assert '"kind":"malformed"' in run_pitboss("export", str(store), "--no-times").out


@first_rows(1)(
    "words",
    [
        ("standings", "{}"),
        ("standings", "{}", "--json"),
        REPLAY,
        ("replay", "{}", "--check"),
        ("log", "{}", "0"),
        ("log", "{}", "0", "--raw", "--seat", "1", "--wire"),
        ("export", "{}"),
        ("export", "{}", "-w", "csv"),
    ],
)
def test_output_that_cannot_be_written(store: Path, words: tuple[str, ...]) -> None:
    """A full disk is one sentence, and status 1; no traceback follows it, buffered or not."""
    command = [*COMMAND, *(word.format(store) for word in words)]
    for unbuffered in ("", "1"):
        env = {**os.environ, "PYTHONUNBUFFERED": unbuffered}
        with Path("/dev/full").open("w") as full:
            ran = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, env=env, check=False)

        assert (ran.returncode, ran.stderr) == (
            1,
            "pitboss: standard output: cannot be written: No space left on device\n",
        )


@first_rows(1)("what", ["records", "csv", "parquet"])
def test_an_export_that_fills_the_disk(store: Path, tmp_path: Path, what: str) -> None:
    """One sentence that names the file; an older export stays as it was."""
    if what == "parquet":
        pytest.importorskip("pyarrow.parquet")
    out = tmp_path / "out"
    out.write_text("old")
    command = [*COMMAND, "export", str(store), "-w", what, "-o", str(out)]
    ran = subprocess.run(
        ["bash", "-c", 'ulimit -f 0; exec "$@"', "bash", *command], capture_output=True, text=True, check=False
    )

    assert ran.returncode == 2
    assert ran.stderr.startswith(f"pitboss: {out}: cannot be written: ")
    assert len(ran.stderr.splitlines()) == 1
    assert [path.read_text() for path in tmp_path.iterdir()] == ["old"]


@pytest.mark.parametrize("what", ["records", "csv", "parquet"])
def test_an_export_into_the_store(store: Path, tmp_path: Path, what: str) -> None:
    """The store stays as it was, also where another name leads to it."""
    before = store.read_bytes()
    other = tmp_path / "other"
    other.symlink_to(store)

    for output in (store, other):
        ran = run_pitboss("export", str(store), "-w", what, "-o", str(output))
        assert (ran.status, ran.err) == (
            2,
            f"pitboss: {output}: this is the store itself; name another file with --output\n",
        )
    assert store.read_bytes() == before
