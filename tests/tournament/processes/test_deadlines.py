"""When a bot is late: once its own time is used up, and not by what the machine took. All on simulated time."""

from __future__ import annotations

from itertools import count

import pytest

from pitboss_tournament.processes.clocks import LATE_READ_GRACE, WALL_FACTOR, WALL_SECONDS
from tests.tournament.simulated_time import SimulatedQuestion, has_no_output, has_output


def test_a_deadline_moves_by_what_the_machine_took() -> None:
    """A bot that was kept from computing gets that time on top, and is late once it has used it."""
    question = SimulatedQuestion(limit=1.0)
    question.pass_time(1.1, computed=0.5, waited=0.6)

    assert not question.timer.check_deadline(has_no_output)
    question.pass_time(0.49, computed=0.49)
    assert not question.timer.check_deadline(has_no_output)
    question.pass_time(0.02, computed=0.02)
    assert question.timer.check_deadline(has_no_output)
    assert question.timer.lateness == "bot"
    assert question.settle(has_waited=True) == pytest.approx((1.01, 0.0))


def test_a_wait_that_lasts_is_not_billed() -> None:
    """A bot that has been waiting for a CPU since a while is not late, although the system does not count that yet."""
    question = SimulatedQuestion(limit=1.0)
    question.bot.has_runnable_thread = True
    question.pass_time(1.5, computed=0.01)

    assert not question.timer.check_deadline(has_no_output)
    question.wait_in_loop(0.5, computed=0.01, waited=1.98)
    assert question.settle(has_waited=True).billed == pytest.approx(0.02)


@pytest.mark.parametrize("looks", range(6))
@pytest.mark.parametrize("runner_waits", [0.0, 1.5])
@pytest.mark.parametrize("pause", [0.0, 0.01])
def test_a_wait_that_ends_while_the_runner_looks_is_not_billed(looks: int, runner_waits: float, pause: float) -> None:
    """Between any two looks of the runner the bot gets a CPU, and the runner has to wait for one.

    The bot answers then, or pauses before it does.
    """
    question = SimulatedQuestion(limit=1.0)
    bot, left = question.bot, count(looks, -1)
    bot.has_runnable_thread = True

    def compute_after_looks() -> None:
        if next(left) == 0:
            question.pass_time(0.0 if pause else runner_waits, computed=0.02, waited=1.5)
            question.runner_delay += runner_waits
            bot.has_runnable_thread = False

    bot.before_look = compute_after_looks
    question.pass_time(1.5)

    assert not question.timer.check_deadline(lambda: not bot.has_runnable_thread and not pause)
    while bot.has_runnable_thread:
        compute_after_looks()
    question.wait_in_loop(pause)
    assert question.settle(has_waited=True).billed < 0.04


def test_a_bot_that_sleeps_is_late() -> None:
    """Nobody keeps it from computing."""
    question = SimulatedQuestion(limit=1.0)
    question.pass_time(1.1, computed=0.01)

    assert question.timer.check_deadline(has_no_output)
    assert question.timer.lateness == "bot"


def test_a_sleeper_that_computes_when_it_is_looked_at_gains_a_look() -> None:
    """The sleep of a bot before the last look stays billed, though the bot computes when it is looked at."""
    question = SimulatedQuestion(limit=1.0)
    for _ in range(98):
        question.pass_time(0.01)
        assert not question.timer.check_deadline(has_no_output)
    question.bot.has_runnable_thread = True
    question.pass_time(0.01)
    assert not question.timer.check_deadline(has_no_output)
    question.pass_time(0.05, computed=0.05)

    assert question.timer.check_deadline(has_no_output)


def test_no_question_lasts_for_ever() -> None:
    """A question ends although the machine took all of the time, and that is the machine's fault."""
    question = SimulatedQuestion(limit=1.0)
    question.bot.has_runnable_thread = True
    question.pass_time(WALL_FACTOR + WALL_SECONDS - 0.1)
    assert not question.timer.check_deadline(has_no_output)
    question.pass_time(0.2)

    assert question.timer.check_deadline(has_no_output)
    assert question.timer.lateness == "machine"


def test_a_question_ends_once() -> None:
    """A bot that was late stays late, however long nobody takes notice of it."""
    question = SimulatedQuestion(limit=1.0)
    question.pass_time(1.1, computed=1.1)
    assert question.timer.check_deadline(has_no_output)
    question.bot.has_runnable_thread = True
    question.pass_time(WALL_FACTOR + WALL_SECONDS)

    assert not question.timer.check_deadline(has_no_output)
    assert question.timer.lateness == "bot"


def test_each_question_has_its_own_grace() -> None:
    """Each question has its own grace: what the last question was spared is not taken from the next."""
    question = SimulatedQuestion(limit=1.0)
    for _ in range(2):
        question.pass_time(1.1, computed=1.1)
        assert not any(question.timer.check_deadline(has_output) for _ in range(LATE_READ_GRACE))
        question.settle(has_waited=True)
        question.timer.start(1.0)


def test_an_answer_in_the_pipe_is_not_late() -> None:
    """An overdue bot whose answer only has to be read is spared a few times, not for ever."""
    question = SimulatedQuestion(limit=1.0)
    question.pass_time(1.1, computed=1.1)

    assert [question.timer.check_deadline(has_output) for _ in range(LATE_READ_GRACE + 1)] == [
        *[False] * LATE_READ_GRACE,
        True,
    ]


def test_without_a_question_nobody_is_late() -> None:
    """After the answer has been read, time may pass."""
    question = SimulatedQuestion(limit=1.0)
    question.settle(has_waited=False)
    question.pass_time(3_600.0)

    assert not question.timer.check_deadline(has_no_output)
