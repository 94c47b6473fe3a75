"""`house:fireworks` and `house:fireworks-literal`: what hints mean to them, what they play, and whole games."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from statistics import mean
from types import SimpleNamespace
from typing import Any, cast

import pytest
from msgspec import to_builtins

from pitboss import Random
from pitboss.bot import Choice, Question
from pitboss.game import resolve_options
from pitboss.table.events import Tell
from pitboss_fireworks import literal_bot
from pitboss_fireworks.bot import ConventionBot
from pitboss_fireworks.conventions import ConventionReading
from pitboss_fireworks.game import Fireworks
from pitboss_fireworks.messages import HeldCard, Position
from pitboss_fireworks.state import FireworksState
from tests.bots.asking import ask_bot

GAME = Fireworks()
OPTIONS: dict[str, Any] = to_builtins(resolve_options(GAME, 2))
OPEN = [HeldCard()] * 5


def play_team(choosers: Sequence[Callable[[Question], Choice]], preset: str, seed: str) -> FireworksState:
    """Play a game with a function for each seat, without processes."""
    seats = len(choosers)
    options = resolve_options(GAME, seats, preset)
    state, told, given = GAME.deal(seats, options, Random(seed)), [0] * seats, to_builtins(options)
    while state.turn is not None:
        seat, legal = state.turn.seat, list(state.legal())
        events = state.table.events(seat)
        question = SimpleNamespace(
            legal=to_builtins(legal),
            view=to_builtins(state.view(seat)),
            events=events[told[seat] :],
            seat=seat,
            hello=SimpleNamespace(options=given),
        )
        told[seat] = len(events)
        chosen = choosers[seat](cast(Question, question))
        assert isinstance(chosen, int)
        state.play(legal[chosen])
    return state


def tell_hint(reading: ConventionReading, seat: int, sign: str, slots: list[int]) -> None:
    """Have a reading follow a hint."""
    reading.follow([Tell(event="hint", facts={"seat": seat, "sign": sign, "slots": [*slots]})])


def read_after(*hints: tuple[str, list[int]], heights: dict[str, int] | None = None) -> ConventionReading:
    """Return what a hand of five is read as after some hints to it, each with its slots."""
    reading = ConventionReading(OPTIONS, "RYGBW12345")
    reading.follow(GAME.deal(2, resolve_options(GAME, 2), Random("read")).table.events(0))
    reading.table.heights.update(heights or {})
    for sign, slots in hints:
        tell_hint(reading, 1, sign, slots)
    return reading


def test_the_newest_card_of_a_hint_is_to_be_played() -> None:
    """The newest card of a hint is to be played if the chop is not among the hinted cards; the others are of use."""
    hand = read_after(("R", [2, 4])).hands[1]

    assert hand[3].meaning == {"R1"}
    assert hand[1].meaning == {"R1", "R2", "R3", "R4", "R5"}
    assert not hand[0].is_hinted


def test_the_chop_may_be_saved() -> None:
    """A hint of fives about it says nothing of playing; one of a colour may be about the last copy of a card."""
    assert read_after(("5", [1])).hands[1][0].meaning == {"R5", "Y5", "G5", "B5", "W5"}
    reading = read_after()
    reading.table.gone.update(["R4", "Y3"])
    tell_hint(reading, 1, "R", [1, 3])
    assert reading.hands[1][0].meaning == {"R1", "R4"}


def test_a_card_that_comes_later() -> None:
    """When a 1 is known that will be played, the 2 of its colour may be meant too."""
    reading = read_after(("R", [3]))
    tell_hint(reading, 0, "2", [4, 5])

    assert reading.hands[1][2].meaning == {"R1"}
    assert reading.hands[0][4].meaning == {"R2"}


def test_what_has_been_played_is_not_meant() -> None:
    """A hint is not about faces that have been played already."""
    hand = read_after(("1", [2, 3]), heights={"R": 1, "Y": 2}).hands[1]

    assert hand[1].meaning == {"G1", "B1", "W1"}


def ask_literal(hands: list[list[HeldCard]], **written: Any) -> dict[str, Any]:  # noqa: ANN401
    """Return what the literal bot does in seat 0."""
    state = GAME.setup(2, resolve_options(GAME, 2), Position(hands=hands, **written), Random("bot"))
    return ask_bot(literal_bot.choose, state)


def test_the_literal_bot() -> None:
    """The literal bot plays a card that it knows to fit, else hints at what is unknown of one, else discards its
    oldest.
    """
    known, other = HeldCard("W1", "RYGBW1", "1"), [HeldCard("R3"), *[HeldCard("W4")] * 2]

    assert ask_literal([[*OPEN[:4], known], other]) == {"do": "play", "slot": 5}
    assert ask_literal([OPEN, [HeldCard("R1"), *other]]) == {"do": "hint", "seat": 1, "sign": "1"}
    told = HeldCard("R2", "RYGBW2", "2")
    assert ask_literal([OPEN, [told, *other]], heights={"R": 1}) == {"do": "hint", "seat": 1, "sign": "R"}
    assert ask_literal([OPEN, other], tokens=3) == {"do": "discard", "slot": 1}


@pytest.mark.parametrize(("preset", "seats", "least"), [("standard", 3, 17), ("rainbow", 2, 17), ("small", 2, 3)])
def test_a_team_of_conventions(preset: str, seats: int, least: int) -> None:
    """A team of convention bots makes most of the points, with the rainbow and in small games too."""
    games = [play_team([ConventionBot().choose for _ in range(seats)], preset, f"team/{number}") for number in range(3)]

    assert mean(game.points for game in games) >= least


def test_a_team_that_reads_nothing_into_hints() -> None:
    """A team of literal bots makes half of the points and loses no life."""
    games = [play_team([literal_bot.choose] * 2, "standard", f"literal/{number}") for number in range(5)]

    assert mean(game.points for game in games) > 12
    assert all(game.lives == 3 for game in games)


@pytest.mark.once
@pytest.mark.long
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_many_games(seats: int) -> None:
    """A hundred games of each number of players; few are lost."""
    games = [
        play_team([ConventionBot().choose for _ in range(seats)], "standard", f"many/{number}") for number in range(100)
    ]

    assert mean(game.outcome().points[0] for game in games) > 18
    assert sum(game.lives == 0 for game in games) <= 10
