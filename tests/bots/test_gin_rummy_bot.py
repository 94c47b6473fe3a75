"""`house:gin-rummy`: what it takes, discards and lays down where a person would agree, and deals against chance."""

from __future__ import annotations

from typing import Any

import pytest

from pitboss import Random
from pitboss.game import resolve_options
from pitboss_gin_rummy.bot import choose
from pitboss_gin_rummy.game import GinRummy
from pitboss_gin_rummy.messages import Position
from tests.bots.asking import ask_bot
from tests.bots.blocking_runner import play_series
from tests.bots.conftest import ProgramFinder

GAME = GinRummy()


def ask_at(hand: str, preset: str | None = None, **written: Any) -> dict[str, Any]:  # noqa: ANN401 - the fields of a position
    """Return what the bot chooses as seat 0, with a hand; the other's is dealt at random."""
    position = Position(**written, hands=[[*hand.split()], [None] * 10])
    return ask_bot(choose, GAME.setup(2, resolve_options(GAME, 2, preset), position, Random("bot")))


@pytest.mark.parametrize(
    ("hand", "up_card", "does"),
    [
        ("S7 H7 SQ SK DK C2 C3 H9 D4 DJ", "D7", "take"),  # three sevens
        ("S7 S8 SQ HK DK C2 C3 H9 D4 DJ", "S9", "take"),  # a sequence
        ("S7 S8 SQ HK DA C2 C3 H9 D4 DJ", "HJ", "pass"),  # a second jack
    ],
)
def test_what_it_takes(hand: str, up_card: str, does: str) -> None:
    """The bot takes a card that makes a meld, and none that only might."""
    assert ask_at(hand, up_card=up_card)["do"] == does


@pytest.mark.parametrize(
    ("hand", "written", "card"),
    [
        ("S7 H7 D7 C2 C3 C4 HK D9 D10 SA DA", {}, "HK"),  # the dear one of which nothing else is held
        ("S7 H7 D7 C2 C3 HK SK D9 D10 SA DA", {"discards": ["DK", "CK"]}, "HK"),  # no king will come
    ],
)
def test_what_it_discards(hand: str, written: dict[str, Any], card: str) -> None:
    """The bot first discards cards of which no more will come; melds stay."""
    chosen = ask_at(hand, preset="straight", phase="discard", **written)

    assert chosen["do"] == "discard" and chosen["card"] in (card, card.replace("H", "S"))


def test_when_it_knocks() -> None:
    """The bot knocks early with ten points loose, late only with few, and takes gin and big gin."""
    held = "S7 H7 D7 C2 C3 C4 H9 SA D2 DA {}"
    late = ["S3", "S4", "S5", "S6", "S8", "S9", "S10", "SJ", "H2", "H3", "H4", "H5", "H6", "H8", "C8", "C9", "CJ"]

    assert ask_at(held.format("DK").replace("H9", "D3"), phase="discard") == {"do": "knock", "card": "DK"}
    assert ask_at(held.format("DK").replace("H9", "H6"), phase="discard") == {"do": "knock", "card": "DK"}
    assert ask_at(held.format("DK").replace("H9", "D6"), phase="discard", discards=late)["do"] == "discard"
    assert ask_at("SA S2 S3 S4 S5 S6 S7 S8 S9 S10 SJ", preset="hollywood", phase="discard") == {"do": "big_gin"}


def test_which_melds_it_lays_down() -> None:
    """The bot lays down the melds on which the opponent can lay off less."""
    hand = "S2 H2 D2 SA S3 C5 C6 C7 C8 C9"

    with_four = ask_at(hand, phase="arrange", discards=["C2", "HK"])
    with_two = ask_at(hand, phase="arrange", discards=["S4", "HK"])
    assert (with_four["melds"][0], with_two["melds"][0]) == (("S2", "H2", "D2"), ("SA", "S2", "S3"))


@pytest.mark.once
def test_against_chance(program: ProgramFinder) -> None:
    """The house bot of gin rummy wins each of a few deals against chance."""
    bots = [program("house:gin-rummy"), program("house:random")]

    games = play_series(bots, GAME, [f"deal-{number}" for number in range(6)], {}, "single")
    assert all(game.outcome.places == (1, 2) for game in games)
