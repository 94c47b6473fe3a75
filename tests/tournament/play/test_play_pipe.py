"""`pitboss play` with the answers in a pipe: each game to its end, what is kept, and what carries on."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest

from tests import ROOT
from tests.marks import first_rows
from tests.mistakes import each_mistake
from tests.tournament.command_line import COMMAND, run_pitboss
from tests.tournament.play_terminal import MAGPIE, SHORT_GAMES, play_piped, terminal_environment

pytestmark = pytest.mark.once

ZOO = ROOT / "tests" / "bots" / "zoo"
ALWAYS_FIRST = "1\n" * 500


def export_games(folder: Path) -> str:
    """Return the games of the store, without the times."""
    return run_pitboss("export", "x.pitboss", "--no-times", cwd=folder).out


@first_rows(1)(
    "game",
    [pytest.param(game, marks=() if game in ("magpie", "racko") else pytest.mark.long) for game in SHORT_GAMES],
)
def test_the_first_action_to_the_end_on_a_narrow_screen(tmp_path: Path, game: str) -> None:
    """Each game can be played to its end, no line wider than 40 columns but the commands; it lies in a store like any
    other, and its record replays.
    """
    narrow = terminal_environment(COLUMNS="40")
    ran = play_piped(
        ALWAYS_FIRST, game, *SHORT_GAMES[game], "--seed", "s", "--store", "x.pitboss", cwd=tmp_path, env=narrow
    )

    assert (ran.status, ran.err) == (0, "")
    assert re.search(r"The game is over\.\n(.*\n)+  1\. .+: -?\d+ points?\n", ran.out)
    assert "  pitboss replay x.pitboss " in ran.out
    assert "You against house:" in ran.out
    assert sorted(path.name for path in tmp_path.iterdir()) == ["x.pitboss"]
    assert run_pitboss("integrity", "--replay", "x.pitboss", cwd=tmp_path).status == 0
    assert [line for line in ran.out.splitlines() if len(line) > 40 and not line.startswith("  pitboss ")] == []


@pytest.mark.long
def test_broken_off_by_the_end_of_input(tmp_path: Path) -> None:
    """A game is kept where the input ends, the command that is named carries on, and all is as if it had never been
    broken off.
    """
    whole, halves = tmp_path / "whole", tmp_path / "halves"
    whole.mkdir()
    halves.mkdir()
    play_piped(ALWAYS_FIRST, *MAGPIE, cwd=whole)

    half = play_piped("1\n1\n1\n", *MAGPIE, cwd=halves)
    [resume] = re.findall(r"^  pitboss play (--resume .*)$", half.out, re.M)
    rest = play_piped(ALWAYS_FIRST, *resume.split(), cwd=halves)

    assert (half.status, rest.status) == (0, 0)
    assert "Carried on after" in rest.out
    assert export_games(whole) == export_games(halves) != ""


@pytest.mark.long
def test_another_seat_in_a_game_that_has_begun(tmp_path: Path) -> None:
    """Players keep their seats in a game that has begun, and a message says that --seat does not count."""
    first = play_piped("1\n", *MAGPIE, "--seat", "0", cwd=tmp_path)
    other = play_piped("1\n", *MAGPIE, "--seat", "1", cwd=tmp_path)
    same = play_piped("1\n", *MAGPIE, "--seat", "0", cwd=tmp_path)

    said = "--seat does not count for a game that has begun: who sat where stays.\nCarried on"
    assert [said in ran.out for ran in (first, other, same)] == [False, True, False]
    assert "Carried on" in same.out


@pytest.mark.long
def test_killed_in_the_middle(tmp_path: Path) -> None:
    """After kill -9 the same command carries on where it was; what was decided is not asked again."""
    whole, halves = tmp_path / "whole", tmp_path / "halves"
    whole.mkdir()
    halves.mkdir()
    play_piped(ALWAYS_FIRST, *MAGPIE, cwd=whole)

    with subprocess.Popen(
        [*COMMAND, "play", *MAGPIE],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=halves,
        env=terminal_environment(),
    ) as running:
        assert running.stdin and running.stdout
        running.stdin.write(b"1\n1\n")
        running.stdin.flush()
        said = b""
        while said.count(b"Which? ") < 3:
            heard = os.read(running.stdout.fileno(), 65_536)
            assert heard, said
            said += heard
        running.kill()
    assert running.returncode == -signal.SIGKILL
    play_piped(ALWAYS_FIRST, *MAGPIE, cwd=halves)

    assert export_games(whole) == export_games(halves) != ""


@pytest.mark.long
def test_what_was_left_of_the_time_for_a_game(tmp_path: Path) -> None:
    """A game that is carried on begins with the time that its bots had left, not with all of it."""
    (tmp_path / "bot.py").write_text(
        "import time\nfrom pitboss.bot import AnnotatedChoice, run\n\n"
        "def choose(decision):\n    until = time.process_time() + 0.03\n"
        "    while time.process_time() < until: pass\n    return AnnotatedChoice(0, "
        "str(decision.game_ms))\n\nrun(choose, name='slow')\n"
    )
    slow = ("magpie", "--against", f"{sys.executable} {tmp_path / 'bot.py'}", "-s", "clock.game_ms=60000")
    words = (*slow, "-o", "turns=5", "--seed", "s", "--store", "x.pitboss")
    for answers in ("1\n" * 4, "1\n" * 4, ALWAYS_FIRST):
        assert play_piped(answers, *words, cwd=tmp_path).status == 0

    [game] = map(json.loads, export_games(tmp_path).splitlines())
    left = [int(decision["note"]) for decision in game["decisions"] if "note" in decision]
    assert left[0] == 60_000
    assert len(left) > 8
    assert all(before > after for before, after in pairwise(left))


@pytest.mark.long
def test_a_last_line_that_was_cut_off(tmp_path: Path) -> None:
    """Half a line at the end of the file of the game does not count, and is gone when the game goes on."""
    play_piped("1\n1\n1\n", *MAGPIE, cwd=tmp_path)
    notebook = tmp_path / "x.pitboss.unfinished"
    before = notebook.read_bytes()
    notebook.write_bytes(before + b'{"decision":{"se')

    ran = play_piped("1\n", *MAGPIE, cwd=tmp_path)

    assert ran.status == 0
    assert notebook.read_bytes().startswith(before + b'{"decision":{"seat":')


@pytest.mark.long
def test_another_command_finds_another_store(tmp_path: Path) -> None:
    """Without --store the same command carries on, and a command for other games begins a file of its own."""
    words = ("magpie", *SHORT_GAMES["magpie"])
    for more in ((), ("-o", "graves=true"), ("--seed", "other")):
        play_piped("1\n", *words, *more, cwd=tmp_path)

    assert "Carried on" in play_piped("1\n", *words, "-o", "graves=true", cwd=tmp_path).out
    stores = sorted(path.name for path in tmp_path.glob("*.pitboss"))
    assert stores == [f"magpie-You-house_first{number}.pitboss" for number in ("-2", "-3", "")]


@pytest.mark.long
def test_games_in_a_row(tmp_path: Path) -> None:
    """Each game has new cards, the person sits one seat further, and the score is told."""
    ran = play_piped(ALWAYS_FIRST, *MAGPIE, "--games", "3", cwd=tmp_path)

    assert re.findall(r"In the seats: (.*)\.", ran.out) == [
        "0 You, 1 house:first",
        "0 house:first, 1 You",
        "0 You, 1 house:first",
    ]
    assert len(set(re.findall(r'"seed":"([^"]*)"', export_games(tmp_path)))) == 3
    assert re.search(r"Games won, of 3: You [\d.]+, house:first [\d.]+\.", ran.out)
    assert run_pitboss("integrity", "--replay", "x.pitboss", cwd=tmp_path).status == 0


@pytest.mark.long
def test_a_seat_of_ones_own_choice(tmp_path: Path) -> None:
    """The person can say where to sit, or have it drawn: the same for the same seed."""
    assert "0 house:first, 1 You." in play_piped("", *MAGPIE, "--seat", "1", cwd=tmp_path).out
    drawn = [
        play_piped("", *MAGPIE[:-1], f"{number}.pitboss", "--seat", "random", cwd=tmp_path).out for number in (1, 2)
    ]
    assert len({re.sub(r"\d\.pitboss", "", out) for out in drawn}) == 1


@pytest.mark.long
def test_a_bot_that_does_wrong(tmp_path: Path) -> None:
    """A bot's fault is reported in plain words without the bot's cards, the game goes on, and the record has the fault
    at the right decision, broken off or not.
    """
    bot = f"{sys.executable} {ZOO / 'plays_illegally.py'}"
    words = ("magpie", "--against", bot, *SHORT_GAMES["magpie"][2:], "--seed", "s", "--store", "x.pitboss")

    half = play_piped("1\n", *words, cwd=tmp_path)
    rest = play_piped(ALWAYS_FIRST, *words, cwd=tmp_path)

    assert "Fault: " in half.out
    said = " ".join(half.out.split()) + " ".join(rest.out.split())
    assert (
        "Fault: plays_illegally chose what is not legal; the neutral action is played in its place this time." in said
    )
    assert "legal actions" not in said
    assert said.count("it has forfeited the game") == 1
    replayed = run_pitboss("replay", "x.pitboss", "0", cwd=tmp_path).out
    assert "there were 4 legal actions, 0..3\n" in replayed
    faults = re.findall(r"seat 1 \(plays_illegally\), decision (\d+): (\w+), illegal", replayed)
    assert [verdict for _, verdict in faults] == ["substituted"] * 3 + ["forfeited"]
    assert len({decision for decision, _ in faults}) == 4
    for decision, _ in faults:
        assert re.search(rf"^{decision}\. seat 1 .*\(neutral: ", replayed, re.M)


@pytest.mark.long
def test_advice(tmp_path: Path) -> None:
    """Any bot can be asked what it would do; nothing is played by that, and the record tells that it was asked."""
    ran = play_piped("?\n1\n", *MAGPIE, "--hint", "house:first", cwd=tmp_path)
    play_piped(ALWAYS_FIRST, *MAGPIE, cwd=tmp_path)

    assert "house:first would choose 1: draw." in ran.out
    assert export_games(tmp_path).count('"note":"house:first advised: draw"') == 1


def test_advice_of_a_bot_that_fails(tmp_path: Path) -> None:
    """A bot that fails gives no advice, and the game goes on."""
    ran = play_piped("?\n1\n", *MAGPIE, "--hint", f"{sys.executable} {ZOO / 'plays_illegally.py'}", cwd=tmp_path)

    assert "plays_illegally gave no answer." in ran.out
    assert "You: draw, " in ran.out


@pytest.mark.long
def test_a_character_set_without_dots(tmp_path: Path) -> None:
    """A character that the terminal cannot show is replaced by plain signs."""
    ran = play_piped("1\n", *MAGPIE, cwd=tmp_path, env=terminal_environment(PYTHONIOENCODING="ascii"))

    assert ran.out.isascii()
    assert "  1 house:first\n    hand  3 cards\n    nest  1:.   2:.\n" in ran.out


def test_a_bot_that_asks_for_more(tmp_path: Path) -> None:
    """A bot that asks for more than it gets is reported once."""
    (tmp_path / "greedy").mkdir()
    (tmp_path / "greedy" / "bot.toml").write_text(
        f'command = ["{sys.executable}", "-P", "-m", "pitboss_house_bots", "first"]\nlimits = {{ cpu_s = 7200 }}\n'
    )
    ran = play_piped("q\n", "magpie", "--against", "greedy", "--sandbox", "none", cwd=tmp_path)

    assert ran.err.count("asks for more than it gets: cpu_s = 7200 (3600 is allowed)") == 1


@each_mistake(__file__, quick=1)
def test_refused_play_arguments(tmp_path: Path, written: str, said: str) -> None:
    """One line says what is wrong; nothing is left behind."""
    ran = play_piped("", *written.split(), cwd=tmp_path)

    assert ran.status == 2
    assert said in ran.err
    assert len(ran.err.splitlines()) == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.long
def test_a_bot_that_has_moved(tmp_path: Path) -> None:
    """The game of a bot that has moved is not carried on without it, which would be a fault of the bot; once it is
    back, all is as it was.
    """
    bee = tmp_path / "bee"
    bee.mkdir()
    (bee / "bot.toml").write_text('command = ["./bee"]\n')
    (bee / "bee").write_text(f"#!/bin/sh\nexec {sys.executable} -m pitboss_house_bots first\n")
    (bee / "bee").chmod(0o755)
    play_piped("1\n", "magpie", "--against", "bee", "--store", "x.pitboss", "--sandbox", "none", cwd=tmp_path)
    before = (tmp_path / "x.pitboss.unfinished").read_bytes()

    for what, name in (("folder", bee), ("program", bee / "bee")):
        name.rename(tmp_path / "elsewhere")
        ran = play_piped("1\n", "--resume", "x.pitboss", "--sandbox", "none", cwd=tmp_path)
        (tmp_path / "elsewhere").rename(name)

        assert ran.err == f"pitboss: the bot 'bee' cannot be started: there is no {what} {str(name)!r} any more\n"
        assert (ran.status, (tmp_path / "x.pitboss.unfinished").read_bytes()) == (2, before)
    resumed = play_piped("1\n", "--resume", "x.pitboss", "--sandbox", "none", cwd=tmp_path)
    assert (resumed.status, "Fault" in resumed.out) == (0, False)


@pytest.mark.long
def test_a_bot_of_somebody_elses_store(tmp_path: Path) -> None:
    """A store does not decide by itself that a bot of it runs without a sandbox."""
    play_piped("1\n", "magpie", "--against", "house:first", "--store", "x.pitboss", "--sandbox", "none", cwd=tmp_path)
    assert play_piped("", "--resume", "x.pitboss", cwd=tmp_path).status == 0  # a bot of Pitboss
    journal = tmp_path / "x.pitboss.unfinished"
    first, rest = journal.read_text().split("\n", 1)
    header = json.loads(first)
    header["plan"]["entrants"][1]["command"] = ["sh", "-c", "echo >came; cat"]
    journal.write_text(f"{json.dumps(header)}\n{rest}")

    ran = play_piped("1\n", "--resume", "x.pitboss", cwd=tmp_path)

    assert ran.status == 2
    assert ran.err == (
        "pitboss: 'x.pitboss' has the bot 'house:first' run without a sandbox, as you: sh -c 'echo >came; cat'; "
        "if you want that, add --sandbox none\n"
    )
    assert not (tmp_path / "came").exists()


@pytest.mark.long
def test_no_input_at_all(tmp_path: Path) -> None:
    """A game is kept where standard input is closed, as where it ends."""
    words = [*COMMAND, "play", *MAGPIE]
    done = subprocess.run(
        ["bash", "-c", 'exec "$@" <&-', "bash", *words], capture_output=True, text=True, cwd=tmp_path, check=False
    )

    assert (done.returncode, done.stderr) == (0, "")
    assert "The game is kept as it stands." in done.stdout


def test_a_file_that_is_no_game(tmp_path: Path) -> None:
    """A file of a game that is something else is said to be so."""
    (tmp_path / "x.pitboss.unfinished").write_text("hm\n")

    assert "this is not the journal of an unfinished game" in play_piped("", "--resume", "x.pitboss", cwd=tmp_path).err


@pytest.mark.long
def test_what_a_card_does(tmp_path: Path) -> None:
    """`h` and a face, in small letters too, tells what the card does; where a game describes no card it says where its
    rules are, and it says what is no card.
    """
    asked = play_piped(
        "h r-pg\nhelp K10\nh R-99\n", "ragamaru", "--against", "house:first", "--seed", "s", cwd=tmp_path
    )
    assert "R-PG: red, a Penalty Goal. The next player draws 3 cards, or answers" in asked.out.replace("\n", " ")
    assert "K10: black, a number. It fits its colour and its number." in asked.out
    assert "No card here is called 'R-99'." in asked.out

    other = play_piped("h A1\nh cards\n", *MAGPIE, cwd=tmp_path)
    assert other.out.count("Magpie does not describe its cards one by one; h rules shows its rule book.") == 2


def test_what_all_cards_do(tmp_path: Path) -> None:
    """`h cards` tells it of the cards in the own hand and on the table, and of no other."""
    asked = play_piped("h cards\n", "ragamaru", "--against", "house:first", "--seed", "s", cwd=tmp_path)

    [*_, hand] = [line for line in asked.out.splitlines() if line.startswith("> 0 You")]
    told = re.findall(r"^([A-Z0-9-]+): ", asked.out, re.MULTILINE)
    assert set(hand.split()[4:]) <= set(told)
    assert len(told) < 10


def test_the_rules_at_the_table(tmp_path: Path) -> None:
    """`h rules` shows the rule book at the table."""
    asked = play_piped("h rules\n", "rummy", "--against", "house:first", "--seed", "s", cwd=tmp_path)

    assert "# BASIC RUMMY: rule specification" in asked.out


@pytest.mark.long
def test_the_store_of_a_game_that_was_broken_off_is_removed(tmp_path: Path) -> None:
    """The game is carried on with the cards that it had; with another seed the file that has to go is named."""
    words = ("magpie", *SHORT_GAMES["magpie"], "--store", "x.pitboss")
    play_piped("1\nq\n", *words, "--seed", "one", cwd=tmp_path)
    (tmp_path / "x.pitboss").unlink()
    other = play_piped("", *words, "--seed", "two", cwd=tmp_path)
    again = play_piped("q\n", *words, cwd=tmp_path)

    assert other.status == 2
    assert "x.pitboss.unfinished: a game with the seed 'one' was broken off here" in other.err
    assert (again.status, again.err) == (0, "")
    assert "Carried on after" in again.out
