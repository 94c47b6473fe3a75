"""Euchre: conformance, bowers, who knows the dealer's discard and a farmer's hand, positions, the estimate."""

from __future__ import annotations

import pytest

from pitboss import PositionError, Random
from pitboss.game import resolve_options
from pitboss.parts.tricks import PlayCard
from pitboss.testing import assert_conforms
from pitboss_euchre.cards import make_deck, order_with_bowers
from pitboss_euchre.game import Euchre
from pitboss_euchre.messages import (
    BENNY,
    Call,
    Discard,
    EuchreAction,
    EuchreOptions,
    FarmerHand,
    GoUnder,
    NameBenny,
    NameTrump,
    OrderUp,
    Position,
)
from pitboss_euchre.state import EuchreState
from tests.games.trick_games import assert_narrow_pictures, assert_position_again, correlate_estimate

GAME = Euchre()
OPEN: list[str | None] = [None] * 5
FARMER: list[str | None] = ["S9", "S10", "H9", "H10", "D9"]
HEARTS: list[Call | None] = [None, None, None, None, NameTrump("H")]  # named by seat 0
ALONE: list[Call | None] = [None, None, None, None, NameTrump("H", alone=True)]


def set_up(position: Position, **given: object) -> EuchreState:
    """Return a state at a position."""
    return GAME.setup(4, resolve_options(GAME, 4, None, given), position, Random("position"))


def seek_what_is_rare(state: EuchreState, rng: Random) -> EuchreAction:
    """Show a farmer's hand whenever there is one; else play at random."""
    legal = list(state.legal())
    rare = [action for action in legal if isinstance(action, GoUnder)]
    return rng.choice(rare or legal)


@pytest.mark.once
def test_it_conforms() -> None:
    """A deal with the joker keeps every promise."""
    assert_conforms(GAME, presets=["british"], games=1)


@pytest.mark.once
@pytest.mark.long
def test_it_conforms_with_every_preset() -> None:
    """Every preset and option does."""
    assert_conforms(GAME, games=2, player=seek_what_is_rare)


@pytest.mark.parametrize(("cards", "benny", "size"), [(24, False, 24), (24, True, 25), (28, False, 28), (32, True, 33)])
def test_the_pack(cards: int, benny: bool, size: int) -> None:
    """It has the highest ranks of each suit, and perhaps a joker."""
    faces = make_deck(cards, benny).faces

    assert len(faces) == size
    assert (BENNY in faces, "S9" in faces, "S7" in faces) == (benny, True, cards == 32)


def test_the_order_of_trumps() -> None:
    """The Benny, both bowers, and then from the ace down; a jack of the other colour is none of them."""
    deck = make_deck(24, benny=True)
    order = order_with_bowers(deck, "H")
    falling = ["JOKER", "HJ", "DJ", "HA", "HK", "HQ", "H10", "H9", "SA"]

    for number, face in enumerate(falling[:-1]):
        trick = deck.find_cards([falling[-1], *reversed(falling[number:-1])])
        assert deck.faces[trick[order.find_winner(trick)]] == face
    assert order.suits[deck.find_cards(["DJ"])[0]] == "H"
    assert order.suits[deck.find_cards(["SJ"])[0]] == "S"


def test_what_the_dealer_lays_away() -> None:
    """Only the dealer knows it; everybody knows that it holds the card turned up."""
    state = set_up(Position(turned_up="HA", calls=[OrderUp()]))
    state.play(Discard(state.faces(state.hands[3])[0]))

    assert "HA" in state.table.faces_known_to(state.hands[3], 1)
    assert state.table.faces_known_to(state.laid_away[3], 1) == [None]
    assert (state.view(3).discard, state.view(1).discard) == (state.faces(state.laid_away[3])[0], None)
    worlds = [state.imagine(1, Random(f"away/{number}")) for number in range(20)]
    assert all("HA" in world.faces(world.hands[3]) for world in worlds)
    assert len({world.faces(world.laid_away[3])[0] for world in worlds}) > 5


def test_a_farmer_hand_is_seen() -> None:
    """What was shown and is kept is known to all; the cards drawn for the others are not."""
    state = set_up(Position(turned_up="SA", hands=[FARMER, OPEN, OPEN, OPEN]), farmer="exchange")
    state.play(GoUnder(("S9", "H9", "D9")))

    assert sorted(face for face in state.table.faces_known_to(state.hands[0], 2) if face) == ["H10", "S10"]
    assert state.view(2).farmer == FarmerHand(0, [str(face) for face in FARMER], ["S9", "H9", "D9"])
    assert not [action for action in state.legal() if isinstance(action, GoUnder)]


