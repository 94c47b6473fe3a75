"""The SDK as one file: made from `pitboss.bot` alone, it needs nothing and says what the SDK says."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import Final, get_args

import msgspec
import pytest

import pitboss.bot
from pitboss.protocol import messages
from pitboss.protocol.connection import RunnerConnection
from pitboss.protocol.messages import Bye, Decide, Faulted, FromBot, FromRunner
from pitboss_tournament.authoring.templates import (
    OLDEST_PYTHON,
    SDK_FILE,
    STAND_INS,
    is_replaced,
    list_imports,
    render_sdk,
)
from tests.core.sample_messages import DECIDE, END, FAULT, HELLO, START
from tests.marks import first_rows

TEXT: Final = render_sdk()
SOURCE: Final = Path(pitboss.bot.__file__).read_text(encoding="utf-8")
QUESTION: Final = msgspec.structs.replace(
    DECIDE,
    id=8,
    legal=[{"do": "fold"}, {"do": "raise", "to": [20, 90]}],
    ranges=[pitboss.action_range.RangedEntry(1, "to")],
)
OFFER: Final = msgspec.structs.replace(HELLO, policy=True)
GAME: Final[tuple[FromRunner, ...]] = (OFFER, START, DECIDE, QUESTION, END, Bye())
TIMEOUT_S: Final = 600  # only a bot that hangs ever takes so long

BOTS: Final = {
    "an index": "choose = lambda question: 1\nrun(choose, name='ann', want='both')",
    "an action": "choose = lambda question: question.legal[-1] if not question.ranges else {'do': 'raise', 'to': 33}\n"
    "run(choose)",
    "a note": "choose = lambda question: AnnotatedChoice(0, 'é' * 600)\nrun(choose)",
    "a policy": "choose = lambda question: AnnotatedChoice(1, policy=[(0, 0.25), ({**question.legal[1]}, 0.75)])\n"
    "run(choose, states_policies=True)",
    "a policy that it did not announce": "run(lambda question: AnnotatedChoice(0, policy=[(0, 1.0)]))",
    "what it knows": """
def choose(question):
    print(question.seat, question.phase, question.legal, question.view, question.decision_ms, question.game_ms)
    print(question.together, question.ranges, question.hello.options, question.hello.clock.start_ms)
    print(question.start.players, question.start.seed)
    return 0
run(choose, on_hello=lambda hello: print(hello.game, hello.seats), on_start=lambda hello, start: print(start.game_id),
    on_end=lambda end: print(end.places, end.points, end.faults[0].message))
