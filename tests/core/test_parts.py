"""The parts that card games share: a stock that is made again, games of several deals."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from msgspec import Struct

from pitboss import (
    Action,
    Deck,
    Layout,
    Options,
    Outcome,
    Random,
    Table,
    TableGame,
    Turn,
    Visibility,
    Zone,
    Zones,
    sample_world,
)
from pitboss.errors import TableError
from pitboss.outcome import outcome_by_side
from pitboss.parts.deals import DealsState
from pitboss.parts.shown_melds import ShownMelds, list_shown
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


TWINS = Layout(Deck("AABBAC"), seats=3)
HEAP, OPEN = TWINS.add_pile("heap", Visibility.NOBODY), TWINS.add_pile("open", Visibility.EVERYBODY)
HAND, *_ = TWINS.add_hands()


def deal_twins(*shown: tuple[int, list[int]]) -> Table:
    """Return a table on which seat 0 holds A A B A; some cards were shown to some seats."""
    table = Table(TWINS, Random("twins"), HEAP)
    table.shuffle(HEAP)
    table.lay([0, 1, 2, 4], HEAP, HAND)
    for card, seats in shown:
        table.reveal(HAND, "show", cards=[card], to=seats)
    return table


@pytest.mark.parametrize(
    ("shown", "known"),
    [
        ((), (0, 0)),
        (((1, [1]),), (0, 0)),
        (((4, [1, 2]),), (0, 0)),
        (((0, [1]), (1, [2])), (0, 0)),
        (((0, [1]), (1, [1])), (1, 0)),
        (((0, [1]), (1, [1, 2]), (4, [1])), (2, 0)),
    ],
)
def test_a_card_is_played_by_its_face(shown: Sequence[tuple[int, list[int]]], known: tuple[int, int]) -> None:
    """Whichever of three aces a seat was shown, it knows of one fewer after an ace was played."""
    table = deal_twins(*shown)

    table.play_face("A", HAND, OPEN)

    assert (table.faces(OPEN), sorted(map(str, table.faces(HAND)))) == (["A"], ["A", "A", "B"])
    assert tuple(table.faces_known_to(HAND, seat).count("A") for seat in (1, 2)) == known


def test_cards_are_laid_by_their_faces() -> None:
    """Two aces of three are laid as one event: a seat that knew two knows none of the third."""
    table = deal_twins((0, [1]), (4, [1, 2]))

    assert len(table.lay_faces(["A", "B", "A"], HAND, OPEN)) == 3
    assert (table.faces(OPEN), table.faces_known_to(HAND, 1), table.faces(HAND)) == (["A", "B", "A"], [None], ["A"])
    with pytest.raises(TableError, match="'A' is not in hand 0, or not so often"):
        table.lay_faces(["A", "A"], HAND, OPEN)


def test_worlds_after_a_card_was_played_by_its_face() -> None:
    """A seat that was shown one ace does not know whether another is held: both worlds come, also where two seats were
    shown different ones.
    """
    table = deal_twins((0, [1]), (1, [2]))
    table.play_face("A", HAND, OPEN)

    rng = Random("worlds")
    for seat in (1, 2):
        worlds = [sample_world(table, seat, rng.spawn(str(number))) for number in range(60)]
        assert {world.faces(HAND).count("A") for world in worlds} == {0, 1, 2}


def test_faces_in_the_order_of_the_deck_tell_no_copy() -> None:
    """Equal cards lie side by side, where the deck has them apart."""
    deck = Deck("ABCABC")
    assert deck.faces_of(deck.sort_cards([5, 3, 1, 0])) == ["A", "A", "B", "C"]
    assert deck.sort_cards([0, 3]) != deck.sort_cards([1, 4])


MELDS = ShownMelds(TWINS.deck, {"pair": ["A", "B"], "lone": ["C"]})


def test_melds_are_shown_from_a_hand() -> None:
    """A second meld of a kind needs other cards, which nobody was shown yet; all know the cards that were shown."""
    table = Table(TWINS, Random("melds"), HEAP)
    table.shuffle(HEAP)
    table.lay([0, 1, 2, 3], HEAP, HAND)
    assert MELDS.list_melds(table, HAND) == ["pair"]

    MELDS.show(table, HAND, "pair")
    assert (MELDS.list_melds(table, HAND), MELDS.count("pair", list_shown(table, HAND))) == (["pair"], 1)
    MELDS.show(table, HAND, "pair")
    assert (MELDS.list_melds(table, HAND), table.is_known(HAND, 3)) == ([], True)


def test_a_hand_without_more_melds() -> None:
    """Who says that it has no more holds none in any world of another seat, and no more than it has shown."""
    table = Table(TWINS, Random("melds"), HEAP)
    table.shuffle(HEAP)
    table.lay([0, 1, 2], HEAP, HAND)
    MELDS.show(table, HAND, "pair")
    MELDS.tell_no_more(table, HAND)

    rng = Random("worlds")
    worlds = [sample_world(table, 1, rng.spawn(str(number))) for number in range(60)]
    assert {"".join(sorted(map(str, world.faces(HAND)))) for world in worlds} == {"AAB", "ABB"}


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
