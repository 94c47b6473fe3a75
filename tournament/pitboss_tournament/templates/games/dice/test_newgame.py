"""New Game: it keeps every promise of a game, and plays by its rules."""

from __future__ import annotations

from newgame import Bid, Doubt, NewGame

from pitboss.testing import assert_conforms, stack_deal


def test_it_conforms() -> None:
    """The conformance suite passes with two and with five players."""
    assert_conforms(NewGame(), seats=[2, 5], games=1)


def test_a_game_by_hand() -> None:
    """Bids go up; a doubt shows the dice, and who was right wins the round."""
    state = stack_deal(NewGame(), 2, {"dice 0": "6 6 1", "dice 1": "2 3 4"})
    assert state.view(0).dice == [[6, 6, 1], [None, None, None]]
    assert state.legal() == [Bid(sixes) for sixes in range(1, 7)]

    state.play(Bid(2))
    assert state.legal() == [Bid(3), Bid(4), Bid(5), Bid(6), Doubt()]
    state.play(Doubt())
    assert state.points == [1, 0]
    while state.turn is not None:
        state.play(state.legal()[-1])
    assert sum(state.outcome().points) == 5
