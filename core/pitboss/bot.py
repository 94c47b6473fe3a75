"""The Python SDK: a bot is a function from a question to a choice.

    from pitboss.bot import Question, run

    def choose(question: Question) -> int:
        return 0  # the first legal action

    run(choose)

A bot that answers many questions in little more time than one, as a network does, may be asked at many tables at once:

    def choose_many(questions: Sequence[Question]) -> Sequence[int]:
        return [0] * len(questions)

    run(choose_many=choose_many)

Standard input and output carry the protocol. `run` keeps them for itself: what the bot prints goes to standard error,
which the runner keeps, and standard input is at its end. (Text that was printed *and flushed* before `run` has gone to
the runner already, which is a fault.)
"""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextvars import ContextVar
from functools import partial
from operator import index
from typing import Any, Final, TypeAlias

from msgspec import UNSET, Struct

from pitboss.action_range import is_within
from pitboss.errors import ProtocolError
from pitboss.protocol.connection import BotConnection
from pitboss.protocol.messages import (
    PROTOCOL_VERSION,
    Act,
    Bye,
    Decide,
    End,
    Faulted,
    FromRunner,
    Hello,
    Ready,
    Start,
    Want,
)

MAX_NAME_LENGTH: Final = 80
MAX_NOTE_LENGTH: Final = 500
MAX_SHOWN_LENGTH: Final = 1000
DEFAULT_TABLES: Final = 64  # of a bot that answers many questions at once
MAX_READ_BYTES: Final = 1 << 20
INTERRUPTED_STATUS: Final = 130  # the exit status that shells give to Ctrl-C


class Question(Struct, frozen=True, kw_only=True):
    """A decision that the runner asks for, with the game it belongs to."""

    legal: list[Any]  # every legal action, as in the rule book: {"do": "take", "slot": 25}
    view: Any  # the observation of the seat: a dict with the fields of the game's view (None if not wanted)
    events: list[Any]  # what the seat saw since its last decision (empty if not wanted)
    seat: int
    phase: str
    decision_ms: int  # time left for this decision
    game_ms: int | None  # time left for the whole game, if there is such a limit
    hello: Hello  # the table: game, options, seats, limits
    start: Start  # the game: who sits where, the bot's seed for this game
    together: Sequence[int] = ()  # the seats that decide at the same moment, this one among them; (): it decides alone
    ranges: Mapping[int, str] = {}  # by index in `legal` of a range of actions: the key with [lowest, highest]
    table: int = 0  # of the tables that the process plays at
    open: Sequence[str] = ()  # the kinds of action that may be done beside `legal`; `hello.open` has their schemas


class AnnotatedChoice(Struct, frozen=True):
    """A choice with a note, kept in the record (its first 500 characters), and the policy that it was drawn from."""

    choice: int | Mapping[str, object]
    note: str = ""
    policy: Sequence[tuple[int | Mapping[str, object], float]] = ()  # actions or indexes, each with its probability


class NoChoice(Struct, frozen=True):
    """No legal action, and why: the runner counts an illegal answer."""

    reason: str


# an index into `legal`, or an action that is in it, of a range there, or of a kind in `open`
Choice: TypeAlias = int | Mapping[str, object] | AnnotatedChoice | NoChoice
ChoiceFunction: TypeAlias = Callable[[Question], Choice]
ManyChoicesFunction: TypeAlias = Callable[[Sequence[Question]], Sequence[Choice]]


class BotFunctions(Struct, frozen=True):
    """What a bot has given to `run`."""

    choose_many: ManyChoicesFunction
    tables: int  # at how many tables it may be asked at once
    on_hello: Callable[[Hello], None] | None
    on_start: Callable[[Hello, Start], None] | None
    on_end: Callable[[End], None] | None


class _Handover(BaseException):
    """Leaves the program of a bot in `run`. No `Exception`: no handler of the bot takes it for an error."""

    def __init__(self, functions: BotFunctions) -> None:
        self.functions: Final = functions


_hands_over: Final = ContextVar("hands_over", default=False)


def catch_functions(program: Callable[[], object]) -> BotFunctions | None:
    """Call `program`, which runs a bot; return what the bot gives to `run`, which plays nothing then.

    None: the program has ended without `run`.
    """
    token = _hands_over.set(True)
    try:
        program()
    except _Handover as caught:
        return caught.functions
    finally:
        _hands_over.reset(token)
    return None


