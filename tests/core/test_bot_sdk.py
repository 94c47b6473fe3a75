"""The bot SDK, as real programs: output of a bot does not break the protocol, and errors name its mistakes."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

import pytest
from msgspec.structs import replace

from pitboss.action_range import RangedEntry
from pitboss.protocol.connection import RunnerConnection
from pitboss.protocol.messages import Act, Bye, End, Faulted, FromBot, FromRunner
from tests.core.sample_messages import DECIDE, END, FAULT, HELLO, START
from tests.marks import first_rows
from tests.mistakes import each_mistake

pytestmark = pytest.mark.once

GAME: Final[tuple[FromRunner, ...]] = (HELLO, START, DECIDE, replace(DECIDE, id=8), END, Bye())
HEAD: Final = "import os, sys\nfrom pitboss.bot import AnnotatedChoice, Question, run\n"
TIMEOUT_S: Final = 600  # seconds until a hanging bot fails its test


class BotRun(NamedTuple):
    """How a bot's program went."""

    lines: list[bytes]
    stderr: str
    status: int


def write_bot(folder: Path, source: str) -> list[str]:
    """Write a bot's program and return its command."""
    program = folder / "bot.py"
    program.write_text(HEAD + source)
    return [sys.executable, str(program)]


def run_bot(folder: Path, source: str, messages: Sequence[FromRunner] = GAME, extra_bytes: bytes = b"") -> BotRun:
    """Run a bot's program on everything that a runner says, and some bytes more."""
    runner = RunnerConnection()
    spoken = b""
    for message in messages:
        spoken += runner.send(message)
        runner.phase = {"greeting": "idle", "asking": "playing"}.get(runner.phase, runner.phase)  # type: ignore[assignment]
    buffered = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    command = write_bot(folder, source)
    done = subprocess.run(
        command, input=spoken + extra_bytes, capture_output=True, timeout=TIMEOUT_S, check=False, env=buffered
    )
    return BotRun(done.stdout.splitlines(keepends=True), done.stderr.decode(), done.returncode)


def parse_answers(lines: Sequence[bytes]) -> list[FromBot | None]:
    """Return what a runner hears, line by line."""
    runner = RunnerConnection()
    runner.phase, heard = "greeting", []
    for question, line in enumerate(lines, 6):
        heard.append(runner.receive(line))
        runner.phase, runner.question_id = "asking", question + 1
    return heard


def bot_source(body: str, options: str = "") -> str:
    """Return a bot whose `choose` has this body."""
    return f"def choose(question: Question):\n    {body}\nrun(choose{options})\n"


def test_a_small_bot(tmp_path: Path) -> None:
    """A small bot greets, answers each question by its number, and ends at `bye` without output."""
    bot = run_bot(tmp_path, bot_source("return 1"))

    assert [type(answer).__name__ for answer in parse_answers(bot.lines)] == ["Ready", "Act", "Act"]
    assert parse_answers(bot.lines)[1:] == [Act(id=7, choose=1), Act(id=8, choose=1)]
    assert (bot.stderr, bot.status) == ("", 0)


def test_a_bot_that_says_who_it_is(tmp_path: Path) -> None:
    """The greeting of a bot has its name, its version and what it wants."""
    bot = run_bot(tmp_path, bot_source("return 0", ", name='ann', version='2', want='events'"))

    assert bot.lines[0] == b'{"type":"ready","name":"ann","version":"2","want":"events"}\n'


STATED: Final = "return AnnotatedChoice(1, policy=[(0, 0.25), ({**question.legal[1]}, 0.75)])"


@pytest.mark.parametrize(
    ("hello", "options", "is_stated"),
    [
        (replace(HELLO, policy=True), ", states_policies=True", True),
        (HELLO, ", states_policies=True", False),
        (replace(HELLO, policy=False), ", states_policies=True", False),
        (replace(HELLO, policy=True), "", False),
    ],
    ids=["agreed", "not offered", "refused", "not announced"],
)
def test_a_bot_with_policies(hello: FromRunner, options: str, is_stated: bool, tmp_path: Path) -> None:
    """A bot states policies if the runner offers to take them and the bot announces them; otherwise its messages have
    none.
    """
    bot = run_bot(tmp_path, bot_source(STATED, options), (hello, *GAME[1:]))

    policy = b',"policy":[[0,0.25],[{"do":"lay","place":1},0.75]]'
    agreement = b',"policy":true'
    assert bot.lines[:2] == [
        b'{"type":"ready","name":"","version":"","want":"view"%b}\n' % (agreement if is_stated else b""),
        b'{"type":"act","id":7,"choose":1,"note":null%b}\n' % (policy if is_stated else b""),
    ]


