"""Looking ahead in any game, without knowing it: a tree search over imagined worlds.

Each round of the search imagines a world that the seat cannot tell from the real one, follows the tree of what was tried before as far as it goes, tries one more action there,
plays on a little, and writes the worth of what came of it into the actions taken. It is single-observer information set Monte-Carlo tree search, with these changes:

* A node is what the player on turn has seen, not only what was done: what to do with a drawn card is learnt for each card.
* Every player maximises the worth of its own side (max^n), from places and points (`valuing`).
* Nodes grow wider with their visits (`tree`), as there are few visits in some milliseconds of Python, and many actions.
* A play-out ends with the round at the latest (`future`, `playout`); what it gained is taken relative to what the imagined cards promised at its start.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random as Quick
from time import perf_counter
from typing import Any, Final, TypeAlias

import msgspec
from msgspec import Struct

from pitboss import AnyState, Outcome, Random
from pitboss_house_bots.future import Future
from pitboss_house_bots.playout import Journey, Playout
from pitboss_house_bots.tree import Edge, Key, Node, most_promising
from pitboss_house_bots.valuing import SAMPLE, Scale, Valuer, Worth

EXPLORATION: Final = 0.35
NAMED: Final = 3  # actions that a note names
LONGEST_NAME: Final = 60

Path: TypeAlias = list[tuple[Edge, int]]  # the edges taken, and who decided there
Clock: TypeAlias = Callable[[], float]  # in seconds

encoded: Final = msgspec.json.Encoder().encode


class Ranked(Struct, frozen=True):
    """An action as the search sees it."""

    index: int  # in the list of legal actions
    action: Any  # the game's own
    visits: int
    value: float | None  # its mean worth for the seat, 0 to 1; None: it was never tried


class Advice(Struct, frozen=True):
    """What a search found: all legal actions, the most visited first."""

    ranked: tuple[Ranked, ...]
    worlds: int

    @property
    def best(self) -> Ranked:
        """What to do."""
        return self.ranked[0]

    @property
    def note(self) -> str:
        """One line about it, for the record."""
        tried = [one for one in self.ranked if one.value is not None]
        if len(self.ranked) == 1 or not tried:
            return "nothing to choose" if len(self.ranked) == 1 else "no time to look ahead"
        told = ", ".join(f"{_name(one.action)} {one.value:.2f} ({one.visits})" for one in tried[:NAMED])
        more = f", {len(self.ranked) - NAMED} more" if len(self.ranked) > NAMED else ""
        return f"{self.worlds} worlds: {told}{more}"


def advise(
    state: AnyState,
    seat: int,
    seconds: float,
    rng: Random,
    *,
    worlds: int | None = None,
    exploration: float = EXPLORATION,
    clock: Clock = perf_counter,
) -> Advice:
    """Look ahead for the seat on turn, for so many seconds or so many worlds, whatever is over first.

    Of the state only `legal`, `turn`, `imagine` and, where it tells no secret, `outcome` are asked: it may be the true one, nothing hidden is used. It stays as it is.
    """
    search = Search(state, seat, rng, exploration)
    if len(search.legal) > 1:
        began = clock()
        spent = one = 0.0  # what one world takes on average
        while (worlds is None or search.worlds < worlds) and spent + one < seconds:
            search.look()
            spent = clock() - began
            one = spent / search.worlds
    return search.advice()


class Search:
    """A search from one moment of a game, as one seat sees it."""

    def __init__(self, state: AnyState, seat: int, rng: Random, exploration: float = EXPLORATION) -> None:
        self.legal: Final[Sequence[Any]] = state.legal()
        self.worlds = 0
        self._state, self._seat, self._exploration = state, seat, exploration
        self._quick = Quick(rng.words(1)[0])
        self._cards = len(state.table.layout.deck)
        self._valuer = Valuer(state)
        self._playout = Playout(self._valuer, self._quick)
        self._root = Node()
        self._scale: Scale | None = None
        self._unweighed: list[tuple[Path, Worth | None, Outcome | None]] = []  # until there is a scale

    def look(self) -> None:
        """Look into one more world."""
        self.worlds += 1
        future = Future(self._quick, self._cards)
        world = self._state.imagine(self._seat, future)
        before = self._valuer.before(world)
        journey = Journey(world, future, self._valuer)
        path = self._descend(world, journey)
        self._playout.play(world, journey)
        outcome = world.outcome() if world.turn is None else None
        self._unweighed.append((path, self._valuer.gained(world, before, future.is_dealt), outcome))
        if self._scale is not None or len(self._unweighed) >= SAMPLE:
            self._weigh()

    def advice(self) -> Advice:
        """Return what was found so far."""
        self._weigh()
        edges = [self._root.edges.get(encoded(action)) or Edge() for action in self.legal]
        ranked = [
            Ranked(at, action, edge.visits, edge.mean) for at, (action, edge) in enumerate(zip(self.legal, edges, strict=True))
        ]
        return Advice(tuple(sorted(ranked, key=lambda one: (-one.visits, -(one.value or 0), one.index))), self.worlds)

    def _descend(self, world: AnyState, journey: Journey) -> Path:
        """Follow the tree to an action that is new there, and return what was taken."""
        table, node, path = world.table, self._root, []
        table.log = []
        while journey.goes_on(world):
            legal, turn = world.legal(), world.turn
            assert turn is not None
            if len(legal) == 1:
                world.play(legal[0])
                continue
            edges = node.enter(list(map(encoded, legal)))
            at, is_new = self._choice(node, edges, world, legal)
            path.append((edges[at], turn[0]))
            world.play(legal[at])
            if is_new:
                break
            node = edges[at].after(self._seen(world))
        table.log = None
        return path

    def _choice(self, node: Node, edges: Sequence[Edge], world: AnyState, legal: Sequence[Any]) -> tuple[int, bool]:
        """Return the index of the action to take, and whether it is taken for the first time."""
        untried = [at for at, edge in enumerate(edges) if not edge.visits]
        is_root = node is self._root
        if not untried or (self._valuer.is_judged and not is_root and node.is_wide(len(edges) - len(untried))):
            return most_promising(edges, self._exploration), False
        if is_root or not self._valuer.is_judged:
            return untried[int(self._quick.random() * len(untried))], True
        best = self._playout.best_now(world, [legal[at] for at in untried])
        return legal.index(best), True

    def _seen(self, world: AnyState) -> Key:
        """Return what the player on turn has seen since the decision before."""
        if world.turn is None:
            return -1, b""
        seat = world.turn[0]
        seen = encoded(world.table.events(seat))
        world.table.log = []
        return seat, seen

    def _weigh(self) -> None:
        """Write what play-outs were worth into the actions that led to them."""
        if self._scale is None:
            self._scale = Scale([gained for _, gained, _ in self._unweighed])
        for path, gained, outcome in self._unweighed:
            worth = self._scale.worth(gained, outcome)
            for edge, seat in path:
                edge.visits += 1
                edge.worth += worth[seat] if worth else 0.5
        self._unweighed.clear()


def _name(action: Any) -> str:  # noqa: ANN401 - an action of any game
    """Return an action in a word or two: the values of its fields."""
    plain = msgspec.to_builtins(action)
    words = plain.values() if isinstance(plain, dict) else [plain]
    text = " ".join(" ".join(map(str, word)) if isinstance(word, list) else str(word) for word in words)
    return text if len(text) <= LONGEST_NAME else f"{text[: LONGEST_NAME - 1]}…"
