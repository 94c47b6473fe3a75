"""`pitboss play` in a terminal: a choice can be taken back, the terminal is left as it was, and everybody can read
it.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest

from tests.marks import first_rows
from tests.tournament.command_line import run_pitboss
from tests.tournament.play_terminal import MAGPIE, TerminalSession
from tests.tournament.run_processes import wait_for

pytestmark = pytest.mark.once

PATIENT: Final = ("-s", "clock.decision_ms=600000", "-s", "clock.start_ms=600000")
SLOW_BOT: Final = """import json, os, sys, time
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({"type": "ready"}), flush=True)
    elif message["type"] == "decide":
        open("asked", "w").close()
        while not os.path.exists("go"):
            time.sleep(0.01)
        print(json.dumps({"type": "act", "id": message["id"], "choose": 0}), flush=True)
"""
ONE_TURN: Final = (  # whoever lays a card in it has no pair to boast of, in either seat
    *("magpie", "--against", "house:first", "-o", "turns=1"),
    *("--seed", "t", "--store", "x.pitboss"),
)


def test_a_choice_is_taken_back(tmp_path: Path) -> None:
    """A typed choice is shown before it is played; u takes it back, another choice replaces it, Enter plays it."""
    with TerminalSession(MAGPIE, tmp_path) as seat:
        seat.answer_prompt("Which?", "3")
        seat.answer_prompt("lay place 1? Enter: yes, u: no.", "u")
        seat.answer_prompt("Taken back.\nWhich?", "lay 2")
        seat.answer_prompt("lay place 2? Enter: yes, u: no.", "draw")
        seat.answer_prompt("draw? Enter: yes, u: no.")
        assert "You: draw, " in seat.read_until("Your turn (drop)")
        seat.answer_prompt("Which?", "q")

        assert seat.wait_exit_status() == 0


def test_a_move_is_taken_back(tmp_path: Path) -> None:
    """A move is taken back until somebody has answered it, unless it has shown something."""
    with TerminalSession((*MAGPIE, "--quick"), tmp_path) as seat:
        asked = seat.answer_prompt("Which?", "u").rpartition("Your turn")[2]
        assert "nothing that was played can be taken back" in seat.answer_prompt("Which?", "take")
        assert "You: take, " in seat.read_until("Your turn (drop)")
        seat.answer_prompt("Which?", "u")
        assert seat.answer_prompt("Which?", "draw").rpartition("Your turn")[2] == asked
        seat.read_until("Your turn (drop)")
        seat.answer_prompt("Which?", "u")
        assert "it has shown you something" in seat.answer_prompt("Which?", "q")
        assert seat.wait_exit_status() == 0

    decisions = (tmp_path / "x.pitboss.unfinished").read_text().splitlines()[1:]
    assert ['"do":"draw"' in line for line in decisions if '"seat":0' in line] == [True]


def test_a_move_is_taken_back_while_a_bot_thinks(tmp_path: Path) -> None:
    """The answer of a bot to a move that was taken back meanwhile is not played. The bot is sent the whole game again,
    and goes on.
    """
    (tmp_path / "slow.py").write_text(SLOW_BOT)
    words = ("magpie", "--against", "python3 slow.py", *MAGPIE[3:], "--quick", "--sandbox", "none", *PATIENT)
    with TerminalSession(words, tmp_path) as seat:
        seat.answer_prompt("Which?", "take")
        asked = seat.answer_prompt("Which?", "1").rpartition("Your turn")[2]
        wait_for((tmp_path / "asked").exists, seat.process)
        seat.press_keys("u\n")
        (tmp_path / "go").touch()
        seat.read_until("Taken back. What you saw last:")
        assert seat.answer_prompt("Which?", "2").rpartition("Your turn")[2] == asked
        seat.answer_prompt("Which?", "q")
        assert seat.wait_exit_status() == 0

    decisions = (tmp_path / "x.pitboss.unfinished").read_text().splitlines()[1:]
    assert ['"seat":0' in line for line in decisions[:3]] == [True, True, False]


def test_words_narrow_the_list(tmp_path: Path) -> None:
    """Words that several actions have leave these in the list, with their numbers; Enter brings all back."""
    with TerminalSession(MAGPIE, tmp_path) as seat:
        seat.answer_prompt("Which?", "lay p")
        assert "2 of 4 actions:\n3 lay place 1   4 lay place 2\n" in seat.answer_prompt("Which?")
        assert "\n1 draw " in seat.answer_prompt("Which?", "zebra")
        assert "No action has 'zebra' in it." in seat.answer_prompt("Which?", "99")
        assert "There is no action 99: they are numbered 1 to 4." in seat.answer_prompt("Which?", "h")
        assert "A number chooses that action. " in seat.answer_prompt("Which?", ".")
        assert "  stock " in seat.answer_prompt("Which?", "q")


def test_a_key_that_is_no_character(tmp_path: Path) -> None:
    """A byte that is not UTF-8, as a terminal of another character set sends it, is a word that no action has, in any
    locale.
    """
    with TerminalSession(MAGPIE, tmp_path, env={"PYTHONIOENCODING": "utf-8:strict"}) as seat:
        seat.answer_prompt("Which?", "\udcff")
        assert "No action has '\ufffd' in it." in seat.answer_prompt("Which?", "q")

        assert seat.wait_exit_status() == 0


@pytest.mark.long
def test_a_choice_is_played_at_once(tmp_path: Path) -> None:
    """With --quick nobody is asked for Enter; without it, that can be had from the next game on."""
    with TerminalSession((*ONE_TURN, "--quick"), tmp_path) as seat:
        seat.answer_prompt("Which?", "lay 1")
        assert "yes, u: no." not in seat.answer_prompt(", n: no.", "n")
        assert "f: new cards" not in seat.output
        assert seat.wait_exit_status() == 0

    with TerminalSession((*ONE_TURN[:-1], "y.pitboss"), tmp_path) as seat:
        seat.answer_prompt("Which?", "lay 1")
        seat.answer_prompt("yes, u: no.")
        assert "f: new cards" in seat.answer_prompt("n: no.", "f")
        seat.answer_prompt("Which?", "lay 1")
        assert "yes, u: no." not in seat.answer_prompt("Another game?", "n")
        assert seat.wait_exit_status() == 0


@first_rows(1)(("key", "status"), [("\x03", 130), ("\x04", 0)])
def test_the_keyboards_own_ways_to_leave(tmp_path: Path, key: str, status: int) -> None:
    """Ctrl-C and Ctrl-D keep the game, say how to carry on, and leave the terminal as it was."""
    with TerminalSession(MAGPIE, tmp_path) as seat:
        before = seat.terminal_settings()
        seat.answer_prompt("Which?", "1")
        seat.answer_prompt("yes, u: no.")
        seat.read_until("Which?")
        seat.press_keys(key)

        seat.read_until("pitboss play --resume x.pitboss")
        assert seat.wait_exit_status() == status
        assert seat.terminal_settings() == before
    assert (tmp_path / "x.pitboss.unfinished").exists()


@pytest.mark.long
def test_the_terminal_is_closed(tmp_path: Path) -> None:
    """The game is kept, and goes on at the next terminal after the last decision."""
    with TerminalSession(MAGPIE, tmp_path) as seat:
        seat.answer_prompt("Which?", "1")
        seat.answer_prompt("yes, u: no.")
        seat.read_until("Your turn (drop)")
        seat.close()
        seat.wait_exit_status()

    with TerminalSession(("--resume", "x.pitboss"), tmp_path) as seat:
        assert "You: draw, " in seat.read_until("Your turn (drop)")


def test_the_same_cards_in_the_next_seat(tmp_path: Path) -> None:
    """After a game the same deal can be played from the other seat; then both are one block of the store."""
    with TerminalSession(ONE_TURN, tmp_path) as seat:
        for last in ("s", "n"):
            seat.answer_prompt("Which?", "lay 1")
            seat.answer_prompt("yes, u: no.")
            assert "hm" not in seat.answer_prompt("Another game?", "hm")
            seat.answer_prompt("Another game?", last)
        assert "s: the same cards" not in seat.output.rpartition("Another game?")[2]
        assert seat.wait_exit_status() == 0

    seeds = re.findall(r'"seed":"([^"]*)"', run_pitboss("export", "x.pitboss", cwd=tmp_path).out)
    assert len(seeds) == 2
    assert len(set(seeds)) == 1


@first_rows(1)(("key", "status"), [("\x03", 130), ("\x04", 0)])
def test_leaving_between_two_games(tmp_path: Path, key: str, status: int) -> None:
    """Leaving between two games breaks nothing off; the shell's prompt begins a line of its own."""
    with TerminalSession(ONE_TURN, tmp_path) as seat:
        seat.answer_prompt("Which?", "lay 1")
        seat.answer_prompt("yes, u: no.")
        seat.read_until("n: no. ")
        seat.press_keys(key)

        seat.read_until("\n")
        assert seat.wait_exit_status() == status
    assert [path.name for path in tmp_path.iterdir()] == ["x.pitboss"]


