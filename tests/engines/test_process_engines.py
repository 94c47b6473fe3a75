"""Games whose rules are a program: what it leaves out is asked for, and whatever goes wrong is one clear error."""

from __future__ import annotations

import json
import os
import pickle
import re
import signal
import sys
import weakref
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event, Thread
from typing import Any, Final

import pytest
from msgspec.inspect import multi_type_info

from pitboss import Random
from pitboss.errors import EngineFailed, OptionError
from pitboss.foreign.engine_game import EngineGame
from pitboss.foreign.engine_state import EngineState
from pitboss.game import resolve_options
from pitboss.learning.batch import GameBatch
from pitboss.learning.learning_game import prepare_game
from pitboss.plugins.registry import Registry
from pitboss.testing.suite import check_game
from pitboss_engines.engine_program import EngineProgram
from pitboss_engines.engine_sandbox import BOT_MARK, enter_sandbox
from pitboss_engines.process_engine import DROPPED_AT_ONCE, ProcessEngine, ProcessPosition
from pitboss_tournament.processes import reaper
from pitboss_tournament.store.game_code import find_package
from tests import ROOT
from tests.engines.installed_coin import COIN_PROGRAM, WELL, install_coin
from tests.tournament.command_line import run_pitboss
from tests.tournament.sandbox_programs import needs_bubblewrap

pytestmark = pytest.mark.once

NEVER: Final = 600.0  # seconds; longer than any test waits


def make_engine(*way: str, answer_seconds: float = NEVER) -> ProcessEngine:
    """Return the engine of the program, which behaves in this way."""
    return ProcessEngine([sys.executable, str(COIN_PROGRAM), *way], folder=ROOT, answer_seconds=answer_seconds)


def deal(engine: ProcessEngine, **options: object) -> EngineState:
    """Begin a game."""
    game = EngineGame(engine)
    return game.deal(2, resolve_options(game, 2, overrides=options), Random("s"))


@pytest.mark.long
def test_the_suite_passes() -> None:
    """A program that tells only who decides is asked for all else, and keeps all promises of a game."""
    report = check_game(EngineGame(make_engine("well")), games=1, presets=())

    assert [f"{one.name}: {one.detail}" for one in report.failures] == []


FAULTS: Final = {
    "dies": r"ended in place of an answer \(status 1\); sent: .*\"do\":\"play\".*; its standard error ends: the deck",
    "crashes": r"ended in place of an answer \(SIGSEGV\)",
    "floods": r"wrote a line of more than 1,048,576 bytes; sent: .*; came: xxx",
    "chatters": r"wrote more than it was asked|a line that it was not asked for|not just one",
    "adds-a-line": r"wrote more than it was asked for|wrote a line that it was not asked for",
}
WRONG_ANSWERS: Final = {
    "coins!": r"gave a wrong answer \(JSON is malformed.*\); sent: .*; came: coins!",
    "[]": r"Expected `object`",
    '{"turn":[0]}': r"unknown field `turn`",
    '{"error":"I am tired"}': r"refused to answer; sent: .*; came: .*I am tired",
    '{"turns":[0],"points":[1,2]}': r"not just one",
    "{}": r"not just one",
    '{"turns":[2]}': r"named the turns \[2\]",
    '{"turns":[0,0]}': r"named the turns \[0, 0\] of 2 seats",
    '{"turns":[0],"moves":[[]]}': r"Expected `array` of length >= 1",
    '{"turns":[0],"moves":[]}': r"gave 0 lists of moves for turns \[0\]",
    '{"turns":[0],"seen":["one"]}': r"showed 1 sights to 2 seats",
    '{"points":[1]}': r"counted the points \[1.0\] for 2 seats",
    '{"points":[1e999,0]}': r"gave a wrong answer",
    '{"chance":[[0,0]]}': r"Expected `int` >= 1",
    '{"turns":[99999999999999999999999]}': r"named the turns \[9+\] of 2 seats",
    '{"turns":[0],"seen":[{"data":99999999999999999999999},""]}': r"gave a wrong answer",
    '{"turns":[0],"seen":[{"data":' + "[" * 200 + "]" * 200 + "}]}": r"gave a wrong answer",
    '{"turns":[0],"seen":[{"data":' + "[" * 5000 + "]" * 5000 + "}]}": r"gave a wrong answer",
}