""",
    "what is illegal": "run(lambda question: 9)",
    "no choice": "run(lambda question: 'none')",
    "a long line": "run(lambda question: {'do': 'raise', 'to': 21} if question.ranges else 0, name='n' * 99)",
}


def run_program(
    folder: Path, module: str, source: str, messages: Sequence[FromRunner]
) -> tuple[list[FromBot], list[str], int]:
    """Return what a bot with the SDK of a module says, its standard error without tracebacks, and its status."""
    program = folder / "bot.py"
    program.write_text(f"from {module} import AnnotatedChoice, run\n{source}\n", encoding="utf-8")
    flags = ["-S"] if module == "pitboss_bot" else []  # without the packages that are installed
    runner, spoken = RunnerConnection(), b""
    for message in messages:
        spoken += runner.send(message)
        runner.phase = {"greeting": "idle", "asking": "playing"}.get(runner.phase, runner.phase)  # type: ignore[assignment]
    done = subprocess.run(
        [sys.executable, *flags, str(program)], input=spoken, capture_output=True, timeout=TIMEOUT_S, check=False
    )
    said = [line for line in done.stderr.decode().splitlines() if not line.startswith((" ", "Traceback"))]
    return [msgspec.json.decode(line, type=FromBot) for line in done.stdout.splitlines()], said, done.returncode


def load_standalone_sdk() -> ModuleType:
    """Return the module, executed."""
    module = ModuleType("pitboss_bot")
    exec(compile(TEXT, SDK_FILE, "exec"), vars(module))
    return module


def test_it_needs_nothing() -> None:
    """The standalone SDK imports only from the standard library, and the oldest Python that it promises can read it."""
    oldest = tuple(map(int, OLDEST_PYTHON.split(".")))
    tree = ast.parse(TEXT, feature_version=(oldest[0], oldest[1]))

    imported = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    imported |= {str(node.module) for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert {name.partition(".")[0] for name in imported} - {"pitboss_bot"} <= sys.stdlib_module_names


def test_it_is_the_sdk() -> None:
    """The standalone SDK has all that `pitboss.bot` defines word for word, and defines what that imports
    from Pitboss.
    """
    defined = vars(load_standalone_sdk())
    replaced = {alias.name for node in list_imports(SOURCE) if is_replaced(node) for alias in node.names}

    assert replaced - set(defined) == set()
    for node in ast.parse(SOURCE).body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AnnAssign):
            assert str(ast.get_source_segment(SOURCE, node)) in TEXT


def test_the_stand_ins_agree_with_the_protocol() -> None:
    """Numbers are the same, and the line about each message names its fields."""
    module = load_standalone_sdk()
    stand_ins = {node.name: node for node in ast.parse(STAND_INS.read_text()).body if isinstance(node, ast.ClassDef)}

    assert module.PROTOCOL_VERSION == messages.PROTOCOL_VERSION
    assert module.MAX_BOT_LINE_BYTES == messages.MAX_BOT_LINE_BYTES
    assert get_args(module.Want) == get_args(messages.Want)
    for kind in (*get_args(FromRunner), *get_args(FromBot)):
        told = str(ast.get_docstring(stand_ins[kind.__name__])).replace(",", " ").replace(".", " ").split()
        assert {one.name for one in msgspec.structs.fields(kind)} <= set(told)


@pytest.mark.parametrize(
    "message", [OFFER, START, QUESTION, END, Faulted(fault=FAULT)], ids=lambda one: type(one).__name__
)
def test_a_message_of_the_runner(message: FromRunner) -> None:
    """A message as the standalone SDK reads it has the values of the runner's message, nested ones too."""
    read = load_standalone_sdk().BotConnection().receive(msgspec.json.encode(message))

    for one in msgspec.structs.fields(type(message)):
        if getattr(message, one.name) is msgspec.UNSET:
            assert getattr(read, one.name) is None
        elif not (isinstance(message, Decide) and one.name in ("events", "together")):
            assert msgspec.json.encode(getattr(read, one.name), enc_hook=vars) == msgspec.json.encode(
                getattr(message, one.name)
            )


@pytest.mark.once
@first_rows(2)("bot", BOTS)
def test_a_bot_with_either_sdk(bot: str, tmp_path: Path) -> None:
    """A bot sends the same messages and fails with the same errors with either SDK, although one finds no packages."""
    (tmp_path / SDK_FILE).write_text(TEXT, encoding="utf-8")

    said, errors, status = run_program(tmp_path, "pitboss_bot", BOTS[bot], GAME)

    assert (said, errors, status) == run_program(tmp_path, "pitboss.bot", BOTS[bot], GAME)
    assert said or status


@pytest.mark.once
def test_a_line_that_is_no_message(tmp_path: Path) -> None:
    """The program ends and says so; a message of a later protocol is passed over."""
    (tmp_path / SDK_FILE).write_text(TEXT, encoding="utf-8")
    (tmp_path / "bot.py").write_text("from pitboss_bot import run\nrun(lambda question: 0)\n", encoding="utf-8")

    done = subprocess.run(
        [sys.executable, "-S", str(tmp_path / "bot.py")],
        input=b'{"type":"weather"}\n[1]\n',
        capture_output=True,
        timeout=TIMEOUT_S,
        check=False,
    )

    assert (done.stdout, done.returncode) == (b"", 1)
    assert done.stderr == b"the runner broke the protocol: the line b'[1]\\n' is not a message\n"
