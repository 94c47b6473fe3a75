"""Whole games of each installed game, played with the mouse on cards, piles, slots and, where none says it, buttons."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from tests.browser.chromium import Browser
from tests.browser.play_page import IS_OVER, MY_TURN, open_link, open_play
from tests.marks import first_rows
from tests.tournament.command_line import run_pitboss

pytestmark = pytest.mark.once

GAMES: Final = {
    "racko": ("house:racko", "-o", "max_rounds=1", "-o", "max_turns=6"),
    "rummy": ("house:rummy", "-o", "deals=1", "-o", "max_turns=8"),
    "lucky-maker": ("house:lucky-maker", "-o", "games=1"),
    "ragamaru": ("house:ragamaru", "-o", "max_turns=100"),
    "poker": ("house:caller", "-o", "hands=3"),
    "hearts": ("house:hearts", "--preset", "single"),
    "spades": ("house:spades", "--preset", "single"),
    "oh-hell": ("house:oh-hell", "--preset", "single"),
    "eights": ("house:eights", "--preset", "single"),
    "euchre": ("house:euchre", "--preset", "single"),
    "cribbage": ("house:cribbage", "--preset", "single"),
    "gin-rummy": ("house:gin-rummy", "--preset", "single"),
    "bridge": ("house:bridge", "--preset", "single"),
    "fireworks": ("house:fireworks", "--preset", "small"),
    "dou-dizhu": ("house:dou-dizhu",),
}
OTHERS: Final = {"spades": 3, "euchre": 3, "bridge": 3}  # opponents, if not two
SEEDS: Final = {"bridge": "b"}  # of a game in which one is no dummy; else "s"
ON_BUTTONS: Final = {"fireworks", "poker"}  # games in which little on the table can be clicked, or says all
SIZES: Final = ((1400, 900), (400, 800))
IN_EACH_RUN: Final = {("racko", 1400), ("spades", 400)}  # the others are long
TRIALS: Final = [
    pytest.param(game, width, height, marks=() if (game, width) in IN_EACH_RUN else pytest.mark.long)
    for game in GAMES
    for width, height in SIZES
]
# What a player would click next: what is picked once more, if it is meant; where it goes, or another card with it; a
# card or pile; a button.
FIND_TARGET: Final = """(step => {
    const all = query => [...document.querySelectorAll(query)];
    const confirm = document.querySelector('.sheet:not([hidden]) button') ?? document.querySelector('.panel .confirm');
    const pressed = document.querySelector('.table .touch[aria-pressed=true]');
    const places = all('.zone.can > .place .touch, .slots .touch').filter(one => one.ariaPressed !== 'true');
    const more = all('.near .card .touch[aria-pressed=false]');
    const isSeat = document.querySelector('.seat.picked') !== null;
    const found = confirm ? [pressed ?? confirm] : isSeat ? all('.panel .action')
        : pressed ? [...places, ...all('.panel .action'), ...more].slice(0, 1)
        : all('.table .touch').length ? all('.table .touch') : all('.panel .action');
    const target = found[step % found.length];
    const {left, top, width, height} = target.getBoundingClientRect();
    const isCard = target.closest('.table') !== null;
    const [x, y] = isCard ? [left + Math.min(9, width / 4), top + 9] : [left + width / 2, top + height / 2];
    const hit = document.elementFromPoint(x, y);
    return {x, y, isHit: target.contains(hit) || target === hit, name: target.ariaLabel ?? target.textContent,
        isOnTable: isCard};
})"""


@first_rows(1)(("game", "width", "height"), TRIALS)
def test_a_game_with_the_mouse(tmp_path: Path, browser: Browser, game: str, width: int, height: int) -> None:
    """Clicks on the framed cards, piles and slots suffice to play a game to the end; the record replays."""
    bot, *options = GAMES[game]
    against = ("--against", bot) * OTHERS.get(game, 2)
    words = (game, *against, *options, "--seat", "0", "--seed", SEEDS.get(game, "s"), "--store", "x.pitboss")
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
    assert (clicks[True] >= clicks[False]) == (game not in ON_BUTTONS), clicks
    assert run_pitboss("integrity", "--replay", "x.pitboss", cwd=tmp_path).status == 0
