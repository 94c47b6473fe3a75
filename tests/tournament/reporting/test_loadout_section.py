"""The section on loadouts: the tables of a tournament of programs with decks, and what `pitboss study` adds."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path

import pytest

from pitboss_tournament.counting.loadout_findings import compare_loadouts
from pitboss_tournament.counting.report_findings import ReportCounts, ReportFindings
from pitboss_tournament.store.store import Store
from tests.duel_plugin import install_duel
from tests.tournament.command_line import run_pitboss

pytestmark = pytest.mark.once

CROSS = """
game = "duel"
seed = "cross"
deals = 2
store = "cross.pitboss"
[[bots]]
bot = "duel:aggressive"
loadout = "aggro"
[[bots]]
bot = "duel:aggressive"
loadout = "swarm"
[[bots]]
bot = "duel:controlling"
loadout = "aggro"
[[bots]]
bot = "duel:controlling"
loadout = "swarm"
[[bots]]
bot = "house:random"
name = "dicer"
loadout = "wall"
"""


def play_cross(folder: Path, text: str = CROSS) -> dict[str, str]:
    """Play a tournament of programs with decks; return the environment in which the game is installed."""
    env = install_duel(folder / "site")
    (folder / "cross.toml").write_text(text)
    ran = run_pitboss("run", "cross.toml", cwd=folder, env=env)
    assert ran.status == 0, ran.err
    return env


def find_in(path: Path) -> ReportFindings:
    """Return the findings of a store."""
    with closing(Store(path)) as store:
        counts = ReportCounts(store.header, store.header.labels[0], games=store.count_games())
        counts.add_all(list(store.results(with_times=False)))
        return ReportFindings(counts)


def test_tables_of_a_tournament_with_decks(tmp_path: Path) -> None:
    """Each deck, each program with each deck, and each deck against each other one has its wins; shares add up."""
    play_cross(tmp_path)

    found = compare_loadouts(find_in(tmp_path / "cross.pitboss"))

    assert found is not None
    assert {line.name for line in found.lines} == {"aggro", "swarm", "wall"}
    assert found.programs == ["dicer", "duel:aggressive", "duel:controlling"]
    names = [line.name for line in found.lines]
    blocks = [[cell.blocks for cell in row] for row in found.by_program]
    assert blocks == [
        [8 if (program == "dicer") == (name == "wall") else 0 for name in names] for program in found.programs
    ]
    for one, row in enumerate(found.against):
        assert row[one].blocks == 0
        for other, cell in enumerate(row):
            if one != other:
                back = found.against[other][one]
                assert cell.blocks == back.blocks == (8 if "wall" not in (names[one], names[other]) else 4)
                assert (cell.wins.mean or 0.0) + (back.wins.mean or 0.0) == pytest.approx(1.0)
    assert sum(line.alpha_rank for line in found.lines) == pytest.approx(1.0)
    assert sum(line.blocks for line in found.lines) == 2 * (8 + 4 + 4)


def test_the_report_shows_the_tables(tmp_path: Path) -> None:
    """The section has tables of programs and decks, and says that few decks show the effect of no card."""
    env = play_cross(tmp_path)

    ran = run_pitboss("report", "cross.pitboss", cwd=tmp_path, env=env)

    assert ran.status == 0, ran.err
    page = (tmp_path / "cross.html").read_text(encoding="utf-8")
    part = page[page.index('id="loadouts"') :].partition("</section>")[0]
    for word in ("Alpha-rank", "duel:controlling", "swarm", "Loadout against loadout"):
        assert word in part
    assert "do not show the effect of any of" in part
    assert "duel:aggressive+aggro" not in part


def test_one_deck_has_no_section(tmp_path: Path) -> None:
    """Where all bring one deck there is nothing to compare."""
    env = play_cross(tmp_path, CROSS.replace('"swarm"', '"aggro"').replace('"wall"', '"aggro"'))

    assert compare_loadouts(find_in(tmp_path / "cross.pitboss")) is None
    assert run_pitboss("report", "cross.pitboss", cwd=tmp_path, env=env).status == 0
    assert 'id="loadouts"' not in (tmp_path / "cross.html").read_text(encoding="utf-8")


@pytest.mark.long
def test_a_study_of_cards(tmp_path: Path) -> None:
    """`pitboss study` plays with decks at random, and tells what each card is worth."""
    env = install_duel(tmp_path / "site")

    words = ("study", "duel", "--preset", "open-decks", "--games", "5", "--ms", "1", "--minutes", "0.01", "--seed", "a")
    ran = run_pitboss(*words, "--json", "--page", "study.html", cwd=tmp_path, env=env)

    assert ran.status == 0, ran.err
    [variant] = json.loads(ran.out)["variants"]
    parts = variant["parts"]["parts"]
    assert len(parts) == 14 and variant["parts"]["is_relative"]
    assert sum(part["effect"]["mean"] for part in parts) == pytest.approx(0.0, abs=1e-9)
    assert "Which part wins" in (tmp_path / "study.html").read_text(encoding="utf-8")
