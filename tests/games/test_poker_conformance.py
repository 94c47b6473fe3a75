"""Poker is put through the conformance suite, at random and by players who mostly stay in the hand."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from pitboss import Random
from pitboss.action_range import draw_action
from pitboss.testing import check_game
from pitboss_poker.game import Poker
from pitboss_poker.messages import Action, Fold
from pitboss_poker.state import PokerState

pytestmark = pytest.mark.once


def choose_staying(state: PokerState, rng: Random) -> Action:
    """Fold hardly ever, and bet little: most hands come to a showdown."""
    legal: Sequence[object] = [entry for entry in state.legal() if not isinstance(entry, Fold) or rng.randbelow(8) == 0]
    entry = legal[rng.randbelow(len(legal)) * (rng.randbelow(3) == 0)]
    return draw_action(entry, lambda count: rng.randbelow(min(count, 300)))  # type: ignore[no-any-return]


@pytest.mark.parametrize(
    ("seats", "presets"),
    [
        (2, ["kuhn", "no-limit"]),
        *(
            pytest.param(seats, presets, marks=pytest.mark.long)
            for seats, presets in ((2, None), (3, None), (6, ["limit", "tournament"]), (10, ["leduc", "no-limit"]))
        ),
    ],
)
def test_played_at_random(seats: int, presets: list[str] | None) -> None:
    """The presets keep every promise."""
    assert check_game(Poker(), seats=[seats], presets=presets, games=1).failures == []


@pytest.mark.long
@pytest.mark.parametrize(
    ("seats", "preset"),
    [(2, "no-limit"), (3, "kuhn"), (3, "leduc"), (3, "limit"), (4, "tournament"), (5, "pot-limit"), (10, "no-limit")],
)
def test_played_to_the_showdown(seats: int, preset: str) -> None:
    """Where hands are shown and mucked every promise is kept."""
    report = check_game(Poker(), seats=[seats], presets=[preset], games=2, player=choose_staying)
    assert report.failures == []


@pytest.mark.long
@pytest.mark.parametrize(
    ("seats", "options"),
    [
        (3, {"stacks": "carry", "hands": 6, "stack": 300}),
        (4, {"stacks": "carry", "level_hands": 1, "stack": 1000, "betting": "limit"}),
        (3, {"ante": 25, "small_blind": 0, "big_blind": 50, "first_button": 1}),
        (2, {"cards": "leduc", "ante": 1, "small_blind": 1, "big_blind": 2, "stack": 20}),
        (
            5,
            {"cards": "kuhn", "stacks": "carry", "hands": 20, "big_blind": 0, "small_blind": 0, "ante": 2, "stack": 9},
        ),
    ],
    ids=str,
)
def test_played_with_other_options(seats: int, options: dict[str, object]) -> None:
    """Option sets that no preset has keep every promise."""
    report = check_game(Poker(), seats=[seats], presets=[], options=options, games=2, player=choose_staying)
    assert report.failures == []
