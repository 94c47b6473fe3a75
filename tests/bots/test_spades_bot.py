"""`house:spades`: what it bids and plays at positions that a person would agree on, and whole matches."""

from __future__ import annotations

from typing import Any

import pytest

from pitboss import Random
from pitboss.game import resolve_options
from pitboss_spades.bot import choose
from pitboss_spades.game import Spades
from pitboss_spades.messages import Position
from tests.bots.asking import ask_bot
from tests.bots.blocking_runner import play_series
from tests.bots.conftest import ProgramFinder

GAME = Spades()
OPEN: list[str | None] = [None] * 13


def ask_at(hand: str, **written: Any) -> dict[str, Any]:  # noqa: ANN401 - the fields of a position
    """Return what the bot chooses as the seat on turn, with a hand; the others' are dealt at random."""
    seat, plays, given = written.pop("seat", 0), written.pop("plays", []), written.pop("options", {})
    hands: list[list[str | None]] = [OPEN[sum(player == one for player, _ in plays) :] for one in range(4)]
    hands[seat] = [*hand.split()]
    position = Position(hands=hands, plays=plays, **written)
    return ask_bot(choose, GAME.setup(4, resolve_options(GAME, 4, None, given), position, Random("bot")))


@pytest.mark.parametrize(
    ("hand", "least", "most"),
    [
        ("SA SK SQ S5 HA HK H3 DA D4 D3 CA C4 C2", 7, 9),
        ("S9 S8 S4 HA H7 H3 H2 DK D8 D3 CJ C9 C2", 2, 3),
        ("S4 S2 H8 H5 H3 H2 D7 D6 D2 C9 C5 C4 C3", 0, 0),
    ],
)
def test_bids(hand: str, least: int, most: int) -> None:
    """High cards and spades count, and a hand without any is nil."""
    assert least <= ask_at(hand)["tricks"] <= most


def test_a_bid_with_jokers() -> None:
    """Jokers and the deuce of diamonds are spades, and high ones."""
    hand = "S2 D2 LITTLE BIG H3 H4 H5 D3 D4 D5 C3 C4 C5"

    assert 3 <= ask_at(hand, options={"high_trumps": "jokers_deuces"})["tricks"] <= 5


def test_the_cheapest_trump_where_deuces_are_high() -> None:
    """The deuce of diamonds is dearer than a low spade, and need not follow diamonds."""
    position = {"plays": [(0, "D3"), (1, "D4"), (2, "D9")], "bids": [2, 3, 2, 5]}
    hand = "S4 D2 BIG H3 H4 H5 H6 H7 C3 C4 C5 C6 C7"

    assert ask_at(hand, seat=3, options={"high_trumps": "jokers_deuces"}, **position)["card"] == "S4"


def test_a_trick_that_the_partner_takes_already() -> None:
    """The bot leaves the trick to its partner."""
    plays = [(0, "HA"), (1, "H2")]

    assert ask_at("SA S2 HK H3 D2 D3 D4 D5 C2 C3 C4 C5 C6", seat=2, plays=plays, bids=[4, 2, 4, 2])["card"] == "H3"


def test_the_cheapest_card_that_takes_a_trick() -> None:
    """The last player takes the trick with its cheapest card that does, not with its highest."""
    plays = [(0, "H3"), (1, "H9"), (2, "H4")]

    assert ask_at("SA S2 HA HJ D2 D3 D4 D5 C2 C3 C4 C5 C6", seat=3, plays=plays, bids=[2, 3, 2, 5])["card"] == "HJ"


def test_a_nil_loses_with_its_highest_card() -> None:
    """A bot that bid nil plays its highest card that does not take the trick."""
    plays = [(0, "H3"), (1, "HQ"), (2, "H4")]

    assert ask_at("S3 S2 HA HJ H5 D3 D4 D5 C2 C3 C4 C5 C6", seat=3, plays=plays, bids=[2, 3, 2, 0])["card"] == "HJ"


@pytest.mark.parametrize(("failed_nil", "card"), [("bags", "S2"), ("helps", "D2")])
def test_a_trick_that_the_partner_takes_after_its_nil_failed(failed_nil: str, card: str) -> None:
    """The bot leaves the trick to its partner only if the trick helps: otherwise it takes the trick itself, with its
    cheapest card.
    """
    first = [(0, "HA"), (1, "H2"), (2, "H3"), (3, "H4")]
    plays = [*first, (0, "CA"), (1, "C5"), (2, "C6"), (3, "C7")]
    hand = "S2 S3 D2 D3 D4 D5 D6 D7 D8 D9 D10"
    position = {"plays": [*plays, (0, "CK"), (1, "C8")], "bids": [0, 3, 4, 3]}

    assert ask_at(hand, seat=2, options={"failed_nil": failed_nil}, **position)["card"] == card


@pytest.mark.once
def test_two_of_them_against_chance(program: ProgramFinder) -> None:
    """Two spades bots of the house win every match against chance."""
    bots = [program("house:spades"), program("house:random")] * 2

    games = play_series(bots, GAME, [f"match-{number}" for number in range(4)], {"target": 100})

    assert [game.outcome.winners for game in games] == [(0, 2)] * 4
