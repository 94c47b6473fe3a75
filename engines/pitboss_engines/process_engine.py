"""An engine that is a program in any language: it answers JSON lines (docs/foreign.md describes the messages).

States of games are numbers, which Pitboss chooses. A position that was copied plays on under a new number, so that a
copy costs no message. What an answer has told is kept; what it has left out is asked for when somebody needs it.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from functools import cached_property
from math import prod
from pathlib import Path
from typing import Any, Final, TypeAlias, TypeVar

import msgspec
from msgspec import UNSET, Meta

from pitboss.errors import EngineFailed, OptionError
from pitboss.foreign.engine import EngineFacts, EngineMove, EngineOutcome, Sight
from pitboss.foreign.parameters import OptionField, build_options
from pitboss.foreign_input import InputRefused, check_foreign_value
from pitboss.options import Options
from pitboss.outcome import solo_sides
from pitboss.table.randomness import Random
from pitboss.text import make_safe_line
from pitboss_engines.engine_messages import (
    MAX_NUMBERS,
    AskDeal,
    AskHello,
    AskLegal,
    AskOutcome,
    AskPlay,
    AskState,
    DropAnswer,
    EngineAnswer,
    EngineOption,
    EngineRefusal,
    EngineRequest,
    HelloAnswer,
    LegalAnswer,
    MomentAnswer,
    OutcomeAnswer,
    SightAnswer,
    TellDrop,
    find_wrong_moment,
    find_wrong_option,
)
from pitboss_engines.engine_program import EngineProgram
from pitboss_engines.engine_sandbox import enter_sandbox

PROGRAM_SECONDS: Final = 30.0  # half of what a call of a plugin may take
DROPPED_AT_ONCE: Final = 64
SEED_BITS: Final = 31

ResolvedOptions: TypeAlias = Options  # within a class that has a property `Options`
A = TypeVar("A", bound=EngineAnswer)
ANSWER_KINDS: Final = (HelloAnswer, MomentAnswer, SightAnswer, LegalAnswer, OutcomeAnswer, DropAnswer, EngineRefusal)
DECODERS: Final[Mapping[type[Any], msgspec.json.Decoder[Any]]] = {
    kind: msgspec.json.Decoder(kind) for kind in ANSWER_KINDS
}


class NumberedState:
    """A state that the program keeps until this object is gone."""

    __slots__ = ("_dropped", "is_shared", "number")

    def __init__(self, program: EngineProgram) -> None:
        self.number: Final = program.number_state()
        self.is_shared = False  # whether positions were copied from it: it is never changed then
        self._dropped = program.dropped

    def __del__(self) -> None:
        """Have the program told at one of the next questions: this may be called within any other call."""
        self._dropped.append(self.number)


class ProcessEngine:
    """The rules of a game, known by a program.

    The program is started when it is first asked, once in each Python process that plays the game. A program that went
    wrong is ended, and started again for the next game.
    """

    def __init__(
        self,
        command: Sequence[str],
        *,
        folder: str | Path,
        is_trusted: bool = True,
        answer_seconds: float = PROGRAM_SECONDS,
    ) -> None:
        """Take a program.

        `command` is started in `folder`, in a sandbox (`enter_sandbox`) unless `is_trusted`. An answer may take
        `answer_seconds`.
        """
        self._command, self._folder = tuple(command), Path(folder).absolute()
        self._is_trusted, self._answer_seconds = is_trusted, answer_seconds
        self._programs: dict[int, EngineProgram] = {}  # by the process that has started it
        self._facts: dict[tuple[int, Options], EngineFacts] = {}

    @cached_property
    def greeting(self) -> HelloAnswer:
        """What the program says of its game.

        Raises:
            EngineFailed: it says nothing, or something wrong.
        """
        program, request = self.find_program(), AskHello()
        answer = self.ask_one(program, request, HelloAnswer)
        if wrong := find_wrong_option(answer.options):
            program.refuse(wrong, msgspec.json.encode(request), msgspec.json.encode(answer))
        return answer

    @property
    def name(self) -> str:
        """The name as people type it."""
        return self.greeting.name

    @property
    def title(self) -> str:
        """The name as people read it."""
        return make_safe_line(self.greeting.title)

    @property
    def version(self) -> str:
        """The version of the program."""
        return make_safe_line(self.greeting.version)

    @property
    def seats(self) -> Sequence[int]:
        """The numbers of players that can play, ascending."""
        return sorted({*self.greeting.seats})

    @cached_property
    def Options(self) -> type[Any]:  # noqa: N802 - it is a type
        """The type of the options."""
        return _make_options(self)

    def describe_game(self, seats: int, options: ResolvedOptions) -> EngineFacts:
        """Return the facts of a game with resolved options.

        Raises:
            OptionError: the program does not allow these options, or not with that number of seats.
            EngineFailed: the program has gone wrong.
        """
        key = seats, options
        if key not in self._facts:
            program, request = self.find_program(), AskHello(seats, options)
            answer = self.ask_one(program, request, HelloAnswer)
            sides = solo_sides(seats) if answer.sides is None else answer.sides
            if sorted(seat for side in sides for seat in side) != [*range(seats)]:
                program.refuse(f"named the sides {sides} of {seats} seats", msgspec.json.encode(request))
            if prod(answer.observation or ()) > MAX_NUMBERS:
                program.refuse(
                    f"named the shape {answer.observation}, of more than {MAX_NUMBERS:,} numbers",
                    msgspec.json.encode(request),
                )
            self._facts[key] = EngineFacts(
                sides=sides,
                has_chance=answer.chance,
                is_open=answer.open,
                decisions=answer.decisions,
                least=answer.least,
                most=answer.most,
                total=answer.total,
                moves=answer.moves,
                observation=None if answer.observation is None else tuple(answer.observation),
                cannot={ability: make_safe_line(why) for ability, why in answer.cannot.items()},
            )
        return self._facts[key]

    def begin(self, seats: int, options: ResolvedOptions, rng: Random) -> ProcessPosition:
        """Begin a game."""
        return self.begin_together(seats, options, [rng])[0]

    def begin_together(self, seats: int, options: ResolvedOptions, rngs: Sequence[Random]) -> list[ProcessPosition]:
        """Begin a game for each of these random streams, in one round trip.

        Raises:
            EngineFailed: the program has gone wrong.
        """
        program = self.find_program()
        states = [NumberedState(program) for _ in rngs]
        asked = [
            AskDeal(state.number, seats, _draw_seed(rng), options) for state, rng in zip(states, rngs, strict=True)
        ]
        positions = [ProcessPosition(self, program, seats) for _ in rngs]
        answers = self.ask(program, asked, MomentAnswer)
        for position, state, request, answer in zip(positions, states, asked, answers, strict=True):
            position.settle(state, request, answer)
        return positions

    def play_together(self, positions: Sequence[ProcessPosition], numbers: Sequence[Sequence[int]]) -> None:
        """Make a step in each of several positions of one process, in one round trip: see `EnginePosition.play`.

        Raises:
            EngineFailed: the program has gone wrong.
        """
        if not positions:
            return
        states = [position.leave_state() for position in positions]
        asked = [AskPlay(old.number, new.number, chosen) for (old, new), chosen in zip(states, numbers, strict=True)]
        answers = self.ask(positions[0].program, asked, MomentAnswer)
        for position, (_, state), request, answer in zip(positions, states, asked, answers, strict=True):
            position.settle(state, request, answer)

    def find_program(self) -> EngineProgram:
        """Return the running program of this process.

        Raises:
            EngineFailed: it cannot be started.
        """
        here = os.getpid()
        program = self._programs.get(here)
        if program is None or program.failure:
            command = self._command if self._is_trusted else enter_sandbox(self._command, self._folder)
            program = EngineProgram(self._command, command, self._folder, self._answer_seconds)
            self._programs = {here: program}
        return program

    def ask_one(self, program: EngineProgram, request: EngineRequest, kind: type[A]) -> A:
        """Ask the program one thing.

        Raises:
            OptionError: it refuses options.
            EngineFailed: it has gone wrong.
        """
        return self.ask(program, [request], kind)[0]

    def ask(self, program: EngineProgram, requests: Sequence[EngineRequest], kind: type[A]) -> list[A]:
        """Ask the program several things at once; the answers are all of one kind. States that were dropped are told.

        Raises:
            OptionError: it refuses options.
            EngineFailed: it has gone wrong.
        """
        drops = []
        while len(program.dropped) >= DROPPED_AT_ONCE:
            drops.append(TellDrop([program.dropped.popleft() for _ in range(DROPPED_AT_ONCE)]))
        answers = program.ask([*map(msgspec.json.encode, (*drops, *requests))])
        for drop, answer in zip(drops, answers, strict=False):
            _read_answer(program, drop, answer, DropAnswer)
        pairs = zip(requests, answers[len(drops) :], strict=True)
        return [_read_answer(program, request, answer, kind) for request, answer in pairs]


class ProcessPosition:
    """A state of the program: an `EnginePosition`."""

    __slots__ = ("_engine", "_moment", "_moves", "_points", "_seen", "_state", "program", "seats")

    def __init__(self, engine: ProcessEngine, program: EngineProgram, seats: int) -> None:
        """Take a position that `settle` completes."""
        self._engine, self.program, self.seats = engine, program, seats
        self._state: NumberedState | None = None  # None while a step is made, and after it has failed
        self._seen: tuple[Sight | None, ...] = (None,) * seats
        self._moment = MomentAnswer(over=True)
        self._moves: dict[int, list[EngineMove]] = {}  # by seat, as far as they are known
        self._points: list[float] | None = None

    def list_turns(self) -> Sequence[int]:
        """Return the seats that decide now."""
        return self._moment.turns

    def list_outcomes(self) -> Sequence[EngineOutcome]:
        """Return the outcomes of chance that are possible now."""
        return [EngineOutcome(*pair) for pair in self._moment.chance]

    def list_moves(self, seat: int) -> Sequence[EngineMove]:
        """Return the legal moves of a seat that decides now."""
        if seat not in self._moves:
            answer = self._ask(AskLegal(self.find_state().number, seat), LegalAnswer)
            self._moves[seat] = [EngineMove(*move) for move in answer.moves]
        return self._moves[seat]

    def play(self, numbers: Sequence[int]) -> None:
        """Make the move of each seat that decides, or let chance have an outcome."""
        self._engine.play_together([self], [numbers])

    def show(self, seat: int) -> Sight:
        """Return what a seat may know now."""
        sight = self._seen[seat]
        if sight is None:
            answer = self._ask(AskState(self.find_state().number, seat), SightAnswer)
            sight = Sight(answer.text, answer.data)
            self._seen = (*self._seen[:seat], sight, *self._seen[seat + 1 :])
        return sight

    def describe(self) -> str:
        """Return the whole position as text."""
        return self._ask(AskState(self.find_state().number), SightAnswer).text

    def count_points(self) -> Sequence[float]:
        """Return the points by seat, at the end."""
        if self._points is None:
            request = AskOutcome(self.find_state().number)
            points = self._ask(request, OutcomeAnswer).points
            if len(points) != self.seats:
                what = f"counted the points {points} for {self.seats} seats"
                self.program.refuse(what, msgspec.json.encode(request))
            self._points = points
        return self._points

    def copy(self) -> ProcessPosition:
        """Return an independent position; the program hears of it when one of the two plays on."""
        self.find_state().is_shared = True
        twin = object.__new__(type(self))
        for name in self.__slots__:
            setattr(twin, name, getattr(self, name))
        return twin

    def find_state(self) -> NumberedState:
        """Return the state in the program.

        Raises:
            EngineFailed: the program has ended, or a step was broken off.
        """
        if self.program.failure:
            raise EngineFailed(self.program.failure)
        if self._state is None:
            raise EngineFailed("a step of this position was broken off")
        return self._state

    def leave_state(self) -> tuple[NumberedState, NumberedState]:
        """Return the state from which a step is made, to be kept until it is made, and the one after it, to settle."""
        old = self.find_state()
        new = NumberedState(self.program) if old.is_shared else old
        self._state = None
        return old, new

    def settle(self, state: NumberedState, request: EngineRequest, moment: MomentAnswer) -> None:
        """Take what the program has said of a new state.

        Raises:
            EngineFailed: the answer contradicts itself.
        """
        if wrong := find_wrong_moment(moment, self.seats):
            self.program.refuse(wrong, msgspec.json.encode(request), msgspec.json.encode(moment))
        lists = moment.moves or ()
        self._moves = {seat: [EngineMove(*move) for move in moves] for seat, moves in zip(moment.turns, lists)}  # noqa: B905 - or none
        self._seen = (
            tuple(
                before if now is None else Sight(now) if isinstance(now, str) else Sight(now.text, now.data)
                for now, before in zip(moment.seen, self._seen, strict=True)
            )
            if moment.seen is not None
            else (None,) * self.seats
        )
        self._state, self._moment, self._points = state, moment, moment.points

    def _ask(self, request: EngineRequest, kind: type[A]) -> A:
        return self._engine.ask_one(self.program, request, kind)


def _draw_seed(rng: Random) -> int:
    """Return a number of SEED_BITS bits. It is no lot: the lots of a stacked deal are for outcomes of chance."""
    return rng.draw_words(1)[0] >> 64 - SEED_BITS


def _read_answer(program: EngineProgram, request: EngineRequest, answer: bytes, kind: type[A]) -> A:
    """Return the answer to a request.

    Raises:
        OptionError: the program refuses options.
        EngineFailed: it is no answer of this kind.
    """
    try:
        read: A = DECODERS[kind].decode(answer)
        if b'"data"' in answer:
            check_foreign_value(msgspec.to_builtins(read))
    except (msgspec.MsgspecError, UnicodeError, RecursionError, InputRefused) as error:
        refusal = _read_refusal(answer)
        if refusal is None:
            program.refuse(f"gave a wrong answer ({error})", msgspec.json.encode(request), answer)
        if isinstance(request, AskHello) and request.seats is not UNSET:
            raise OptionError(make_safe_line(refusal)) from None
        program.refuse("refused to answer", msgspec.json.encode(request), answer)
    return read


def _read_refusal(answer: bytes) -> str | None:
    """Return why the program does not answer; None if it does not say so."""
    try:
        refusal: EngineRefusal = DECODERS[EngineRefusal].decode(answer)
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return None
    return refusal.error


def _make_options(engine: ProcessEngine) -> type[Any]:
    """Return the type of the options of which a program has told."""
    told = engine.greeting.options.items()
    fields = [OptionField(name, option.default, _make_meta(option)) for name, option in told]
    return build_options(engine.name, fields, engine.describe_game)


def _make_meta(option: EngineOption) -> Meta:
    """Return the bounds of an option, which a truth or a text has not, and what is said of it."""
    about = make_safe_line(option.about)
    if isinstance(option.default, bool | str):
        return Meta(description=about)
    return Meta(description=about, ge=option.least, le=option.most)