def test_what_a_decision_holds(tmp_path: Path) -> None:
    """A decision holds all of the question, as plain data, and the table and game that it belongs to."""
    body = (
        "print([getattr(question, name) for name in question.__struct_fields__[:7]], "
        "question.hello.game, question.start.players)"
    )

    bot = run_bot(
        tmp_path, bot_source(f"{body}\n    print(len(question.events), question.events[1].card)\n    return 0")
    )

    assert "[{'do': 'draw'}, {'do': 'lay', 'place': 1}], {'nest': ['C1', 'C4'], 'stock': 9}, [Deal(" in bot.stderr
    assert "], 1, 'draw', 10, 99] magpie ['ann', 'bob']\n11 7\n" in bot.stderr


def test_when_games_begin_and_end(tmp_path: Path) -> None:
    """`on_start` has the table and the game, `on_end` the result."""
    hooks = "lambda hello, start: print('start', hello.seats, start.game_id)", "lambda end: print('end', end.places)"

    bot = run_bot(tmp_path, bot_source("return 0", f", on_start={hooks[0]}, on_end={hooks[1]}"))

    assert (bot.stderr, bot.status) == ("start 2 3\nend [1, 2]\n", 0)


def test_what_is_done_before_it_is_ready(tmp_path: Path) -> None:
    """`on_hello` has the table, and has ended when the bot says that it is ready."""
    hook = "lambda hello: (print('hello', hello.seats), os.write(wire, b'{}'))"
    source = "import os\nwire = os.dup(1)\n" + bot_source("return 0", f", on_hello={hook}")

    bot = run_bot(tmp_path, source)

    assert (bot.stderr, bot.status) == ("hello 2\n", 0)
    assert bot.lines[0].startswith(b'{}{"type":"ready"')


@first_rows(2)(
    "choice",
    [
        "1",
        "{'place': 1, 'do': 'lay'}",
        "question.legal[1]",
        "question.legal[-1]",
        "AnnotatedChoice(1, '')",
        "type('N', (), {'__index__': lambda s: 1})()",
    ],
)
def test_ways_to_choose(tmp_path: Path, choice: str) -> None:
    """A bot may choose by an index, an action as listed, or an equal one of its own: the runner gets the index."""
    bot = run_bot(tmp_path, bot_source(f"return {choice}"))

    assert parse_answers(bot.lines)[1:] == [Act(id=7, choose=1), Act(id=8, choose=1)]


def test_a_choice_with_a_note(tmp_path: Path) -> None:
    """The note of a choice goes along, cut to what the wire takes."""
    bot = run_bot(tmp_path, bot_source("return AnnotatedChoice({'do': 'draw'}, 'n' * 600)"))

    assert parse_answers(bot.lines)[1] == Act(id=7, choose=0, note="n" * 500)


PRINTING: Final = {
    "print": "print('hello')",
    "print, flushed": "print('hello', flush=True)",
    "sys.stdout.write": "sys.stdout.write('hello\\n')",
    "sys.__stdout__": "sys.__stdout__.write('hello\\n')",
    "the bytes of standard output": "sys.stdout.buffer.write(b'hello\\n')",
    "descriptor 1": "os.write(1, b'hello\\n')",
    "a program that echoes": "import subprocess; subprocess.run(['echo', 'hello'])",
    "the shell": "os.system('echo hello')",
    "C": "import ctypes; c = ctypes.CDLL(None); c.printf(b'hello\\n'); c.fflush(None)",
    "logging": "import logging; logging.warning('hello')",
}


@first_rows(2)("how", PRINTING)
def test_a_bot_that_prints(tmp_path: Path, how: str) -> None:
    """The wire carries messages alone; what was printed is on standard error."""
    bot = run_bot(tmp_path, bot_source(f"{PRINTING[how]}; return 0"))

    assert [type(answer).__name__ for answer in parse_answers(bot.lines)] == ["Ready", "Act", "Act"]
    assert bot.stderr.count("hello") == 2
    assert bot.status == 0


