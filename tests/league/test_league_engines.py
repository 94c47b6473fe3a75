"""A league of a game whose rules are a program."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from pitboss.plugins.registry import Registry
from pitboss_tournament.audit.store_audit import find_problems
from pitboss_tournament.store.store import Store
from tests.engines.installed_coin import WELL, install_coin
from tests.league.league_process import make_league, run_league
from tests.league.test_league_play import RULES, submit, wait_for_games, wait_for_states

pytestmark = pytest.mark.once


@pytest.mark.long
def test_a_league_of_a_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Bots are submitted, checked and ranked as in any game, and each stored game can be replayed."""
    for name, value in install_coin(tmp_path, *WELL).items():
        monkeypatch.setenv(name, value)
    monkeypatch.syspath_prepend(str(tmp_path))
    folder = tmp_path / "course"
    game = Registry().find_game("coin-program")
    tokens = make_league(folder, rules=RULES, game=game)
    with run_league(folder, "--workers", "1") as league:
        submit(league, "fox", tokens["ada"])
        submit(league, "owl", tokens["bob"])
        wait_for_states(league, {"fox@1": "playing", "owl@1": "playing"})
        wait_for_games(league, 4)
        assert league.ask("GET", "/").status == 200
    with closing(Store(folder / "league.pitboss")) as store:
        assert list(find_problems(store, game)) == []
        assert [record.incidents for _, record in store.records() if record.incidents] == []
