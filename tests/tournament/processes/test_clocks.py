"""What a bot is billed for: its own time, whoever else had the CPU or read late. All on simulated time."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitboss_tournament.processes.clocks import BLOCKED_SECONDS, STANDSTILL_SECONDS
from pitboss_tournament.processes.cpu import NO_USAGE, CpuUsage
from tests.tournament.simulated_time import SimulatedQuestion, has_no_output, has_output


def test_waiting_for_a_cpu_is_not_billed() -> None:
    """Beside others that want the same CPU, a bot is billed for what it computed."""
    question = SimulatedQuestion()
    question.wait_in_loop(0.3, computed=0.06, waited=0.24)

    assert question.settle(has_waited=True) == pytest.approx((0.06, 0.0))


def test_sleep_is_billed() -> None:
    """A bot that lets time pass has used it."""
    question = SimulatedQuestion()
    question.wait_in_loop(0.3, computed=0.01)

    assert question.settle(has_waited=True) == pytest.approx((0.3, 0.0))


def test_threads_that_keep_each_other_waiting_gain_nothing() -> None:
    """The computed time of all threads is billed, whatever the busiest of them waited for."""
    question = SimulatedQuestion()
    question.wait_in_loop(0.3, computed=0.28, waited=0.22)

    assert question.settle(has_waited=True).billed == pytest.approx(0.28)


def test_more_threads_than_cpus_cost_no_more_than_wall_time() -> None:
    """Four CPUs at once are billed as the time that passed."""
    question = SimulatedQuestion()
    question.wait_in_loop(0.1, computed=0.4)

    assert question.settle(has_waited=True).billed == pytest.approx(0.1)


def test_sleep_between_short_computing_is_billed_however_busy_the_runner_is() -> None:
    """A bot that wakes now and then is late in time, also where the runner itself hardly gets a CPU."""
    question = SimulatedQuestion(limit=1.0)
    for _ in range(12):
        question.runner_delay += 0.1
        question.wait_in_loop(0.11, computed=0.001)
        question.timer.check_deadline(has_no_output)

    assert question.timer.lateness == "bot"


def test_children_are_billed() -> None:
    """The computing of a child that was not known when the question began is billed as well."""
    question = SimulatedQuestion()
    question.bot.unseen = 0.25
    question.wait_in_loop(0.3, computed=0.03, waited=0.27)

    assert question.settle(has_waited=True).billed == pytest.approx(0.28)


def test_without_a_gauge_wall_time_counts() -> None:
    """The wall clock decides where the system does not tell CPU times."""
    question = SimulatedQuestion(has_gauge=False)
    question.wait_in_loop(0.3, computed=0.06, waited=0.24)

    assert question.settle(has_waited=True) == pytest.approx((0.3, 0.0))
    assert question.timer.runnable_seconds() == 0.0


def test_a_runner_that_reads_late_is_not_billed_for() -> None:
    """An answer that arrived while the runner was busy is billed by what the bot computed; the rest is lag."""
    question = SimulatedQuestion()
    question.pass_time(0.2, computed=0.02)
    question.wait_in_loop(BLOCKED_SECONDS / 2)  # the data is there at once

    billed, lag = question.settle(has_waited=True)
    assert billed == pytest.approx(0.02)
    assert billed + lag == pytest.approx(0.2, abs=1e-3)


def test_an_answer_read_without_waiting_is_billed_in_full() -> None:
    """An answer that the first read finds is billed in full: nobody was late."""
    question = SimulatedQuestion()
    question.pass_time(0.2, computed=0.02)

    assert question.settle(has_waited=False) == pytest.approx((0.2, 0.0))


def test_a_runner_that_waited_for_a_cpu_is_not_billed_for() -> None:
    """The loop's wait ended late, because the runner's own process had to wait for a CPU."""
    question = SimulatedQuestion()
    question.runner_delay += 0.1
    question.wait_in_loop(0.3, computed=0.2)

    assert question.settle(has_waited=True) == pytest.approx((0.2, 0.1))


def test_a_runner_that_waited_for_a_cpu_before_it_read() -> None:
    """The answer was there when the runner got a CPU again, and did not have to be waited for."""
    question = SimulatedQuestion()
    question.pass_time(0.2, computed=0.001)
    question.runner_delay += 0.199

    assert question.settle(has_waited=False).billed == pytest.approx(0.001)


def test_a_look_at_a_bot_that_has_answered_costs_it_nothing() -> None:
    """The watchdog comes first when the runner gets a CPU again, while the answer is in the pipe."""
    question = SimulatedQuestion(limit=1.0)
    question.runner_delay += 1.4
    question.pass_time(1.4, computed=0.02)
    question.runner_delay += 0.1
    question.wait_in_loop(0.1)
    assert not question.timer.check_deadline(has_output)

    assert question.settle(has_waited=True).billed == pytest.approx(0.02)


def test_what_the_runner_waited_before_a_question_takes_nothing_off() -> None:
    """While quick bots play, the loop never sleeps, and each of them keeps the runner from its CPU; then one sleeps."""
    question = SimulatedQuestion()
    for _ in range(50):
        question.pass_time(0.000_5, computed=0.000_1)
        question.runner_delay += 0.000_1
        question.settle(has_waited=False)
        if question.clock.is_turn_over():
            question.wait_in_loop(0.0)
        question.timer.start(1.0)
    question.wait_in_loop(0.005)

    assert question.settle(has_waited=True).billed == pytest.approx(0.005, abs=0.001)


def test_what_the_runner_waited_before_it_saw_that_there_was_no_answer_takes_nothing_off() -> None:
    """A bot that sleeps on is billed for all of its sleep, also where the runner lost its CPU meanwhile."""
    question = SimulatedQuestion()
    question.runner_delay += 0.004
    question.pass_time(0.005)
    question.clock.note_times()
    question.timer.note_silence()
    question.wait_in_loop(0.005)

    assert question.settle(has_waited=True).billed == pytest.approx(0.01)


def test_a_runner_that_lost_its_cpu_in_the_wait_is_not_billed_for() -> None:
    """The answer was there before the wait, which took long because another process had the CPU."""
    question = SimulatedQuestion(limit=1.0)
    question.pass_time(1.4, computed=0.02, waited=0.6)
    question.clock.before_io_wait(0.0)
    question.runner_delay += 0.6
    question.pass_time(0.6)
    question.clock.after_io_wait(0.0)

    assert question.settle(has_waited=True).billed == pytest.approx(0.02)


def test_waits_that_overlap_are_subtracted_once() -> None:
    """Bot and runner share a CPU that others took for a while: it was the same while for both."""
    question = SimulatedQuestion()
    question.runner_delay += 0.1
    question.wait_in_loop(0.15, computed=0.05, waited=0.1)
    question.wait_in_loop(0.1)  # it sleeps

    assert question.settle(has_waited=True).billed == pytest.approx(0.15)


def test_a_fast_answer_is_billed_by_wall_time() -> None:
    """A fast answer is billed by wall time: in less than a millisecond nobody can take much, and the gauges are not
    asked.
    """
    question = SimulatedQuestion()
    question.wait_in_loop(0.0009, waited=0.0008)

    assert question.settle(has_waited=True) == pytest.approx((0.0009, 0.0))


def test_quick_questions_read_the_gauge_once_a_millisecond() -> None:
    """Times that are fresh need not be read again; those of a bot that computed or rested longer are."""
    question = SimulatedQuestion()
    for _ in range(9):
        question.wait_in_loop(0.0001, computed=0.0001)
        question.settle(has_waited=True)
        question.timer.start(1.0)
    assert question.bot.readings == 1

    question.wait_in_loop(0.001)
    question.settle(has_waited=True)
    question.pass_time(0.4, computed=0.3)
    question.timer.start(1.0)
    question.wait_in_loop(0.5, computed=0.2, waited=0.3)
    assert question.settle(has_waited=True) == pytest.approx((0.2, 0.0))


def test_a_pause_is_not_billed() -> None:
    """While the runner starts or ends another bot, the clock stands still."""
    question = SimulatedQuestion()
    question.wait_in_loop(0.1, computed=0.1)
    with question.clock.pause():
        question.time.advance(5.0)
    question.wait_in_loop(0.1, computed=0.1)

    assert question.settle(has_waited=True) == pytest.approx((0.2, 0.0))


def test_a_standstill_is_not_billed() -> None:
    """A standstill of the runner (Ctrl-Z and `fg`) is not billed to a bot that answered meanwhile."""
    question = SimulatedQuestion(limit=1.0)
    question.pass_time(0.3, computed=0.3)
    question.stand_still(40.0, computed=0.2)
    question.wait_in_loop(0.0)

    assert not question.timer.check_deadline(has_output)
    assert question.settle(has_waited=True).billed == pytest.approx(0.3)


@pytest.mark.parametrize("has_waited", [True, False])
def test_a_standstill_that_only_the_answer_ends(has_waited: bool) -> None:
    """The answer is read before the watchdog gets its turn, from the loop or without it."""
    question = SimulatedQuestion(limit=1.0)
    question.stand_still(4.0)
    if has_waited:
        question.wait_in_loop(0.3, computed=0.3)

    assert question.settle(has_waited).billed == pytest.approx(0.3 if has_waited else 0.0)


@pytest.mark.parametrize("has_waited", [True, False])
def test_a_standstill_that_began_before_the_question(has_waited: bool) -> None:
    """The clock is set back to a time before the question; neither the bill nor the lag is negative."""
    question = SimulatedQuestion(limit=1.0)
    question.stand_still(STANDSTILL_SECONDS / 2)
    question.timer.start(1.0)
    question.stand_still(4.0)
    if has_waited:
        question.wait_in_loop(0.0)

    assert question.settle(has_waited) == (0.0, 0.0)


def test_a_bot_that_was_stopped_with_the_runner() -> None:
    """A bot that was stopped with the runner keeps the time that it had left, and is billed only what it computes from
    then on; a longer stop than the runner's costs it nothing.
    """
    question = SimulatedQuestion(limit=1.0)
    question.pass_time(0.5, computed=0.5)
    question.stand_still(4.0)
    question.pass_time(3.0)
    assert not question.timer.check_deadline(has_no_output)

    question.wait_in_loop(0.4, computed=0.4)
    assert not question.timer.check_deadline(has_no_output)


def test_a_bot_that_loops_is_late_after_a_standstill() -> None:
    """A bot that loops gets the time that the runner stood still, and no more; its next question is as long as any."""
    question = SimulatedQuestion(limit=1.0)
    question.stand_still(4.0, computed=4.0)
    question.pass_time(4.9, computed=4.9)
    assert not question.timer.check_deadline(has_no_output)
    question.pass_time(0.2, computed=0.2)
    assert question.timer.check_deadline(has_no_output)
    assert question.timer.lateness == "bot"

    question.settle(has_waited=True)
    question.timer.start(1.0)
    question.pass_time(1.1)
    assert question.timer.check_deadline(has_no_output)


def test_a_runner_without_a_cpu_does_not_stand_still() -> None:
    """A bot that keeps the CPU from the runner gains nothing."""
    question = SimulatedQuestion(limit=1.0)
    question.runner_delay += 1.1
    question.pass_time(1.1, computed=1.1)

    assert question.timer.extra_seconds() == 0.0
    assert question.timer.check_deadline(has_no_output)


durations = st.floats(0.0, 1.0)


@given(durations, durations, durations, durations, durations, durations, st.booleans(), st.booleans())
def test_billing_is_within_bounds(
    busy: float,
    still: float,
    idle: float,
    computed: float,
    waited: float,
    runner_waited: float,
    is_runnable: bool,
    has_waited: bool,
) -> None:
    """The bill is never negative, and bill and lag together are never more than the wall time, whatever the gauges
    show.
    """
    question = SimulatedQuestion()
    question.bot.has_runnable_thread = is_runnable
    question.runner_delay += runner_waited
    question.pass_time(busy, computed, waited)
    question.stand_still(still, computed)
    question.wait_in_loop(idle, computed, waited)

    billed, lag = question.settle(has_waited)
    assert billed >= 0.0
    assert lag >= -1e-9
    assert billed + lag <= busy + idle + (still if still < STANDSTILL_SECONDS else 0.0) + 1e-9


def test_waiting_for_a_language_model_is_not_billed() -> None:
    """A wait for a language model is not billed, however long it takes; the bot is late only after all of its own time,
    before and after.
    """
    question = SimulatedQuestion(limit=1.0)
    question.wait_in_loop(0.3)
    question.timer.pause()
    question.wait_in_loop(60.0)
    assert not question.timer.check_deadline(has_no_output)
    question.timer.resume()
    question.wait_in_loop(0.6)

    assert not question.timer.check_deadline(has_no_output)
    question.wait_in_loop(0.2)
    assert question.timer.check_deadline(has_no_output)
    assert question.settle(has_waited=True) == pytest.approx((1.1, 0.0))


def test_computing_beside_a_language_model_is_billed() -> None:
    """A bot gains no time to think by asking its model, nor by not waiting for the answer."""
    question = SimulatedQuestion(limit=10.0)
    question.timer.pause()
    question.wait_in_loop(5.0, computed=2.0)

    assert question.settle(has_waited=True).billed == pytest.approx(2.0)


def test_usage_is_that_of_the_question() -> None:
    """The usage of a question leaves out what the bot computed before and after it."""
    question = SimulatedQuestion()
    question.settle(has_waited=False)
    question.pass_time(0.5, computed=0.3)

    assert question.timer.usage() == NO_USAGE
    question.timer.start(1.0)
    question.pass_time(0.4, computed=0.1, waited=0.2)
    assert question.timer.usage() == pytest.approx(CpuUsage(0.4, 0.3))


def test_a_turn_ends_after_a_millisecond() -> None:
    """A task that has held the loop for a while lets others run; one that has just begun goes on."""
    question = SimulatedQuestion()

    assert not question.clock.is_turn_over()
    question.time.advance(0.002)
    assert question.clock.is_turn_over()