@pytest.mark.parametrize(
    ("way", "message"),
    [
        *[pytest.param([way], message, id=way) for way, message in FAULTS.items()],
        *[pytest.param(["answers", text], message, id=text[:40]) for text, message in WRONG_ANSWERS.items()],
    ],
)
def test_a_program_that_goes_wrong(way: list[str], message: str) -> None:
    """A fault of the program is an error that says what was sent and what came; the next game has a new program."""
    engine = make_engine(*way)
    for _ in range(2):
        position = engine.begin(2, resolve_options(EngineGame(engine), 2), Random("s"))
        with pytest.raises(EngineFailed, match=message) as raised:
            position.play([0])
            position.show(0)
        assert "\n" not in str(raised.value)
        with pytest.raises(EngineFailed):
            position.describe()


def test_a_program_that_hangs() -> None:
    """A program that does not answer in time is ended."""
    engine = make_engine("hangs", answer_seconds=NEVER)
    position = engine.begin(2, resolve_options(EngineGame(engine), 2), Random("s"))
    position.program._answer_seconds = 0.2

    with pytest.raises(EngineFailed, match=r"gave no answer for 0.2 s; sent: .*\"do\":\"play\""):
        position.play([0])


def test_a_program_that_fills_its_standard_error() -> None:
    """What a program says on its standard error keeps it from nothing."""
    state = deal(make_engine("shouts"))

    assert [action.move for action in state.legal()] == ["tails", "heads"]


def test_a_program_that_is_not_there() -> None:
    """The command that cannot be started is named."""
    with pytest.raises(EngineFailed, match=r"'./no-such-engine' cannot be started in '/': .*No such file"):
        EngineGame(ProcessEngine(["./no-such-engine"], folder="/"))


@contextmanager
def raise_at_signal(number: int, file: Path) -> Iterator[None]:
    """Context manager: a signal makes a file, and raises an error."""

    def handle(*_: object) -> None:
        file.touch()
        raise InterruptedError

    before = signal.signal(number, handle)
    try:
        yield
    finally:
        signal.signal(number, before)


def test_a_question_that_is_broken_off(tmp_path: Path) -> None:
    """After a time limit of ours the late answer is skipped: it is taken for no other, and other games go on."""
    engine = make_engine("interrupts", str(tmp_path / "go"))
    options = resolve_options(EngineGame(engine), 2)
    first, second = engine.begin_together(2, options, [Random("a"), Random("b")])
    with raise_at_signal(signal.SIGUSR1, tmp_path / "go"), pytest.raises(InterruptedError):
        first.play([1])

    assert second.describe() == "[]"
    with pytest.raises(EngineFailed, match="a step of this position was broken off"):
        first.describe()


def test_signals_lose_no_byte() -> None:
    """Exceptions of signals, whichever thread the signals reach, leave each later answer with its question."""
    program, rng = EngineProgram(["cat"], ["cat"], Path("/"), 60.0), Random("signals")
    is_over, is_armed, broken_off = Event(), False, 0

    def send_signals() -> None:
        while not is_over.wait(0.0002):
            os.kill(os.getpid(), signal.SIGUSR1)

    def handle(*_: object) -> None:
        nonlocal is_armed, broken_off
        if is_armed:
            is_armed, broken_off = False, broken_off + 1
            raise InterruptedError

    before, sender = signal.signal(signal.SIGUSR1, handle), Thread(target=send_signals)
    sender.start()
    try:
        for number in range(4_000):
            lines = [b"%d " % number + b"x" * rng.choice((0, 10, 30_000)) for _ in range(rng.choice((1, 5)))]
            with suppress(InterruptedError):
                is_armed = True
                answers = program.ask(lines)
                is_armed = False
                assert answers == lines
    finally:
        is_over.set()
        sender.join()
        signal.signal(signal.SIGUSR1, before)
        program.close()
    assert broken_off


