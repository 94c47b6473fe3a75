"""`pitboss log`: what was said in a game, harmless to read."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from pitboss_tournament.store.store import Store
from tests.tournament.command_line import COMMAND, run_pitboss
from tests.tournament.play_terminal import run_in_terminal
from tests.tournament.rogue_bot import FORGED_LINE, play_rogue

pytestmark = pytest.mark.once

SHORT = ("--seats", "2", "-o", "turns=3", "--deals", "1", "--seed", "s")


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the store of a match with a rogue in seat 1 of game 0."""
    return play_rogue(tmp_path_factory.mktemp("log"))


def test_all_that_was_said(store: Path) -> None:
    """A log has for each seat its standard error, and each line of the wire with its second and who said it, and what
    was wrong.
    """
    ran = run_pitboss("log", str(store), "0")
    good, rogue = ran.out.split("\n\n")[1:]

    assert ran.out.startswith("Game 0: magpie, seed 'test/good+rogue/0'\n\n")
    assert good.splitlines()[:3] == [
        "seat 0 (good)",
        "  standard error: nothing",
        "  the wire (seconds, > to the bot, < from it):",
    ]
    assert ' > {"type":"hello","protocol":1' in good.splitlines()[3]
    assert good.splitlines()[4].endswith(' < {"type":"ready"}')
    assert [line.split(",")[0] for line in rogue.splitlines()[1:4]] == [
        "  question 2: substituted",
        "  question 4: substituted",
        "  question 6: forfeited",
    ]
    assert rogue.splitlines()[4:8] == [
        "  standard error:",
        r"  | \x1b[2J\x1b]0;owned\x07\xff",
        rf"  | \r{FORGED_LINE}",
        r"  | \u202e\x9b31m",
    ]
    assert [line.split(maxsplit=2)[2] for line in rogue.splitlines() if "bye" in line] == [
        r'< 0.1 > {"type":"bye"}'
    ] * 3


@pytest.mark.parametrize("columns", [50, 80])
def test_in_a_terminal_nothing_is_obeyed_and_nothing_forged(store: Path, columns: int) -> None:
    """A log lets no escape through to a terminal, and cuts each line at the terminal's width, so that what the bot
    wrote stays behind the margin.
    """
    lines = run_in_terminal("log", str(store), "0", columns=columns).splitlines()

    assert all(line.isprintable() for line in lines)
    assert max(map(len, lines)) <= columns
    assert not any(line.startswith(FORGED_LINE) for line in lines)


def test_one_seat_and_one_part(store: Path) -> None:
    """`log` with --seat and --wire or --errors prints that part alone."""
    errors, wire = (run_pitboss("log", str(store), "0", "--seat", "1", part).out for part in ("--errors", "--wire"))

    assert "seat 0 (good)\n" not in errors + wire
    assert "standard error:" in errors
    assert "the wire" not in errors
    assert "standard error" not in wire
    assert "the wire" in wire


def test_one_decision(store: Path) -> None:
    """`log STORE GAME DECISION` has the lines of that question alone, of its seat; without GAME it takes the first game
    with logs.
    """
    record = Store(store).record(0)
    own = [number for number, one in enumerate(record.decisions, 1) if one.seat == 1]
    wire = run_pitboss("log", str(store), "0", str(own[1]), "--json").json_value["logs"]
    whole = run_pitboss("log", str(store), "--json").json_value
    beyond = run_pitboss("log", str(store), "0", "9999")
    other = run_pitboss("log", str(store), "0", str(own[1]), "--seat", "0")

    assert [one["seat"] for one in wire] == [1]
    assert [line.count('"type":"decide","id":2,') for line in wire[0]["wire"]].count(1) == 1
    assert sum('"type":"decide"' in line for line in wire[0]["wire"]) == 1
    assert (whole["game_id"], len(whole["logs"])) == (0, 2)
    assert (beyond.status, other.status) == (2, 2)
    assert f"decision {own[1]} of game 0 is that of seat 1" in other.err


def test_the_bytes_themselves(store: Path) -> None:
    """--raw writes what was kept, byte for byte, and refuses to write it to a terminal, or more than one log."""
    command = [*COMMAND, "log", str(store), "0", "--raw", "--seat", "1", "--errors"]
    written = subprocess.run(command, capture_output=True, check=True).stdout

    [kept] = [said.errors for said in Store(store).logs(0) if said.seat == 1]
    assert written == kept
    assert b"\x1b[2J" in written
    assert (
        "--raw writes one log: say which with --seat, and --wire or --errors"
        in run_pitboss("log", str(store), "0", "--raw").err
    )
    assert "\x1b" not in run_in_terminal("log", str(store), "0", "--raw", "--seat", "1", "--errors", status=2)


def test_for_programs(store: Path) -> None:
    """--json has the same; what is not UTF-8 is shown by its bytes."""
    ran = run_pitboss("log", str(store), "0", "--json")
    value = ran.json_value

    assert (value["game_id"], value["game"], value["seed"]) == (0, "magpie", "test/good+rogue/0")
    assert [(log["seat"], log["bot"]) for log in value["logs"]] == [(0, "good"), (1, "rogue")]
    assert value["logs"][0]["errors"] == ""
    assert value["logs"][1]["errors"].startswith("\x1b[2J\x1b]0;owned\x07\\xff\n")
    assert value["logs"][1]["wire"][1].endswith(' < {"type":"ready"}')
    assert set(run_pitboss("log", str(store), "0", "--json", "--wire").json_value["logs"][0]) == {"seat", "bot", "wire"}
    assert not set(ran.out) & {"\x1b", "\x9b", "\u202e"}


def test_a_game_whose_logs_are_not_kept(tmp_path: Path) -> None:
    """The sentence says why, and how to keep them."""
    path = tmp_path / "x.pitboss"
    assert run_pitboss("match", "magpie", "house:first", "house:random", *SHORT, "--store", str(path)).status == 0
    ran = run_pitboss("log", str(path), "0")

    assert ran.status == 2
    assert "no logs of game 0 are kept, because the game has no fault" in ran.err
    assert '[logs] keep = "all"' in ran.err
    assert "-s logs.keep=all" in ran.err


def test_the_logs_of_all_games_are_kept_if_that_is_asked_for(tmp_path: Path) -> None:
    """A match that is told to keep the logs of all games, as the sentence says, keeps them."""
    path = tmp_path / "x.pitboss"
    words = ("match", "magpie", "house:first", "house:random", *SHORT, "--store", str(path), "-s", "logs.keep=all")
    assert run_pitboss(*words).status == 0

    assert run_pitboss("log", str(path), "0").out.count("\nseat ") == 2


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("7",), "there is no game 7; its games are numbered 0 to"),
        (("0", "--seat", "2"), "seat 2 is not at the table; the seats are 0 to 1"),
    ],
)
def test_mistakes(store: Path, words: tuple[str, ...], said: str) -> None:
    """A mistake is one line, and status 2."""
    ran = run_pitboss("log", str(store), *words)

    assert ran.status == 2
    assert said in ran.err
