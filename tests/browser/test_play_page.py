"""People at their browsers: whole games, what each of them sees, ways to choose, and what is refused."""

from __future__ import annotations

import http.client
import json
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest

from pitboss.plugins import Registry
from pitboss_tournament.store.store import Store
from pitboss_tournament.viewer.replay_page import make_replay_data
from tests.browser.chromium import Browser
from tests.browser.play_page import (
    HEADING,
    IS_OVER,
    open_link,
    open_play,
    play_turn,
    read_game,
    wait_for,
)
from tests.tournament.command_line import run_pitboss

pytestmark = pytest.mark.once

MAGPIE: Final = ("magpie", "--against", "house:first", "-o", "turns=3", "--seed", "s", "--store", "x.pitboss")
FAMILY: Final = ("magpie", "--name", "Ann", "--name", "Bob", "-o", "turns=3", "--seed", "s", "--store", "x.pitboss")
SHORT_GAMES: Final = {
    "racko": ("--against", "house:first", "-o", "max_rounds=1", "-o", "max_turns=4"),
    "rummy": ("--against", "house:rummy", "-o", "deals=1", "-o", "max_turns=4"),
    "lucky-maker": ("--against", "house:first", "-o", "games=1"),
    "ragamaru": ("--against", "house:ragamaru", "-o", "max_turns=100"),
}
HOSTILE_NAME: Final = "<img src=x onerror=document.title='pwned'>"


def film_of(store: Path, game_id: int, seat: int) -> Any:  # noqa: ANN401 - any JSON
    """Return the film of a stored game as a seat saw it."""
    opened = Store(store)
    record = opened.record(game_id)
    opened.close()
    data = make_replay_data(record, Registry().find_game(record.game), game_id, seat)
    return json.loads(msgspec.json.encode(data.film))


@pytest.mark.parametrize("game", SHORT_GAMES)
def test_two_people_and_a_bot(tmp_path: Path, browser: Browser, game: str) -> None:
    """Two people and a bot finish a game, one of them reloads in the middle. Each page has seen what the film of the
    recorded game has for that seat, and nothing else; the record replays.
    """
    words = (game, "--name", "Ann", "--name", "Bob", *SHORT_GAMES[game], "--seed", "s", "--store", "x.pitboss")
    with open_play(*words, cwd=tmp_path, people=2) as server:
        ann, bob = (open_link(browser, server.links[name]) for name in ("Ann", "Bob"))
        watching = open_link(browser, server.links["spectators"])
        for _ in range(3):
            play_turn(ann, bob)
        ann.go(server.links["Ann"])
        wait_for(ann, HEADING)
        while play_turn(ann, bob):
            pass
        wait_for(watching, IS_OVER)
        seen = [read_game(page)["data"]["film"] for page in (ann, bob, watching)]
        wait_for(ann, "document.querySelector('.panel [data-key=\"new cards\"]')")
        for page in (ann, bob, watching):
            wait_for(page, "document.querySelector('.seat.near .result').textContent.includes('point')")
        status, _ = server.stop()

    assert status == 143
    assert seen == [film_of(tmp_path / "x.pitboss", 0, seat) for seat in (0, 1, 3)]
    assert run_pitboss("integrity", "--replay", "x.pitboss", cwd=tmp_path).status == 0
    assert [page.messages() for page in (ann, bob, watching)] == [[], [], []]
