"""Euchre: bowers, who knows the dealer's discard and a farmer's hand, loners, and games without trumps."""

from __future__ import annotations

import pytest

from pitboss import Random
from pitboss.game import resolve_options
from pitboss.parts.tricks import PlayCard
from pitboss_euchre.cards import make_deck, order_with_bowers
from pitboss_euchre.game import Euchre
from pitboss_euchre.messages import (
    BENNY,
    Call,
    Discard,
    FarmerHand,
    GoUnder,
    NameBenny,
    NameTrump,
    OrderUp,
    Position,
)
from pitboss_euchre.state import EuchreState

GAME = Euchre()
OPEN: list[str | None] = [None] * 5
FARMER: list[str | None] = ["S9", "S10", "H9", "H10", "D9"]
HEARTS: list[Call | None] = [None, None, None, None, NameTrump("H")]  # named by seat 0
ALONE: list[Call | None] = [None, None, None, None, NameTrump("H", alone=True)]


def set_up(position: Position, **given: object) -> EuchreState:
    """Return a state at a position."""
    return GAME.setup(4, resolve_options(GAME, 4, None, given), position, Random("position"))


@pytest.mark.parametrize(("cards", "benny", "size"), [(24, False, 24), (24, True, 25), (28, False, 28), (32, True, 33)])
def test_the_pack(cards: int, benny: bool, size: int) -> None:
    """A pack has the highest ranks of each suit, and with the Benny a joker."""
    faces = make_deck(cards, benny).faces

    assert len(faces) == size
    assert (BENNY in faces, "S9" in faces, "S7" in faces) == (benny, True, cards == 32)


def test_the_order_of_trumps() -> None:
    """Trumps fall from the Benny over both bowers and the ace; a jack of the other colour is no trump."""
    deck = make_deck(24, benny=True)
    order = order_with_bowers(deck, "H")
    falling = ["JOKER", "HJ", "DJ", "HA", "HK", "HQ", "H10", "H9", "SA"]

    for number, face in enumerate(falling[:-1]):
        trick = deck.find_cards([falling[-1], *reversed(falling[number:-1])])
        assert deck.faces[trick[order.find_winner(trick)]] == face
    assert order.suits[deck.find_cards(["DJ"])[0]] == "H"
    assert order.suits[deck.find_cards(["SJ"])[0]] == "S"


def test_what_the_dealer_lays_away() -> None:
    """Only the dealer knows the card laid away; everybody knows that the dealer holds the card turned up."""
    state = set_up(Position(turned_up="HA", calls=[OrderUp()]))
    state.play(Discard(state.faces(state.hands[3])[0]))

    assert "HA" in state.table.faces_known_to(state.hands[3], 1)
    assert state.table.faces_known_to(state.laid_away[3], 1) == [None]
    assert (state.view(3).discard, state.view(1).discard) == (state.faces(state.laid_away[3])[0], None)
    worlds = [state.imagine(1, Random(f"away/{number}")) for number in range(20)]
    assert all("HA" in world.faces(world.hands[3]) for world in worlds)
    assert len({world.faces(world.laid_away[3])[0] for world in worlds}) > 5


def test_a_farmer_hand_is_seen() -> None:
    """All know the shown cards that a farmer keeps; nobody else knows the cards that the farmer draws."""
    state = set_up(Position(turned_up="SA", hands=[FARMER, OPEN, OPEN, OPEN]), farmer="exchange")
    state.play(GoUnder(("S9", "H9", "D9")))

    assert sorted(face for face in state.table.faces_known_to(state.hands[0], 2) if face) == ["H10", "S10"]
    assert state.view(2).farmer == FarmerHand(0, [str(face) for face in FARMER], ["S9", "H9", "D9"])
    assert not [action for action in state.legal() if isinstance(action, GoUnder)]