def test_positions_are_independent() -> None:
    """Copies go on by themselves, as often as they are copied, and as the copied one does."""
    engine = make_engine("well")
    first = engine.begin(2, resolve_options(EngineGame(engine), 2), Random("s"))
    second = first.copy()
    second.play([1])
    third = second.copy()
    first.play([0])
    second.play([0])

    assert [one.describe() for one in (first, second, third)] == ["[0]", "[1, 0]", "[1]"]


def test_states_are_forgotten() -> None:
    """The program keeps no more states than positions that somebody holds, but for some that it is told of later."""
    engine = make_engine("counts")
    options = resolve_options(EngineGame(engine), 2)
    for number in range(300):
        position = engine.begin(2, options, Random(str(number)))
        for one in (position.copy(), position.copy()):
            one.play([0])

    kept = int(position.describe().split()[0])
    assert kept <= DROPPED_AT_ONCE + 4


def test_a_state_is_kept_until_its_step_is_made() -> None:
    """The state before a step is not forgotten too early, however many are forgotten with it."""
    engine = make_engine("counts")
    options = resolve_options(EngineGame(engine), 2)
    for number in range(DROPPED_AT_ONCE):
        engine.begin_together(2, options, [Random(str(one)) for one in range(number)])
        last = engine.begin(2, options, Random("last")).copy()
        last.play([0])
        assert [action for action, _ in last.list_moves(0)] == [0, 1]


def test_numbers_for_learners() -> None:
    """A program that says how many moves there are, and the shape of its data, is learnt from as any game."""
    game = prepare_game(EngineGame(make_engine("numbers", "2", "[3]")))
    batch = GameBatch(game, 4, "batch")
    rng = Random("letters")
    for _ in range(10):
        batch.step([rng.choice(mask.nonzero()[0].tolist()) for mask in batch.masks])

    assert (len(game.alphabet), game.encoder.size) == (2, 3)
    assert batch.finished
    first = batch.observations[batch.seats == 0]
    assert set(first[:, 0].tolist()) <= {1.0, 2.0}  # seat 0 sees the coin


@pytest.mark.parametrize(
    ("numbers", "message"),
    [
        (("1", "[3]"), r"moves have the numbers \[0, 1\]; the engine says that all are below 1"),
        (("2", "[2, 2]"), r"coin-program: an observation of seat 0 has 3 numbers; its shape is \[2, 2\]"),
        (("2", "[1048576, 2]"), r"named the shape \[1048576, 2\], of more than 1,048,576 numbers"),
        (("0", "[3]"), "Expected `int` >= 1"),
    ],
)
def test_numbers_that_are_wrong(numbers: tuple[str, str], message: str) -> None:
    """A program whose moves or observations are not as it says is named, and nothing large is made for it."""
    with pytest.raises(EngineFailed, match=message):
        GameBatch(prepare_game(EngineGame(make_engine("numbers", *numbers))), 1, "batch")


def test_steps_together() -> None:
    """Games that are played in one round trip go on as each was told, also if no pipe holds all lines at once."""
    engine = make_engine("well")
    options = resolve_options(EngineGame(engine), 2)
    together = engine.begin_together(2, options, [Random(str(number)) for number in range(4000)])
    chosen = [[number % 2] for number in range(4000)]
    for _ in range(3):
        engine.play_together(together, chosen)

    assert [one.describe() for one in together] == [str(one * 3) for one in chosen]
    assert together[1].count_points() == [-1.0, 1.0]


