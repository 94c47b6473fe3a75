"""The game setups that the conformance suite plays, and the actions and phases that it collects in each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import cached_property
from typing import Any, Final

import msgspec
from msgspec import inspect

from pitboss.action_range import sample_actions
from pitboss.game import AnyGame, find_sides, resolve_options
from pitboss.outcome import Sides
from pitboss.simulation.game_setup import (
    GameSetup,
    OptionVariant,
    list_presets,
    list_single_changes,
    make_setup,
    option_fields,
)
from pitboss.simulation.random_play import MAX_DECISIONS, choose_from_words, play_on
from pitboss.table.turns import Turn

COLLECTED_DECISIONS: Final = 400  # the first ones of a game, whose actions are kept
MAX_POOL: Final = 400  # different actions that are kept to be tried where they are not legal
COUNTED_DECISIONS: Final = 300  # decisions, of which it is not counted how many more there are


class CheckedSetup(GameSetup):
    """A game setup, the limits of its games, and the actions and phases that they reached."""

    def __init__(
        self,
        setup: GameSetup,
        seed: str = "conformance",
        max_decisions: int = MAX_DECISIONS,
        *,
        is_single_change: bool = False,
    ) -> None:
        """`is_single_change`: options changed in the setup's variant are changed alone, not asked for."""
        super().__init__(setup.game, setup.seats, setup.options, setup.variant)
        self.seed = seed
        self.max_decisions = max_decisions  # decisions after which a game counts as endless
        self.is_single_change = is_single_change and bool(setup.variant.changes)
        self.action_pool: dict[bytes, Any] = {}  # every action that was ever legal here, by its JSON
        self.met_kinds: dict[str, set[type[Any]]] = {}  # by phase, the types of actions
        self.has_endless_histories = False  # a search for a legal history was given up here: others would be as long
        self.decisions: int | None = None  # of the first game that was played out here
        self.note_long_game: Callable[[Any], None] = lambda game: None  # called while a long game is played

    def __str__(self) -> str:
        return f"game {self.game.name}, {self.label}"

    def collect_actions(self, turn: Turn, legal: Sequence[Any], number: int) -> None:
        """Keep the actions of the first decisions and of new phases, to try them where they are illegal."""
        if number < COLLECTED_DECISIONS or turn.phase not in self.met_kinds:
            self.met_kinds.setdefault(turn.phase, set()).update(map(type, legal))
            if len(self.action_pool) < MAX_POOL:
                self.action_pool.update((msgspec.json.encode(action), action) for action in sample_actions(legal))

    @cached_property
    def sides(self) -> Sides:
        """The seats that win and lose together."""
        return find_sides(self.game, self.seats, self.options)


def enumerate_setups(
    game: AnyGame, seats: Sequence[int] | None, presets: Sequence[str] | None, given: Mapping[str, object]
) -> Iterator[GameSetup]:
    """Yield the setup of each number of seats with the defaults and with each preset, without repeating equal options.

    Then yield each single change of an option that gives new options, for the first number of seats that allows it.
    `presets` (an empty list: the defaults) and `given` options, which go on top, restrict the setups: with either,
    there are no single changes.
    """
    counts = game.seats if seats is None else seats
    variants = list_presets(game) if presets is None else [*map(OptionVariant, presets)] or [OptionVariant()]
    known: list[object] = []
    for count in counts:
        known_here: list[object] = []
        for variant in variants:
            setup = make_setup(game, count, variant._replace(changes=given))
            if setup is not None and setup.options not in known_here:
                known_here.append(setup.options)
                yield setup
        known += known_here
    for variant in list_single_changes(game) if presets is None and not given else ():
        setup = next(filter(None, (make_setup(game, count, variant) for count in counts)), None)
        if setup is not None and setup.options not in known:
            known.append(setup.options)
            yield setup


def order_by_length(
    setups: Sequence[CheckedSetup], record: Callable[[], AbstractContextManager[None]]
) -> list[tuple[int, CheckedSetup]]:
    """Return setups with their numbers: a short one of each number of seats, others, then options changed alone.

    Of these short games come before long ones, too. A bug then shows early, and a run that is broken off has played
    every number of seats. A random game of each tells how long it is, where none was played out; `record` is entered at
    its deal, in which a game makes what it keeps for all later ones.
    """
    met = set[object]()
    lengths = []
    for setup in setups:
        is_new = not met.issuperset(names := {setup.seats, setup.variant.preset})
        met |= names
        lengths.append(_count_decisions(setup, record if is_new else nullcontext) * setup.seats)
    ordered = sorted(enumerate(setups), key=lambda one: (one[1].is_single_change, lengths[one[0]]))
    first = {setup.seats: number for number, setup in reversed(ordered)}  # the shortest
    return sorted(ordered, key=lambda one: first[one[1].seats] != one[0])


def _count_decisions(setup: CheckedSetup, record: Callable[[], AbstractContextManager[None]]) -> int:
    try:
        with record():
            resolve_options(setup.game, setup.seats, setup.variant.preset, setup.variant.changes)
            find_sides(setup.game, setup.seats, setup.options)
            state = setup.deal(setup.seed)
        if setup.decisions is not None:
            return min(setup.decisions, COUNTED_DECISIONS)
        state.table.stop_logging()
        return len(play_on(state, choose_from_words(setup.seed), COUNTED_DECISIONS))
    except Exception:  # noqa: BLE001 - the border to a plugin's code; the checks will report it
        return 0


def enumerate_edge_options(game: AnyGame) -> Iterator[tuple[str, object]]:
    """Yield the name of an option and a value to try: each single change, and integers at and next to the bounds."""
    for variant in list_single_changes(game):
        yield from variant.changes.items()
    for option in option_fields(game):
        for number in _enumerate_bounds(option.type):
            yield option.encode_name, number


def _enumerate_bounds(kind: inspect.Type) -> Iterator[int]:
    match kind:
        case inspect.Metadata():
            yield from _enumerate_bounds(kind.type)
        case inspect.UnionType():
            for part in kind.types:
                yield from _enumerate_bounds(part)
        case inspect.IntType():
            low = kind.ge if kind.ge is not None else -1
            high = kind.le if kind.le is not None else low + 1000
            yield from sorted({low, low + 1, low + 2, high})
        case _:
            return