def test_the_dealer_names_the_benny_before_it_has_cards() -> None:
    """Then all are dealt, and the suit can be ordered up."""
    state = set_up(Position(turned_up=BENNY, deal_no=2), benny=True)
    assert (state.turn, state.view(0).hand) == ((0, "benny"), [])

    state.play(NameBenny("C"))
    assert (state.turn, len(state.view(0).hand)) == ((1, "call"), 5)
    state.play(OrderUp())
    state.play(state.legal()[0])
    assert (state.order.trump, BENNY in state.view(0).hand) == ("C", True)


def test_the_partner_of_a_loner_sits_out() -> None:
    """A trick has three cards, with a lone defender two; who leads is left of who sits out."""
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


@pytest.mark.parametrize(
    ("position", "message"),
    [
        (Position(hands=[OPEN[1:], OPEN, OPEN, OPEN]), "seat 0 holds 4 cards and has played 0"),
        (Position(turned_up="H9", calls=HEARTS), "before the first trick"),
        (Position(turned_up="H9", plays=[(0, "S9")]), "the first trick is not led yet"),
        (Position(turned_up="H9", discard="H10"), "nobody has ordered the dealer"),
        (Position(turned_up="H9", turned_suit="S"), "and 'H9' is turned up"),
        (Position(turned_up="H9", calls=[OrderUp()], plays=[(0, "S9")]), "the first trick is not led yet"),
        (
            Position(turned_up="H9", calls=[OrderUp()], discard="S9", hands=[OPEN, OPEN, OPEN, FARMER]),
            "asked for 2 times",
        ),
        (Position(turned_up="H9", defences=[True]), "before the first trick"),
        (Position(deal_no=101), "the match has 100 deals"),
        (Position(turned_up="JOKER"), "JOKER"),
        (Position(farmer=FarmerHand(1, ["S9", "S10", "H9", "H10", "D9"], ["S9", "S10", "H9"])), "not been asked"),
    ],
)
def test_positions_that_are_none(position: Position, message: str) -> None:
    """What cannot have come about is refused, with what is wrong."""
    with pytest.raises(PositionError, match=message):
        set_up(position)


@pytest.mark.parametrize("limit", [0, 1, 3, 9, 25])
@pytest.mark.parametrize("preset", ["single", "british", "farmer", "defence"])
def test_a_position_is_written_and_set_up_again(preset: str, limit: int) -> None:
    """Calls, discards, tricks and points are the same, after the end too."""
    assert_position_again(GAME, resolve_options(GAME, 4, preset, {"deals": 1}), limit)


def test_a_position_after_an_exchange() -> None:
    """The farmer's hand is restored: what all know of it, and the cards drawn for three of it."""
    state = set_up(Position(turned_up="SA", hands=[FARMER, OPEN, OPEN, OPEN]), farmer="exchange")
    for action in (GoUnder(("S9", "H9", "D9")), OrderUp()):
        state.play(action)
    state.play(state.legal()[0])
    state.play(state.legal()[0])
    again = set_up(state.position(), farmer="exchange")

    assert again.position() == state.position()
    assert again.view(1) == state.view(1)
    assert again.table.faces_known_to(again.hands[0], 1) == state.table.faces_known_to(state.hands[0], 1)


def deal_after_calls(seed: str) -> EuchreState:
    """Return a deal in which the second player has named hearts, or the first one has ordered them up."""
    state = GAME.deal(4, EuchreOptions(deals=1), Random(seed))
    for action in (OrderUp(), Discard(state.faces(state.hands[3])[0])):
        state.play(action)
    return state


def test_the_estimate() -> None:
    """It agrees better and better with the points of the deal."""
    found = correlate_estimate(deal_after_calls, (0, 8, 16), deals=100)

    assert found == sorted(found)
    assert found[0] > 0.2 and found[-1] > 0.8


def test_the_picture() -> None:
    """Score, tricks and who is dealer, maker and alone stand beside the names, within 60 columns."""
    for preset in ("british", "defence", "farmer"):
        assert_narrow_pictures(GAME.deal(4, resolve_options(GAME, 4, preset, {"deals": 3}), Random("picture")))
    state = set_up(Position(turned_up="C9", calls=ALONE))
    lines = list(state.render(0, ["Ann", "Bob", "Cyd", "Dan"]))
    assert "trumps hearts" in lines[0]
    assert [line[4:7] for line in lines if "alone" in line] == ["Ann"]
    assert [line[4:7] for line in lines if "out" in line] == ["Cyd"]


def test_a_jack_follows_as_a_trump() -> None:
    """Who has the left bower alone of trumps plays it; who plays none has neither bower."""
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
    """Nobody else knows whether the card turned up is in its hand; in sampled worlds it is there or laid away."""
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
