"""The protocols of a game: `Game` (the rules) and `State` (one game in progress).

Optional are `Renderable`, `Countable`, `Evaluable`, `DrawEvaluable` and `Simultaneous` states, positions
(`PositionedGame`, `Positioned` states), partners (`Sided` games), bounds (`BoundedGame`), limits (`LimitedGame`), and
sentences about the cards (`FaceDescriber`).

Options, actions, views and positions are msgspec structs of the game: typed, checked and documented, with a JSON Schema
made from them. The state of a game is its only mutable object.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal, NamedTuple, Protocol, Self, TypeAlias, TypeGuard, TypeVar, runtime_checkable

import msgspec

from pitboss.action_range import ActionRange
from pitboss.errors import OptionError
from pitboss.loadouts import check_loadouts
from pitboss.options import Options, convert_value
from pitboss.outcome import Outcome, Sides, solo_sides
from pitboss.rendering.table_text import DEFAULT_WIDTH, render_table
from pitboss.table.cards import Face
from pitboss.table.randomness import Random
from pitboss.table.table import Table
from pitboss.table.turns import Turn
from pitboss.text import join_words, suggest_nearest

O = TypeVar("O", bound=Options)  # noqa: E741 - options
A = TypeVar("A")  # actions
V_co = TypeVar("V_co", covariant=True)  # views
P_co = TypeVar("P_co", covariant=True)  # positions


class State(Protocol[A, V_co]):
    """A game in progress, at one moment."""

    table: Table

    @property
    def turn(self) -> Turn | None:
        """The seat that has to decide, and the phase of the game; None when the game is over."""

    def legal(self) -> Sequence[A | ActionRange]:
        """Return all legal actions, complete, in the order of the rule book; empty when the game is over.

        Actions that differ in one whole number may be one `ActionRange` there.
        """

    def play(self, action: A) -> None:
        """Do the action of the player on turn, and everything that follows up to the next decision.

        Raises:
            IllegalAction: the action is not in `legal()`; nothing has changed.
        """

    def neutral(self) -> A:
        """Return the default action for a player who fails to answer; always legal."""

    def view(self, seat: int) -> V_co:
        """Return the observation of a seat (or the spectator): what it may know and the protocol does not send."""

    def outcome(self) -> Outcome:
        """Return places and points; only for a game that is over."""

    def copy(self) -> Self:
        """Return an independent state for looking ahead: its table writes no log."""

    def imagine(self, seat: int, rng: Random) -> Self:
        """Return a determinization: a state drawn from the information set of `seat`; `rng` is its future.

        Every state that is drawn is one that the seat cannot tell from this one. `TableState.imagine` says how often
        each is drawn, and where that is not exact. A game may draw with other frequencies.
        """


@runtime_checkable
class Renderable(Protocol):
    """A state with its own rendering as text, in place of its zones one by one (`render_table`)."""

    def render(self, seat: int | None, names: Sequence[str]) -> Iterable[str]:
        """Return the table as lines of text, at best within 60 columns; `names` are the players' names by seat.

        The lines show what `seat` (or the spectator) may know *and nothing else*; None shows every card. Called at any
        moment, after the end too, and on copies, which have no log.
        """


CountRole: TypeAlias = Literal["", "pot", "bet", "stack", "button", "out", "part", "order", "aim"]


class PublicCount(NamedTuple):
    """A number, or a text of a few words, under a name: "pot", 120. A word that says all has no value: "folded".

    Its role says how a picture draws it: a pot lies as chips in the middle, a bet as chips before its seat, a stack is
    what a seat can bet, the button is a disc, a seat that is out is pale. A part of the game ("hand", 3) is what a
    replay jumps to. An order has the seats as their turns come ("2 0 1"). An aim is what a seat is to make, for a tally
    (`pitboss.rendering.instruments`), and is not told by itself. Without a role it is words.
    """

    name: str
    value: int | float | str = ""
    role: CountRole = ""


class PublicCounts(msgspec.Struct, frozen=True):
    """What everybody at a table sees beside the cards: pot, stacks and bets, or scores. Pages keep the order."""

    table: Sequence[PublicCount]
    seats: Sequence[Sequence[PublicCount]]  # by seat; () for one of which there is nothing to tell


@runtime_checkable
class Countable(Protocol):
    """A state with counts: pages in the browser show them beside the cards, as a rendering does in the terminal."""

    def public_counts(self) -> PublicCounts:
        """Return the counts of the table and of each seat: public information *and nothing else*.

        Every seat and the spectator are shown the same. Called at any moment, after the end too, and on copies.
        """


@runtime_checkable
class OwnCountable(Protocol):
    """A state that counts for a seat what the seat could count itself: the deadwood of its hand."""

    def own_counts(self, seat: int) -> Sequence[PublicCount]:
        """Return what is shown to this seat alone: what follows from what the seat knows *and nothing else*."""


@runtime_checkable
class PartlyKnown(Protocol):
    """A state of a game that was played elsewhere, of which not all is known: what stood hidden stays hidden."""

    def describe_unknown(self, seat: int) -> str:
        """Return what a question to a seat would need and nobody knows, as "the cards of seat 2"; "" if nothing."""


@runtime_checkable
class Evaluable(Protocol):
    """A state that can estimate the result before the end: a search need not play its worlds to the end then."""

    def evaluate(self) -> Sequence[float]:
        """Return, by seat, the expected points at the end of the round; more is better, partners get the same.

        Called on sampled worlds, thousands of times a decision: it may read every card and should be fast rather than
        exact. A search compares values of different moments, so that during a round they should agree on average with
        the result of the round.
        """


@runtime_checkable
class DrawEvaluable(Protocol):
    """A state that can tell what each card would be worth that may be drawn, faster than by a state for each."""

    def evaluate_draws(self, cards: Sequence[int]) -> Sequence[Sequence[float]] | None:
        """Return by card, by seat, the expected points if it was drawn in place of the card that has just been drawn.

        As for `evaluate`, but the card counts as the best that the seat on turn can make from it. `cards`, in the
        deck's order, are those that nobody had seen before, the drawn one among them. Which of them that is must not
        matter, nor in which order the others lie. None: no card has just been drawn, or the state cannot tell.
        """


@runtime_checkable
class Simultaneous(Protocol):
    """A state in which several seats may decide at the same moment."""

    def together(self) -> Sequence[int]:
        """Return the seats that decide at this moment, in the order in which they are asked; () if one decides alone.

        The answer is the same from the first of their decisions to the last. What one of them chooses must not change
        what the others are shown before the moment is over: turn, legal list, view and events.
        """


@runtime_checkable
class Positioned(Protocol[P_co]):
    """A state whose position can be written down."""

    def position(self) -> P_co:
        """Return the position as data, after the end too; `setup` rebuilds the same position and outcome."""


class Game(Protocol[O, A, V_co]):
    """The rules of a game: one object without state."""

    @property
    def name(self) -> str:
        """The name as people type it: `racko`, `lucky-maker`."""

    @property
    def title(self) -> str:
        """The name as people read it: "Rack-O"."""

    @property
    def version(self) -> str:
        """The version of the rules as programmed; a record of another version may not replay."""

    @property
    def seats(self) -> Sequence[int]:
        """The numbers of players that can play, ascending."""

    @property
    def Options(self) -> type[O]:  # noqa: N802 - it is a type
        """The type of the options."""

    @property
    def Action(self) -> Any:  # noqa: ANN401, N802 - a struct, or a union of tagged structs
        """The type of an action."""

    @property
    def View(self) -> type[V_co]:  # noqa: N802
        """The type of an observation."""

    @property
    def presets(self) -> Mapping[str, O]:
        """Named sets of options."""

    def deal(self, seats: int, options: O, rng: Random) -> State[A, V_co]:
        """Begin a game. `options` are resolved for `seats` players; all randomness comes from `rng`."""


@runtime_checkable
class Sided(Protocol):
    """A game in which seats win and lose together; in any other each seat plays for itself."""

    def sides(self, seats: int, options: Any) -> Sides:  # noqa: ANN401 - the game's own
        """Return the seats of each side, for resolved options; one side of all seats: they play together.

        Every outcome has these sides, whatever is played.
        """


@runtime_checkable
class ChanceDeclarer(Protocol):
    """A game that, with some options, has no chance: nothing is shuffled, rolled or drawn by lot."""

    def has_chance(self, seats: int, options: Any) -> bool:  # noqa: ANN401 - the game's own
        """Return whether anything is left to chance, with resolved options; False: every seed gives the same game."""


@runtime_checkable
class FaceDescriber(Protocol):
    """A game whose cards need an explanation: `pitboss play` gives it to the person at the table."""

    def describe_face(self, face: Face) -> str:
        """Return in a sentence what a card with this face is and does; "" if there is none."""


class PointUnit(NamedTuple):
    """What the players of a game count its results in."""

    name: str  # in the plural, as a heading: "mbb a hand"
    points: float  # of a whole game, for one point of this value


@runtime_checkable
class PointsConverter(Protocol):
    """A game whose players count results in a unit of their own; standings show it beside the points."""

    def point_unit(self, options: Any) -> PointUnit | None:  # noqa: ANN401 - the game's own
        """Return the unit for resolved options; None: there is none with these."""


@runtime_checkable
class PointsCounter(Protocol):
    """A game that says what its players play for: to be ahead, or for as many points as possible."""

    def counts_points(self, options: Any) -> bool:  # noqa: ANN401 - the game's own
        """Return whether it matters by how much one wins, with resolved options: results are chips, or add up.

        Ranks of tournaments go by points then, unless they ask for places.
        """


class DifferenceScale(NamedTuple):
    """A scale for differences of points between players who held the same cards, such as IMPs in Bridge."""

    name: str  # in the plural, as a heading: "IMPs"
    convert: Callable[[float], float]  # a difference of points; that of -d is -convert(d)


@runtime_checkable
class DifferenceConverter(Protocol):
    """A game whose players count differences of points on a scale: a tournament may go by it (`score = "imps"`)."""

    def difference_scale(self, options: Any) -> DifferenceScale:  # noqa: ANN401 - the game's own
        """Return the scale for resolved options.

        Raises:
            OptionError: with these it makes no sense.
        """


class GameBounds(NamedTuple):
    """What no game exceeds, whatever is played; the bounds need not be reached."""

    decisions: int | None  # None: there may be any number
    least: float  # points of a seat
    most: float
    total: float | None = None  # what the points of all seats add up to (zero-sum: 0); None: not always the same
    deals: int | None = None  # of a match, at the most; None: there may be any number


@runtime_checkable
class BoundedGame(Protocol):
    """A game that says how long it can last, and how few and how many points a seat can have."""

    def bounds(self, seats: int, options: Any) -> GameBounds | None:  # noqa: ANN401 - the game's own
        """Return the bounds for resolved options; None: there are none with these."""


Ability: TypeAlias = Literal["worlds", "numbers", "lots"]
"""What a game may be unable to do. "worlds": sample states that a seat cannot tell from the real one. "numbers": give
its actions numbers for learners. "lots": be dealt again from what chance decided in a game."""


@runtime_checkable
class LimitedGame(Protocol):
    """A game that cannot do all that games do, as the program that knows its rules does not offer it."""

    def list_limits(self, seats: int, options: Any) -> Mapping[Ability, str]:  # noqa: ANN401 - the game's own
        """Return what the game cannot do with resolved options, each with the reason as the end of a sentence."""


class PositionedGame(Game[O, A, V_co], Protocol[O, A, V_co, P_co]):
    """A game that can begin at a written position; its states are `Positioned`."""

    @property
    def Position(self) -> type[P_co]:  # noqa: N802
        """The type of a written position; None: the game writes none."""

    def setup(self, seats: int, options: O, position: Any, rng: Random) -> State[A, V_co]:  # noqa: ANN401
        """Begin at a written position; what it leaves open is dealt at random.

        Raises:
            PositionError: the position does not describe a table of this game.
        """


AnyState: TypeAlias = State[Any, Any]  # the framework plays games without knowing their types
AnyGame: TypeAlias = Game[Any, Any, Any]
AnyPositionedGame: TypeAlias = PositionedGame[Any, Any, Any, Any]


def find_point_unit(game: object, options: object) -> PointUnit | None:
    """Return the unit in which the players of a game count results, with resolved options; None if it has none."""
    return game.point_unit(options) if isinstance(game, PointsConverter) else None


def is_played_for_points(game: object, options: object) -> bool:
    """Return whether players of a game play for points, with resolved options; by default they play for places."""
    return isinstance(game, PointsCounter) and game.counts_points(options)


def find_difference_scale(game: AnyGame, options: object) -> DifferenceScale:
    """Return the scale of a game for differences of points, with resolved options.

    Raises:
        OptionError: it has none, or none with these options.
    """
    if not isinstance(game, DifferenceConverter):
        raise OptionError(f"{game.name} has no IMP scale for differences of points; matchpoints need none")
    return game.difference_scale(options)


def find_view_bounds(game: object, seats: int, options: object) -> Mapping[str, Sequence[int]]:
    """Return, by field of the view, the most values that its lists have at a table, the outermost first.

    They are those that the game says by a method `view_bounds(seats, options)`, beside what the types of its view say.
    """
    find = getattr(game, "view_bounds", None)
    return find(seats, options) if find is not None else {}


def find_game_bounds(game: object, seats: int, options: object) -> GameBounds | None:
    """Return what no game with resolved options exceeds; None if the game does not say it."""
    return game.bounds(seats, options) if isinstance(game, BoundedGame) else None


def find_limit(game: object, seats: int, options: object, ability: Ability) -> str | None:
    """Return why a game with resolved options cannot do something; None if it can."""
    return game.list_limits(seats, options).get(ability) if isinstance(game, LimitedGame) else None


def find_sides(game: object, seats: int, options: object) -> Sides:
    """Return the sides of a game with resolved options: what it says itself (`Sided`), else each seat alone."""
    return game.sides(seats, options) if isinstance(game, Sided) else solo_sides(seats)


def has_chance(game: object, seats: int, options: object) -> bool:
    """Return whether a game with resolved options leaves anything to chance; it does unless it says otherwise."""
    return game.has_chance(seats, options) if isinstance(game, ChanceDeclarer) else True


def outcome_so_far(state: AnyState) -> Outcome | None:
    """Return the outcome as if the game ended now; None if the state does not say that it `has_outcome_so_far`."""
    return state.outcome() if getattr(state, "has_outcome_so_far", False) else None


def has_positions(game: AnyGame) -> TypeGuard[AnyPositionedGame]:
    """Tell whether a game can begin at a written position."""
    return getattr(game, "Position", None) is not None


def resolve_options(
    game: AnyGame, seats: int, preset: str | None = None, overrides: Mapping[str, object] | None = None
) -> Any:  # noqa: ANN401 - the options of any game
    """Return the options of a game for `seats` players: a preset, changed by `overrides`, checked and resolved.

    Raises:
        OptionError: the game has no such preset, option, value, number of seats or combination of them.
    """
    if seats not in game.seats:
        raise OptionError(f"{game.name} is played by {join_words(game.seats)} players, not by {seats}", "seats")
    if preset is not None and preset not in game.presets:
        hint, known = suggest_nearest(preset, game.presets), join_words(game.presets) or "none"
        raise OptionError(f"{game.name} has no preset {preset!r}{hint}; it has {known}", "preset")
    base = msgspec.to_builtins(game.presets[preset]) if preset is not None else {}
    options = convert_value({**base, **(overrides or {})}, game.Options, game.name).resolve(seats)
    check_loadouts(game, seats, options)
    return options


def find_public_counts(state: AnyState) -> PublicCounts | None:
    """Return the counts of a state; None if its game has none (`Countable`)."""
    return state.public_counts() if isinstance(state, Countable) else None


def find_own_counts(state: AnyState, seat: int | None) -> Sequence[PublicCount]:
    """Return what a state counts for a seat (`OwnCountable`); () for a spectator, and for who sees all."""
    if seat is None or seat >= state.table.layout.seats or not isinstance(state, OwnCountable):
        return ()
    return state.own_counts(seat)


def render_state(state: AnyState, seat: int | None, names: Sequence[str], width: int = DEFAULT_WIDTH) -> list[str]:
    """Return the lines that show a state to `seat`: its own rendering (`Renderable`), else `render_table`.

    None shows every card. `render_table` marks the seat on turn only for that seat itself and for None: whether other
    seats may know it is a rule of the game.
    """
    if isinstance(state, Renderable):
        return list(state.render(seat, names))
    turn = state.turn
    is_told = turn is not None and seat in (None, turn.seat)
    return list(render_table(state.table, seat, names, turn if is_told else None, width))
