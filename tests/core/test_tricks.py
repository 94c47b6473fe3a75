"""Tricks: which cards may be played, who takes them, what everybody learns of a hand; and auctions."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from pitboss import Deck, IllegalAction, Options, Outcome, Random, TableGame
from pitboss.outcome import outcome_by_side
from pitboss.parts.auction import Auction
from pitboss.parts.suits import TrickOrder, make_suited_deck, order_by_rank
from pitboss.parts.tricks import PlayCard, TrickState
from pitboss.testing import assert_conforms, stack_deal

DECK = make_suited_deck(("2", "3", "4", "5"))


class ClosedHeartState(TrickState[Options, PlayCard]):
    """Two players with three cards each; a heart is led only by who holds nothing else. Spades are trumps."""

    deck = DECK
    first_trump = "S"

    def start(self) -> None:
        """Deal; seat 0 leads."""
        self.table.shuffle(self.stock)
        self.deal_hands(3)
        self.lead_trick(0)

    def duties(self) -> Sequence[frozenset[int]]:
        """No heart is led."""
        return super().duties() or (self.order.cards_not_of["H"],)

    def end_tricks(self) -> None:
        """End the game."""
        self.turn = None

    def outcome(self) -> Outcome:
        """Count tricks."""
        return outcome_by_side(self.tricks_won())


class ClosedHearts(TableGame[Options, ClosedHeartState]):
    """The game."""

    state = ClosedHeartState
    name = "closed-hearts"
    title = "Closed Hearts"
    seats = (2, 3)


class TwoPacksState(ClosedHeartState):
    """The same with two packs: a hand may hold a card twice."""

    deck = Deck([*DECK.faces] * 2)


class TwoPacks(TableGame[Options, TwoPacksState]):
    """The game."""

    state = TwoPacksState
    name = "two-packs"
    title = "Two Packs"
    seats = (2,)


def deal_hearts(*hands: str) -> ClosedHeartState:
    """Return a game with these hands."""
    return stack_deal(ClosedHearts(), len(hands), {f"hand {seat}": hand for seat, hand in enumerate(hands)})


def legal_faces(state: ClosedHeartState) -> list[str]:
    """Return the cards that may be played."""
    return [play.card for play in state.legal()]


@pytest.mark.parametrize(
    ("trick", "trump", "place"),
    [
        (["H2", "H10", "H9"], None, 1),
        (["H10", "SA", "HJ"], None, 2),
        (["HA", "S2", "CA"], "S", 1),
        (["HA", "S2", "S3"], "S", 2),
        (["H3", "H2"], "S", 0),
        (["S2", "SA", "HK"], "S", 1),
    ],
)
def test_who_takes_a_trick(trick: list[str], trump: str | None, place: int) -> None:
    """A trick is taken by the highest trump, else by the highest card of the suit led, the ace being high."""
    deck = make_suited_deck()

    assert order_by_rank(deck, trump).find_winner(deck.find_cards(trick)) == place


def test_of_equal_cards() -> None:
    """The first of equal cards takes the trick."""
    assert order_by_rank(Deck(["HK", "HK"])).find_winner([1, 0]) == 0


def test_trump_cards() -> None:
    """The trump cards are those of the trump suit, a bower too; without trumps there are none."""
    bower = TrickOrder(["H", "S", "S"], [5, 9, 10], "S")

    assert bower.trump_cards == {1, 2}
    assert order_by_rank(Deck(["HK", "S2"]), "H").trump_cards == {0}
    assert order_by_rank(Deck(["HK", "S2"])).trump_cards == frozenset()


def test_another_order_of_ranks() -> None:
    """A game may rank cards otherwise, and count a card as of another suit than its face says."""
    deck = Deck(["HK", "H10", "HA"])
    assert order_by_rank(deck, None, ("A", "K", "10")).find_winner([0, 1, 2]) == 1

    bower = TrickOrder(["H", "S", "S"], [5, 9, 10], "S")
    assert bower.find_winner([0, 1, 2]) == 2
    assert bower.cards_of["S"] == {1, 2}


@pytest.mark.long
@pytest.mark.once
def test_a_game_of_tricks_conforms() -> None:
    """A game of tricks states what everybody learns by a play: every sampled world has a legal past."""
    assert_conforms(ClosedHearts(), games=3)


def test_suit_is_followed() -> None:
    """A player who has the suit plays it; one who lacks it plays any card, and all learn what the hand can
    hold then.
    """
    state = deal_hearts("D2 D3 C2", "D4 H2 H3", "C3 C4 S2")

    state.play(PlayCard("D2"))
    assert legal_faces(state) == ["D4"]
    with pytest.raises(IllegalAction, match="legal: \\[PlayCard\\(card='D4'\\)\\]"):
        state.play(PlayCard("H2"))
    with pytest.raises(IllegalAction):
        state.play(PlayCard("D3"))
    state.play(PlayCard("D4"))
    assert legal_faces(state) == ["S2", "C3", "C4"]
    state.play(PlayCard("C3"))

    worlds = [state.imagine(0, Random(f"void/{number}")) for number in range(30)]
    assert not any(face[0] == "D" for world in worlds for face in world.faces(world.hands[2]))
    assert any(face[0] == "D" for world in worlds for face in world.faces(world.hands[1]))


def test_of_equal_cards_one_is_offered() -> None:
    """Two equal cards are one choice: it makes no difference which of them is played."""
    state = stack_deal(TwoPacks(), 2, {"hand 0": "D2 D2 S5", "hand 1": "D4 D4 C2"})
    assert state.legal() == [PlayCard("S5"), PlayCard("D2")]
    state.play(PlayCard("D2"))
    assert state.legal() == [PlayCard("D4")]
    state.play(PlayCard("D4"))
    state.play(PlayCard("D4"))
    assert state.legal() == [PlayCard("D2")]


def test_what_a_lead_tells() -> None:
    """A player who leads a suit that may not be led holds no other suit."""
    state = deal_hearts("H2 H3 H4", "D4 D2 D3")
    assert legal_faces(state) == ["H2", "H3", "H4"]

    state.play(PlayCard("H2"))

    worlds = [state.imagine(1, Random(f"lead/{number}")) for number in range(10)]
    assert {tuple(sorted(world.faces(world.hands[0]))) for world in worlds} <= {
        ("H3", "H4"),
        ("H4", "H5"),
        ("H3", "H5"),
    }


def test_tricks_are_kept() -> None:
    """The winner leads; views have each trick with who played its cards, and the last one ends the deal."""
    state = deal_hearts("D2 H3 C2", "D4 H2 S3")
    for card in ("D2", "D4"):
        state.play(PlayCard(card))
    view = state.view(1)
    assert (view.hand, view.won) == (["S3", "H2"], [0, 1])
    assert [(trick.winner, trick.cards) for trick in view.tricks] == [(1, ((0, "D2"), (1, "D4")))]
    for card in ("S3", "H3", "H2"):
        state.play(PlayCard(card))
    assert state.view(2).trick == [(1, "H2")]
    state.play(PlayCard("C2"))

    assert state.turn is None
    assert state.outcome().points == (0, 3)


def test_calls_in_turn() -> None:
    """The seat after the last caller calls; passes at the end are counted, and the last bid is found."""
    auction = Auction[str](4, first=3)
    for call in (None, "1C", "1S", None, None, None):
        auction = auction.add_call(call)

    assert (auction.caller, auction.passes) == (1, 3)
    assert (auction.last_call, auction.last_caller) == ("1S", 1)
    assert [*auction.calls_by_seat()][:3] == [(3, None), (0, "1C"), (1, "1S")]
    assert [auction.call_of(seat) for seat in range(4)] == [None, "1S", None, None]


def test_an_auction_in_which_a_pass_is_final() -> None:
    """Who has passed is not asked again; calls, their seats and the bidders go by that."""
    auction = Auction[int](4, first=1, is_pass_final=True)
    for seat, call in ((1, 20), (2, None), (3, 21), (0, None), (1, 22), (3, 23)):
        assert auction.caller == seat
        auction = auction.add_call(call)
    assert (auction.caller, auction.bidders, auction.last_call, auction.last_caller) == (1, (1, 3), 23, 3)

    over = auction.add_call(None)
    assert (over.bidders, over.last_caller, over.call_of(3)) == ((3,), 3, 23)
    assert [seat for seat, _ in over.calls_by_seat()] == [1, 2, 3, 0, 1, 3, 1]
    passed = Auction[int](3, is_pass_final=True).add_call(None).add_call(None).add_call(None)
    assert (passed.bidders, passed.last_caller) == ((), None)


def test_an_auction_without_a_bid() -> None:
    """An auction in which all have passed has no last call, and counts the passes."""
    auction = Auction[int](3).add_call(None).add_call(None).add_call(None)

    assert (auction.passes, auction.last_call, auction.last_caller, auction.caller) == (3, None, None, 0)
