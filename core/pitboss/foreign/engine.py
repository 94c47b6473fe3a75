"""What a program that knows the rules of a game offers, so that it can be played here: `RuleEngine`, `EnginePosition`.

Moves and outcomes of chance are numbers of the engine's own. What a seat may know is a text, data, or both. What an
engine cannot do, it declares in `EngineFacts.cannot`, with the reason: nothing then pretends that it can.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol, Self, TypeVar, runtime_checkable

from msgspec import Struct

from pitboss.game import Ability
from pitboss.options import Options
from pitboss.outcome import Sides
from pitboss.table.randomness import Random

O_contra = TypeVar("O_contra", bound=Options, contravariant=True)


class EngineMove(NamedTuple):
    """A legal move."""

    number: int
    text: str  # as people write it; to equal texts Pitboss adds the numbers


class EngineOutcome(NamedTuple):
    """An outcome of a chance event."""

    number: int
    weight: int  # it is drawn as often as its share of the sum of all weights


class Sight(NamedTuple):
    """All that a seat may know at a moment."""

    text: str = ""
    data: Any = None  # plain data, such as an observation's arrays


class EngineFacts(Struct, frozen=True, kw_only=True):
    """What an engine says of a game with resolved options."""

    sides: Sides
    has_chance: bool
    is_open: bool  # whether every seat sees everything that has happened
    decisions: int | None = None  # of a game, at the most; None: unknown
    least: float | None = None  # points of a seat; None: unknown
    most: float | None = None
    total: float | None = None  # what the points of all seats add up to; None: unknown, or not always the same
    moves: int | None = None  # the numbers of moves are below this; None: unknown
    observation: tuple[int, ...] | None = None  # the shape of an observation as numbers; None: there is none
    cannot: Mapping[Ability, str] = {}  # by ability: why, as the end of a sentence


class EnginePosition(Protocol):
    """A game of an engine in progress. `play` changes it in place."""

    def list_turns(self) -> Sequence[int]:
        """Return the seats that decide now, several if they decide at the same moment.

        () while chance decides, and at the end.
        """

    def list_outcomes(self) -> Sequence[EngineOutcome]:
        """Return the outcomes of chance that are possible now; () unless chance decides."""

    def list_moves(self, seat: int) -> Sequence[EngineMove]:
        """Return the legal moves of a seat that decides now; one at least."""

    def play(self, numbers: Sequence[int]) -> None:
        """Make the move of each seat in `list_turns`, in their order; or let chance have the outcome `numbers[0]`."""

    def show(self, seat: int) -> Sight:
        """Return what a seat may know now, and nothing else; at the end too."""

    def describe(self) -> str:
        """Return the whole position as text, hidden things too."""

    def count_points(self) -> Sequence[float]:
        """Return the points by seat, more being better; only at the end."""

    def copy(self) -> Self:
        """Return an independent position."""


@runtime_checkable
class WorldSampler(Protocol):
    """A position that samples worlds itself."""

    def sample_world(self, seat: int, rng: Random) -> Self:
        """Return a position that the seat cannot tell from this one, drawn by `rng`; this position stays as it is.

        Where the engine draws chance itself, the future of the new position is drawn by `rng`, too.
        """


@runtime_checkable
class NumberedSight(Protocol):
    """A position that says itself what a seat may know as numbers; without it they are those of `Sight.data`."""

    def observe(self, seat: int) -> Sequence[float]:
        """Return what a seat may know now as numbers, as many as `EngineFacts.observation` says; at the end too."""


class RuleEngine(Protocol[O_contra]):
    """The rules of one game."""

    @property
    def name(self) -> str:
        """The name as people type it: lower-case letters, digits and hyphens."""

    @property
    def title(self) -> str:
        """The name as people read it."""

    @property
    def version(self) -> str:
        """The version of the engine; a record of another version may not replay."""

    @property
    def seats(self) -> Sequence[int]:
        """The numbers of players that can play, ascending."""

    @property
    def Options(self) -> type[Any]:  # noqa: N802 - it is a type
        """The type of the options."""

    def describe_game(self, seats: int, options: O_contra) -> EngineFacts:
        """Return the facts of a game with resolved options.

        Raises:
            OptionError: the engine does not allow these options, or not with that number of seats.
        """

    def begin(self, seats: int, options: O_contra, rng: Random) -> EnginePosition:
        """Begin a game. What chance decides is asked for by `list_outcomes`, or drawn by `rng` alone."""


class EngineSetup(NamedTuple):
    """An engine at a table, with resolved options."""

    engine: RuleEngine[Any]
    seats: int
    options: Any
    facts: EngineFacts
    draws: bool  # whether the engine draws itself what chance decides

    @property
    def name(self) -> str:
        """The name of the game."""
        return self.engine.name

    def begin(self, seed: Random) -> EnginePosition:
        """Begin a game."""
        return self.engine.begin(self.seats, self.options, seed.spawn("engine"))

    def show(self, position: EnginePosition, seat: int) -> Sight:
        """Return what a seat may know, or the spectator: everything where all is open, else nothing."""
        if seat < self.seats:
            return position.show(seat)
        return Sight(position.describe()) if self.facts.is_open else Sight()
