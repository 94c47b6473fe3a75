"""Explaining: how what a seat has seen came about, as a state of the game that it cannot tell from the real one.

The events since a state are explained by decisions of the players and by chance, one action after another: what is legal is tried on a copy, the likeliest first,
until one shows the seat what it has seen. What others hold is only imagined, so a real action may be illegal there; then it is tried in
another world that the seat cannot tell from that one.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import islice
from typing import Final

from pitboss.errors import TableError
from pitboss.game import AnyState
from pitboss.inference.action_ordering import ActionOrdering
from pitboss.inference.conditional_sampling import sample_world_given
from pitboss.inference.event_evidence import EventEvidence, gather_evidence
from pitboss.inference.replay_trial import ReplayTrial, SearchNode, play_on_copy
from pitboss.inference.scripted_random import RandomScript, ScriptedRandom
from pitboss.inference.step_budget import StepBudget
from pitboss.table.constraints import CardDomain
from pitboss.table.events import AnyEvent
from pitboss.table.randomness import Random

MAX_WORLDS: Final = 200  # that are tried at one point
MAX_FAILURES: Final = 10  # to find a world at one point
MAX_SILENT_DECISIONS: Final = 4  # decisions in succession of which the seat sees nothing
MAX_REQUIRED_FACES: Final = 6
STEPS_PER_WORLD: Final = 2


class HistoryReconstruction:
    """The search for a state that explains some events of one seat.

    `is_so` tells whether a state is as the seat sees it now.
    """

    def __init__(
        self,
        seat: int,
        events: Sequence[AnyEvent],
        matches_observation: Callable[[AnyState], bool],
        script: RandomScript,
        rng: Random,
        budget: StepBudget,
    ) -> None:
        self._seat = seat
        self._events = events
        self._matches_observation = matches_observation
        self._script = script
        self._rng = rng
        self._stream_count = 0
        self._budget = budget
        self._trial = ReplayTrial(seat, events, script, budget)
        self._ordering = ActionOrdering(events)

    def reconstruct_from(self, state: AnyState) -> AnyState | None:
        """Return a state that follows from the seat's decision in `state`; None if none is found in time."""
        return self._search(self._expand(SearchNode(state, 0, (), has_shuffled=True)))

    def reconstruct_from_deal(self, deal: Callable[[Random], AnyState]) -> AnyState | None:
        """Return a state that follows from the beginning of a game; None if none is found in time."""
        empty = deal(Random("empty"))
        self._script.deck = empty.table.layout.deck
        told = gather_evidence(empty.table, self._seat, self._events, self._rng, self._budget)
        before = SearchNode(empty, 0, told.known_shuffles if told is not None else ())
        return self._search(self._trial.replay(before, lambda: deal(self._make_stream())))

    def _make_stream(self) -> ScriptedRandom:
        self._stream_count += 1
        return ScriptedRandom(f"{self._rng.seed}/{self._stream_count}", self._script)

    # ---- the search: the point that explains most first, each in as few worlds as any other

    def _search(self, root_expansion: Iterator[SearchNode | None]) -> AnyState | None:
        open_ways = [(0, 0, 0, root_expansion)]
        number = 0
        while open_ways and not self._budget.is_spent:
            worlds, untold, _, ways = heapq.heappop(open_ways)
            try:
                point = next(ways)
            except StopIteration:
                continue
            number += 1
            heapq.heappush(open_ways, (worlds + (point is None), untold, -number, ways))
            if point is None:
                continue
            turn = point.state.turn
            if point.matched == len(self._events) and turn is not None and turn.seat == self._seat:
                if self._matches_observation(point.state):
                    return point.state
            elif turn is not None:
                number += 1
                heapq.heappush(open_ways, (0, len(self._events) - point.matched, -number, self._expand(point)))
        return None

    def _expand(self, node: SearchNode) -> Iterator[SearchNode | None]:
        """Yield the points that may come next; None between the worlds in which they are sought."""
        culprits: set[int] = set()
        failures = 0
        for attempt in range(MAX_WORLDS):
            world = self._sample_node(node, attempt, culprits if attempt % 2 else set())
            if world is not None:
                yield from self._try_legal_actions(world)
                if attempt:
                    self._add_excluded_cards(world.state, culprits)
                elif not node.has_shuffled:
                    self._add_excluded_cards(node.state, culprits)
            else:
                failures += 1
                if failures > MAX_FAILURES or self._budget.is_spent:
                    return
                culprits.clear()
            yield None

    def _try_legal_actions(self, node: SearchNode) -> Iterator[SearchNode]:
        silent = []
        for action in self._ordering.order_actions(node.state.legal(), node.matched):
            for child in self._trial.replay(node, partial(play_on_copy, node.state, action)):
                if child.matched > node.matched:
                    yield child
                elif node.silent_decisions < MAX_SILENT_DECISIONS:
                    silent.append(child)
        yield from silent

    # ---- other worlds

    def _sample_node(self, node: SearchNode, attempt: int, excluded_cards: set[int]) -> SearchNode | None:
        """Return a point in a world where what is foretold can come to pass; None if none was found."""
        if not attempt and not node.has_shuffled:
            return node
        table = node.state.table
        told = gather_evidence(table, self._seat, self._events[node.matched :], self._rng, self._budget)
        if told is None:
            return None
        if not attempt and told.is_consistent:
            return node._replace(known_shuffles=told.known_shuffles)
        most = (
            MAX_REQUIRED_FACES if excluded_cards or table.card_domains else None
        )  # groups that overlap take long to deal to
        needs = dict(islice(told.required_faces.items(), most))
        also = self._exclude_from_hand(node.state, told, excluded_cards) if excluded_cards else ()
        self._budget.spend(STEPS_PER_WORLD)
        try:
            state = sample_world_given(node.state, self._seat, self._make_stream(), needs, also)
        except TableError:
            return None
        return node._replace(state=state, known_shuffles=told.known_shuffles)

    def _exclude_from_hand(
        self, state: AnyState, evidence: EventEvidence, excluded_cards: set[int]
    ) -> list[CardDomain]:
        """Return that the player on turn holds no card that was legal where the real action was not."""
        turn, table = state.turn, state.table
        backs = table.stands_for or range(len(table.known_by))
        innocent = frozenset(range(len(table.known_by))) - excluded_cards
        hidden = [
            card
            for zone in table.layout.zones
            if turn is not None and zone.owner == turn.seat
            for card in table.zones[zone]
            if card >= 0 and not table.known_by[card] >> self._seat & 1 and card not in evidence.required_faces
        ]
        return [CardDomain(innocent, tuple(backs.index(card) for card in hidden))] if hidden else []

    def _add_excluded_cards(self, state: AnyState, excluded_cards: set[int]) -> None:
        """Note the cards that are named by what is legal in a world where the real action is not."""
        copies = state.table.layout.deck.copies
        for action in state.legal():
            for word in self._ordering.words_of(action):
                excluded_cards.update(copies(word))
