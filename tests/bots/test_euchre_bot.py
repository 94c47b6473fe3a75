"""`house:euchre`: what it calls and plays where a person would agree, and whole matches."""

from __future__ import annotations

from typing import Any

import pytest

from pitboss import Random
from pitboss.game import resolve_options
from pitboss_euchre.bot import choose, choose_discard, estimate_no_trump_tricks, estimate_tricks
from pitboss_euchre.game import Euchre
from pitboss_euchre.messages import Call, NameTrump, OrderUp, Position
from tests.bots.asking import ask_bot
from tests.bots.blocking_runner import play_series
from tests.bots.conftest import ProgramFinder

GAME = Euchre()
HEARTS: list[Call | None] = [None, None, None, None, NameTrump("H")]  # seat 0 is the maker


def ask_at(hand: str, **written: Any) -> dict[str, Any]:  # noqa: ANN401 - the fields of a position
    """Return what the bot chooses as the seat on turn, with a hand; the others' are dealt at random."""
    seat, plays = written.pop("seat", 0), written.pop("plays", [])
    options = resolve_options(GAME, 4, None, written.pop("options", {}))
    hands: list[list[str | None]] = [[None] * (5 - sum(player == one for player, _ in plays)) for one in range(4)]
    hands[seat] = [*hand.split()]
    position = Position(**{"turned_up": "C9", **written}, hands=hands, plays=plays)
    return ask_bot(choose, GAME.setup(4, options, position, Random("bot")))


@pytest.mark.parametrize(
    ("hand", "turned_up", "does"),
    [
        ("HJ DJ HA SA C10", "HK", "order"),
        ("S9 S10 DQ CQ H9", "HK", "pass"),
        ("SJ CJ SA S9 D9", "HK", "pass"),  # spades will be better
    ],
)
def test_calls(hand: str, turned_up: str, does: str) -> None:
    """Bowers and the ace are enough; two queens are not."""
    assert ask_at(hand, turned_up=turned_up)["do"] == does


def test_calls_of_the_second_round() -> None:
    """The suit of the bowers is named; with a hand that takes everything the bot goes alone."""
    called = ask_at("SJ CJ SA S9 D9", turned_up="HK", calls=[None] * 4)
    alone = ask_at("SJ CJ SA SK SQ", turned_up="HK", calls=[None] * 4)

    assert (called["do"], called["suit"]) == ("name", "S")
    assert alone == {"do": "name", "suit": "S", "alone": True}


def test_calls_of_no_trumps() -> None:
    """Aces are good for no trumps, if these can be named; a hand with bowers is better in its suit."""
    given = {"turned_up": "HK", "calls": [None] * 4, "options": {"no_trumps": True}}

    assert ask_at("SA CA DA HA S9", **given) == {"do": "name", "suit": "NT", "alone": True}
    assert ask_at("SA SK DA HA C9", **given)["suit"] == "NT"
    assert ask_at("SJ CJ SA S9 D9", **given)["suit"] == "S"
    assert estimate_no_trump_tricks(["SA", "SQ", "HK", "H9", "D9"]) < estimate_no_trump_tricks(
        ["SA", "SK", "HK", "H9", "D9"]
    )


def test_what_is_laid_away_with_bury() -> None:
    """The card turned up goes if all others are higher trumps."""
    written = {"turned_up": "H9", "calls": [OrderUp()], "seat": 3, "options": {"bury": True}}

    assert ask_at("HJ DJ HA HQ H10", **written) == {"do": "discard", "card": "H9"}
    assert ask_at("HJ DJ HA HQ S9", **written) == {"do": "discard", "card": "S9"}


def test_what_a_hand_is_worth() -> None:
    """The left bower counts for its colour; a low card alone of its suit is laid away, and never a trump."""
    hand = ["DJ", "HA", "H9", "S9", "C10"]

    assert estimate_tricks(hand, "H") > estimate_tricks(hand, "S") + 1
    assert choose_discard(["DJ", "H9", "S9", "CA", "C10"], "H") == "S9"


@pytest.mark.parametrize(
    ("hand", "written", "card"),
    [
        ("HJ HA S9 C10 D9", {"calls": HEARTS}, "HJ"),  # the makers lead their highest trump
        ("SA S9 H9 C10", {"calls": HEARTS, "plays": [(0, "DA"), (1, "D9")], "seat": 2}, "C10"),
        ("H9 H10 SK C10 CQ", {"calls": HEARTS, "plays": [(0, "DA")], "seat": 1}, "H9"),  # the cheapest ruff
        ("SA SK C10 CQ CK", {"calls": HEARTS, "plays": [(0, "S9")], "seat": 1}, "SK"),  # no less than the ace
    ],
)
def test_plays(hand: str, written: dict[str, Any], card: str) -> None:
    """The bot plays the card that a person would play."""
    missing = 5 - len(hand.split())

    assert ask_at(" ".join([hand, *["HQ"] * missing]), **written)["card"] == card


@pytest.mark.once
def test_two_of_them_against_chance(program: ProgramFinder) -> None:
    """Two euchre bots of the house win nearly every match against chance."""
    bots = [program("house:euchre"), program("house:random")] * 2

    games = play_series(bots, GAME, [f"match-{number}" for number in range(8)], {"target": 5})
    assert sum(game.outcome.places[0] == 1 for game in games) >= 7
