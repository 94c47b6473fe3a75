"""The conversation: what may be said when, for both ends, and what the errors say."""

from __future__ import annotations

import itertools
import re
from typing import Final

import pytest

from pitboss.errors import FloodedLine, MalformedLine, OutOfTurn
from pitboss.protocol.connection import BotConnection, ConnectionPhase, RunnerConnection
from pitboss.protocol.messages import MAX_BOT_LINE_BYTES, Act, FromBot, FromRunner, Ready
from tests.core.sample_messages import (
    CHOOSE,
    DECIDE,
    FROM_BOT,
    FROM_RUNNER,
    HELLO,
    PHASES,
    PLAY,
    READY,
    START,
    bring_to_phase,
)
from tests.mistakes import each_mistake

# The table of the module's docstring, written out once more.
RUNNER_MAY: Final = {
    "Hello": {"new": "greeting"},
    "Start": {"idle": "playing", "playing": "playing"},
    "Decide": {"playing": "asking"},
    "End": {"playing": "idle"},
    "Bye": {"idle": "over", "playing": "over"},
    "Faulted": {"new": "over", "greeting": "over", "idle": "over", "playing": "over", "asking": "over"},
}
BOT_MAY: Final = {"Ready": {"greeting": "idle"}, "Act": {"asking": "playing"}}


def parameter_id(part: object) -> str:
    """Return what a parameter is called in a test's name."""
    return part if isinstance(part, str) else type(part).__name__


def message_line(message: FromRunner | FromBot) -> bytes:
    """Return the line that a message is on the wire."""
    if isinstance(message, Ready | Act):
        return bring_to_phase(BotConnection(), "greeting" if isinstance(message, Ready) else "asking").send(message)
    [phase, *_] = RUNNER_MAY[type(message).__name__]
    return bring_to_phase(RunnerConnection(), phase).send(message)  # type: ignore[arg-type]


@pytest.mark.parametrize(("message", "phase"), list(itertools.product(FROM_RUNNER, PHASES)), ids=parameter_id)
def test_what_the_runner_says(message: FromRunner, phase: ConnectionPhase) -> None:
    """Both ends allow what the runner says in the same phases, and are in the same phase afterwards; elsewhere both
    refuse and stay.
    """
    runner, bot = bring_to_phase(RunnerConnection(), phase), bring_to_phase(BotConnection(), phase)
    after = RUNNER_MAY[type(message).__name__].get(phase)

    if after is None:
        with pytest.raises(OutOfTurn, match=f"while the conversation is '{phase}'; it may be said while"):
            runner.send(message)
        with pytest.raises(OutOfTurn, match=f"while the conversation is '{phase}'; it may be said while"):
            bot.receive(message_line(message))
        assert (runner.phase, bot.phase) == (phase, phase)
    else:
        assert bot.receive(runner.send(message)) == message
        assert (runner.phase, bot.phase) == (after, after)


@pytest.mark.parametrize(("message", "phase"), list(itertools.product(FROM_BOT, PHASES)), ids=parameter_id)
def test_what_the_bot_says(message: FromBot, phase: ConnectionPhase) -> None:
    """Both ends allow what the bot says in the same phases, and are in the same phase afterwards; elsewhere both refuse
    and stay.
    """
    runner, bot = bring_to_phase(RunnerConnection(), phase), bring_to_phase(BotConnection(), phase)
    after = BOT_MAY[type(message).__name__].get(phase)

    if after is None:
        with pytest.raises(OutOfTurn, match=f"while the conversation is '{phase}'; it may be said while"):
            bot.send(message)
        with pytest.raises(OutOfTurn, match=f"while the conversation is '{phase}'; it may be said while"):
            runner.receive(message_line(message))
        assert (runner.phase, bot.phase) == (phase, phase)
    else:
        assert runner.receive(bot.send(message)) == message
        assert (runner.phase, bot.phase) == (after, after)