def run(
    choose: ChoiceFunction | None = None,
    *,
    choose_many: ManyChoicesFunction | None = None,
    tables: int | None = None,
    name: str = "",
    version: str = "",
    want: Want = "view",
    states_policies: bool = False,
    on_hello: Callable[[Hello], None] | None = None,
    on_start: Callable[[Hello, Start], None] | None = None,
    on_end: Callable[[End], None] | None = None,
) -> None:
    """Play until the runner says bye or is gone, calling `choose` for each question.

    Or calling `choose_many` for all questions that are there, which returns a choice for each. The process may then be
    asked at up to `tables` tables at once (64), if the runner offers that: what it remembers of a game, it keeps for
    each `question.table`. With `tables` a bot that has only `choose` may too.

    `on_hello` is called before the bot is ready: long preparations belong there, as only the limit for the start counts
    then. `on_start` and `on_end` are called when a game begins and ends. Ctrl-C ends the program with status 130.
    With `states_policies` the runner is told the policy of each AnnotatedChoice that has one, if it takes policies.

    Raises:
        TypeError: `choose` returned neither an index nor an action; both functions are given, or none.
        ValueError: `choose` returned an illegal choice, `choose_many` not one for each question, or the name or the
            version is too long.
    """
    if choose is None:
        answer, most = choose_many, tables or DEFAULT_TABLES
    else:
        answer, most = partial(_choose_each, choose), tables or 1
    if answer is None or (choose is not None and choose_many is not None):
        raise TypeError("run() takes either choose or choose_many")
    if max(len(name), len(version)) > MAX_NAME_LENGTH:
        raise ValueError(f"name {name!r} or version {version!r} is longer than {MAX_NAME_LENGTH} characters")
    if _hands_over.get():
        raise _Handover(BotFunctions(answer, most, on_hello, on_start, on_end))
    if os.isatty(0):
        program = sys.argv[0] or "this program"
        advice = f'{program} is a bot: let a runner start it, as in `pitboss match GAME "python {program}" BOT`'
        print(advice, file=sys.stderr)
    ready = Ready(name=name, version=version, want=want, policy=states_policies or UNSET, tables=most)
    try:
        _run_games(_StdioConnection(), ready, answer, on_hello, on_start, on_end)
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED_STATUS)


def _choose_each(choose: ChoiceFunction, questions: Sequence[Question]) -> Sequence[Choice]:
    return [choose(question) for question in questions]


class _StdioConnection:
    """Standard input and output as the runner's connection; the bot gets the null device and standard error."""

    def __init__(self) -> None:
        self._input_fd = os.dup(0)
        self._output_fd = os.dup(1)
        with open(os.devnull, "rb") as nothing:  # noqa: PTH123 - a Path would be one more import
            os.dup2(nothing.fileno(), 0)
        os.dup2(2, 1)
        if isinstance(sys.stdout, io.TextIOWrapper):
            sys.stdout.reconfigure(line_buffering=True)  # output must not be lost in a crash
        sys.stdout.flush()
        self._connection = BotConnection()

    def read_messages(self) -> Iterable[FromRunner | None]:
        """Yield the messages of the runner until it is gone; an incomplete last line is dropped.

        Yield None where all messages are yielded that have come so far.
        """
        rest = b""
        while part := os.read(self._input_fd, MAX_READ_BYTES):
            *lines, rest = (rest + part).split(b"\n")
            for line in lines:
                try:
                    message = self._connection.receive(line + b"\n")
                except ProtocolError as error:
                    sys.exit(f"the runner broke the protocol: {error}")
                if message is not None:
                    yield message
            if not rest:
                yield None

    def send(self, *messages: Ready | Act) -> None:
        """Send messages; end the program quietly if the runner is gone."""
        line = b"".join(map(self._connection.send, messages))
        try:
            while line:
                line = line[os.write(self._output_fd, line) :]
        except BrokenPipeError:
            sys.exit(0)


