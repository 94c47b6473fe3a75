"""`pitboss check`: what a person reads, what a program reads, and the exit status."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from pitboss_tournament.bot_checks.diagnosis import advise_flush
from pitboss_tournament.bot_checks.suite import EVERY_CHECK, select_checks
from tests.tournament.command_line import run_pitboss
from tests.tournament.faulty_bots import BotMistake, write_bot

pytestmark = pytest.mark.once

AT_MAGPIE = (
    "--game",
    "magpie",
    "--seats",
    "2",
    "--sandbox",
    "none",
    "-s",
    "clock.start_ms=60000",
    "-s",
    "clock.decision_ms=30000",
)
QUIET = {"PYTHONUNBUFFERED": ""}


@pytest.mark.long
def test_a_good_bot(tmp_path: Path) -> None:
    """The last line counts, the status is 0, and nothing is said about checks that passed."""
    ran = run_pitboss("check", str(write_bot(tmp_path / "bot")), *AT_MAGPIE, "--only", "plays-a-whole-game", env=QUIET)

    assert ran.status == 0, ran.out
    assert ran.out.startswith("bot: ")
    assert "FAILED" not in ran.out
    assert "speaks-json" not in ran.out
    last = ran.out.splitlines()[-1]
    assert last.split(" checks: ")[0].isdigit()
    assert " passed, 0 failed" in last


@pytest.mark.long
def test_all_promises_on_demand(tmp_path: Path) -> None:
    """With --verbose every check has a line, with what was seen."""
    ran = run_pitboss(
        "check", str(write_bot(tmp_path / "bot")), *AT_MAGPIE, "--only", "starts-in-time", "--verbose", env=QUIET
    )

    assert ran.status == 0
    assert len([line for line in ran.out.splitlines() if line.startswith(("ok ", "n/a "))]) == int(
        ran.out.splitlines()[-1].split()[0]
    )
    assert " ms of 60,000 ms)" in ran.out


@pytest.mark.long
def test_a_buffered_bot(tmp_path: Path) -> None:
    """The author of a buffered bot reads what was seen, and the cure in the bot's language; the checks that could not
    be made are one line; the status is 1.
    """
    folder = write_bot(tmp_path / "bot", BotMistake({"    sys.stdout.flush()\n": ""}))

    hurried = [word.replace("start_ms=60000", "start_ms=2000") for word in AT_MAGPIE]
    ran = run_pitboss("check", str(folder), *hurried, env=QUIET)

    assert ran.status == 1
    assert "\nFAILED  flushes-its-output: The bot's output is sent at once" in ran.out
    assert "seen: nothing came in " in ran.out
    assert "cure: flush after every line: print(…, flush=True), or start it with" in ran.out
    assert " checks skipped: `flushes-its-output` failed\n" in ran.out
    assert " 1 failed, " in ran.out.splitlines()[-1]


def test_a_bot_that_crashes(tmp_path: Path) -> None:
    """The end of its standard error is shown."""
    folder = write_bot(tmp_path / "bot", BotMistake({"# before\n": "import no_such_module\n"}))

    ran = run_pitboss("check", str(folder), *AT_MAGPIE, env=QUIET)

    assert ran.status == 1
    assert "FAILED  stays-up: " in ran.out
    assert "stderr| ModuleNotFoundError: No module named 'no_such_module'\n" in ran.out


@pytest.mark.long
def test_the_report_as_json(tmp_path: Path) -> None:
    """The report as JSON is one object, valid under its schema."""
    folder = write_bot(tmp_path / "bot", BotMistake({'"choose": 0': '"choose": -1'}))

    ran = run_pitboss("check", str(folder), *AT_MAGPIE, "--json", "--only", "chooses-what-is-legal", env=QUIET)

    assert ran.status == 1
    assert list(Draft202012Validator(run_pitboss("schema", "check").json_value).iter_errors(ran.json_value)) == []
    [failed] = [check for check in ran.json_value["checks"] if check["outcome"] == "failed"]
    assert failed["name"] == "chooses-what-is-legal"
    assert '"choose": -1' in failed["seen"]
    assert ran.json_value["games"] == ["magpie"]


def test_a_command_whose_program_is_missing(tmp_path: Path) -> None:
    """A command whose program is missing fails one check, at once."""
    ran = run_pitboss("check", "no-such-interpreter bot.py", *AT_MAGPIE, cwd=tmp_path)

    assert ran.status == 1
    assert "FAILED  names-a-program: " in ran.out


@pytest.mark.long
def test_what_is_no_bot_at_all(tmp_path: Path) -> None:
    """A wrong name of a bot, a game, a check or a number of players is one line, and the status is 2."""
    bot = str(write_bot(tmp_path / "bot"))

    for words, text in (
        (("hous:first",), "there is no bot 'hous:first' (did you mean 'house:first'?)"),
        ((bot, "--game", "magpi"), "no game 'magpi' is installed (did you mean 'magpie'?)"),
        ((bot, "--only", "speaks-jason"), "there is no check 'speaks-jason' (did you mean 'speaks-json'?)"),
        ((bot, "--game", "magpie", "--seats", "7"), "magpie is played by 2, 3 or 4 players, not by 7"),
    ):
        ran = run_pitboss("check", *words)

        assert (ran.status, ran.out) == (2, "")
        assert text in ran.err
        assert ran.err.count("\n") == 1


def test_a_perl_bot_is_told_in_perl(tmp_path: Path) -> None:
    """The cure for a buffer is in the language of the bot's program."""
    cures = [
        advise_flush(*given)
        for given in (("", ("perl", "bot.pl")), ("C++17", ("./bot",)), ("", ("{python}", "bot.py")), ("", ("./bot",)))
    ]

    assert [
        "$| = 1" in cures[0],
        "std::endl" in cures[1],
        "flush=True" in cures[2],
        "a dozen languages" in cures[3],
    ] == [True] * 4
    assert sys.executable not in "".join(cures)


def test_a_check_that_builds_upon_others() -> None:
    """A check that is asked for brings all checks that it builds upon, and that these build upon, before it."""
    for wanted in EVERY_CHECK:
        chosen = select_checks([wanted.name])
        names = [one.name for one in chosen]
        missing = [name for at, one in enumerate(chosen) for name in one.after if name not in names[:at]]

        assert (missing, names[-1]) == ([], wanted.name)
