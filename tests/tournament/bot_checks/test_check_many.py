"""`pitboss check` with several bots: one table, with a line for each, whatever is wrong with it."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from tests.tournament.command_line import run_pitboss
from tests.tournament.faulty_bots import MISTAKES, write_bot
from tests.tournament.play_terminal import run_in_terminal

pytestmark = pytest.mark.once

UNDER_TEST = (
    *("--game", "magpie", "--seats", "2", "--sandbox", "none", "-s", "clock.start_ms=60000"),
    *("--only", "says-ready"),
)


@pytest.fixture
def base(tmp_path: Path) -> Path:
    """Four bots: two that are ready to play, one that cannot be built, and one that dies at once."""
    folder = tmp_path / "submissions"
    folder.mkdir()
    for name, mistake in (("ada", None), ("cobol", "can-be-built"), ("dies", "stays-up"), ("grace", None)):
        write_bot(folder / name, MISTAKES[mistake] if mistake else None)
    return tmp_path


def table_rows(out: str) -> dict[str, list[str]]:
    """Return the cells of the table by the first, in its order."""
    lines = out.partition("\n\n")[0].splitlines()
    cells = [re.split(r" {2,}", line) for line in lines if not line.startswith("Bot ")]
    return {name: rest for name, *rest in cells}


def test_a_line_for_each_bot(base: Path) -> None:
    """A pattern, a folder and a name that is none are checked as far as they are bots; those that failed stand last and
    say why, and the status is 1.
    """
    ran = run_pitboss("check", "submissions/*", "submissions/ada", "hous:first", *UNDER_TEST, cwd=base)

    rows = table_rows(ran.out)
    assert (ran.status, list(rows)) == (1, ["ada", "grace", "cobol", "dies", "hous:first"])
    assert rows["ada"] == rows["grace"]
    assert rows["ada"][1:] == ["0"]
    assert rows["cobol"][1] == rows["dies"][1] == "1"
    assert rows["cobol"][2].startswith("can-be-built: bot.toml:2: the build command failed with status 1")
    assert rows["dies"][2].startswith("stays-up: ")
    assert rows["hous:first"][:2] == ["-", "-"]
    assert rows["hous:first"][2].startswith("there is no bot 'hous:first' (did you mean 'house:first'?)")
    assert ran.out.endswith("\n\n5 bots: 2 passed, 3 failed\n")
    assert "cure: " not in ran.out


def test_all_bots_are_good(base: Path) -> None:
    """The status of good bots is 0. Folders that the shell has made of a pattern are bots like others; bots of one name
    are told apart.
    """
    for name in ("ada", "grace"):
        with (base / "submissions" / name / "bot.toml").open("a") as file:
            file.write('name = "mybot"\n')

    ran = run_pitboss("check", "submissions/ada/", "submissions/grace/", *UNDER_TEST, cwd=base)

    assert ran.status == 0
    assert list(table_rows(ran.out)) == ["mybot (submissions/ada/)", "mybot (submissions/grace/)"]


@pytest.mark.long
def test_the_reports_of_those_that_failed(base: Path) -> None:
    """The reports of bots that failed follow the table with --verbose, each with the command that makes the check of
    that one bot again.
    """
    ran = run_pitboss("check", "submissions/ada", "submissions/dies", "magpie", *UNDER_TEST, "--verbose", cwd=base)

    table, _, reports = ran.out.partition(" passed, 2 failed\n")
    assert "stays-up: " in table
    assert "\ndies: 0 whole games of magpie" in reports
    assert "seen: it said nothing: its process exited with status 1" in reports
    assert f"again: pitboss check submissions/dies {shlex.join(UNDER_TEST)} --verbose --only stays-up\n" in reports
    assert "\nmagpie: there is no bot 'magpie'" in reports
    assert "\nada: " not in reports


def test_the_list_of_reports(base: Path) -> None:
    """The list of reports with --json has each bot, also one that there is not, and is valid under the schema; a
    pattern that fits one folder makes a list too.
    """
    several = run_pitboss("check", "submissions/[ad]*", "hous:first", *UNDER_TEST, "--json", cwd=base)
    one = run_pitboss("check", "submissions/a*", *UNDER_TEST, "--json", cwd=base)

    schema = Draft202012Validator(run_pitboss("schema", "check").json_value)
    assert list(schema.iter_errors(several.json_value)) == list(schema.iter_errors(one.json_value)) == []
    assert (several.status, [report["bot"] for report in several.json_value]) == (1, ["ada", "dies", "hous:first"])
    assert ["error" in report for report in several.json_value] == [False, False, True]
    assert several.json_value[-1]["checks"] == []
    assert (one.status, [report["bot"] for report in one.json_value]) == (0, ["ada"])


@pytest.mark.long
def test_the_table_in_a_terminal(base: Path) -> None:
    """A bot has one line, however narrow the terminal; while it works, a line says how far it is."""
    bots = [str(base / "submissions" / name) for name in ("cobol", "grace")]

    out = run_in_terminal("check", *bots, *UNDER_TEST, columns=60, status=1)

    assert "grace: says-ready" in out
    shown = re.sub(r"\x1b\[[0-9;]*[mK]", "", out).rpartition("\r")[2].splitlines()
    assert [line.split()[0] for line in shown[1:3]] == ["grace", "cobol"]
    assert max(map(len, shown)) <= 60


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (("submissions/*", "--game", "magpi"), "no game 'magpi' is installed"),
        (("submissions/*", "--game", "magpie", "--seats", "7"), "magpie is played by 2, 3 or 4 players, not by 7"),
        (("submissions/*", "--only", "speaks-jason"), "there is no check 'speaks-jason'"),
        (("submissions/*", "homework/*"), "there is no folder 'homework/*'"),
    ],
)
def test_a_command_that_is_wrong(base: Path, words: tuple[str, ...], text: str) -> None:
    """A wrong command is reported once, not for each bot, and the status is 2."""
    ran = run_pitboss("check", *words, cwd=base)

    assert (ran.status, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert text in ran.err
