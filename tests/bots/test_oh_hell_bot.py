"""`house:oh-hell`: what it bids and plays where a person would agree, and whole matches."""

from __future__ import annotations

from typing import Any

import pytest

from pitboss import Random
from pitboss.game import resolve_options
from pitboss_oh_hell.bot import OhHellReading, choose
from pitboss_oh_hell.game import OhHell
from pitboss_oh_hell.messages import Position
from tests.bots.asking import ask_bot
from tests.bots.blocking_runner import play_series
from tests.bots.conftest import ProgramFinder

GAME = OhHell()


def read(hand: str, seats: int = 4) -> OhHellReading:
    """Return what the bot reads of a hand before the first trick, with spades as trumps."""
    view = {"turned_up": "S9", "hand": hand.split(), "trick": [], "tricks": []}
    return OhHellReading(view, 0, seats)


def ask_at(hand: str, bids: list[int], plays: list[tuple[int, str]], seat: int) -> dict[str, Any]:
    """Return what the bot of a table of three chooses with a hand of five; the others' cards are dealt at random."""
    hands: list[list[str | None]] = [[None] * (5 - sum(player == one for player, _ in plays)) for one in range(3)]
    hands[seat] = [*hand.split()]
    options = resolve_options(GAME, 3, None, {"most": 5, "order": "most"})
    position = Position(turned_up="S9", hands=hands, bids=bids, plays=plays)
    return ask_bot(choose, GAME.setup(3, options, position, Random("bot")))


def test_what_a_card_is_worth() -> None:
    """A trump is worth more than another card, a high card more than a low one, and each less with more players."""
    reading = read("SA S2 HA H2")
    worths = [reading.chance_later(card) for card in reading.hand]

    assert worths[0] > worths[2] > worths[3] and worths[0] > worths[1] > worths[3]
    assert read("HK H2 S2 C2", 7).chance_later("HK") < read("HK H2 S2 C2", 3).chance_later("HK")


@pytest.mark.parametrize(("hand", "least", "most"), [("SA SK SQ HA H3", 3, 4), ("H2 H3 D4 D2 C3", 0, 0)])
def test_high_cards_are_bid(hand: str, least: int, most: int) -> None:
    """Trumps and aces count; low cards do not."""
    assert least <= ask_at(hand, [], [], 0)["tricks"] <= most


@pytest.mark.parametrize(
    ("needed", "card"),
    [(1, "HJ"), (0, "H8")],  # the last of three: the trick is taken, or lost with the highest card that loses
)
def test_taking_and_losing(needed: int, card: str) -> None:
    """The bot takes or loses a trick as its bid asks for."""
    plays = [(0, "H5"), (1, "H9")]

    assert ask_at("HJ H8 H3 C2 C3", [1, 1, needed], plays, 2)["card"] == card


@pytest.mark.long
@pytest.mark.once
def test_one_of_them_against_chance(program: ProgramFinder) -> None:
    """Over four matches the house bot of Oh Hell has by far the most points."""
    bots = [program("house:oh-hell"), *[program("house:random")] * 3]

    games = play_series(bots, GAME, [f"match-{number}" for number in range(4)], {})
    sums = [sum(game.outcome.points[seat] for game in games) for seat in range(4)]

    assert sums[0] > 1.5 * max(sums[1:])