def test_printed_before_it_runs(tmp_path: Path) -> None:
    """Output that a bot prints while it loads, without flushing it, goes to standard error too."""
    bot = run_bot(tmp_path, "print('loading')\n" + bot_source("return 0"))

    assert len(parse_answers(bot.lines)) == 3
    assert bot.stderr == "loading\n"


def test_printed_just_before_a_crash(tmp_path: Path) -> None:
    """Nothing printed is lost, however the program ends."""
    bot = run_bot(tmp_path, bot_source("print('about to crash'); os._exit(3)"))

    assert (bot.stderr, bot.status) == ("about to crash\n", 3)


def test_a_bot_that_reads_standard_input(tmp_path: Path) -> None:
    """A bot and the programs that it starts find an empty standard input: the questions are the wire's."""
    nothing = "os.path.samestat(os.fstat(0), os.stat(os.devnull))"
    read = "repr(sys.stdin.read()), subprocess.run(['cat'], stdout=-1).stdout"
    body = f"import subprocess; print({read}, {nothing}); return 0"

    bot = run_bot(tmp_path, bot_source(body))

    assert len(parse_answers(bot.lines)) == 3
    assert bot.stderr == "'' b'' True\n" * 2


@each_mistake(__file__, "choices", quick=3)
def test_a_choice_that_cannot_be(tmp_path: Path, written: str, said: str) -> None:
    """The error about a choice that cannot be names what was returned and what is allowed; the status is not 0, and
    nothing is answered.
    """
    bot = run_bot(tmp_path, bot_source(f"return {written}"))

    assert said in bot.stderr
    assert bot.stderr.endswith("one of the actions in question.legal: [{'do': 'draw'}, {'do': 'lay', 'place': 1}]\n")
    assert (len(bot.lines), bot.status) == (1, 1)


def test_many_actions_in_an_error(tmp_path: Path) -> None:
    """An error about many actions is cut to a length that a person can read."""
    bot = run_bot(
        tmp_path,
        bot_source("return -1"),
        (HELLO, START, replace(DECIDE, legal=[{"do": f"word{n}"} for n in range(10_000)])),
    )

    assert "0..9999" in bot.stderr
    assert len(bot.stderr) < 3000


def test_a_bug_in_the_bot(tmp_path: Path) -> None:
    """The traceback of a bug in the bot is on standard error, to the line of the author's code; the status is not 0."""
    bot = run_bot(tmp_path, bot_source("return question.view['rak']"))

    assert "in choose\n    return question.view['rak']" in bot.stderr
    assert bot.stderr.endswith("KeyError: 'rak'\n")
    assert bot.status == 1


def test_a_name_too_long(tmp_path: Path) -> None:
    """The bot's author reads that the name is too long, before the runner gets it."""
    bot = run_bot(tmp_path, bot_source("return 0", ", name='n' * 81"))

    assert "is longer than 80 characters" in bot.stderr
    assert (bot.lines, bot.status) == ([], 1)


@pytest.mark.parametrize(
    ("said", "more"), [((), b""), (GAME[:1], b""), (GAME[:3], b""), (GAME[:2], b'{"type":"dec')], ids=str
)
def test_the_runner_is_gone(tmp_path: Path, said: Sequence[FromRunner], more: bytes) -> None:
    """A bot ends silently at the end of input, even within a line, with status 0."""
    bot = run_bot(tmp_path, bot_source("return 0"), said, more)

    assert (bot.stderr, bot.status) == ("", 0)


