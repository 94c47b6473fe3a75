"""`house:hearts`: what it passes and plays where a person would agree, and whole matches."""

from __future__ import annotations

import pytest

from pitboss import Random
from pitboss.game import resolve_options
from pitboss_hearts.bot import choose
from pitboss_hearts.game import Hearts
from pitboss_hearts.messages import Position
from tests.bots.asking import ask_bot
from tests.bots.blocking_runner import play_series
from tests.bots.conftest import ProgramFinder

GAME = Hearts()
OPEN: list[str | None] = [None] * 13


def ask_to_play(hand: str, seat: int, plays: list[tuple[int, str]]) -> str:
    """Return the card that the bot plays with a hand; the others' are dealt at random."""
    hands: list[list[str | None]] = [OPEN[sum(player == one for player, _ in plays) :] for one in range(4)]
    hands[seat] = [*hand.split()]
    position = Position(hands=hands, plays=plays, deal_no=4)
    return str(ask_bot(choose, GAME.setup(4, resolve_options(GAME, 4), position, Random("bot")))["card"])


def test_what_is_passed() -> None:
    """The bot passes the queen of spades with few other spades, and the cards that could take her."""
    hand: list[str | None] = [*["SQ", "SK", "S2", "H2", "H3", "H4", "D2", "D3", "D4", "C2", "C3", "C4", "HA"]]
    state = GAME.setup(
        4, resolve_options(GAME, 4), Position(is_passing=True, hands=[hand, OPEN, OPEN, OPEN]), Random("bot")
    )

    assert {*ask_bot(choose, state)["cards"]} >= {"SQ", "SK"}


def test_the_highest_card_under_the_trick() -> None:
    """The bot plays its highest card that does not win the trick."""
    assert ask_to_play("CJ C10 C4 S2 S3 S4 D2 D3 D4 D5 H2 H3 H4", 2, [(0, "C2"), (1, "CQ")]) == "CJ"


def test_the_queen_is_thrown_away() -> None:
    """The bot throws the queen away as soon as it can, on a trick of another player."""
    first = [(0, "C2"), (1, "CA"), (2, "C3"), (3, "C4")]

    assert ask_to_play("SQ SK HA H2 H3 H4 D2 D3 D4 D5 D6 D7", 2, [*first, (1, "C9")]) == "SQ"


@pytest.mark.parametrize(("totals", "points"), [([50, 60, 30, 40], "add"), ([80, 79, 30, 40], "subtract")])
def test_what_the_moon_does(totals: list[int], points: str) -> None:
    """The bot adds the points of the moon to the others, unless that ends a match that the shooter does not win."""
    ranks = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
    plays = [(seat, suit + rank) for rank in ranks for seat, suit in enumerate("CDSH")]
    position = Position(deal_no=4, plays=plays, totals=totals)
    state = GAME.setup(4, resolve_options(GAME, 4, "choose_moon"), position, Random("bot"))

    assert ask_bot(choose, state) == {"do": "moon", "points": points}


@pytest.mark.long
@pytest.mark.once
def test_one_of_them_against_chance(program: ProgramFinder) -> None:
    """Over four matches the house bot of hearts has by far the fewest points."""
    bots = [program("house:hearts"), *[program("house:random")] * 3]

    games = play_series(bots, GAME, [f"match-{number}" for number in range(4)], {})
    sums = [sum(game.outcome.points[seat] for game in games) for seat in range(4)]

    assert 2 * sums[0] < min(sums[1:])
