"""The two protocols that every game fulfils: `Game`, which knows the rules, and `State`, one game being played. `Renderable` and `Evaluable` are two that it may.

Options, actions, views and positions are msgspec structs of the game's own, so that they are typed, checked, documented and have
a JSON Schema without further work. A game's state is the one mutable thing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol, Self, TypeAlias, TypeVar, runtime_checkable

from pitboss.options import Options
from pitboss.outcome import Outcome
from pitboss.table.randomness import Random
from pitboss.table.table import Table
from pitboss.table.turns import Turn

O = TypeVar("O", bound=Options)  # noqa: E741 - options
A = TypeVar("A")  # actions
V_co = TypeVar("V_co", covariant=True)  # views
P_co = TypeVar("P_co", covariant=True)  # positions


class State(Protocol[A, V_co, P_co]):
    """A game at one moment."""

    table: Table

    @property
    def turn(self) -> Turn | None:
        """Who has to decide, and in which phase; None when the game is over."""

    def legal(self) -> Sequence[A]:
        """Return all legal actions, complete, in the order of the rule book; empty when the game is over."""

    def play(self, action: A) -> None:
        """Do the action of the player on turn, and everything that follows up to the next decision.

        Raises:
            IllegalAction: the action is not in `legal()`; nothing has changed.
        """

    def neutral(self) -> A:
        """Return what the rule book says for a player who fails to answer: always a legal action."""

    def view(self, seat: int) -> V_co:
        """Return all that a seat (or the spectator) may know and that the wire does not tell it anyway."""

    def outcome(self) -> Outcome:
        """Return places and points; only for a game that is over."""

    def position(self) -> P_co:
        """Write the position down, so that `Game.setup` gives it back."""

    def copy(self) -> Self:
        """Return an independent state for looking ahead: its table writes no log."""

    def imagine(self, seat: int, rng: Random) -> Self:
        """Return a state that `seat` cannot tell from this one, drawn fairly; `rng` is its future."""


@runtime_checkable
class Renderable(Protocol):
    """A state that draws its own picture for people, where its zones one by one (`pitboss.table.rendering.table_lines`) are not how they see the game."""

    def render(self, seat: int | None, names: Sequence[str]) -> Iterable[str]:
        """Return the table as lines of text, at best no longer than 60 columns; `names` are the players' by seat.

        It shows what `seat` (or the spectator) may know *and nothing else*; None sees every card. It is asked at any moment, also when the game is over,
        and of copies, which keep no log.
        """


@runtime_checkable
class Evaluable(Protocol):
    """A state that can say before the end how well everybody stands. Search players know no game; of one that says so they need not see the end."""

    def evaluate(self) -> Sequence[float]:
        """Return for each seat what its points will be, roughly, when the round is over, so that more is better; partners have the same.

        It is asked of imagined worlds, some thousand times for a decision: it may look at every card, and should be quick rather than right. While a round is
        played what it says should come near, on average, to what the round then brings: a search weighs the one against the other.
        """


class Game(Protocol[O, A, V_co, P_co]):
    """The rules of a game: one object a plugin, without state."""

    @property
    def name(self) -> str:
        """What people type: `racko`, `lucky-maker`."""

    @property
    def title(self) -> str:
        """What people read: "Rack-O"."""

    @property
    def version(self) -> str:
        """The version of the rules as programmed: a record of another one may not replay."""

    @property
    def seats(self) -> Sequence[int]:
        """The numbers of players that can play, ascending."""

    @property
    def Options(self) -> type[O]:  # noqa: N802 - it is a type
        """The options of the game."""

    @property
    def Action(self) -> Any:  # noqa: ANN401, N802 - a struct, or a union of tagged structs, which has no type of its own
        """What a player can do."""

    @property
    def View(self) -> type[V_co]:  # noqa: N802
        """What a seat may see."""

    @property
    def Position(self) -> type[P_co]:  # noqa: N802
        """A position written down."""

    @property
    def presets(self) -> Mapping[str, O]:
        """Named sets of options."""

    def deal(self, seats: int, options: O, rng: Random) -> State[A, V_co, P_co]:
        """Begin a game. `options` are resolved for that number of seats; all randomness comes from `rng`."""

    def setup(self, seats: int, options: O, position: Any, rng: Random) -> State[A, V_co, P_co]:  # noqa: ANN401
        """Begin in the middle: what the position leaves open is dealt at random.

        Raises:
            PositionError: the position does not describe a table of this game.
        """


AnyState: TypeAlias = State[Any, Any, Any]  # the framework plays games without knowing their types
AnyGame: TypeAlias = Game[Any, Any, Any, Any]
