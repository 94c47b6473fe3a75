"""New Game: it keeps every promise of a game, and plays by its rules."""

from __future__ import annotations

from newgame import NewGame, NewGameOptions

from pitboss.parts.tricks import PlayCard
from pitboss.testing import assert_conforms, stack_deal


def test_it_conforms() -> None:
    """The conformance suite passes with two and with four players."""
    assert_conforms(NewGame(), seats=[2, 4], games=1)


def test_a_game_by_hand() -> None:
    """Suit is followed, the highest card of it takes the trick, and who took it leads."""
    hands = {"hand 0": "H2 SA", "hand 1": "H10 C3", "hand 2": "D4 D5"}
    state = stack_deal(NewGame(), 3, hands, options=NewGameOptions(hand=2))
    state.play(PlayCard("H2"))
    assert state.legal() == [PlayCard("H10")]
    state.play(PlayCard("H10"))
    assert state.legal() == [PlayCard("D4"), PlayCard("D5")]
    state.play(PlayCard("D4"))
    assert state.turn is not None and state.turn.seat == 1
    for card in ("C3", "D5", "SA"):
        state.play(PlayCard(card))

    assert state.turn is None
    assert state.outcome().points == (0, 2, 0)
