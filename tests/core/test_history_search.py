"""The search for a legal past: given up, once for all games of a setup, where there are too many secret choices."""

from __future__ import annotations

import pytest

from pitboss.simulation.game_setup import OptionVariant, make_setup
from pitboss.testing.checks.legal_history import past_is_legal_in_worlds
from pitboss.testing.framework.call_count import count_calls
from pitboss.testing.framework.check import NotApplicable
from pitboss.testing.framework.checked_setup import CheckedSetup
from pitboss.testing.framework.decision_point import DecisionPoint
from pitboss.testing.framework.played_game import choose_at_random, play_game
from tests.core.passing_game import Passing


@pytest.mark.once
@pytest.mark.long
def test_cards_that_are_passed_in_secret() -> None:
    """Ten cards, two of which each player passes unseen: the search is given up, and not begun anew."""
    setup = make_setup(Passing(), 3, OptionVariant(None, {"hand": 10}))
    assert setup is not None
    game = play_game(CheckedSetup(setup), "secret", "at random", choose_at_random)
    points = [DecisionPoint(game, number, game.replay_to(number)) for number in (4, 8, 12)]

    with count_calls() as calls:
        for point in points[:2]:
            with pytest.raises(NotApplicable, match="too many secret choices"):
                past_is_legal_in_worlds.function(point)
    with count_calls() as further_calls, pytest.raises(NotApplicable, match="too many secret choices"):
        past_is_legal_in_worlds.function(points[2])

    assert calls.count > 100_000
    assert further_calls.count < 1_000
