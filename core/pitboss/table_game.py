"""Bases for games at a table: `TableState` lays out zones, copies itself, refuses illegal actions; `TableGame` deals.

Neither is needed: whatever has the methods of `Game` and `State` is a game.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import lru_cache
from typing import Any, ClassVar, Final, Generic, NoReturn, Self, TypeVar, dataclass_transform, get_args, get_type_hints

from pitboss.action_range import ActionRange, find_entry, lowest_action
from pitboss.determinization.sampling import sample_world
from pitboss.errors import IllegalAction
from pitboss.open_actions import find_open_choices, judge_open
from pitboss.options import Options
from pitboss.table.cards import Deck
from pitboss.table.randomness import Random
from pitboss.table.stacked_seed import DealRandom, open_stream
from pitboss.table.table import Table
from pitboss.table.turns import Turn
from pitboss.table.zone_fields import (
    add_declared_zones,
    hand_each,
    pile,
    pile_each,
    piles,
    rack_each,
    secret,
    secret_each,
    spread,
    spread_each,
    spreads,
)
from pitboss.table.zones import Layout, Zone

O = TypeVar("O", bound=Options)  # noqa: E741 - options
A = TypeVar("A")  # actions
S = TypeVar("S", bound="TableState[Any, Any]")  # states

_COPIED: Final = re.compile(r"(list|dict|set)(\[.*\])?")  # as it is written, or the name of a type


@dataclass_transform(
    kw_only_default=True,
    eq_default=False,
    field_specifiers=(
        field,
        pile,
        spread,
        piles,
        spreads,
        hand_each,
        rack_each,
        pile_each,
        spread_each,
        secret,
        secret_each,
    ),
)
@dataclass(eq=False, repr=False, kw_only=True)
class TableState(ABC, Generic[O, A]):
    """A state whose fields are a table, a turn and what a game adds; the game adds the other methods of `State` too.

    Every subclass is a dataclass without being decorated. It names its deck and declares its zones as fields (see
    `pitboss.table.zone_fields`); before the first deal all cards lie in the first of them.

    A copy has a table of its own and copies of the fields that are declared as a `list`, `dict` or `set`. It shares the
    values of all others, which a game replaces and does not change in place.
    """

    _copy_fields: ClassVar[Callable[[Any, Any], None]]
    deck: ClassVar[Deck]
    evaluates_unseen: ClassVar[bool] = False  # `evaluate` reads cards that nobody has seen, such as the next of a stock

    has_outcome_so_far: ClassVar[bool] = False  # `outcome` can be asked before the end: as if the game ended now

    options: O
    table: Table
    rng: Random  # of the whole game
    turn: Turn | None = None

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        dataclass(eq=False, repr=False, kw_only=True)(cls)
        cls._copy_fields = _make_field_copier(cls)

    @classmethod
    def create(cls, seats: int, options: O, rng: Random) -> Self:
        """Return a state before the first deal."""
        layout, zones = _lay_out(cls, seats, cls.make_deck(seats, options))
        return cls(options=options, table=Table(layout, rng, layout.zones[0]), rng=rng, **zones)

    @classmethod
    def make_deck(cls, seats: int, options: O) -> Deck:
        """Return the deck of a game; states of one deck share a layout."""
        return cls.deck

    @property
    def seats(self) -> int:
        """The number of players."""
        return self.table.layout.seats

    def faces(self, zone: Zone) -> list[str]:
        """Return what is printed on the cards of a zone, hidden ones too."""
        return list(map(str, self.table.faces(zone)))

    @abstractmethod
    def start(self) -> None:
        """Deal, and set the first turn."""

    @abstractmethod
    def legal(self) -> Sequence[A | ActionRange]:
        """Return all legal actions: see `State`."""

    def play(self, action: A) -> None:
        """Do the action of the player on turn, and everything that follows up to the next decision.

        It is one of the legal list or, where the state `TakesOpenActions`, an open one. A game in which the legal list
        takes long to make has a `play` of its own, which refuses what is not legal.

        Raises:
            IllegalAction: it is not legal; nothing has changed.
        """
        if action not in (legal := self.legal()) and find_entry(action, legal) is None:
            why = judge_open(action, find_open_choices(self))
            if why:
                raise IllegalAction(f"{action!r} was played at {self.turn}: {why}")
            if why is None:
                self.refuse(action)
        self.apply(action)

    def apply(self, action: A) -> None:
        """Do a legal action: see `play`."""
        raise NotImplementedError(f"{type(self).__name__} has neither `apply` nor a `play` of its own")

    def refuse(self, action: A) -> NoReturn:
        """Raise IllegalAction, which names the action, the turn and the legal actions."""
        raise IllegalAction(f"{action!r} was played at {self.turn}; legal: {list(self.legal())!r}")

    def require_turn(self) -> Turn:
        """Return the turn.

        Raises:
            IllegalAction: the game is over.
        """
        if self.turn is None:
            raise IllegalAction("the game is over")
        return self.turn

    def neutral(self) -> A:
        """Return the first legal action."""
        self.require_turn()
        return lowest_action(self.legal()[0])  # type: ignore[no-any-return]

    def copy(self) -> Self:
        """Return an independent state for looking ahead."""
        return self.with_table(self.table.copy())

    def imagine(self, seat: int, rng: Random) -> Self:
        """Return a determinization: a state sampled from the information set of the seat.

        All deals that give the seat what it has observed are equally likely; what the others chose to do does not count
        as evidence. This is exact where one round of shuffling and open play has led here. It is approximate, within
        the error of a Markov chain, where hardly any deal satisfies the constraints, and where cards were mixed
        unseen more than once. For equal cards see `pitboss.determinization.sampling`.
        """
        return self.with_world(sample_world(self.table, seat, rng))

    def with_world(self, world: Table) -> Self:
        """Return this state on a sampled table, whose randomness is that of all later deals."""
        twin = self.with_table(world)
        twin.rng = world.rng
        return twin

    def with_table(self, table: Table) -> Self:
        """Return this state on another table."""
        twin = object.__new__(type(self))
        self._copy_fields(twin)
        twin.table = table
        return twin

    def collect_and_shuffle(self, pile: Zone, deal: str, *, most_drawn: int | None = None) -> None:
        """Collect all cards in a pile and shuffle them; `most_drawn` as in `Table.shuffle`.

        Their order depends on the seed of the game and the name of the deal alone.
        """
        self.table.collect(pile)
        self.table.rng = self.rng.spawn(deal)
        self.table.shuffle(pile, most_drawn=most_drawn)


@lru_cache(maxsize=64)
def _lay_out(state: type[TableState[Any, Any]], seats: int, deck: Deck) -> tuple[Layout, Mapping[str, Any]]:
    """Return the layout of a class of states, and the zones that it declares by field."""
    layout = Layout(deck, seats)
    zones = add_declared_zones(layout, fields(state))
    if not zones:
        raise TypeError(f"{state.__name__} declares no zone")
    return layout, zones


def _make_field_copier(state: type[Any]) -> Callable[[Any, Any], None]:
    """Return a function `copy_fields(self, twin)` that gives `twin` the fields of `self`.

    It has one assignment for each field. A copy of `__dict__` would make each later look at an attribute slower.
    """
    lines = [f"; twin.{field.name} = self.{field.name}{_copy_call(field.type)}" for field in fields(state)]
    made: dict[str, Callable[[Any, Any], None]] = {}
    exec(f"def copy_fields(self, twin): pass{''.join(lines)}", made)
    return made["copy_fields"]


def _declared_types(state: type[TableState[Any, Any]]) -> tuple[Any, Any, Any]:
    """Return the options and actions that a class of states names in `TableState[…]`, and the view that it returns."""
    bases = [base for one in state.__mro__ for base in vars(one).get("__orig_bases__", ())]
    made = next(base for base in bases if len(get_args(base)) == 2 and not isinstance(get_args(base)[0], TypeVar))
    view = get_type_hints(state.view)["return"] if hasattr(state, "view") else None
    return *get_args(made), view


def _copy_call(declared: object) -> str:
    return ".copy()" if _COPIED.fullmatch(getattr(declared, "__name__", str(declared))) else ""


class TableGame(Generic[O, S]):
    """A base for games of a class of states. The other attributes of `Game` are the game's.

    If the game does not say it, its options and actions are those in `TableState[…]` of its state, and its view is what
    `view` of its state is declared to return. A game with positions (`PositionedGame`) has a type `Position`, and its
    states `position` and `set_up`.
    """

    state: type[S]
    version: str = "1"
    phases: Sequence[str] = ()  # all that a turn can have; (): the game does not say
    Options: Any
    Action: Any
    View: Any
    Position: Any = None
    presets: Mapping[str, Any] = {}

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if "state" in vars(cls):
            for name, declared in zip(("Options", "Action", "View"), _declared_types(cls.state), strict=True):
                if not hasattr(cls, name):
                    setattr(cls, name, declared)

    def deal(self, seats: int, options: O, rng: Random) -> S:
        """Begin a game. A seed may name the deal: see `pitboss.table.stacked_seed`."""
        stream = open_stream(rng)
        state = self.state.create(seats, options, stream)
        state.start()
        if isinstance(stream, DealRandom):
            stream.drop_rest()
        return state

    def setup(self, seats: int, options: O, position: Any, rng: Random) -> S:  # noqa: ANN401 - see `PositionedGame`
        """Begin at a written position."""
        state: Any = self.state.create(seats, options, rng)
        state.set_up(position)
        return state  # type: ignore[no-any-return]
