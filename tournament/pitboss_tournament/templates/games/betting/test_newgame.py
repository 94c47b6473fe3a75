"""New Game: it keeps every promise of a game, and plays by its rules."""

from __future__ import annotations

from newgame import Bet, Fold, NewGame, Stay

from pitboss import ActionRange
from pitboss.testing import assert_conforms, stack_deal


def test_it_conforms() -> None:
    """The conformance suite passes with two and with five players."""
    assert_conforms(NewGame(), seats=[2, 5], games=1)


def test_a_game_by_hand() -> None:
    """A bet is called or not; the highest card of those who are in wins the pot."""
    state = stack_deal(NewGame(), 3, {"hand 0": "H5", "hand 1": "SK", "hand 2": "C9"})
    assert state.legal() == [Stay(), ActionRange.make(Bet, chips=(1, 10))]
    state.play(Stay())
    state.play(Bet(7))
    assert state.legal() == [Stay(), Fold()]
    state.play(Fold())
    state.play(Stay())

    assert state.turn is None
    assert state.outcome().points == (-8, 9, -1)
