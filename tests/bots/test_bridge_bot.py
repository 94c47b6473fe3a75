"""`house:bridge`: what it calls and plays where a person would agree, and whole boards."""

from __future__ import annotations

import pytest

from pitboss_bridge.bidding import AuctionReader, Bidder
from pitboss_bridge.card_play import CardTurn
from pitboss_bridge.game import Bridge
from pitboss_bridge.messages import CALL_WORDS
from tests.bots.blocking_runner import play_series
from tests.bots.conftest import ProgramFinder

GAME = Bridge()
WEAK_SPADES = "SK SQ S10 S9 S8 S3 H5 H2 D7 D4 CJ C6 C2"
BALANCED_16 = "SA SQ S5 HK HJ H7 H2 DA D9 D4 CQ C8 C3"
FOURTEEN = "SA SK S9 S7 S3 HK H8 H5 DQ D6 D3 CJ C4"
SUPPORT = "SQ S8 S5 S2 HA H7 H4 DK D9 D2 C8 C6 C3"


def call(hand: str, calls: str) -> str:
    """Return the call with a hand after some calls, the first of which is seat 0's."""
    made = calls.split()
    view: dict[str, object] = {"hand": hand.split(), "calls": made, "dealer": 0}
    return Bidder(view, len(made) % 4).choose_call([*CALL_WORDS.values()])


@pytest.mark.parametrize(
    ("hand", "calls", "expected"),
    [
        (BALANCED_16, "", "1NT"),
        (FOURTEEN, "", "1S"),
        (WEAK_SPADES, "pass", "2S"),
        (SUPPORT, "", "pass"),
        (SUPPORT, "1S pass", "2S"),
        (BALANCED_16, "1S pass", "4S"),
        (BALANCED_16, "1NT pass", "3NT"),
        (FOURTEEN, "1D", "1S"),
        ("SA S7 S5 S4 HA H9 H6 H2 DA D8 D5 D3 C2", "1C", "X"),
        (FOURTEEN, "1S pass 2S pass", "pass"),
        ("SA SK SQ SJ S7 HA HK H3 DA D7 D2 C5 C4", "1S pass 3S pass", "6S"),
        (SUPPORT, "1H 7NT", "X"),
        ("SA SK S3 HK HQ HJ H9 DA D4 D3 CA C3 C2", "4H", "X"),
        (SUPPORT, "4H", "pass"),
    ],
)
def test_calls(hand: str, calls: str, expected: str) -> None:
    """The bot opens, raises, overcalls, doubles and bids slams as a person would."""
    assert call(hand, calls) == expected


def test_what_calls_promise() -> None:
    """A raise to two promises seven points and three cards, one to four thirteen."""
    for level, points in ((2, 7), (4, 13)):
        promised = AuctionReader(["1H", "pass", f"{level}H"], 0).promises

        assert (promised[0].points, promised[0].lengths[2]) == (12, 5)
        assert (promised[2].points, promised[2].lengths[2]) == (points, 3)


def play(hand: str, trick: list[tuple[int, str]], *, dummy: str = "", seat: int = 0, contract: str = "4S") -> str:
    """Return the card that seat 0 or another plays to a trick; seat 1 is the declarer, or seat 0 if it says so."""
    held = hand.split()
    following = [card for card in held if trick and card[0] == trick[0][1][0]] or held
    view = {
        "hand": held,
        "dummy": dummy.split(),
        "declarer": 1 if seat != 1 else 0,
        "contract": contract,
        "trick": trick,
        "tricks": [],
        "calls": [contract, "pass", "pass", "pass"],
        "dealer": 1,
    }
    return CardTurn(view, seat, following, is_dummys=False).choose_card()


@pytest.mark.parametrize(
    ("hand", "trick", "expected"),
    [
        ("HK HQ HJ D7 D3", [], "HK"),  # a sequence
        ("HA HQ H3 D7 D2 C4 C3", [(3, "H2")], "H3"),  # low in second place
        ("HK H5 H3 D7", [(2, "H2"), (3, "H4")], "HK"),  # high in third
        ("HK HQ H3 D7", [(2, "H2"), (3, "H4")], "HQ"),  # the lowest of equals
        ("HA H9 H3 D7", [(1, "H2"), (2, "H8"), (3, "H5")], "H3"),  # the partner has it
        ("HA H9 H3 D7", [(1, "H2"), (2, "H4"), (3, "H5")], "H9"),  # as cheaply as can be
        ("SA S2 D7 D3", [(1, "H2"), (2, "H4"), (3, "H5")], "S2"),  # a small trump
        ("S2 D7 D3 CA", [(1, "H2"), (2, "HA"), (3, "H5")], "D3"),  # the partner has it: a low card
    ],
)
def test_cards(hand: str, trick: list[tuple[int, str]], expected: str) -> None:
    """The defender against four spades plays the card that a person would play."""
    assert play(hand, trick) == expected


@pytest.mark.long
def test_a_pair_of_them_against_chance(program: ProgramFinder) -> None:
    """Two bridge bots of the house win every board against chance, in both directions."""
    mine, chance = program("house:bridge"), program("house:random")
    boards = [f"board-{number}" for number in range(6)]

    for place, bots in enumerate(([mine, chance] * 2, [chance, mine] * 2)):
        games = play_series(bots, GAME, boards, {"deals": 1})
        assert all(game.outcome.places[place] == 1 for game in games)
