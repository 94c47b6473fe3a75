"""What every bot must bear on the wire: the example bots and the house's, beside a runner that is newer, slower or
gone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

import pytest

from pitboss.protocol.messages import Bye, Start
from tests.bots.blocking_runner import NAMES, BlockingBot, add_fields, make_question
from tests.bots.conftest import ProgramFinder
from tests.bots.test_example_bots import EXAMPLES

pytestmark = pytest.mark.once

LEGAL: Final = [{"do": "declare"}, {"do": "wait"}]  # the phase of Rack-O in which no view is needed
START: Final = Start(game_id=1, seat=0, players=list(NAMES), seed="seed/é")
OPTIONS: Final = {"deck_size": 40, "min_run": 0}


@pytest.fixture(params=[*EXAMPLES, "house:random", "house:first"])
def bot(request: pytest.FixtureRequest, program: ProgramFinder) -> Iterator[BlockingBot]:
    """Seat each bot in turn; it is killed after the test."""
    with BlockingBot(program(request.param)) as seated:
        yield seated


def gets_legal_answer(bot: BlockingBot, number: int, transform: Callable[[bytes], bytes] = bytes) -> bool:
    """Ask a question, its line changed on the way, and tell whether its number and a legal choice came back."""
    bot.send_bytes(transform(bot.end.send(make_question(number, 0, "declare", LEGAL))))
    act = bot.read_message()
    index = getattr(act, "choose", None)
    action = getattr(act, "action", None)
    return getattr(act, "id", None) == number and (index in (0, 1) or action in LEGAL)


def test_fields_of_a_later_protocol(bot: BlockingBot) -> None:
    """Fields that the bot does not know are ignored, in every message and whatever is in them."""
    more = {
        "x": None,
        "deep": [{"type": "bye", "id": 7, "legal": [0] * 9}],
        "text": 'odd ", "type":"bye","id":9,"legal":[{',
        "n": 1e300,
    }
    bot.greet(0, 2, options={**OPTIONS, "new": more})

    bot.send_bytes(add_fields(bot.end.send(START), more))

    assert gets_legal_answer(bot, 1, lambda line: add_fields(line, more))
    assert gets_legal_answer(bot, 2)


def test_a_second_game_in_the_same_process(bot: BlockingBot) -> None:
    """A bot plays on after `end` and another `start`."""
    bot.greet(0, 2, options=OPTIONS)
    for number in range(1, 4):
        bot.send_message(START)
        assert gets_legal_answer(bot, number)
        bot.send_bytes(b'{"type":"end","game_id":1,"places":[1,1],"points":[5,5],"faults":[]}\n')
        bot.end.phase = "idle"


def test_a_very_long_line(bot: BlockingBot) -> None:
    """A line of 200 KB is read as any other."""
    bot.greet(0, 2, options=OPTIONS)
    bot.send_message(START)

    assert gets_legal_answer(bot, 1, lambda line: add_fields(line, {"padding": "[é{" * 50_000}))
    assert gets_legal_answer(bot, 2)


def test_a_line_in_two_halves(bot: BlockingBot) -> None:
    """A line may come in pieces, and a piece may end within a character."""
    bot.greet(0, 2, options=OPTIONS)

    for line in (bot.end.send(START), bot.end.send(make_question(1, 0, "declare", LEGAL))):
        cut = line.find("ë".encode()) + 1 or len(line) // 2
        bot.send_bytes(line[:cut])
        bot.wait_until_read()
        bot.send_bytes(line[cut:])

    assert getattr(bot.read_message(), "id", None) == 1


def test_two_lines_at_once(bot: BlockingBot) -> None:
    """Several lines may come in one piece, the last of them `bye`: all are heard."""
    bot.greet(0, 2, options=OPTIONS)
    bot.send_bytes(bot.end.send(START) + bot.end.send(make_question(1, 0, "declare", LEGAL)) + b'{"type":"bye"}\n')

    assert getattr(bot.read_message(), "id", None) == 1
    assert bot.wait_exit_status() == 0


def test_bye(bot: BlockingBot) -> None:
    """At `bye` the bot ends by itself, although its pipes are open."""
    bot.greet(0, 2, options=OPTIONS)
    bot.send_message(Bye())

    assert bot.wait_exit_status() == 0


def test_the_end_of_the_pipe(bot: BlockingBot) -> None:
    """When the runner has gone the bot ends by itself, even in the middle of a game."""
    bot.greet(0, 2, options=OPTIONS)
    bot.send_message(START)
    bot.stdin.close()

    assert bot.wait_exit_status() == 0


def test_a_runner_that_never_spoke(bot: BlockingBot) -> None:
    """A bot whose pipe is closed before anything was said ends without a word."""
    bot.stdin.close()

    assert bot.wait_exit_status() == 0
    assert bot.read_output() == b""


@pytest.mark.parametrize("name", [*EXAMPLES, "house:random", "house:first"])
def test_messages_of_a_later_protocol(name: str, program: ProgramFinder) -> None:
    """Types of messages that the bot does not know are ignored at any moment, and a second `start` begins anew."""
    with BlockingBot(program(name)) as bot:
        bot.greet(0, 2, options=OPTIONS)
        bot.send_bytes(b'{"type":"weather","id":1,"legal":[1,2,3],"sun":true}\n')
        start = bot.end.send(START)
        bot.send_bytes(start + start)

        assert gets_legal_answer(bot, 1)
