"""The options of Rummy: what is decided where they leave something open."""

from __future__ import annotations

import pytest

from pitboss_rummy.game import Rummy
from tests.games.rummy_states import make_options

GAME = Rummy()


@pytest.mark.parametrize(("seats", "cards"), [(2, 10), (3, 7), (4, 7), (5, 4), (6, 4)])
def test_cards_that_are_dealt(seats: int, cards: int) -> None:
    """S4: 10 each for two, 7 for three and four, 4 for five and six (D2)."""
    assert make_options(seats).hand_size == cards


@pytest.mark.parametrize(
    ("given", "name", "decided"),
    [
        ({}, "deals", 6),
        ({"points": 50}, "deals", 100),
        ({"points": 50, "deals": 3}, "deals", 3),
        ({}, "going_rummy", "double"),
        ({"melds_per_turn": 1}, "going_rummy", "off"),
        ({"going_rummy": "off"}, "going_rummy", "off"),
        ({"hand_size": 16}, "hand_size", 16),
    ],
)
def test_option_that_is_left_open(given: dict[str, object], name: str, decided: object) -> None:
    """D17: two deals a player; D14: at most 100 if points are played for.

    Note 3: no Going Rummy with one meld a turn.
    """
    assert getattr(make_options(3, **given), name) == decided
