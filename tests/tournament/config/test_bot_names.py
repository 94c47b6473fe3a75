"""What a bot may be called: the names of people, in any script, and nothing that could fool a reader."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Final

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitboss.errors import ConfigError
from pitboss.plugins.registry import Registry
from pitboss_tournament.config.tournament_file import load_plan
from pitboss_tournament.plan.names import BotName, are_confusable, clean_name, make_bot_name
from pitboss_tournament.text.terminal_text import count_cells
from tests.bots.zoo_entrants import ZOO
from tests.tournament.command_line import run_pitboss

NAMES: Final = (
    "José",
    "日本語",
    "O'Neil",
    "(fast)",
    "हिन्दी",
    "مرحبا",
    "ß-1",
    "名前 (v2)",
    "house:search?ms=5&worlds=2",
)
NO_NAMES: Final = (
    "",
    " a",
    "-a",
    ".a",
    ")a",
    "a/b",
    "a\\b",
    "a,b",
    "<b>",
    '"a"',
    "a`b",
    "$x",
    "a\nb",
    "a\x1b[2J",
    "a\u202eb",
    "\u200ba",
    "\u3000a",
    "a\ufe0f",
    "a" * 41,
)


@pytest.mark.parametrize("name", NAMES)
def test_names(name: str) -> None:
    """Names of people in any script are taken as they are."""
    assert msgspec.convert(name, BotName) == make_bot_name(name) == name


@pytest.mark.parametrize("name", NO_NAMES)
def test_what_is_no_name(name: str) -> None:
    """A text that looks like another name, turns the text round, or means something to a shell or a page is no name."""
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(name, BotName)


@given(st.text(max_size=60))
def test_any_text_becomes_a_name(text: str) -> None:
    """The name of a folder or a program, whatever it is, becomes one that is allowed, and stays that."""
    name = make_bot_name(text)

    assert msgspec.convert(name, BotName) == name
    assert make_bot_name(name) == name


def test_the_same_letters_are_the_same_name() -> None:
    """The same letters are the same name, however an accent is written."""
    assert make_bot_name("Jose\u0301") == "José"


@pytest.mark.parametrize(
    "text", ["q0 ", " q0", "q0\u3164", "q\u115f0", "q0\u2800", "\uff51\uff10", "q0\xa0", "q0\U000e0041", "q\u200b0"]
)
def test_what_nobody_sees_is_no_part_of_a_name(text: str) -> None:
    """Blanks at the ends of a name, letters that are not shown, and other forms of the same letters are no
    part of it.
    """
    assert make_bot_name(text) == clean_name(text) == "q0"


def test_blanks_within_a_name() -> None:
    """Several blanks within a name are one."""
    assert clean_name("my \u2800\u3000 \u3164 fox") == "my fox"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Fox", "F\u043ex"),
        ("FOX", "F\u041eX"),
        ("fox", "F\u041eX"),
        ("hen", "\u041dEN"),
        ("bot1", "botl"),
        ("botI", "bot1"),
        ("barn", "bam"),
        ("Fox", "fox"),
        ("\u0430\u0441\u0435", "ace"),
        ("\u0391lpha", "Alpha"),
    ],
)
def test_names_that_look_alike(one: str, other: str) -> None:
    """Letters of other scripts, digits and letters, and capital letters may be taken for one another."""
    assert are_confusable(one, other)
    assert are_confusable(other, one)


@pytest.mark.parametrize("other", ["fix", "fox2", "foxy", "ox", "\u6728"])
def test_names_that_differ(other: str) -> None:
    """Names that differ are not taken for one another."""
    assert not are_confusable("fox", other)


def write_tournament(folder: Path, name: str) -> Path:
    """Write the file of a tournament in which a bot meets one called Fox."""
    (folder / "names.toml").write_text(
        'game = "racko"\nseats = 2\nsandbox = "none"\nbots = [{bot = "house:random", name = "Fox"},\n'
        f'{{bot = "house:random", name = "{name}"}}]\n',
        encoding="utf-8",
    )
    return folder / "names.toml"


def test_a_tournament_with_names_that_look_alike(tmp_path: Path) -> None:
    """A tournament with names that look alike can be played, and a warning says which two they are."""
    warnings = load_plan(write_tournament(tmp_path, "F\u043ex"), Registry()).warnings

    assert warnings[-1] == (
        "two bots have names that look alike: 'Fox' and 'F\u043ex' (CYRILLIC SMALL LETTER O); rename one of them"
    )
    assert len(load_plan(write_tournament(tmp_path, "fox"), Registry()).warnings) == len(warnings) - 1


def test_a_tournament_with_names_that_look_the_same(tmp_path: Path) -> None:
    """Names that look the same are one name, which two bots cannot have."""
    with pytest.raises(ConfigError, match="two bots are called 'Fox'"):
        load_plan(write_tournament(tmp_path, "\uff26ox "), Registry())


@pytest.mark.once
def test_a_tournament_of_people(tmp_path: Path) -> None:
    """Folders in other scripts are bots of these names; the standings are straight, and the store has a plain name."""
    for name in ("ボット", "机器人", "O'Neil"):
        (tmp_path / name).mkdir()
        for file, copy in (("good.py", "bot.py"), ("polite.py", "polite.py")):
            shutil.copy(ZOO / file, tmp_path / name / copy)
        (tmp_path / name / "bot.toml").write_text('command = ["{python}", "bot.py"]\n')
    few = ("--seats", "2", "--deals", "1", "-o", "max_rounds=1", "-o", "max_turns=3", "--seed", "x")
    ran = run_pitboss("match", "racko", "ボット", "机器人", "O'Neil", *few, cwd=tmp_path)
    lines = run_pitboss("standings", "racko-x.pitboss", cwd=tmp_path).out.splitlines()

    assert ran.status == 0, ran.err
    named = [line for line in lines if any(name in line for name in ("ボット", "机器人", "O'Neil"))]
    rows = [line for line in named if not line.endswith(".")][:3]  # without the headline
    assert len(rows) == 3
    assert len({count_cells(line) for line in rows}) == 1
