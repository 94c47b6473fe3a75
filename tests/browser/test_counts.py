"""Pot, stacks and scores in Chromium: what a game tells everybody beside the cards, at every frame."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from pitboss import AnyState, PublicCount
from pitboss.game import AnyGame
from pitboss.plugins.registry import Registry
from pitboss.records.record import replay_states
from pitboss.rendering.presentation import Speech, find_presentation
from pitboss_tournament.text.instrument_panel import InstrumentPanel
from pitboss_tournament.text.terminal_text import AS_PRINTED
from tests.browser.chromium import Browser
from tests.browser.play_page import MY_TURN, open_link, open_play
from tests.browser.test_replay_page import READ_DATA, TO_FIRST_FRAME, open_replay, record_game
from tests.marks import first_rows

pytestmark = pytest.mark.once

READ_COUNTS: Final = """[document.querySelector('.middle > .counts'),
    ...[...document.querySelectorAll('.seat')]
        .sort((one, other) => one.ariaLabel.localeCompare(other.ariaLabel))
        .map(seat => seat.querySelector('.counts'))]
    .map(list => [...list.children].map(item => item.textContent))"""
# by decision: the counts in its last frame, stepping on to the end and back to the deal
STEP_THROUGH: Final = f"""(async () => {{
    const step = key => document.dispatchEvent(new KeyboardEvent('keydown', {{key, bubbles: true}}));
    {TO_FIRST_FRAME};
    const {{ frames }} = (await {READ_DATA}).sequence, [on, back] = [{{}}, {{}}];
    for (const frame of frames) {{ on[frame.decision] = {READ_COUNTS}; step('ArrowRight'); }}
    for (const frame of frames.toReversed()) {{ back[frame.decision] ??= {READ_COUNTS}; step('ArrowLeft'); }}
    return [on, back];
}})()"""


def expected_counts(game: AnyGame, state: AnyState, viewer: int | None) -> list[list[str]]:
    """Return what is to be read of the table, and of each seat."""
    speech = Speech(find_presentation(game), AS_PRINTED)
    counts = InstrumentPanel(game, state.table.layout, speech, viewer).list_counts(state)
    assert counts is not None
    return [[describe_count(one) for one in of] for of in (counts.table, *counts.seats)]


def describe_count(count: PublicCount) -> str:
    """Return what is to be read of a count."""
    value = count.value if isinstance(count.value, str) else f"{count.value:,}"
    return f"{count.name} {value}".strip()


@first_rows(1)(
    ("name", "seats", "options", "viewer"),
    [
        ("poker", 3, {"hands": 9}, None),
        ("poker", 4, {"hands": 6, "stacks": "carry"}, 1),
        ("rummy", 2, {"deals": 3, "max_turns": 12}, 2),
    ],
)
def test_every_frame_forward_and_back(
    browser: Browser, tmp_path: Path, name: str, seats: int, options: dict[str, object], viewer: int | None
) -> None:
    """After each decision that the viewer has seen the page shows the counts of the state, whichever way one steps."""
    game = Registry().find_game(name)
    record = record_game(game, seats, options)
    page = open_replay(browser, tmp_path, record, game, viewer)
    on, back = page.run(STEP_THROUGH)
    changes = 0
    before: list[list[str]] = []
    for number, state in enumerate(replay_states(record, game)):
        expected = expected_counts(game, state, viewer)
        changes += expected != before
        before = expected
        assert on.get(str(number), expected) == back.get(str(number), expected) == expected, number

    assert changes > 2
    assert len(on) > 12
    assert page.messages() == []


def test_counts_have_names_for_a_screen_reader(browser: Browser, tmp_path: Path) -> None:
    """The counts of the table and of each player are lists that say whose they are."""
    game = Registry().find_game("poker")
    page = open_replay(browser, tmp_path, record_game(game, 2, {"hands": 1}), game)

    assert page.run("[...document.querySelectorAll('ul.counts')].map(list => list.ariaLabel)") == [
        "counts of player 1",
        "counts of the table",
        "counts of player 0",
    ]


@pytest.mark.long
def test_counts_of_a_game_that_is_played(tmp_path: Path, browser: Browser) -> None:
    """A player in the browser sees the current pot, and the current stack and bet of each player."""
    words = ("poker", "--against", "house:caller", "-o", "hands=1", "--seat", "0", "--seed", "s")
    with open_play(*words, "--store", "x.pitboss", cwd=tmp_path) as server:
        page = open_link(browser, server.links["You"])
        page.wait_for(f"{MY_TURN} && document.querySelectorAll('.action').length === 2")
        table = page.wait_for(f"(counts => counts[0][0] === 'pot 200' && counts)({READ_COUNTS})")
        page.run("document.querySelectorAll('.action')[1].click()")
        page.run("document.querySelector('[data-key=number]').value = 700")
        page.run("document.querySelector('[data-key=number]').dispatchEvent(new Event('input'))")
        page.run("document.querySelector('.confirm').click()")
        page.wait_for(f"(counts => counts[0][0] === 'pot 1,400' && counts)({READ_COUNTS})")
        server.stop()

    assert [counts[0] for counts in table] == ["pot 200", "stack 9,900", "stack 9,900"]
    assert table[0][1:] == ["blinds 50/100", "hand 1 of 1"]