def test_nobody_reads_the_answer(tmp_path: Path) -> None:
    """A bot whose pipe is broken ends silently too."""
    hello = RunnerConnection().send(HELLO)
    with subprocess.Popen(
        write_bot(tmp_path, bot_source("return 0")),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as bot:
        assert bot.stdin and bot.stdout and bot.stderr
        bot.stdout.close()
        bot.stdin.write(hello)
        bot.stdin.close()

        assert bot.stderr.read() == b""
        assert bot.wait(TIMEOUT_S) == 0


def test_what_a_later_runner_says_more(tmp_path: Path) -> None:
    """Fields that the SDK does not know are ignored."""
    hello = RunnerConnection().send(HELLO).replace(b'"game"', b'"weather":[1,{"rain":true}],"game"')

    bot = run_bot(tmp_path, bot_source("return 0"), (), hello)

    assert (len(bot.lines), bot.stderr, bot.status) == (1, "", 0)


def test_a_runner_of_another_protocol(tmp_path: Path) -> None:
    """The bot says so in one line and ends."""
    bot = run_bot(tmp_path, bot_source("return 0"), (replace(HELLO, protocol=2),))

    assert bot.stderr == "the runner speaks protocol 2; this Pitboss speaks protocol 1\n"
    assert (bot.lines, bot.status) == ([], 1)


def test_a_runner_that_breaks_the_protocol(tmp_path: Path) -> None:
    """The bot says so in one line, without a traceback."""
    bot = run_bot(tmp_path, bot_source("return 0"), (HELLO,), b"nonsense\n")

    assert bot.stderr.startswith("the runner broke the protocol: the line 'nonsense\\n' is not a message")
    assert (bot.stderr.count("\n"), bot.status) == (1, 1)


def test_a_fault(tmp_path: Path) -> None:
    """A fault that the runner found is on standard error."""
    bot = run_bot(tmp_path, bot_source("return 0"), (HELLO, START, Faulted(fault=FAULT)))

    assert bot.stderr == "the runner found fault: it took 12 ms; 10 were allowed\n"


def test_ctrl_c(tmp_path: Path) -> None:
    """A bot that is interrupted ends quietly, with the status of an interrupted program."""
    bot = run_bot(tmp_path, bot_source("import signal; os.kill(os.getpid(), signal.SIGINT)\n    while True: pass"))

    assert (bot.stderr, bot.status) == ("", 130)


def test_started_by_hand_at_a_terminal(tmp_path: Path) -> None:
    """One sentence tells the person how a bot is run."""
    person, terminal = pty.openpty()
    command = write_bot(tmp_path, bot_source("return 0"))
    try:
        with subprocess.Popen(command, stdin=terminal, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as bot:
            os.write(person, b"\x04")  # Ctrl-D
            out, err = bot.communicate(timeout=TIMEOUT_S)
    finally:
        os.close(person)
        os.close(terminal)

    hint = f'{command[1]} is a bot: let a runner start it, as in `pitboss match GAME "python {command[1]}" BOT`\n'
    assert (out, err.decode(), bot.returncode) == (b"", hint, 0)


def test_two_games_in_one_process(tmp_path: Path) -> None:
    """State of the bot's own lives on from game to game."""
    source = "games = []\n" + bot_source(
        "return len(games) - 1", ", on_start=lambda hello, start: games.append(start.game_id)"
    )
    second = (replace(START, game_id=4), replace(DECIDE, id=9), End(game_id=4, places=[1, 1], points=[0.0, 0.0]))

    bot = run_bot(tmp_path, source, (*GAME[:3], END, *second, Bye()))

    assert bot.lines[1:] == [
        b'{"type":"act","id":7,"choose":0,"note":null}\n',
        b'{"type":"act","id":9,"choose":1,"note":null}\n',
    ]


RANGED: Final = replace(
    DECIDE,
    legal=[{"do": "fold"}, {"do": "raise", "to": [20, 90]}],
    ranges=[RangedEntry(1, "to")],
)


@pytest.mark.parametrize(
    ("choice", "act"),
    [
        ("1", Act(id=7, choose=1)),
        ("{'to': 20, 'do': 'raise'}", Act(id=7, action={"do": "raise", "to": 20})),
        ("{'do': 'raise', question.ranges[1]: 90}", Act(id=7, action={"do": "raise", "to": 90})),
        ("question.legal[0]", Act(id=7, choose=0)),
    ],
)
def test_a_number_of_a_range(tmp_path: Path, choice: str, act: Act) -> None:
    """A bot sends an action of a range as it is; an index chooses the entry."""
    bot = run_bot(tmp_path, bot_source(f"return {choice}"), (HELLO, START, RANGED, Bye()))

    assert parse_answers(bot.lines)[1:] == [act]


@pytest.mark.parametrize("number", ["19", "91", "20.5", "True", "[20, 90]"])
def test_a_number_beyond_a_range(tmp_path: Path, number: str) -> None:
    """A number beyond a range is refused where it was chosen; the error says that an action holds one number."""
    bot = run_bot(tmp_path, bot_source(f"return {{'do': 'raise', 'to': {number}}}"), (HELLO, START, RANGED, Bye()))

    if number == "[20, 90]":  # the entry itself is its index
        assert parse_answers(bot.lines)[1:] == [Act(id=7, choose=1)]
    else:
        assert bot.status == 1
        assert "an action has one number of a range [lowest, highest]" in bot.stderr