def _run_games(
    connection: _StdioConnection,
    ready: Ready,
    choose_many: ManyChoicesFunction,
    on_hello: Callable[[Hello], None] | None,
    on_start: Callable[[Hello, Start], None] | None,
    on_end: Callable[[End], None] | None,
) -> None:
    hello: Hello | None = None
    starts: dict[object, Start] = {}  # by table
    asked: list[Decide] = []
    for message in connection.read_messages():
        match message:
            case Hello():
                if (theirs := message.protocol) != PROTOCOL_VERSION:
                    sys.exit(f"the runner speaks protocol {theirs}; this Pitboss speaks protocol {PROTOCOL_VERSION}")
                hello = message
                if on_hello is not None:
                    on_hello(hello)
                ready = _agree(ready, hello)
                connection.send(ready)
            case Start() if hello is not None:
                starts[message.table] = message
                if on_start is not None:
                    on_start(hello, message)
            case Decide() if message.table in starts:
                asked.append(message)
            case End():
                if on_end is not None:
                    on_end(message)
            case Faulted():
                print(f"the runner found fault: {message.fault.message}", file=sys.stderr)
                asked = [decide for decide in asked if decide.table != message.table]
            case Bye():
                return
        if asked and hello is not None and (message is None or not ready.tables):
            questions = [_build_question(decide, hello, starts[decide.table]) for decide in asked]
            choices = choose_many(questions)
            if len(choices) != len(asked):
                raise ValueError(f"choose_many() returned {len(choices)} choices for {len(asked)} questions")
            pairs = zip(asked, choices, strict=True)
            connection.send(*[_build_answer(decide, one, states_policy=ready.policy is True) for decide, one in pairs])
            asked = []


def _agree(ready: Ready, hello: Hello) -> Ready:
    """Return the bot's `ready` without what the runner's `hello` does not offer: policies, tables."""
    offered = hello.tables or 0
    return Ready(
        name=ready.name,
        version=ready.version,
        want=ready.want,
        policy=ready.policy if hello.policy is True else UNSET,
        tables=min(ready.tables or 1, offered) if (ready.tables or 1) > 1 and offered > 1 else UNSET,
        open=True if hello.open else UNSET,
    )


def _build_question(decide: Decide, hello: Hello, start: Start) -> Question:
    return Question(
        legal=list(decide.legal),
        view=decide.view,
        events=decide.events,
        seat=decide.seat,
        phase=decide.phase,
        decision_ms=decide.clock.decision_ms,
        game_ms=decide.clock.game_ms,
        hello=hello,
        start=start,
        together=decide.together or (),
        ranges={one.index: one.field for one in decide.ranges or ()},
        table=decide.table or 0,
        open=decide.open or (),
    )


def _build_answer(decide: Decide, choice: Choice, *, states_policy: bool) -> Act:
    if isinstance(choice, NoChoice):
        return Act(
            id=decide.id, table=decide.table, choose=len(decide.legal), note=choice.reason[:MAX_NOTE_LENGTH] or None
        )
    annotated = choice if isinstance(choice, AnnotatedChoice) else AnnotatedChoice(choice)
    note = annotated.note[:MAX_NOTE_LENGTH] or None
    policy = list(annotated.policy) if states_policy and annotated.policy else UNSET
    is_open = isinstance(annotated.choice, Mapping) and annotated.choice.get("do") in (decide.open or ())
    if is_open or any(is_within(annotated.choice, decide.legal[one.index], one.field) for one in decide.ranges or ()):
        return Act(id=decide.id, table=decide.table, action=annotated.choice, note=note, policy=policy)
    index_chosen = _choice_index(decide, annotated.choice)
    return Act(id=decide.id, table=decide.table, choose=index_chosen, note=note, policy=policy)


def _choice_index(decide: Decide, choice: object) -> int:
    """Return the index of the chosen action; a choice that is no whole number must equal one of the actions."""
    legal = list(decide.legal)
    try:
        at = index(choice) if not isinstance(choice, bool) else -1  # type: ignore[arg-type]
    except TypeError:
        at = legal.index(choice) if choice in legal else -1
    if not 0 <= at < len(legal):
        allowed = repr(legal) if len(repr(legal)) <= MAX_SHOWN_LENGTH else f"{repr(legal)[:MAX_SHOWN_LENGTH]}…"
        error = ValueError if isinstance(choice, Mapping | int) and not isinstance(choice, bool) else TypeError
        ranged = "; an action has one number of a range [lowest, highest]" if decide.ranges else ""
        ranged += f"; or an action whose 'do' is one of {', '.join(decide.open)}" if decide.open else ""
        raise error(
            f"choose() returned {choice!r} to question {decide.id}, in phase {decide.phase!r}; it may return an index, "
            f"0..{len(legal) - 1}, or one of the actions in question.legal: {allowed}{ranged}"
        )
    return at
