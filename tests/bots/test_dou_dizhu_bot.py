"""`house:dou-dizhu`: what it calls and lays where a person would agree, and whole deals."""

from __future__ import annotations

from typing import Any

import pytest

from pitboss import Random
from pitboss.game import resolve_options
from pitboss_dou_dizhu.bot import choose
from pitboss_dou_dizhu.combinations import code_faces
from pitboss_dou_dizhu.game import DouDizhu
from pitboss_dou_dizhu.messages import Bid, Laid, Position
from pitboss_dou_dizhu.strategy import landlord_worth, need_of
from tests.bots.asking import ask_bot
from tests.bots.blocking_runner import play_series
from tests.bots.conftest import ProgramFinder

GAME = DouDizhu()
STRONG = "3 4 5 6 7 8 9 K K A A 2 2 2 2 BJ RJ"
WEAK = "3 3 4 5 5 6 7 7 8 9 9 J J Q Q K A"
STRONG_OF_FOUR = "3 4 5 6 7 8 9 K K A A A A 2 2 2 2 2 2 BJ BJ RJ RJ 10 J"  # of two packs
GOOD_OF_FOUR = "3 4 5 5 6 6 7 7 8 9 10 10 J J Q K K A A A 2 2 2 RJ BJ"
CHAIN = "3 4 5 6 7 8 9 10 J Q K A"  # of the landlord, first


def ask_with(hand: str, preset: str | None = None, **written: Any) -> dict[str, Any]:  # noqa: ANN401
    """Return what the bot chooses with a hand in seat 0, before anything is laid."""
    position = Position(hands=[[*hand.split()], None, None], **written)
    return ask_bot(choose, GAME.setup(3, resolve_options(GAME, 3, preset), position, Random("bot")))


def ask_late(hands: dict[int, str], plays: list[tuple[int, str]]) -> dict[str, Any]:
    """Return what the bot chooses late in a deal, in which seat 0 is the landlord; the others' cards are random."""
    rows: list[Any] = [hands[seat].split() if seat in hands else None for seat in range(3)]
    laid = [Laid(seat, tuple(cards.split())) for seat, cards in plays]
    state = GAME.setup(3, resolve_options(GAME, 3), Position(hands=rows, calls=[Bid(3)], plays=laid), Random("late"))
    return ask_bot(choose, state)


def test_calls() -> None:
    """Jokers and twos are bid and called with; a hand of small cards passes."""
    assert ask_with(STRONG) == {"do": "bid", "stake": 3}
    assert ask_with(WEAK) == {"do": "pass"}
    assert ask_with(STRONG, "rob") == {"do": "call"}
    assert ask_with(WEAK, "rob") == {"do": "pass"}
    assert landlord_worth(code_faces(STRONG.split())) > 1 > 0 > landlord_worth(code_faces(WEAK.split()))


def test_what_a_hand_needs() -> None:
    """A chain needs less than its cards one by one, a trio takes a card along, a high card needs less than a low."""
    needs = [need_of(code_faces(cards.split())) for cards in ("3 4 5 6 7", "3 4 5 6 8", "3 3 3 4", "3 3 4 4", "2", "3")]

    assert needs[0] < 1 < needs[1] - 3
    assert needs[2] < needs[3]
    assert needs[4] < needs[5] == 1


@pytest.mark.parametrize(
    ("hands", "plays", "lays"),
    [
        # what ends the deal is laid
        ({0: "4 4 4 5 5 5 6 7"}, [(0, CHAIN), (1, ""), (2, "")], "4 4 4 5 5 5 6 7"),
        # what nobody can beat comes first, if the rest is one combination
        ({0: "RJ 3 4 5 6 7 8 9"}, [(0, CHAIN), (1, ""), (2, "")], "RJ"),
        # a farmer leaves its partner what is high
        ({2: "3 3 4 4 5 5 6 6 7 7 8 8 9 9 10 2 J"}, [(0, "3"), (1, "A")], ""),
        # it does not spend a bomb on a low card early
        ({1: "3 3 4 5 5 6 7 8 8 8 8 9 10 J Q K K"}, [(0, "10 10")], "K K"),
    ],
)
def test_plays(hands: dict[int, str], plays: list[tuple[int, str]], lays: str) -> None:
    """The bot lays what a person would lay."""
    chosen = ask_late(hands, plays).get("cards", [])

    assert sorted(chosen) == sorted(lays.split())


def test_four_with_two_packs() -> None:
    """A landlord with all jokers bids; a farmer leaves a partner what is high."""
    strong: list[str | None] = [*STRONG_OF_FOUR.split()]
    options = resolve_options(GAME, 4)
    state = GAME.setup(4, options, Position(hands=[strong, None, None, None]), Random("bot"))
    assert ask_bot(choose, state) == {"do": "bid", "stake": 3}

    laid = [Laid(0, ("3",)), Laid(1, ("2",))]
    hand: list[str | None] = [*GOOD_OF_FOUR.split()]
    position = Position(hands=[None, None, hand, None], calls=[Bid(3)], plays=laid)
    assert ask_bot(choose, GAME.setup(4, options, position, Random("bot"))) == {"do": "pass"}


@pytest.mark.long
def test_two_of_them_against_chance(program: ProgramFinder) -> None:
    """The landlord of a match between two house bots and chance gains for the bots."""
    bots = [program("house:dou-dizhu"), program("house:random"), program("house:random")]

    games = play_series(bots, GAME, [f"match-{number}" for number in range(3)], {"deals": 9, "all_pass": "forced"})
    assert all(game.outcome.places[0] == 1 for game in games)
