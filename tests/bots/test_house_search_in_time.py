"""`house:search` answers in time, whatever a game's code does."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Final, Self

import pytest

from pitboss import Random
from pitboss.bot import Question
from pitboss.game import resolve_options
from pitboss.inference.state_tracker import StateTracker
from pitboss_house_bots.search_bot import SearchBot
from pitboss_house_bots.time_limit import OutOfTime, ProcessorTimer
from pitboss_magpie.magpie import Magpie, MagpieState
from pitboss_magpie.messages import Action
from tests.core.tracked_games import make_question
from tests.marks import first_rows

pytestmark = pytest.mark.once

SLOW_S: Final = 20.0  # of the processor, that one call takes
LIMIT_S: Final = 1.0  # of a question


def compute(seconds: float) -> None:
    """Compute for so many seconds."""
    until = time.process_time() + seconds
    while time.process_time() < until:
        pass


class SlowToImagine(MagpieState):
    """A world takes far longer than a decision may."""

    def imagine(self, seat: int, rng: Random) -> Self:
        """Compute, and imagine."""
        compute(SLOW_S)
        return super().imagine(seat, rng)


class SlowToPlay(MagpieState):
    """An action takes far longer than a decision may."""

    def apply(self, action: Action) -> None:
        """Compute, and play."""
        compute(SLOW_S)
        super().apply(action)


class StubbornlySlow(MagpieState):
    """An action takes far longer than a decision may, and goes on after the first error."""

    def apply(self, action: Action) -> None:
        """Compute, and play."""
        try:
            compute(SLOW_S)
        except BaseException:  # noqa: BLE001 - such games exist
            compute(SLOW_S)
        super().apply(action)


def ask_questions() -> Iterator[Question]:
    """Yield the first two questions to seat 0 at a table of Magpie."""
    game = Magpie()
    options, told, asked = resolve_options(game, 2), 0, 0
    state, rng = game.deal(2, options, Random("slow")), Random("play")
    while asked < 2 and state.turn is not None:
        if state.turn.seat == 0:
            yield make_question(game, state, 2, options, told)
            told, asked = len(state.table.log or ()), asked + 1
        state.play(rng.choice(state.legal()))


@first_rows(1)("slow", [SlowToImagine, SlowToPlay, StubbornlySlow])
def test_a_game_whose_code_is_slow(slow: type[MagpieState]) -> None:
    """The bot answers each question legally and within its time, although the game's code is slow: the call is broken
    off.
    """
    bot = SearchBot(ms=100)
    bot.tracker, bot.sides = StateTracker(Magpie(slow)), ((0,), (1,))

    for question in ask_questions():
        began = time.process_time()
        answer = bot.choose(question)

        assert question.decision_ms == LIMIT_S * 1000
        assert time.process_time() - began < LIMIT_S
        assert isinstance(answer.choice, int)
        assert 0 <= answer.choice < len(question.legal)


def test_a_block_that_ends_in_time() -> None:
    """A limit ends with its block."""
    timer = ProcessorTimer()
    with timer.limit(0.2):
        pass

    compute(0.4)


def test_a_block_that_takes_too_long() -> None:
    """The block is left by `OutOfTime`, and the same timer can be used again."""
    timer = ProcessorTimer()
    for _ in range(2):
        with pytest.raises(OutOfTime), timer.limit(0.05):
            compute(SLOW_S)
