"""The parts that card games share: a stock that is made again, games of several deals."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from msgspec import Struct

from pitboss import Action, Deck, Options, Outcome, Random, TableGame, Turn, Visibility, Zone, Zones
from pitboss.errors import TableError
from pitboss.outcome import outcome_by_side
from pitboss.parts.deals import DealsState
from pitboss.parts.stock import restock
from pitboss.plugins.packs import STANDARD_PACK, rank_of, suit_of
from pitboss.table.zone_fields import hand_each, pile
from tests.core.small_table import SmallTable


def test_suits_and_ranks() -> None:
    """The suit of a face is its first letter, and the rank is the rest."""
    assert [(suit_of(face), rank_of(face)) for face in ("H10", "SA")] == [("H", "10"), ("S", "A")]
    assert len({(suit_of(face), rank_of(face)) for face in STANDARD_PACK.faces}) == 52


def test_a_stock_is_made_again() -> None:
    """All but the top card of the discards are shuffled into the new stock, and everybody knows which they are; with
    one card nothing is done.
    """
    small = SmallTable()
    table = small.table
    for _ in range(12):
        table.draw(small.stock, small.discard)
    assert small.face_string(small.discard) == "ABCDEFGHIJKL"

    assert restock(table, small.discard, small.stock)
    assert sorted(small.face_string(small.stock)) == list("ABCDEFGHIJK")
    assert (small.face_string(small.discard), small.seats_knowing("A")) == ("L", set())
    assert table.has_only_public_groups
    while table.zones[small.stock]:
        table.draw(small.stock, small.hands[0])
    assert not restock(table, small.discard, small.stock)


def test_a_card_by_its_face() -> None:
    """A card is found by its face in its zone, where the deck has several; the error names card and zone."""
    small = SmallTable()
    table = small.table
    table.draw(small.stock, small.hands[0])

    assert table.find_card(small.hands[0], "A") == 0
    with pytest.raises(TableError, match="'B' is not in hand 0"):
        table.find_card(small.hands[0], "B")


class ShowUp(Action, frozen=True):
    """Show the card."""


class ShowView(Struct, frozen=True):
    """What a seat may know."""

    totals: list[int]


class HighState(DealsState[Options, ShowUp]):
    """Everybody gets a card and shows it; points are what it shows. It is over when somebody has 20."""

    deck = Deck(range(1, 11))
    stock: Zone = pile(Visibility.NOBODY)
    hands: Zones = hand_each()
    out: Zone = pile()

    def deal_cards(self) -> None:
        """Deal a card each."""
        self.table.deal(self.stock, self.hands, 1)
        self.turn = Turn(0, "show")

    def is_match_over(self) -> bool:
        """Return whether somebody has 20 points."""
        return max(self.totals) >= 20

    def legal(self) -> Sequence[ShowUp]:
        """Return the one action."""
        return [ShowUp()] if self.turn else []

    def apply(self, action: ShowUp) -> None:
        """Show; the last one ends the deal."""
        seat = self.require_turn().seat
        self.table.draw(self.hands[seat], self.out)
        self.turn = Turn(seat + 1, "show")
        if seat + 1 == self.seats:
            self.end_deal([int(face) for face in self.faces(self.out)])

    def view(self, seat: int) -> ShowView:
        """Return the totals."""
        return ShowView(self.totals)

    def outcome(self) -> Outcome:
        """Return the totals."""
        return outcome_by_side(self.totals)


class HighGame(TableGame[Options, HighState]):
    """The game."""

    state = HighState
    name = "high"
    title = "High"
    seats = (2, 3)


def test_several_deals() -> None:
    """Points are added until the match is over; a deal is the same, whatever happened before it."""
    state = HighGame().deal(2, Options(), Random("deals"))
    hands, added = [], [0, 0]
    while state.turn is not None:
        hands.append([state.faces(hand) for hand in state.hands])
        added = [total + int(face) for total, [face] in zip(added, hands[-1], strict=True)]
        state.play(ShowUp())
        state.play(ShowUp())

    assert state.totals == added and max(added) >= 20
    assert state.deal_no == len(hands) > 1
    assert sorted(map(int, state.outcome().points)) == sorted(added)
    again = HighGame().deal(2, Options(), Random("deals"))
    again.table.rng.draw_words(5)
    again.start_deal()
    assert [again.faces(hand) for hand in again.hands] == hands[1]


def test_types_that_a_game_need_not_name() -> None:
    """Options and actions are those of the state's base, the view is what its method returns; a game may name them."""

    class Named(HighGame):
        View = int

    class OtherState(HighState):
        pass

    class Other(HighGame):
        state = OtherState

    assert (HighGame.Options, HighGame.Action, HighGame.View) == (Options, ShowUp, ShowView)
    assert (Other.Action, Named.View, Named.Action) == (ShowUp, int, ShowUp)
