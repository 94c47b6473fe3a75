"""Whole games of each installed game, played with the mouse on cards, piles, slots and, where none says it, buttons."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from tests.browser.chromium import Browser
from tests.browser.play_page import IS_OVER, MY_TURN, open_link, open_play
from tests.tournament.command_line import run_pitboss

pytestmark = pytest.mark.once

GAMES: Final = {
    "racko": ("house:racko", "-o", "max_rounds=1", "-o", "max_turns=6"),
    "rummy": ("house:rummy", "-o", "deals=1", "-o", "max_turns=8"),
    "lucky-maker": ("house:lucky-maker", "-o", "games=1"),
    "ragamaru": ("house:ragamaru", "-o", "max_turns=100"),
    "poker": ("house:caller", "-o", "hands=3"),
}
ON_TABLE: Final = {"racko", "rummy", "lucky-maker", "ragamaru"}  # games in which something on the table can be clicked
SIZES: Final = ((1400, 900), (400, 800))
# What a player would click next: what is picked once more, if it is meant; where it goes; a card or pile; a button.
FIND_TARGET: Final = """(step => {
    const all = query => [...document.querySelectorAll(query)];
    const confirm = document.querySelector('.panel .confirm');
    const pressed = document.querySelector('.table .touch[aria-pressed=true]');
    const places = all('.zone.can > .place .touch, .slots .touch').filter(one => one.ariaPressed !== 'true');
    const found = confirm ? [pressed ?? confirm] : pressed ? [...places, ...all('.panel .action')].slice(0, 1)
        : all('.table .touch').length ? all('.table .touch') : all('.panel .action');
    const target = found[step % found.length];
    const {left, top, width, height} = target.getBoundingClientRect();
    const isCard = target.closest('.table') !== null;
    const [x, y] = isCard ? [left + Math.min(9, width / 4), top + 9] : [left + width / 2, top + height / 2];
    const hit = document.elementFromPoint(x, y);
    return {x, y, isHit: target.contains(hit) || target === hit, name: target.ariaLabel ?? target.textContent,
        isOnTable: isCard};
})"""


@pytest.mark.parametrize(("width", "height"), SIZES)
@pytest.mark.parametrize("game", GAMES)
def test_a_game_with_the_mouse(tmp_path: Path, browser: Browser, game: str, width: int, height: int) -> None:
    """What is framed can be hit with the mouse, and suffices to play to the end; the record replays."""
    bot, *options = GAMES[game]
    words = (game, "--against", bot, "--against", bot, *options, "--seat", "0", "--seed", "s", "--store", "x.pitboss")
    clicks = {True: 0, False: 0}  # on the table, and beside it
    with open_play(*words, cwd=tmp_path) as server:
        page = open_link(browser, server.links["You"], width, height=height)
        while not page.run(IS_OVER):
            if page.run(f"!{MY_TURN}"):
                page.wait_for(f"{MY_TURN} || {IS_OVER}")
                continue
            target = page.run(f"{FIND_TARGET}({sum(clicks.values())})")
            assert target["isHit"], target
            page.click_at(target["x"], target["y"])
            clicks[target["isOnTable"]] += 1
        told = page.run("document.querySelector('.panel h2').textContent")
        page.wait_for("document.querySelector('.panel [data-key=\"new cards\"]')")
        assert page.messages() == []
        server.stop()

    assert told.endswith(" won.")
    assert (clicks[True] > clicks[False]) == (game in ON_TABLE), clicks
    assert run_pitboss("integrity", "--replay", "x.pitboss", cwd=tmp_path).status == 0
