"""Search for a game of an engine in which a seat was told what it was told in the real one.

The search begins at the deal, and makes one step after another: an outcome of chance, drawn by its weight; the seat's
own moves; any moves of the others. A step after which the seat would have seen something else is taken back. Where the
engine samples worlds itself, other worlds of the same moment are tried before a step is taken back. After some failures
the search begins again, as what has gone wrong may lie far back.

Each game that is found is one that the seat cannot tell from the real one. How often each is found is approximate:
earlier steps are drawn without regard to how likely the later ones are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count
from typing import Final, NamedTuple

from pitboss.foreign.engine import EngineMove, EnginePosition, EngineSetup, Sight, WorldSampler
from pitboss.inference.step_budget import StepBudget
from pitboss.table.randomness import Random

FIRST_TRY_STEPS: Final = 400  # before the search begins again; then twice as many
OTHER_WORLDS: Final = 8  # of a moment, where the engine samples them
GUESSED_MOVES: Final = 8  # of seats that decide together with the own one


class EngineStep(NamedTuple):
    """A step of a game: the moves of the seats that decided, or the outcome of chance; and the step before."""

    numbers: tuple[int, ...]
    before: EngineStep | None


class Told(NamedTuple):
    """What a seat was told: what it saw from then on, or a move."""

    sight: Sight | None
    seat: int = 0
    move: str = ""


class FoundWorld(NamedTuple):
    """A game that the search has found."""

    position: EnginePosition
    last_step: EngineStep | None
    seed: Random


class _Node(NamedTuple):
    position: EnginePosition
    matched: int  # of what the seat was told
    sight: Sight
    last_step: EngineStep | None


class WorldSearch:
    """The search for one seat, which was told these things."""

    def __init__(self, setup: EngineSetup, seat: int, told: Sequence[Told], rng: Random, budget: StepBudget) -> None:
        self._setup, self._seat, self._told, self._rng, self._budget = setup, seat, told, rng, budget

    def find_from_deal(self, turns: Sequence[int] | None = None) -> FoundWorld | None:
        """Return a game in which the seat was told all that it was told; None: none was found within the budget.

        `turns`: who decides there, nobody if the game is over; None: the seat does, and perhaps others.
        """
        steps = FIRST_TRY_STEPS
        for number in count():
            if self._budget.is_spent:
                return None
            self._budget.spend()
            seed = Random(f"{self._rng.seed}/deal {self._rng.draws}/{number}")
            root = self._look(self._setup.begin(seed), None)
            found = None if root is None else self._search(root, turns, steps)
            if found is not None:
                return FoundWorld(found.position, found.last_step, seed)
            steps *= 1 if self._setup.draws else 2
        return None

    def find_from(self, position: EnginePosition, sight: Sight) -> EnginePosition | None:
        """Return the position of the seat's next decision after `position`, where it saw `sight`; None: none found."""
        found = self._search(_Node(position, 0, sight, None), None, self._budget.steps_left)
        return None if found is None else found.position

    def _look(self, position: EnginePosition, before: _Node | None) -> _Node | None:
        """Return the node of a position; None if the seat would see there what it was not shown."""
        matched, sight = (0, None) if before is None else (before.matched, before.sight)
        seen = self._setup.show(position, self._seat)
        if seen != sight:
            if matched == len(self._told) or self._told[matched].sight != seen:
                return None
            matched += 1
        return _Node(position, matched, seen, None)

    def _search(self, root: _Node, turns: Sequence[int] | None, steps: int) -> _Node | None:
        last = self._budget.steps_left - steps
        path = [iter([root])]
        while path and self._budget.steps_left > last and not self._budget.is_spent:
            node = next(path[-1], None)
            if node is None:
                path.pop()
            elif node.matched == len(self._told) and self._is_end(node, turns):
                return node
            else:
                path.append(self._expand(node))
        return None

    def _is_end(self, node: _Node, wanted: Sequence[int] | None) -> bool:
        turns = node.position.list_turns()
        if node.position.list_outcomes():
            return False
        return self._seat in turns if wanted is None else [*turns] == [*wanted]

    def _expand(self, node: _Node) -> Iterator[_Node]:
        """Yield the nodes after a step, as far as the seat would have been told the same."""
        outcomes = list(node.position.list_outcomes())
        while outcomes:
            weights = [outcome.weight for outcome in outcomes]
            (drawn,) = self._rng.draw_outcomes(range(len(outcomes)), weights, 1)
            yield from self._step(node, (outcomes.pop(drawn).number,), node.matched)
        turns = node.position.list_turns()
        if self._seat in turns:
            yield from self._decide(node, turns)
        elif turns and self._setup.facts.is_open and len(turns) == 1:
            yield from self._follow_move(node, turns[0])
        elif turns:
            yield from self._guess_moves(node, turns)

    def _step(self, node: _Node, numbers: tuple[int, ...], matched: int) -> Iterator[_Node]:
        self._budget.spend()
        position = node.position.copy()
        position.play(numbers)
        after = self._look(position, node._replace(matched=matched))
        if after is not None:
            yield after._replace(last_step=EngineStep(numbers, node.last_step))

    def _find_told_move(self, node: _Node, seat: int) -> EngineMove | None:
        """Return the move of this seat that the searching seat was told next; None: none, or one that is not legal."""
        told = self._told[node.matched] if node.matched < len(self._told) else None
        if told is None or told.sight is not None or told.seat != seat:
            return None
        return next((move for move in name_apart(node.position.list_moves(seat)) if move.text == told.move), None)

    def _follow_move(self, node: _Node, seat: int) -> Iterator[_Node]:
        move = self._find_told_move(node, seat)
        if move is not None:
            yield from self._step(node, (move.number,), node.matched + 1)

    def _decide(self, node: _Node, turns: Sequence[int]) -> Iterator[_Node]:
        """Make the seat's own move; seats that decide at the same moment make any."""
        own = self._find_told_move(node, self._seat)
        for _ in range(GUESSED_MOVES if len(turns) > 1 else 1):
            if own is None:
                return
            yield from self._step(node, self._draw_moves(node, turns, own), node.matched + 1)

    def _draw_moves(self, node: _Node, turns: Sequence[int], own: EngineMove | None) -> tuple[int, ...]:
        return tuple(
            own.number
            if own is not None and seat == self._seat
            else self._rng.choice(node.position.list_moves(seat)).number
            for seat in turns
        )

    def _guess_moves(self, node: _Node, turns: Sequence[int]) -> Iterator[_Node]:
        """Make moves of others: first those after which the seat would see what it was shown next."""
        is_player = self._seat < self._setup.seats  # engines sample no worlds of the spectator
        for number in range(OTHER_WORLDS if is_player and isinstance(node.position, WorldSampler) else 1):
            world = node
            if number:
                assert isinstance(node.position, WorldSampler)
                world = node._replace(position=node.position.sample_world(self._seat, self._rng))
                self._budget.spend()
            if len(turns) > 1:
                choices = [self._draw_moves(world, turns, None) for _ in range(GUESSED_MOVES)]
            else:
                moves = list(world.position.list_moves(turns[0]))
                choices = [(moves.pop(self._rng.randbelow(len(moves))).number,) for _ in range(len(moves))]
            children = [child for numbers in choices for child in self._step(world, numbers, world.matched)]
            yield from sorted(children, key=lambda child: -child.matched)
            if self._budget.is_spent:
                return


def name_apart(moves: Sequence[EngineMove]) -> Iterator[EngineMove]:
    """Yield moves with their texts, where several have one text with their numbers: "a #3"."""
    texts = [move.text for move in moves]
    several = {text for text in texts if texts.count(text) > 1} if len({*texts}) < len(texts) else ()
    for move in moves:
        yield move._replace(text=f"{move.text} #{move.number}") if move.text in several else move


def list_steps(last: EngineStep | None) -> list[tuple[int, ...]]:
    """Return the steps that have led to a step, with it, in their order."""
    steps = []
    while last is not None:
        steps.append(last.numbers)
        last = last.before
    return steps[::-1]
