"""The twists of Hold'em: they keep every promise of a game, and do what their first lines say."""

from __future__ import annotations

from typing import Any

import pytest

from bounty_holdem import BountyHoldem
from pass_holdem import PassHoldem
from peek_holdem import Bid, PeekHoldem
from pitboss import Random
from pitboss.game import resolve_options
from pitboss.parts.betting.messages import BettingPosition, Call, Check, Discard, Fold, GiveCards, Raise
from pitboss.testing import check_game
from redraw_holdem import RedrawHoldem
from toss_holdem import TossHoldem

TWISTS = [TossHoldem(), PeekHoldem(), PassHoldem(), RedrawHoldem(), BountyHoldem()]


def deal(game: Any, hands: list[str], *, seed: str = "twist", **options: object) -> Any:  # noqa: ANN401 - any twist
    """Return a hand of two or three players with these cards."""
    position = BettingPosition(hands=[list(hand.split()) for hand in hands])
    resolved = resolve_options(game, len(hands), None, {"hands": 1, **options})
    return game.setup(len(hands), resolved, position, Random(seed))


@pytest.mark.parametrize("game", TWISTS, ids=lambda game: game.name)
def test_it_conforms(game: Any) -> None:  # noqa: ANN401
    """The conformance suite passes in short games; `pitboss check-game` plays whole ones, for minutes."""
    assert check_game(game, seats=[2], games=1, options={"hands": 2}).causes == []


def test_a_card_is_tossed_unseen() -> None:
    """Everybody sees that a card was tossed, its owner which; four cards are left."""
    state = deal(TossHoldem(), ["SA SK SQ SJ S10", "H2 H3 H4 H5 H6"])
    for action in (Call(), Check(), Discard(("S10",))):
        state.play(action)

    assert state.view(0).cards == ["SA", "SK", "SQ", "SJ"]
    assert state.view(1).discarded == [1, 0]
    assert state.view(1).history == ["1c 0k", "0t1"]
    assert "S10" not in str(state.table.events(1))


def test_the_highest_bid_pays_and_looks() -> None:
    """The highest bidder pays its bid into the pot and knows the first card of its neighbour; nobody else does."""
    state = deal(PeekHoldem(), ["SA SK", "H2 H3", "D7 D8"])
    for action in (Call(), Call(), Check(), Bid(100), Bid(0), Bid(400)):
        state.play(action)

    assert state.view(2).known == [["SA"], [], []]
    assert state.view(1).known == [[], [], []]
    assert state.view(0).pot == 300 + 400
    assert state.view(0).stacks == [9_900, 9_900, 9_500]


def test_cards_are_passed_at_the_same_time() -> None:
    """A passed card comes to the left neighbour once all have chosen; the giver knows it there."""
    state = deal(PassHoldem(), ["SA SK SQ", "H2 H3 H4"])
    for action in (Call(), Check(), GiveCards(("SQ",))):
        state.play(action)
    assert state.view(1).cards == ["H2", "H3", "H4"]

    state.play(GiveCards(("H2",)))
    assert state.view(1).cards == ["H3", "H4", "SQ"]
    assert state.view(0).known == [[], ["SQ"]]


def test_a_card_is_redrawn_once() -> None:
    """A player on turn changes a card, bets afterwards, and cannot do it again in the hand."""
    state = deal(RedrawHoldem(), ["SA SK", "H2 H3"])
    for action in (Call(), Check(), Discard(("SK",))):
        state.play(action)

    assert state.turn.seat == 0 and len(state.view(0).cards) == 2
    state.play(Check())
    assert Discard(("H2",)) in state.legal()
    state.play(Check())
    assert state.street_name == "turn" and Discard(("SA",)) not in state.legal()


def test_a_bounty_is_paid() -> None:
    """Who wins with a card of the rank shows it, and gets the bounty of each other player."""
    state = deal(BountyHoldem(), ["SA HK", "H2 H3", "D7 D8"], bounty=70)
    state.note(2, "y", 12)
    for action in (Fold(), Raise(300), Fold()):
        state.play(action)

    assert state.net == [100 + 2 * 70, -170, -70]
    assert "SA" in str(state.table.events(1)) and "HK" not in str(state.table.events(1))
