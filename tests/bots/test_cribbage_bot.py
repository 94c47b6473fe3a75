"""`house:cribbage`: what it lays away, plays and claims where a person would agree, and whole games."""

from __future__ import annotations

from typing import Any

import pytest

from pitboss import Random
from pitboss.game import resolve_options
from pitboss_cribbage.bot import choose
from pitboss_cribbage.game import Cribbage
from pitboss_cribbage.messages import Position
from pitboss_cribbage.strategy import Rival, list_answers, measure_play
from tests.bots.asking import ask_bot
from tests.bots.blocking_runner import play_series
from tests.bots.conftest import ProgramFinder

GAME = Cribbage()
OPEN: list[str | None] = [None] * 6


def ask_at(position: Position, seats: int = 2, preset: str = "muggins") -> dict[str, Any]:
    """Return what the bot chooses as the seat on turn."""
    return ask_bot(choose, GAME.setup(seats, resolve_options(GAME, seats, preset), position, Random("bot")))


@pytest.mark.parametrize(
    ("hand", "deal_no", "laid_away"),
    [
        ("S5 H5 DJ CQ S2 H9", 1, ["S2", "H9"]),  # the fives stay with the tens
        ("S7 H8 D9 C8 SK HA", 2, ["HA", "SK"]),  # a double run, and nothing for the other's crib
        ("C5 D7 C7 S9 SJ HK", 1, ["D7", "C7"]),  # a pair for the own crib
        ("C5 D7 C7 S9 SJ HK", 2, ["S9", "HK"]),  # not for the other's
    ],
)
def test_what_it_lays_away(hand: str, deal_no: int, laid_away: list[str]) -> None:
    """The bot keeps the cards that count, and minds whose crib it is; seat 0 deals first."""
    chosen = ask_at(Position(hands=[[*hand.split()], OPEN], deal_no=deal_no))

    assert {*chosen["cards"]} == {*laid_away}


@pytest.mark.parametrize(
    ("hand", "plays", "card"),
    [
        ("S5 HK D9", [(1, "H10"), (0, "S9"), (1, "H2")], "HK"),  # 31
        ("S5 HK D9 C2", [(1, "H10")], "S5"),  # fifteen
        ("S8 H4 DA CK", [(1, "H7")], "S8"),  # fifteen
        ("S6 HK DQ", [(1, "H4"), (0, "S3"), (1, "H5")], "S6"),  # a run of four
    ],
)
def test_what_it_plays(hand: str, plays: list[tuple[int, str | None]], card: str) -> None:
    """The bot plays the card that scores the points on offer."""
    held: list[str | None] = [*hand.split()]
    assert ask_at(Position(hands=[held, OPEN[: 4 - (len(plays) + 1) // 2]], plays=plays))["card"] == card


def test_it_does_not_lead_what_is_answered_with_fifteen() -> None:
    """Of a five, a ten and a low pair the bot leads a low card."""
    hands: list[list[str | None]] = [OPEN[:4], ["S5", "HK", "D4", "C4"]]

    assert ask_at(Position(hands=hands, laid_away=[OPEN[:2], OPEN[:2]]))["card"] in ("D4", "C4")
    five, four = (measure_play(rank, [], 0, [], Rival(4, [4] * 13)) for rank in (4, 3))
    assert five < four - 1


def test_what_the_other_answers() -> None:
    """The chances of the best answers add up to that of any answer at all."""
    rival = Rival(4, [4] * 13)

    assert sum(chance for _, chance in list_answers([6], 7, rival)) == pytest.approx(1)
    assert sum(chance for _, chance in list_answers([9, 9, 7], 28, rival)) == pytest.approx(1 - (10 / 13) ** 4)
    assert sum(chance for _, chance in list_answers([6], 7, Rival(0, [4] * 13))) == 0


def test_it_counts_right() -> None:
    """With muggins the bot claims what its hand and its crib are worth."""
    plays: list[tuple[int, str | None]] = [(1, "HK"), (0, "S8"), (1, "H8"), (0, "S4"), (1, "HA"), (0, "S2"), (1, "H6")]
    plays += [(0, "SK")]
    laid: list[list[str | None]] = [["D2", "D4"], ["D6", "D8"]]
    for claims, points in (([], 8), ([8], 6), ([8, 6], 4)):
        written = Position(hands=[[], []], laid_away=laid, starter="C9", plays=plays, claims=claims)
        assert ask_at(written)["points"] == points


def test_it_counts_what_its_card_makes() -> None:
    """With muggins in the play the bot claims the points of its card, no more and no fewer."""
    plays: list[tuple[int, str | None]] = [(1, "H7"), (0, "S8"), (1, "H9")]
    for cards, points in ((1, 0), (2, 2), (3, 3)):
        written = Position(plays=plays[:cards], play_claims=[0, 2][: cards - 1])
        assert ask_at(written, preset="muggins_in_play") == {"do": "claim", "points": points}


@pytest.mark.once
def test_it_beats_chance(program: ProgramFinder) -> None:
    """The house bot of cribbage wins nearly every game against chance."""
    bots = [program("house:cribbage"), program("house:random")]

    games = play_series(bots, GAME, [f"match-{number}" for number in range(8)], {"target": 61})
    assert sum(game.outcome.places[0] == 1 for game in games) >= 7
