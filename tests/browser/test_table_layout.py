"""Where things lie on a table in Chromium: melds before their seats, taken tricks face down, plates with room."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest

from pitboss.plugins.registry import Registry
from tests.browser.chromium import Browser
from tests.browser.test_replay_page import TO_FIRST_FRAME, open_replay, record_game

pytestmark = pytest.mark.once

# Over all frames: pairs of melds, plates, piles or hands that lie on each other, and melds nearer to another's plate.
CHECK_MELDS: Final = f"""(() => {{
    {TO_FIRST_FRAME};
    const step = () => document.dispatchEvent(new KeyboardEvent('keydown', {{key: 'ArrowRight', bubbles: true}}));
    const all = query => [...document.querySelectorAll(query)].filter(one => one.offsetWidth);
    const box = one => one.getBoundingClientRect();
    const isOver = (a, b) =>
        a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
    const far = (a, b) => Math.hypot(a.left + a.right - b.left - b.right, a.top + a.bottom - b.top - b.bottom);
    const [overlaps, astray, seen] = [new Set(), new Set(), new Set()];
    const count = +document.querySelector('.position').textContent.split(' / ')[1];
    for (let frame = 0; frame < count; frame++, step()) {{
        const melds = [...document.querySelectorAll('.zone[data-name^="meld"]')]
            .filter(one => !one.hidden && one.dataset.count !== '0');
        const plates = all('.plate');
        const others = [...plates, ...all('.middle .pile > .place'), ...all('.near .hand > .place')];
        melds.forEach((meld, at) => {{
            const own = box(meld.querySelector('.place'));
            const rest = [...others, ...melds.slice(at + 1).map(one => one.querySelector('.place'))];
            for (const other of rest) if (isOver(own, box(other))) overlaps.add(`${{frame}} ${{meld.dataset.name}}`);
            const maker = meld.querySelector('.zone-name').textContent.trim();
            const nearest = plates.toSorted((one, other) => far(own, box(one)) - far(own, box(other)))[0];
            const isOwn = nearest.querySelector('.name').textContent.endsWith(maker);
            if (!isOwn) astray.add(`${{frame}} ${{meld.dataset.name}}`);
            seen.add(maker);
        }});
    }}
    return {{overlaps: [...overlaps], astray: [...astray], seen: [...seen].sort()}};
}})()"""


@pytest.mark.long
def test_melds_lie_before_their_seats(browser: Browser, tmp_path: Path) -> None:
    """In no frame lies a meld on another, on a plate, a pile or a hand, and none is nearer to another's plate."""
    game = Registry().find_game("rummy")
    page = open_replay(browser, tmp_path, record_game(game, 3, {"deals": 2}), game)
    found = page.run(CHECK_MELDS)

    assert len(found["seen"]) == 3
    assert found["overlaps"] == []
    assert found["astray"] == []


def test_tricks_that_were_taken(browser: Browser, tmp_path: Path) -> None:
    """Taken tricks lie face down beside their player, counted; a hand alternates red and black suits; plates have the
    bids.
    """
    game = Registry().find_game("spades")
    page = open_replay(browser, tmp_path, record_game(game, 4, {}), game)
    suits = page.run("[...document.querySelectorAll('.near .hand .card')].map(card => card.ariaLabel.split(' of ')[1])")
    page.run("document.querySelectorAll('.move')[30].click()")
    taken = page.run("[...document.querySelectorAll('.zone[data-name^=taken] .card')].map(card => card.ariaLabel)")
    badges = page.run(
        "[...document.querySelectorAll('.zone[data-name^=taken] .badge')].map(badge => +badge.textContent)"
    )
    plates = page.run("[...document.querySelectorAll('.who .counts')].map(one => one.scrollWidth <= one.clientWidth)")
    told = page.run("document.querySelector('.near .counts').textContent")

    order = ["spades", "hearts", "clubs", "diamonds"]
    assert suits == sorted(suits, key=order.index)
    assert taken
    assert set(taken) == {"a hidden card"}
    assert sum(badges) == 24
    assert all(plates)
    assert re.search(r"tricks \d+ of \d+", told)
    assert "tricks" in told


def test_the_last_move_stands_at_its_plate(browser: Browser, tmp_path: Path) -> None:
    """The last move of each seat, also of the one in front whose cards are gone, lies no farther from its plate than a
    plate is high.
    """
    game = Registry().find_game("poker")
    page = open_replay(browser, tmp_path, record_game(game, 4, {"hands": 2}), game)
    page.press("End")
    gaps = page.run(
        """[...document.querySelectorAll('.seat')].filter(seat => seat.querySelector('.last').offsetWidth).map(seat => {
            const [one, other] = ['.last', '.plate'].map(part => seat.querySelector(part).getBoundingClientRect());
            const down = Math.max(other.top - one.bottom, one.top - other.bottom, 0);
            return Math.max(down, one.left - other.right, other.left - one.right);
        })"""
    )

    assert gaps
    assert max(gaps) <= 50