@first_rows(1)(
    ("words", "env"),
    [((), {"NO_COLOR": "1"}), (("--plain",), {}), ((), {"TERM": "dumb"})],
    ids=["no colour", "plain", "dumb"],
)
def test_without_colours(tmp_path: Path, words: tuple[str, ...], env: dict[str, str]) -> None:
    """A person who wants no colours gets none; in a plain or dumb terminal nothing is drawn either, and nothing moves
    the cursor.
    """
    with TerminalSession((*MAGPIE, *words), tmp_path, env=env) as seat:
        seat.answer_prompt("Which?", "1")
        seat.answer_prompt("yes, u: no.")
        said = seat.output + seat.read_until("Your turn (drop)")

    assert re.findall(r"\x1b\[[0-9;]*m", said) == []
    if "NO_COLOR" not in env:
        assert "\x1b" not in said
        assert "─" not in said


def test_the_question_stands_out(tmp_path: Path) -> None:
    """In a terminal that can, the heading of each turn is bold."""
    with TerminalSession(MAGPIE, tmp_path) as seat:
        assert "\x1b[1mYour turn (draw)" in seat.read_until("actions")


@first_rows(1)("columns", [40, 60])
def test_nothing_is_wider_than_the_terminal(tmp_path: Path, columns: int) -> None:
    """Every line fits the terminal, also the questions, of which that for another game is the longest."""
    with TerminalSession(ONE_TURN, tmp_path, columns=columns, env={"NO_COLOR": "1"}) as seat:
        for _ in ("draw", "drop"):
            seat.answer_prompt("Which?", "1")
            seat.answer_prompt("yes, u: no.")
        seat.answer_prompt("Another game?", "n")
        seat.wait_exit_status()

    lines = re.sub(r"\x1b\[\?2004[hl]", "", seat.output).splitlines()
    assert [line for line in lines if len(line) > columns] == []
