"""The messages between Pitboss and a program that knows the rules of a game: one JSON object on a line, each way.

The program answers each line by one line, in order. `hello` is answered by a `HelloAnswer`, `deal` and `play` by a
`MomentAnswer`, `state` by a `SightAnswer`, `legal` by a `LegalAnswer`, `outcome` by an `OutcomeAnswer`, `drop` by `{}`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Final, TypeAlias

from msgspec import UNSET, Meta, Struct, UnsetType

from pitboss.foreign_input import LARGEST_NUMBER
from pitboss.game import Ability
from pitboss.options import Options
from pitboss.outcome import Sides

MAX_NUMBERS: Final = 1 << 20  # of moves, and of an observation

MoveNumber: TypeAlias = Annotated[int, Meta(ge=0, lt=1 << 53)]
OptionValue: TypeAlias = bool | int | float | str


class EngineRequest(Struct, frozen=True, tag_field="do"):
    """The base of what the program is asked. Its keys come in the order of the fields, without blanks."""


class AskHello(EngineRequest, frozen=True, tag="hello"):
    """A question for the facts of the game or, with options, of a game with these options."""

    seats: int | UnsetType = UNSET
    options: Options | UnsetType = UNSET


class AskDeal(EngineRequest, frozen=True, tag="deal"):
    """Begin a game."""

    state: int
    seats: int
    seed: int  # for a program that draws chance by itself
    options: Any


class AskPlay(EngineRequest, frozen=True, tag="play"):
    """Make a step from a state; the state after it has the number `to`. If that is another, the first state stays."""

    state: int
    to: int
    numbers: Sequence[int]


class AskState(EngineRequest, frozen=True, tag="state"):
    """What does a seat see; without a seat: what is the whole position."""

    state: int
    seat: int | UnsetType = UNSET


class AskLegal(EngineRequest, frozen=True, tag="legal"):
    """What may a seat do."""

    state: int
    seat: int


class AskOutcome(EngineRequest, frozen=True, tag="outcome"):
    """What are the points at the end."""

    state: int


class TellDrop(EngineRequest, frozen=True, tag="drop"):
    """Forget states."""

    states: Sequence[int]


class EngineAnswer(Struct, frozen=True, forbid_unknown_fields=True):
    """The base of what the program answers."""


class EngineRefusal(EngineAnswer, frozen=True):
    """What was asked is not possible; of options and numbers of players: the person at the keyboard is told why."""

    error: str


class EngineOption(EngineAnswer, frozen=True):
    """An option of the game."""

    default: OptionValue
    about: Annotated[str, Meta(min_length=1)]
    least: int | float | None = None
    most: int | float | None = None


class HelloAnswer(EngineAnswer, frozen=True):
    """What game it is."""

    name: Annotated[str, Meta(pattern=r"^[a-z][a-z0-9-]{0,63}$")]
    title: Annotated[str, Meta(min_length=1)]
    version: Annotated[str, Meta(min_length=1)]
    seats: Annotated[list[Annotated[int, Meta(ge=1, le=64)]], Meta(min_length=1)]
    options: dict[Annotated[str, Meta(pattern=r"^[a-z][a-z0-9_]*$")], EngineOption] = {}
    chance: bool = True  # whether anything is left to chance
    open: bool = False  # whether every seat sees everything that has happened
    sides: Sides | None = None  # None: everybody plays for oneself
    decisions: Annotated[int, Meta(ge=1)] | None = None  # these as in `EngineFacts`
    least: float | None = None
    most: float | None = None
    total: float | None = None
    moves: Annotated[int, Meta(ge=1, le=MAX_NUMBERS)] | None = None
    observation: Annotated[list[Annotated[int, Meta(ge=1, le=MAX_NUMBERS)]], Meta(max_length=8)] | None = None
    cannot: dict[Ability, str] = {}


class SightAnswer(EngineAnswer, frozen=True):
    """What a seat sees."""

    text: str = ""
    data: Any = None


class MomentAnswer(EngineAnswer, frozen=True):
    """A state after a deal or a step: who decides, or what chance may do, or that the game is over."""

    turns: list[Annotated[int, Meta(ge=0)]] = []
    chance: list[tuple[MoveNumber, Annotated[int, Meta(ge=1, lt=1 << 53)]]] = []  # numbers and weights
    over: bool = False
    points: list[float] | None = None  # by seat, at the end; None: ask
    moves: list[Annotated[list[tuple[MoveNumber, str]], Meta(min_length=1)]] | None = None  # of each seat in `turns`
    seen: list[str | SightAnswer | None] | None = None  # by seat; None: as before. No list: ask each seat


class LegalAnswer(EngineAnswer, frozen=True):
    """The legal moves of a seat."""

    moves: Annotated[list[tuple[MoveNumber, str]], Meta(min_length=1)]


class OutcomeAnswer(EngineAnswer, frozen=True):
    """The points by seat."""

    points: list[float]


class DropAnswer(EngineAnswer, frozen=True):
    """Nothing."""


def find_wrong_option(options: Mapping[str, EngineOption]) -> str:
    """Return what is wrong with the options of a game, after "the program …"; "" if nothing is."""
    for name, option in options.items():
        default, least, most = option.default, option.least, option.most
        bounds = [one for one in (least, most) if one is not None]
        if hasattr(Options, name):
            return f"has an option {name!r}: this name is taken"
        if isinstance(default, bool | str):
            if bounds:
                return f"bounds the option {name!r}, whose default {default!r} is no number"
            continue
        if isinstance(default, int) and not all(isinstance(one, int) and abs(one) <= LARGEST_NUMBER for one in bounds):
            return f"bounds the option {name!r} by {bounds}, whose default {default!r} is a whole number"
        if (least is not None and default < least) or (most is not None and default > most):
            return f"has an option {name!r} whose default {default!r} is beyond its bounds"
    return ""


def find_wrong_moment(moment: MomentAnswer, seats: int) -> str:
    """Return what is wrong with an answer at a table of `seats`, after "the program …"; "" if nothing is."""
    turns, moves, seen, points = moment.turns, moment.moves, moment.seen, moment.points
    if bool(turns) + bool(moment.chance) + (moment.over or points is not None) != 1:
        return "said that seats decide, or that chance does, or that the game is over: not just one"
    if turns and (max(turns) >= seats or len({*turns}) < len(turns)):
        return f"named the turns {turns} of {seats} seats"
    if moves is not None and len(moves) != len(turns):
        return f"gave {len(moves)} lists of moves for turns {turns}"
    if seen is not None and len(seen) != seats:
        return f"showed {len(seen)} sights to {seats} seats"
    if points is not None and len(points) != seats:
        return f"counted the points {points} for {seats} seats"
    return ""
