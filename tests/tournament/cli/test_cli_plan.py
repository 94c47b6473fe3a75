"""`pitboss plan`: from a pilot to the number of deals, for people and for programs."""

from __future__ import annotations

from pathlib import Path

import pytest

from pitboss_tournament.store.store import Store
from tests.tournament.command_line import run_pitboss

pytestmark = pytest.mark.once

PILOT = ("plan", "magpie", "house:random", "house:random", "house:first", "--seats", "2", "-o", "turns=3")


@pytest.mark.long
def test_a_pilot_is_played_and_read_again(tmp_path: Path) -> None:
    """The table has a row for each pair; the sentence is about the one that needs the most, and says how long; the
    kept pilot leads to the same number, and to another one for another question. Points are measured where places tie:
    without ties 100 points would be 28 % of places.
    """
    words = (*PILOT, "--deals", "5", "--difference", "100", "--power", "80", "--seed", "s", "--sandbox", "none")
    ran = run_pitboss(*words, "--store", "x.pitboss", "--explain", cwd=tmp_path)
    again = run_pitboss("plan", "--from", "x.pitboss", "--difference", "100", "--json", cwd=tmp_path).json_value
    finer = run_pitboss("plan", "--from", "x.pitboss", "--difference", "50", "--json", cwd=tmp_path).json_value

    assert ran.status == 0, ran.err
    lines = ran.out.splitlines()
    assert lines[0] == "A pilot of magpie, 2 at a table, seed 's': 3 bots, 30 games"
    assert [line.split()[:2] for line in lines[2:5]] == [
        ["house:random", "house:random-2"],
        ["house:random", "house:first"],
        ["house:random-2", "house:first"],
    ]
    assert lines[5].startswith(f"{again['deals']:,} deals ({again['games']:,} games, about ")
    assert lines[5].endswith(" here) show a difference of 100 points between any two of the bots.")
    assert "The deals show the difference, which is 12.8 % of places, with 80 % probability: " in ran.out
    assert again["games"] == again["deals"] * 3 * 2
    assert again["deals"] == max(pair["needed"]["fixed"] for pair in again["pairs"])
    assert finer["deals"] > 3 * again["deals"]
    assert Store(tmp_path / "x.pitboss").count_games() == 30


def test_where_ranks_go_by_points_the_plan_does(tmp_path: Path) -> None:
    """The difference is one of points; by default a tenth of how much deals scatter, which takes some 800 deals."""
    settings = ("--deals", "6", "--seed", "s", "--sandbox", "none", "-o", "hands=2", "--store", "x.pitboss")
    ran = run_pitboss("plan", "poker", "house:random", "house:caller", *settings, cwd=tmp_path)
    asked = ("plan", "--from", "x.pitboss", "--json")
    usual, finer = (run_pitboss(*asked, *more, cwd=tmp_path).json_value for more in ((), ("--difference", "20")))

    assert ran.status == 0, ran.err
    assert ran.out.splitlines()[2:] == ["More: pitboss plan --from x.pitboss --explain"]
    assert f"show a difference of {usual['difference']:g} points between any two" in ran.out
    assert "% of places" not in ran.out
    assert usual["difference"] > 40
    assert 700 < usual["deals"] < 2_000
    assert finer["deals"] == pytest.approx(usual["deals"] * (usual["difference"] / 20) ** 2, rel=0.1)
    assert usual["sequential_deals"] is None


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "what is planned, and for whom?"),
        (("magpie", "house:random"), "what is planned, and for whom?"),
        (("--from", "nowhere"), "nowhere: there is no such file"),
        (("--from", "x", "magpie", "house:random"), "--from x: the store says what is played and by whom"),
        ((*PILOT[1:], "--power", "100"), "--power"),
    ],
)
def test_mistakes(tmp_path: Path, words: tuple[str, ...], said: str) -> None:
    """A mistake is a sentence and status 2, and nothing is played."""
    ran = run_pitboss("plan", *words, cwd=tmp_path)

    assert ran.status == 2
    assert said in ran.err
    assert list(tmp_path.iterdir()) == []
