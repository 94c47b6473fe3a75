"""Format, seat design and early end in a tournament file and on the command line: found in the plan, and told apart
from mistakes.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pitboss_tournament.config.toml_file import TomlFileError
from pitboss_tournament.config.tournament_file import load_plan
from pitboss_tournament.formats.selection import load_built_in_formats
from pitboss_tournament.plan.plan import FormatChoice, Plan, StopRules
from tests.mistakes import each_mistake
from tests.plugins import load_registry
from tests.tournament.command_line import run_pitboss

pytestmark = pytest.mark.once

HEAD = 'game = "magpie"\nseats = 2\n'
BOTS = "".join(f'[[bots]]\nname = "b{number}"\nbot = "true"\n' for number in range(4))


def read_plan(folder: Path, text: str, bots: str = BOTS) -> Plan:
    """Return the plan of a file with four bots."""
    (folder / "x.toml").write_text(HEAD + text + "\n" + bots)
    return load_plan(folder / "x.toml", load_registry())


@pytest.mark.parametrize(
    ("text", "format_"),
    [
        ("", FormatChoice(name="round-robin", options={"tables": None}, may_grow=True)),
        ('format = "knockout"', FormatChoice(name="knockout", options={"advance": 1, "extra": 3}, may_grow=False)),
        ('format.name = "swiss"\nformat.rounds = 5', FormatChoice(name="swiss", options={"rounds": 5}, may_grow=False)),
        (
            '[format]\nname = "gauntlet"\nchallengers = ["b2"]',
            FormatChoice(name="gauntlet", options={"challengers": ["b2"]}),
        ),
    ],
)
def test_a_format(tmp_path: Path, text: str, format_: FormatChoice) -> None:
    """A format is a name, or a table with the name and options; all options are in the plan."""
    assert read_plan(tmp_path, text).format == format_


def test_seating_sides_and_stop(tmp_path: Path) -> None:
    """The plan has the design, the sides of the game, and the rules of an early end."""
    text = (
        'seats = 4\nseating = "mirrored"\noptions.partners = true\n'
        'stop = { better_than = "b1", bot = "b0", delta = 0.1 }\nanchor = "b2"'
    )
    (tmp_path / "x.toml").write_text(f'game = "magpie"\n{text}\n{BOTS}')
    made = load_plan(tmp_path / "x.toml", load_registry())

    assert (made.seating, made.sides) == ("mirrored", ((0, 2), (1, 3)))
    assert made.stop == StopRules(bot="b0", better_than="b1", delta=0.1)
    assert made.anchor == "b2"


def test_the_bot_of_two(tmp_path: Path) -> None:
    """Where there are two bots, the one that is not named is the other one."""
    two = '[[bots]]\nbot = "true"\nname = "a"\n[[bots]]\nbot = "true"\nname = "b"\n'

    assert read_plan(tmp_path, '[stop]\nbetter_than = "b"', two).stop == StopRules(bot="a", better_than="b")


@each_mistake(__file__)
def test_a_mistake_in_the_file(tmp_path: Path, written: str, said: str) -> None:
    """A mistake in the file is reported with the line, the key, the value and what is allowed."""
    with pytest.raises(TomlFileError) as wrong:
        read_plan(tmp_path, written)
    assert str(wrong.value).removeprefix(f"{tmp_path / 'x.toml'}:") == said


def test_formats_are_listed() -> None:
    """Each format is listed with its options, for people and as JSON."""
    ran, listed = run_pitboss("formats"), json.loads(run_pitboss("formats", "--json").out)

    assert [one["name"] for one in listed] == sorted(load_built_in_formats())
    assert all(one["name"] in ran.out and one["summary"] for one in listed)
    assert {one["name"] for one in listed if one["static"]} == {"gauntlet", "round-robin", "teams"}


@pytest.mark.long
def test_a_format_on_the_command_line(tmp_path: Path) -> None:
    """`match` plays it, with its options; a mistake names the flag."""
    bots = ["house:random", "house:first", "house:search?ms=1"]
    few = ["--seats", "2", "--deals", "1", "-o", "turns=3", "--seed", "x"]

    ran = run_pitboss("match", "magpie", *bots, *few, "--format", "knockout", "-s", "format.extra=0", cwd=tmp_path)
    bad = run_pitboss("match", "magpie", *bots, *few, "--format", "knockout", "-s", "format.extras=0", cwd=tmp_path)

    assert ran.status == 0, ran.err
    assert "The knockout ends so: " in ran.out
    assert bad.status == 2
    assert "-s format.extras=0: there is no option 'extras' (did you mean 'extra'?)" in bad.err
