"""Rummy is put through the conformance suite, at random and by players who lay down what they can."""

from __future__ import annotations

import pytest

from pitboss.testing import check_game
from pitboss_rummy.game import Rummy
from tests.games.rummy_states import choose_meld_or_random

pytestmark = pytest.mark.once


@pytest.mark.long
@pytest.mark.parametrize(
    ("seats", "presets"),
    [
        (2, None),
        (3, ["basic", "strict", "chips"]),
        (4, ["party", "children"]),
        (5, ["basic", "party"]),
        (6, ["six", "penalty"]),
    ],
)
def test_played_at_random(seats: int, presets: list[str] | None) -> None:
    """The presets keep every promise; the games are shorter than usual."""
    assert (
        check_game(Rummy(), seats=[seats], presets=presets, options={"deals": 2, "max_turns": 8}, games=1).failures
        == []
    )


@pytest.mark.long
@pytest.mark.parametrize(
    ("seats", "preset"),
    [
        (2, "basic"),
        *(
            pytest.param(seats, preset, marks=pytest.mark.long)
            for seats, preset in ((3, "strict"), (4, "children"), (5, "party"), (6, "penalty"))
        ),
    ],
)
def test_played_with_sense(seats: int, preset: str) -> None:
    """Where players go out every promise is kept."""
    assert (
        check_game(
            Rummy(), seats=[seats], presets=[preset], options={"deals": 3}, games=1, player=choose_meld_or_random
        ).failures
        == []
    )


@pytest.mark.long
@pytest.mark.parametrize(
    ("seats", "options"),
    [
        (2, {"hand_size": 25, "stock_out": "reshuffle"}),  # two cards in both piles: a shuffle every turn
        (2, {"hand_size": 25, "stalled_deal": "block"}),
        (3, {"decks": 2, "hand_size": 30, "group_max": 8}),
        (3, {"decks": 2, "hand_size": 30, "group_copies": False, "stock_out": "reshuffle"}),
        (6, {"hand_size": 1, "discard_taken": True}),
        (2, {"hand_size": 3, "must_discard_out": True, "melds_per_turn": 1}),
        (4, {"scoring": "penalty", "points": 20, "stalled_deal": "block", "first_dealer": 3}),
        (3, {"scoring": "chips", "points": 30, "going_rummy": "off"}),
        (2, {"going_rummy": "plus10", "points": 40, "hand_size": 5}),
    ],
    ids=str,
)
def test_played_with_other_options(seats: int, options: dict[str, object]) -> None:
    """Option sets that no preset has keep every promise."""
    short = {"deals": 2, "max_turns": 8, **options}
    assert (
        check_game(Rummy(), seats=[seats], presets=[], options=short, games=1, player=choose_meld_or_random).failures
        == []
    )
