"""A game may count its points in a unit of its own, which stands beside them: poker in mbb a hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from pitboss.game import PointUnit, find_point_unit, resolve_options
from pitboss_poker.game import Poker
from pitboss_tournament.reporting.page import render_report
from pitboss_tournament.store.store import Store
from tests.tournament.command_line import run_pitboss
from tests.tournament.parsed_page import ParsedPage
from tests.tournament.small_tournaments import load_magpie


@pytest.mark.parametrize(
    ("preset", "changes", "unit"),
    [
        ("no-limit", {"hands": 50}, PointUnit("mbb a hand", 5.0)),  # 50 hands, thousandths of 100 chips
        ("acpc-limit", {"hands": 10}, PointUnit("mbb a hand", 0.1)),
        ("kuhn", {"hands": 30}, PointUnit("chips a hand", 30)),
        ("tournament", {}, None),  # blinds grow, and nobody knows how many hands there are
    ],
)
def test_the_unit_of_poker(preset: str, changes: dict[str, object], unit: PointUnit | None) -> None:
    """Poker has a unit of points where all hands are played for the same."""
    game = Poker()

    assert find_point_unit(game, resolve_options(game, 2, preset, changes)) == unit


def test_other_games_have_none() -> None:
    """Other games have no unit, so that points are all that is shown."""
    game = load_magpie()

    assert find_point_unit(game, resolve_options(game, 2)) is None


@pytest.mark.long
@pytest.mark.once
def test_standings_and_report_show_it(tmp_path: Path) -> None:
    """Standings and report show the unit as a column under its name, and as data."""
    path = tmp_path / "x.pitboss"
    words = ("house:caller", "house:random", "--seats", "2", "--deals", "3", "--seed", "u", "-o", "hands=2")
    assert run_pitboss("match", "poker", *words, "--store", str(path), "--sandbox", "none").status == 0

    [first, _] = run_pitboss("standings", str(path), "--json").json_value["standings"]
    assert first["unit"] == "mbb a hand"
    assert first["points_in_unit"]["mean"] == pytest.approx(first["points"]["mean"] * 5)  # 1000 / (100 chips * 2 hands)
    assert "mbb a hand" in run_pitboss("standings", str(path)).out
    assert "Mbb a hand" in ParsedPage(render_report(Store(path))).rows["standings-table"][0]