def test_a_process_that_is_forked_has_a_program_of_its_own() -> None:
    """A worker that is forked starts the program again, and does not end that of its parent."""
    engine = make_engine("well")
    state = deal(engine)
    child = os.fork()
    if not child:
        status = 1
        try:
            position = state.engine_position
            assert isinstance(position, ProcessPosition)
            inherited = weakref.ref(position.program)
            assert engine.find_program() is not inherited()
            del state, position
            assert inherited() is None
            deal(engine)
            status = 0
        finally:
            os._exit(status)

    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert state.engine_position.describe() in ("[0]", "[1]")


@pytest.mark.parametrize(
    ("options", "message"), [({"stake": 10}, "10|<= 9"), ({"wild": True}, "nothing wild is played"), ({"x": 1}, "x")]
)
def test_options_that_are_refused(options: dict[str, Any], message: str) -> None:
    """Options beyond the bounds of `hello`, and options that the program refuses, are errors of who gave them."""
    with pytest.raises(OptionError, match=message):
        deal(make_engine("well"), **options)


def test_texts_that_would_steer_a_terminal(tmp_path: Path) -> None:
    """What a program says of its game is printed for people, so control characters in these texts are escaped."""
    said = {
        "name": "loud",
        "title": "A \x1b[31mcoin",
        "version": "1\x07",
        "seats": [2],
        "cannot": {"worlds": "\x1b[2J"},
        "options": {"stake": {"default": 1, "about": "The\nstake.\x1b[0m"}},
    }
    (tmp_path / "hello").write_text(f"{json.dumps(said)}\n")
    engine = ProcessEngine(["sh", "-c", "while read -r line; do cat hello; done"], folder=tmp_path)
    (stake,) = multi_type_info([engine.Options])[0].fields  # type: ignore[attr-defined]

    assert (engine.title, engine.version) == ("A \\u001b[31mcoin", "1\\u0007")
    assert engine.describe_game(2, engine.Options()).cannot == {"worlds": "\\u001b[2J"}
    assert stake.type.extra_json_schema["description"] == "The stake.\\u001b[0m"


@pytest.mark.parametrize(
    ("name", "option", "message"),
    [
        ("resolve", {"default": 1}, "has an option 'resolve': this name is taken"),
        (
            "cards",
            {"default": 30, "least": 1, "most": 5},
            "'cards' whose default 30 is beyond its bounds",
        ),
        ("cards", {"default": 1.5, "least": 2}, "has an option 'cards' whose default 1.5 is beyond its bounds"),
        ("cards", {"default": True, "least": 1}, "bounds the option 'cards', whose default True is no number"),
        (
            "cards",
            {"default": 1, "least": 0.5},
            "'cards' by [0.5], whose default 1 is a whole number",
        ),
        ("cards", {"default": 1, "most": 10**30}, "whose default 1 is a whole number"),
    ],
)
def test_options_that_cannot_be(tmp_path: Path, name: str, option: dict[str, object], message: str) -> None:
    """A program whose options contradict themselves has gone wrong; the error says how."""
    said = {"name": "odd", "title": "Odd", "version": "1", "seats": [2], "options": {name: {**option, "about": "x"}}}
    (tmp_path / "hello").write_text(f"{json.dumps(said)}\n")

    with pytest.raises(EngineFailed, match=re.escape(message)):
        EngineGame(ProcessEngine(["sh", "-c", "while read -r line; do cat hello; done"], folder=tmp_path))


def test_options_travel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Options of a program's game are pickled by the name of the game, and read where that is installed."""
    install_coin(tmp_path, *WELL)
    monkeypatch.syspath_prepend(str(tmp_path))
    options = resolve_options(EngineGame(make_engine("well")), 2, overrides={"stake": 5})

    read = pickle.loads(pickle.dumps(options))

    assert read.stake == 5
    assert [read.wild, type(read).__name__] == [False, "CoinProgramOptions"]


