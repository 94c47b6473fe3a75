"""The state of a game of an engine: it asks the engine for everything.

The table has no cards. Its log tells each seat what the engine shows it, whenever that changes (`see`), and of its own
moves (`move`); where everything is open, everybody is told of every move.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import accumulate
from math import prod
from typing import Annotated, Any, Final

from msgspec import Meta, Struct
from msgspec.json import encode

from pitboss.errors import EngineFailed, IllegalAction, NoWorldFound
from pitboss.foreign.engine import (
    EngineMove,
    EnginePosition,
    EngineSetup,
    NumberedSight,
    Sight,
    WorldSampler,
)
from pitboss.foreign.world_search import EngineStep, FoundWorld, Told, WorldSearch, list_steps, name_apart
from pitboss.inference.step_budget import StepBudget
from pitboss.outcome import Outcome, outcome_by_side
from pitboss.table.cards import Deck
from pitboss.table.randomness import Random
from pitboss.table.table import Table
from pitboss.table.turns import Turn
from pitboss.table.zones import Layout, Visibility

PHASE: Final = "move"
WORLD_STEPS: Final = 2_000  # of a search for one world
EMPTY_DECK: Final = Deck(())


class MakeMove(Struct, frozen=True, forbid_unknown_fields=True):
    """Make a move."""

    move: Annotated[str, Meta(description="The move as the engine writes it.")]


class MoveList(list[MakeMove]):
    """The legal moves, with the numbers that they have for the engine: `numbers`, in the same order."""

    numbers: Sequence[int] = ()


class EngineView(Struct, frozen=True):
    """What a seat may know, as the engine says it."""

    text: Annotated[str, Meta(description='What the engine shows the seat; "" if it shows no text.')] = ""
    data: Annotated[Any, Meta(description="The engine's observation as data; null if it has none.")] = None


class EngineState:
    """A game of an engine in progress: a `State`."""

    def __init__(self, setup: EngineSetup, world: FoundWorld, table: Table, rng: Random) -> None:
        """Begin at a position, and let chance decide up to the next move of a player."""
        self.setup, self.options, self.facts = setup, setup.options, setup.facts
        self.table, self.rng = table, rng
        self.engine_position: EnginePosition = world.position
        self.last_step: EngineStep | None = world.last_step  # None where the engine has sampled the position, too
        self.seed = world.seed  # as it was at the beginning
        self.turns: tuple[int, ...] = ()  # the seats that decide at this moment
        self.chosen: tuple[int, ...] = ()  # moves of this moment, of the first of these seats
        self.turn: Turn | None = None
        self._told: list[Sight | None] = [None] * (self.seats + self.facts.is_open)  # a spectator is told what is open
        self._moves: list[EngineMove] | None = None
        self._tell_changes()
        self._go_on()

    @property
    def seats(self) -> int:
        """The number of players."""
        return self.table.layout.seats

    def legal(self) -> MoveList:
        """Return all legal moves."""
        moves = self.list_moves()
        legal = MoveList([MakeMove(move.text) for move in moves])
        legal.numbers = [move.number for move in moves]
        return legal

    def list_moves(self) -> Sequence[EngineMove]:
        """Return the legal moves of the seat on turn, no two of the same text; () at the end."""
        if self._moves is None:
            turn = self.turn
            self._moves = [] if turn is None else [*name_apart(self.engine_position.list_moves(turn.seat))]
        return self._moves

    def play(self, action: MakeMove) -> None:
        """Make a move.

        Raises:
            IllegalAction: it is not legal; nothing has changed.
        """
        number = next((move.number for move in self.list_moves() if move.text == action.move), None)
        turn = self.turn
        if number is None or turn is None:
            raise IllegalAction(f"{action!r} was played at {turn}; legal: {list(self.legal())!r}")
        self.table.tell("move", only=None if self._is_told_to_all else turn.seat, seat=turn.seat, move=action.move)
        self.chosen = (*self.chosen, number)
        if len(self.chosen) == len(self.turns):
            self.make_step(self.chosen)
            self._go_on()
        else:
            self.turn, self._moves = Turn(self.turns[len(self.chosen)], PHASE), None

    def make_step(self, numbers: tuple[int, ...]) -> None:
        """Make the moves of all seats that decide, or let chance have an outcome; tell who sees a change."""
        self.engine_position.play(numbers)
        self.last_step = EngineStep(numbers, self.last_step)
        self._tell_changes()

    def find_turn(self) -> None:
        """Ask the engine who decides now."""
        self.turns, self.chosen, self._moves = tuple(self.engine_position.list_turns()), (), None
        self.turn = Turn(self.turns[0], PHASE) if self.turns else None

    def neutral(self) -> MakeMove:
        """Return the first legal move."""
        if self.turn is None:
            raise IllegalAction("the game is over")
        return MakeMove(self.list_moves()[0].text)

    def together(self) -> Sequence[int]:
        """Return the seats that decide at this moment; () if one decides alone."""
        return self.turns if len(self.turns) > 1 else ()

    def view(self, seat: int) -> EngineView:
        """Return what the engine shows a seat; the spectator sees what is open to all."""
        return EngineView(*self.see(seat))

    def see(self, seat: int) -> Sight:
        """Return what a seat, or the spectator, may know."""
        return self.setup.show(self.engine_position, seat)

    def observe(self, seat: int) -> Sequence[float]:
        """Return what a seat may know as numbers; () where the engine shows it none now.

        Raises:
            EngineFailed: there are not as many numbers as the engine says.
        """
        position, shape = self.engine_position, self.facts.observation or ()
        if isinstance(position, NumberedSight):
            numbers: Sequence[float] = position.observe(seat)
        else:
            numbers = read_numbers(position.show(seat).data, prod(shape))
        if numbers and len(numbers) != prod(shape):
            raise EngineFailed(
                f"{self.setup.name}: an observation of seat {seat} has {len(numbers)} numbers; its shape is {[*shape]}"
            )
        return numbers

    def render(self, seat: int | None, names: Sequence[str]) -> Iterator[str]:
        """Yield the lines that show the game to a seat; None sees everything."""
        text = self.engine_position.describe() if seat is None else self.see(seat).text
        yield from text.splitlines() or ["-"]

    def describe_fields(self) -> dict[str, str]:
        """Return what the state holds beside its table, by name, as text."""
        return {"engine_position": self.engine_position.describe(), "chosen": repr(self.chosen)}

    def outcome(self) -> Outcome:
        """Return places and points; only for a game that is over."""
        points = [float(value) for value in self.engine_position.count_points()]
        return outcome_by_side([points[side[0]] for side in self.facts.sides], self.facts.sides)

    def copy(self) -> EngineState:
        """Return an independent state for looking ahead."""
        return self.with_position(self.engine_position.copy(), self.table.copy())

    def imagine(self, seat: int, rng: Random) -> EngineState:
        """Return a state that the seat, or the spectator, cannot tell from this one; its future is drawn by `rng`.

        The engine draws it, if it can. Where everything is open and chance is asked for, it is this position. Else it
        is searched for from the deal (`search_world`).

        Raises:
            NoWorldFound: none was found, or the engine declares that there are none.
        """
        if (why := self.facts.cannot.get("worlds")) is not None:
            raise NoWorldFound(f"{self.setup.name} samples no worlds: {why}")
        found = FoundWorld(self.engine_position, self.last_step, self.seed)
        if isinstance(self.engine_position, WorldSampler) and seat < self.seats:
            found = FoundWorld(self.engine_position.sample_world(seat, rng), None, rng)
        elif self.facts.is_open and not self.setup.draws:
            found = found._replace(position=self.engine_position.copy())
        else:
            found = self._search_world(seat, rng)
        table = self.table.copy()
        table.rng = rng
        twin = self.with_position(found.position, table)
        twin.rng, twin.last_step, twin.seed = rng, found.last_step, found.seed
        twin.find_turn()
        if self.chosen and twin.turns == self.turns:
            twin.chosen = tuple(
                number if one == seat else rng.choice(found.position.list_moves(one)).number
                for one, number in zip(self.turns, self.chosen, strict=False)
            )
            twin.turn = self.turn
        return twin

    def _search_world(self, seat: int, rng: Random) -> FoundWorld:
        """Return a world of a seat, searched for from the deal."""
        search = WorldSearch(self.setup, seat, self._list_told(seat), rng, StepBudget(WORLD_STEPS))
        found = search.find_from_deal(self.turns)
        if found is None:
            raise NoWorldFound(f"{self.setup.name}: no world of seat {seat} was found in {WORLD_STEPS:,} steps")
        return found

    def _list_told(self, seat: int) -> list[Told]:
        """Return what a seat was told so far, from the deal, by playing the steps once more."""
        position = self.setup.begin(self.seed)
        told, sight = list[Told](), None
        for numbers in [(), *list_steps(self.last_step)]:
            if numbers:
                turns = position.list_turns()
                for one, number in zip(turns, numbers, strict=False):
                    if one == seat or (self.facts.is_open and len(turns) < 2):
                        told.append(Told(None, one, _name_move(position, one, number)))
                position.play(numbers)
            if (seen := self.setup.show(position, seat)) != sight:
                sight = seen
                told.append(Told(seen))
        return told

    def with_position(self, position: EnginePosition, table: Table) -> EngineState:
        """Return this state with another position of the engine, on another table."""
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin.engine_position, twin.table, twin._told = position, table, self._told[:]
        return twin

    @property
    def _is_told_to_all(self) -> bool:
        """Whether everybody is told of a move at once."""
        return self.facts.is_open and len(self.turns) < 2

    def _go_on(self) -> None:
        """Let chance decide until somebody has to."""
        while outcomes := self.engine_position.list_outcomes():
            bounds = [*accumulate(outcome.weight for outcome in outcomes)]
            drawn = outcomes[bisect_right(bounds, self.table.draw_lot(bounds[-1]))]
            self.make_step((drawn.number,))
        self.find_turn()
        if self.turn is None:
            self.table.tell("end", points=[float(value) for value in self.engine_position.count_points()])

    def _tell_changes(self) -> None:
        """Tell each seat what it sees, where that has changed."""
        if self.table.log is None:
            return
        for seat, before in enumerate(self._told):
            if (sight := self.see(seat)) != before:
                self._told[seat] = sight
                data = {} if sight.data is None else {"data": encode(sight.data).decode()}
                self.table.tell("see", only=seat, text=sight.text, **data)


def read_numbers(data: Any, size: int) -> list[float]:  # noqa: ANN401 - plain data
    """Return the numbers of nested lists, one after another, or of an array that names those that are not zero.

    Such an array is written by `make_plain`; here it has `size` numbers. None, and what else is no number, has none.
    """
    if not isinstance(data, Mapping):
        return [*_flatten_numbers(data)]
    numbers = [0.0] * size
    for pair in data.get("nonzero", ()):
        match pair:
            case [int(at), int(number) | float(number)] if 0 <= at < size:
                numbers[at] = float(number)
            case _:
                return [0.0] * (size + 1)  # it is of another shape
    return numbers


def _flatten_numbers(data: object) -> Iterator[float]:
    if isinstance(data, list | tuple):
        for part in data:
            yield from _flatten_numbers(part)
    elif isinstance(data, int | float):
        yield float(data)


def _name_move(position: EnginePosition, seat: int, number: int) -> str:
    return next(move.text for move in name_apart(position.list_moves(seat)) if move.number == number)


@cache
def _lay_out(seats: int) -> Layout:
    layout = Layout(EMPTY_DECK, seats)
    layout.add_pile("box", Visibility.NOBODY)
    return layout


def make_empty_table(seats: int, rng: Random) -> Table:
    """Return the table of a game: there are no cards on it."""
    layout = _lay_out(seats)
    return Table(layout, rng, layout.zones[0])
