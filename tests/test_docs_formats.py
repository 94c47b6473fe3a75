"""The page about formats tells the truth: its format can be installed and played, its tables are those of the code."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import msgspec
import pytest

from pitboss.plugins.registry import Registry
from pitboss_tournament.config.given_deals import list_deal_formats
from pitboss_tournament.formats.selection import load_built_in_formats
from pitboss_tournament.plan.seating import Seating, count_block_games
from tests import ROOT
from tests.tournament.command_line import install_plugin, run_pitboss

pytestmark = pytest.mark.once

PAGE: Final = (ROOT / "docs" / "formats.md").read_text(encoding="utf-8")


def test_the_formats_of_the_page() -> None:
    """The page's table has all formats of Pitboss' own, with all their options."""
    table = PAGE.partition("## What")[0]
    rows = dict(re.findall(r"^\| `([a-z-]+)` \| [^|]+ \| ([^|]+) \|", table, re.MULTILINE))

    assert set(load_built_in_formats()) == set(rows)
    for name, options in rows.items():
        assert {field.name for field in msgspec.structs.fields(load_built_in_formats()[name].Options)} == set(
            re.findall(r"`(\w+)`", options)
        )


def test_the_designs_of_the_page() -> None:
    """The page says how many games a block of each design has at 2, 3, 4 and 6 seats."""
    designs: list[Seating] = ["balanced", "rotations", "mirrored", "all"]
    for design in designs:
        [games] = re.findall(rf'^\| `"{design}"`.*\| ([\d /]+) \|$', PAGE, re.MULTILINE)
        assert [count_block_games(design, seats) for seats in (2, 3, 4, 6)] == [
            int(number) for number in games.split("/")
        ]
    [games] = re.findall(r'^\| `"partners"`.*\| – / – / (\d+) / (\d+) \|$', PAGE, re.MULTILINE)
    teams = [((0, 2), (1, 3)), ((0, 2, 4), (1, 3, 5))]
    assert [count_block_games("partners", seats, sides) for seats, sides in zip((4, 6), teams, strict=True)] == [
        int(number) for number in games
    ]


def test_the_files_of_deals_of_the_page() -> None:
    """The page has the endings of all files with deals that a game of Pitboss reads."""
    table = PAGE.partition("## Given deals")[2].partition("##")[0]
    rows = [row.split("|")[1] for row in table.splitlines() if row.startswith("| `.")]

    endings = {ending for game in Registry().games.values() for ending in list_deal_formats(game)}
    assert {*re.findall(r"`\.(\w+)`", " ".join(rows))} == endings


def test_the_format_of_the_page(tmp_path: Path) -> None:
    """The format of the page is listed beside the others, and played to its end."""
    [source] = re.findall(r"<!-- file: stairs.py -->\n```python\n(.*?)```", PAGE, re.DOTALL)
    env = install_plugin(tmp_path, "stairs", source)
    few = [
        "--seats",
        "2",
        "--deals",
        "1",
        "-o",
        "max_rounds=1",
        "-o",
        "max_turns=5",
        "--seed",
        "x",
        "--format",
        "stairs",
    ]

    listed = run_pitboss("formats", env=env)
    ran = run_pitboss("match", "racko", "house:random", "house:first", "house:racko", *few, cwd=tmp_path, env=env)

    assert "stairs" in listed.out
    assert ran.status == 0, ran.err
    assert "The stairs ends so: " in ran.out