def test_the_code_of_a_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A store, and the nodes of a cluster, compare the package of the engine, not that of all engines' games."""
    assert find_package(EngineGame(make_engine("well"))) == "pitboss_engines"
    install_coin(tmp_path, *WELL)
    monkeypatch.syspath_prepend(str(tmp_path))

    assert find_package(Registry().find_game("coin-program")) == "pitboss_engines"
    assert find_package(Registry().find_game("racko")) == "pitboss_racko"


def test_a_tournament_of_many_games(tmp_path: Path) -> None:
    """A program plays for as long as its worker does: it is not ended with the bots, which are started again."""
    env = install_coin(tmp_path, *WELL)

    ran = run_pitboss("match", "coin-program", "house:random", "house:first", "--deals", "60", cwd=tmp_path, env=env)

    assert ran.status == 0, ran.err
    assert "120 games" in ran.out


def test_a_tournament_with_a_program_that_dies(tmp_path: Path) -> None:
    """The tournament ends as with any plugin that fails: an error that names the plugin, and no traceback."""
    env = install_coin(tmp_path, sys.executable, str(COIN_PROGRAM), "dies")

    ran = run_pitboss("match", "coin-program", "house:random", "house:random", "--deals", "2", cwd=tmp_path, env=env)

    assert ran.status
    assert "Traceback" not in ran.out + ran.err
    assert re.search(r"the plugin of 'coin-program' failed \(pitboss-coin 7.0, .*EngineFailed: the program", ran.err)
    assert "the deck has burnt" in ran.err


SPY: Final = """#!/bin/sh
read -r line
seen=$(ls -d /* | tr '\\n' ' ')
touch touched 2>/dev/null && seen="$seen wrote"
[ -n "$SECRET" ] && seen="$seen $SECRET"
[ -e "$0" ] && seen="$seen itself"
echo '{"name":"spy","title":"'"$seen"'","version":"1","seats":[2]}'
read -r line
"""


@needs_bubblewrap
def test_a_program_that_is_not_trusted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A program in the sandbox sees the system and its own folder, writes nothing, and is told no variable of ours."""
    (tmp_path / "spy").write_text(SPY)
    (tmp_path / "spy").chmod(0o755)
    monkeypatch.setenv("SECRET", "our-key")
    monkeypatch.delenv(BOT_MARK, raising=False)
    trusted = ProcessEngine(["./spy"], folder=tmp_path)
    assert {"our-key", "wrote", "itself", "/home"} <= {*trusted.title.split()}
    seen = {*ProcessEngine(["./spy"], folder=tmp_path, is_trusted=False).title.split()}

    assert {"/game", "/usr", "itself"} <= seen
    assert seen <= {"/bin", "/dev", "/etc", "/game", "/lib", "/lib64", "/proc", "/tmp", "/usr", "itself"}


@pytest.mark.parametrize(("is_bot", "status", "is_held"), [(True, 1, False), (True, 0, True), (False, 1, True)])
def test_a_sandbox_within_a_sandbox(
    *, is_bot: bool, status: int, is_held: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only in a bot's process where bubblewrap starts nothing more, a program is held by the sandbox of the bot."""
    (tmp_path / "bwrap").write_text(f"#!/bin/sh\nexit {status}\n")
    (tmp_path / "bwrap").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv(BOT_MARK, "1") if is_bot else monkeypatch.delenv(BOT_MARK, raising=False)

    words = enter_sandbox(["./game", "--fast"], tmp_path)

    assert (words[0] == str(tmp_path / "bwrap")) == is_held
    assert words[-2:] == ("./game", "--fast")


def test_the_mark_of_a_bot() -> None:
    """The variable that says that a process is a bot's is the one that the runner sets."""
    assert BOT_MARK == reaper.MARK


def test_a_plugin_without_its_program(tmp_path: Path) -> None:
    """A plugin whose program is missing is left out by name; other games are played."""
    env = install_coin(tmp_path, "./not-built")

    ran = run_pitboss("games", cwd=tmp_path, env=env)

    assert ran.status == 0
    assert re.search(r"plugin 'coin' .* is broken and was left out: EngineFailed: the program './not-built'", ran.err)
