"""The search for a legal past: what it tells where there is none, and where there are too many secret choices."""

from __future__ import annotations

import pytest

from pitboss.simulation.game_setup import OptionVariant, make_setup
from pitboss.testing.checks.legal_history import past_is_legal_in_worlds
from pitboss.testing.framework.call_count import count_calls
from pitboss.testing.framework.check import CheckFailed, NotApplicable
from pitboss.testing.framework.checked_setup import CheckedSetup
from pitboss.testing.framework.decision_point import DecisionPoint
from pitboss.testing.framework.played_game import choose_at_random, play_game
from pitboss_fireworks.game import Fireworks
from pitboss_fireworks.state import FireworksState
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


class TellsHintsOnly(FireworksState):
    """A game that does not state what a hint says of the cards."""

    def give_hint(self, seat: int, sign: str) -> None:
        """Tell the places."""
        self.tokens -= 1
        slots = [slot for slot, face in enumerate(self.faces(self.hands[seat]), 1) if sign in face]
        self.table.tell("hint", seat=seat, sign=sign, slots=[*slots])


class TellingFireworks(Fireworks):
    """The game."""

    state = TellsHintsOnly


def test_a_fact_that_was_not_stated() -> None:
    """The failure names the cards that lie otherwise in the world, and what to state."""
    setup = make_setup(TellingFireworks(), 2, OptionVariant())
    assert setup is not None
    game = play_game(CheckedSetup(setup), "hints", "by hints", lambda state, rng: state.legal()[-1])
    point = DecisionPoint(game, 3, game.replay_to(3))

    with pytest.raises(CheckFailed, match=r"other cards lie there \(hand \d: .* in place of .*table\.restrict`"):
        past_is_legal_in_worlds.function(point)
