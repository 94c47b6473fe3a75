"""Information set Monte Carlo tree search over worlds sampled by `State.imagine`, for any game.

Single-observer ISMCTS: Cowling, Powley and Whitehouse, "Information Set Monte Carlo Tree Search", 2012. Each iteration
samples a world, descends the tree, adds one action, plays on a little, and backs up the values. Differences from the
paper:

* A node is the observation of the player on turn, not only the actions before: what to do with a drawn card is learnt
  for each card.
* Every player maximises the value of its own side (max^n), from places and points (`evaluation`).
* Nodes widen with their visits (`tree`), as there are few visits in some milliseconds of Python, and many actions.
* A playout ends with the round or earlier (`playout`); its gain is relative to a baseline from the sampled cards.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from random import Random as Quick
from time import perf_counter
from typing import Any, Final, TypeAlias

import msgspec
from msgspec import Struct

from pitboss import AnyState, Outcome, Random, Sides
from pitboss.action_range import sample_actions
from pitboss_house_bots.evaluation import EVEN_VALUE, SCALE_SAMPLE, GainEvaluator, GainScale, SeatValues
from pitboss_house_bots.playout import PlayoutHorizon, PlayoutPolicy, SimulationRandom
from pitboss_house_bots.plugin import SEARCH_OPTIONS
from pitboss_house_bots.time_limit import OutOfTime
from pitboss_house_bots.tree import Edge, Node, NodeKey, best_edge

EXPLORATION: Final = float(SEARCH_OPTIONS["exploration"].default)
NOTED_ACTIONS: Final = 3  # actions that a note names
ACTION_WIDTH: Final = 60

EdgePath: TypeAlias = list[tuple[Edge, int]]  # the edges taken, and who decided there

encode: Final = msgspec.json.Encoder().encode


class RankedAction(Struct, frozen=True):
    """A legal action with its visits and value."""

    index: int  # in the list of legal actions, of which a range holds several, and the open ones after them
    action: Any  # the game's own
    visits: int
    value: float | None  # its mean worth for the seat, 0 to 1; None: it was never tried


class Advice(Struct, frozen=True):
    """Result of a search: all legal actions, the most visited first."""

    ranked: tuple[RankedAction, ...]
    worlds: int

    @property
    def best(self) -> RankedAction:
        """The most visited action."""
        return self.ranked[0]

    @property
    def note(self) -> str:
        """One line about it, for the record."""
        tried = [one for one in self.ranked if one.value is not None]
        if len(self.ranked) == 1 or not tried:
            return "nothing to choose" if len(self.ranked) == 1 else "no time to look ahead"
        described = ", ".join(
            f"{_format_action(one.action)} {one.value:.2f} ({one.visits})" for one in tried[:NOTED_ACTIONS]
        )
        more = f", {len(self.ranked) - NOTED_ACTIONS} more" if len(self.ranked) > NOTED_ACTIONS else ""
        return f"{self.worlds} worlds: {described}{more}"


def advise(
    state: AnyState,
    seat: int,
    seconds: float,
    rng: Random,
    sides: Sides,
    *,
    worlds: int | None = None,
    exploration: float = EXPLORATION,
    open_actions: Sequence[Any] = (),
    clock: Callable[[], float] = perf_counter,
) -> Advice:
    """Search from the seat's information set until `seconds` or `worlds` are used up, or `OutOfTime` is raised in it.

    `sides` are those of the game; `open_actions` are tried beside the legal ones. `state` is unchanged; it may be the
    true one: only `legal`, `turn`, `imagine` and, where it is public, `outcome` are read.
    """
    search = TreeSearch(state, seat, rng, sides, exploration, open_actions)
    if len(search.legal) > 1:
        began = clock()
        spent = one = 0.0  # what one world takes on average
        with suppress(OutOfTime):
            while (worlds is None or search.worlds < worlds) and spent + one < seconds:
                search.search_world()
                spent = clock() - began
                one = spent / search.worlds
    return search.advice()


class TreeSearch:
    """A search from one moment of a game, as one seat sees it."""

    def __init__(
        self,
        state: AnyState,
        seat: int,
        rng: Random,
        sides: Sides,
        exploration: float = EXPLORATION,
        open_actions: Sequence[Any] = (),
    ) -> None:
        self.legal: Final[Sequence[Any]] = [*sample_actions(state.legal()), *open_actions]
        self.worlds = 0
        self._state, self._seat, self._exploration = state, seat, exploration
        self._quick = Quick(rng.draw_words(1)[0])
        self._cards = len(state.table.layout.deck)
        self._valuer = GainEvaluator(state, sides)
        self._playout = PlayoutPolicy(self._valuer, self._quick)
        self._root_edges = [Edge() for _ in self.legal]
        self._scale: GainScale | None = None
        self._unscored: list[tuple[EdgePath, SeatValues | None, Outcome | None]] = []  # until there is a scale

    def search_world(self) -> None:
        """Search one more world."""
        self.worlds += 1
        future = SimulationRandom(self._quick, self._cards)
        world = self._state.imagine(self._seat, future)
        before = self._valuer.points_before(world)
        horizon = PlayoutHorizon(world, future, self._valuer)
        path = self._descend(world, horizon)
        self._playout.play(world, horizon)
        outcome = world.outcome() if world.turn is None else None
        gained = self._valuer.gains(world, before, future.is_redealt)
        if self._scale is not None:
            self._back_up(self._scale, path, gained, outcome)
            return
        self._unscored.append((path, gained, outcome))
        if len(self._unscored) >= SCALE_SAMPLE:
            self._score_playouts()

    def advice(self) -> Advice:
        """Return the result so far."""
        self._score_playouts()
        ranked = [
            RankedAction(at, action, edge.visits, edge.mean)
            for at, (action, edge) in enumerate(zip(self.legal, self._root_edges, strict=True))
        ]
        return Advice(tuple(sorted(ranked, key=lambda one: (-one.visits, -(one.value or 0), one.index))), self.worlds)

    def _descend(self, world: AnyState, horizon: PlayoutHorizon) -> EdgePath:
        """Follow the tree to an action that is new there, and return what was taken."""
        table = world.table
        table.log = []
        horizon.advance(world)
        at, is_new = self._choose_root_edge()
        edge, node = self._root_edges[at], None
        path = [(edge, self._seat)]
        world.play(self.legal[at])
        while not is_new and horizon.advance(world):
            if node is None:
                node = edge.child(self._take_key(world))
            legal, turn = sample_actions(world.legal()), world.turn
            assert turn is not None
            if len(legal) == 1:
                world.play(legal[0])
                continue
            edges = node.enter(list(map(encode, legal)))
            at, is_new = self._choose_edge(node, edges, world, legal)
            edge, node = edges[at], None
            path.append((edge, turn[0]))
            world.play(legal[at])
        table.log = None
        return path

    def _choose_root_edge(self) -> tuple[int, bool]:
        """Return the index of the action to take first, and whether it is taken for the first time.

        All worlds have the same legal actions here, as they are one observation.
        """
        edges = self._root_edges
        for edge in edges:
            edge.available += 1
        if untried := [at for at, edge in enumerate(edges) if not edge.visits]:
            return untried[int(self._quick.random() * len(untried))], True
        return best_edge(edges, self._exploration), False

    def _choose_edge(
        self, node: Node, edges: Sequence[Edge], world: AnyState, legal: Sequence[Any]
    ) -> tuple[int, bool]:
        """Return the index of the action to take, and whether it is taken for the first time."""
        untried = [at for at, edge in enumerate(edges) if not edge.visits]
        if not untried or (self._valuer.can_evaluate and node.is_wide(len(edges) - len(untried))):
            return best_edge(edges, self._exploration), False
        if not self._valuer.can_evaluate:
            return untried[int(self._quick.random() * len(untried))], True
        best = self._playout.greedy_action(world, [legal[at] for at in untried])
        return legal.index(best), True

    def _take_key(self, world: AnyState) -> NodeKey:
        """Return the observation of the player on turn since the decision before."""
        if world.turn is None:
            return -1, b""
        seat = world.turn[0]
        seen = encode(world.table.events(seat))
        world.table.log = []
        return seat, seen

    def _score_playouts(self) -> None:
        """Set the scale if it is not known yet, and back up the playouts that waited for it."""
        if self._scale is None:
            self._scale = GainScale([gained for _, gained, _ in self._unscored])
        unscored, self._unscored = self._unscored, []
        for path, gained, outcome in unscored:
            self._back_up(self._scale, path, gained, outcome)

    def _back_up(self, scale: GainScale, path: EdgePath, gained: SeatValues | None, outcome: Outcome | None) -> None:
        worth = scale.values(gained, outcome)
        for edge, seat in path:
            edge.visits += 1
            edge.total_value += worth[seat] if worth else EVEN_VALUE


def _format_action(action: Any) -> str:  # noqa: ANN401 - an action of any game
    """Return an action in a word or two: the values of its fields."""
    plain = msgspec.to_builtins(action)
    words = plain.values() if isinstance(plain, dict) else [plain]
    text = " ".join(" ".join(map(str, word)) if isinstance(word, list | tuple) else str(word) for word in words)
    return text if len(text) <= ACTION_WIDTH else f"{text[: ACTION_WIDTH - 1]}…"
