"""`house:eights`: what it plays where a person would agree, and matches against chance."""

from __future__ import annotations

from typing import Any

import pytest

from pitboss import Random
from pitboss.game import resolve_options
from pitboss_eights.bot import choose
from pitboss_eights.game import Eights
from pitboss_eights.messages import Position
from tests.bots.asking import ask_bot
from tests.bots.blocking_runner import play_series
from tests.bots.conftest import ProgramFinder

GAME = Eights()


def ask_at(hand: str, other: int = 5, **given: Any) -> dict[str, Any]:  # noqa: ANN401 - options of the game
    """Return what the bot chooses as seat 0 on the five of hearts; the other holds some cards."""
    position = Position(hands=[[*hand.split()], [None] * other], played=["H5"])
    return ask_bot(choose, GAME.setup(2, resolve_options(GAME, 2, None, given), position, Random("bot")))


@pytest.mark.parametrize(
    ("hand", "card"),
    [
        ("H2 HK C9 S8", "HK"),  # the dear one
        ("H2 S5 S3 S4 S7", "S5"),  # three spades can follow
        ("S8 C2 C3 HA", "HA"),  # an eight is kept
    ],
)
def test_what_it_plays(hand: str, card: str) -> None:
    """The bot plays dear cards and cards of long suits first."""
    assert ask_at(hand)["card"] == card


def test_which_suit_it_names() -> None:
    """After an eight the bot names the suit of which it holds most cards."""
    assert ask_at("S8 C2 C3 DA") == {"do": "play", "card": "S8", "suit": "C"}


def test_when_it_attacks() -> None:
    """A two goes to a player with few cards; before that it is kept."""
    assert ask_at("H2 H3 C9 C7", other=2, draw_two="2")["card"] == "H2"
    assert ask_at("H2 H3 C9 C7", other=6, draw_two="2")["card"] == "H3"


def test_it_announces_its_last_card_and_draws_in_need() -> None:
    """The bot announces its last card, and draws where no card fits."""
    assert ask_at("H2 C9", last_card=2) == {"do": "play", "card": "H2", "last": True}
    assert ask_at("S2 C9") == {"do": "draw"}


@pytest.mark.once
def test_against_chance(program: ProgramFinder) -> None:
    """The house bot of crazy eights wins each of a few matches against chance."""
    bots = [program("house:eights"), program("house:random")]

    games = play_series(bots, GAME, [f"match-{number}" for number in range(4)], {})
    assert all(game.outcome.places == (1, 2) for game in games)
