"""A league whose games are played on a cluster: newcomers travel to its machines."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from pitboss_tournament.audit.store_audit import find_problems
from pitboss_tournament.store.store import Store
from tests.league.league_process import make_league, run_league
from tests.league.test_league_play import RULES, submit, wait_for_states
from tests.tournament.small_tournaments import load_magpie

pytest.importorskip("distributed")
pytestmark = pytest.mark.once


def test_newcomers_travel(tmp_path: Path) -> None:
    """A bot that joins while others play there plays there too, and all games are whole."""
    folder = tmp_path / "course"
    tokens = make_league(folder, rules=RULES)
    with run_league(folder, "--on", "local:2") as league:
        submit(league, "fox", tokens["ada"])
        submit(league, "owl", tokens["bob"])
        wait_for_states(league, {"fox@1": "playing", "owl@1": "playing"})
        submit(league, "hen", tokens["ada"])
        wait_for_states(league, {"hen@1": "playing"})
    with closing(Store(folder / "league.pitboss")) as store:
        assert list(find_problems(store, load_magpie())) == []
        assert set(store.machines()) == set(store.game_ids())