def test_the_dealer_names_the_benny_before_it_has_cards() -> None:
    """The dealer names a suit for the Benny before any hand is dealt; then the suit can be ordered up."""
    state = set_up(Position(turned_up=BENNY, deal_no=2), benny=True)
    assert (state.turn, state.view(0).hand) == ((0, "benny"), [])

    state.play(NameBenny("C"))
    assert (state.turn, len(state.view(0).hand)) == ((1, "call"), 5)
    state.play(OrderUp())
    state.play(state.legal()[0])
    assert (state.order.trump, BENNY in state.view(0).hand) == ("C", True)


def test_the_partner_of_a_loner_sits_out() -> None:
    """The partner of a loner sits out: a trick has three cards, and two with a lone defender."""
    state = set_up(Position(turned_up="C9", calls=ALONE))
    assert state.trick_seats == (0, 1, 3)

    state = set_up(
        Position(turned_up="C9", calls=[None, None, *ALONE], defences=[False, True]),
        defend_alone="any",
    )
    assert (state.trick_seats, state.turn) == ((2, 3), (2, "play"))
    while state.deal_no == 1:
        state.play(state.legal()[0])
    assert sum(state.totals[:2]) in (1, 4)


def test_a_position_after_an_exchange() -> None:
    """A position restores a farmer's hand: what all know of the hand, and the three cards drawn for it."""
    state = set_up(Position(turned_up="SA", hands=[FARMER, OPEN, OPEN, OPEN]), farmer="exchange")
    for action in (GoUnder(("S9", "H9", "D9")), OrderUp()):
        state.play(action)
    state.play(state.legal()[0])
    state.play(state.legal()[0])
    again = set_up(state.position(), farmer="exchange")

    assert again.position() == state.position()
    assert again.view(1) == state.view(1)
    assert again.table.faces_known_to(again.hands[0], 1) == state.table.faces_known_to(state.hands[0], 1)


def test_a_jack_follows_as_a_trump() -> None:
    """A left bower must follow a trump lead, and a seat that does not follow is imagined without bowers."""
    plain: list[str | None] = ["S9", "S10", "SJ", "SQ", "SK"]
    hands: list[list[str | None]] = [["HA", *OPEN[1:]], ["DJ", "DA", "C10", "CJ", "CQ"], plain, OPEN]
    state = set_up(Position(turned_up="C9", hands=hands, calls=HEARTS))
    state.play(PlayCard("HA"))

    assert list(state.legal()) == [PlayCard("DJ")]
    state.play(PlayCard("DJ"))
    state.play(PlayCard("S9"))
    worlds = [state.imagine(0, Random(f"void/{number}")) for number in range(20)]
    assert not any(face[0] == "H" for world in worlds for face in world.faces(world.hands[2]))


def test_a_dealer_who_may_bury_what_it_picks_up() -> None:
    """A dealer who may bury the card turned up has the card in hand in some worlds, and laid away in others."""
    state = set_up(Position(turned_up="HA", calls=[OrderUp()]), bury=True)
    state.play(Discard("HA"))

    assert (state.view(3).discard, state.view(1).discard) == ("HA", None)
    assert state.table.faces_known_to(state.hands[3], 1) == [None] * 5
    assert state.table.faces_known_to(state.laid_away[3], 1) == [None]
    worlds = [state.imagine(1, Random(f"buried/{number}")) for number in range(30)]
    places = {("HA" in world.faces(world.hands[3]), world.faces(world.laid_away[3]) == ["HA"]) for world in worlds}
    assert places == {(True, False), (False, True)}
    again = set_up(state.position(), bury=True)
    assert (again.position(), again.view(3)) == (state.position(), state.view(3))


def test_no_trumps() -> None:
    """No card is a trump: the highest card of the suit led takes the trick, and the picture says so."""
    state = set_up(Position(turned_up="C9", calls=[None, None, None, None, NameTrump("NT")]), no_trumps=True)
    find = state.table.layout.deck.find_cards

    assert state.order.find_winner(find(["S10", "SJ", "SQ", "CJ"])) == 2
    assert state.order.find_winner(find(["H9", "SA", "HJ", "DJ"])) == 2
    assert "trumps none" in next(iter(state.render(0, ["Ann", "Bob", "Cyd", "Dan"])))