def test_a_whole_conversation() -> None:
    """A conversation of two games in one process goes to its end."""
    runner, bot = RunnerConnection(), BotConnection()

    bot.receive(runner.send(HELLO))
    assert runner.receive(bot.send(READY)) == READY
    for _ in range(2):
        bot.receive(runner.send(START))
        for answer in (CHOOSE, PLAY):
            bot.receive(runner.send(DECIDE))
            assert runner.receive(bot.send(answer)) == answer
        bot.receive(runner.send(FROM_RUNNER[3]))
    bot.receive(runner.send(FROM_RUNNER[4]))

    assert runner.phase == bot.phase == "over"


def test_the_answer_to_an_old_question() -> None:
    """The answer to an old question is not taken for the answer to the new one; the error names both."""
    runner = bring_to_phase(RunnerConnection(), "asking")

    with pytest.raises(OutOfTurn, match="question 7 was asked; the answer is to question 6"):
        runner.receive(b'{"type":"act","id":6,"choose":0}\n')
    assert runner.phase == "asking"


def test_two_lines_at_once() -> None:
    """A bot says one thing at a time; the error about two lines shows both."""
    runner = bring_to_phase(RunnerConnection(), "greeting")

    with pytest.raises(OutOfTurn, match=r"more was said than one line: '\{' follows '\{\"type\":\"ready\"\}'"):
        runner.receive(b'{"type":"ready"}\n{')


def test_said_before_it_was_asked() -> None:
    """A message that a bot sends unasked is no answer to a later question."""
    runner = bring_to_phase(RunnerConnection(), "idle")

    with pytest.raises(OutOfTurn, match="'act' was said while the conversation is 'idle'; it may be said while asking"):
        runner.receive(b'{"type":"act","id":7,"choose":0}\n')


@each_mistake(__file__)
def test_a_line_that_is_no_message(written: str, said: str) -> None:
    """The error about a line that is no message shows the line, or its beginning, and says in one line what is wrong
    with it.
    """
    runner = bring_to_phase(RunnerConnection(), "asking")

    with pytest.raises(MalformedLine, match=re.escape(said)) as caught:
        runner.receive(written.encode() + b"\n")

    assert str(caught.value).startswith(f"the line '{written[:80]}")
    assert len(str(caught.value)) < 300
    assert "\n" not in str(caught.value)


def test_fields_that_a_bot_does_not_know() -> None:
    """A bot ignores fields that it does not know, so that a later runner can say more."""
    bot = BotConnection()

    heard = bot.receive(message_line(HELLO).replace(b'{"type"', b'{"weather":{"rain":[1]},"type"'))

    assert heard == HELLO


def test_a_line_too_long_to_send() -> None:
    """A bot's end refuses to send what the runner would refuse to read, and the conversation stays where it is."""
    bot = bring_to_phase(BotConnection(), "asking")

    with pytest.raises(FloodedLine, match=rf"the line has \d+ bytes; a bot may send {MAX_BOT_LINE_BYTES}"):
        bot.send(Act(id=7, action="x" * MAX_BOT_LINE_BYTES))
    assert bot.phase == "asking"


def test_numbers_beyond_all_measure() -> None:
    """Numbers of thousands of digits make no long error texts."""
    runner = bring_to_phase(RunnerConnection(), "asking")

    with pytest.raises((OutOfTurn, MalformedLine)) as caught:
        runner.receive(b'{"type":"act","id":' + b"9" * 4000 + b',"choose":0}\n')

    assert len(str(caught.value)) < 400


def test_a_message_of_a_later_protocol() -> None:
    """A type that a bot's end does not know is no message to it, at any moment; a runner's end refuses it."""
    bot = BotConnection()

    assert bot.receive(b'{"type":"weather","sun":true}\n') is None
    assert bot.phase == "new"
    with pytest.raises(MalformedLine, match="is not a message"):
        bring_to_phase(RunnerConnection(), "greeting").receive(b'{"type":"weather"}\n')


def test_the_runner_said_nonsense() -> None:
    """A bot's end says so too, and takes lines of any length."""
    bot = BotConnection()

    with pytest.raises(MalformedLine, match="is not a message"):
        bot.receive(b'{"typ":"hello"}\n')
    with pytest.raises(MalformedLine, match="is not a message"):
        bot.receive(b'{"type":"hello"}\n')
    assert bot.receive(message_line(HELLO)[:-2] + b',"more":"' + b"x" * 10 * MAX_BOT_LINE_BYTES + b'"}\n') == HELLO
