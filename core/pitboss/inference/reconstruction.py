"""Reconstruct a game from one seat's observations.

A best-first search finds actions and chance events that produce exactly the observed events. Each legal action is
tried on a copy, the likeliest first. The hands of other seats are sampled, so an action that was really played may be
illegal in a sampled world. The search then continues in another world of the same information set.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from typing import Any, Final, NamedTuple, Protocol, runtime_checkable

from pitboss.action_range import sample_actions
from pitboss.errors import TableError
from pitboss.game import AnyState
from pitboss.inference.action_ordering import order_actions, words_of
from pitboss.inference.card_tracks import CardTracks
from pitboss.inference.event_evidence import gather_evidence
from pitboss.inference.replay_trial import PlaceDomain, ReplayTrial, SearchNode, play_on_copy
from pitboss.inference.scripted_random import KnownValues, RandomScript, ScriptedRandom
from pitboss.inference.step_budget import StepBudget
from pitboss.open_actions import TakesOpenActions
from pitboss.table.cards import Face
from pitboss.table.constraints import CardDomain
from pitboss.table.events import AnyEvent, Lay, Move
from pitboss.table.randomness import Random
from pitboss.table.table import Table
from pitboss.table.zones import Layout

MAX_WORLDS: Final = 200  # sampled at one node
MAX_FAILURES: Final = 10  # to sample a world at one node
MAX_SILENT_DECISIONS: Final = 4  # in succession, of which the seat observes nothing
MAX_REQUIRED_FACES: Final = 6
STEPS_PER_WORLD: Final = 2


class _OpenExpansion(NamedTuple):
    """An entry of the search's priority queue: the children of one node that are still to be tried."""

    worlds: int  # of the node that were tried so far
    unexplained: int  # events
    order: int  # negative: the newest first
    children: Iterator[SearchNode | None]


class Reconstruction(Protocol):
    """A search for a state that explains what a seat was told."""

    is_ahead: bool  # whether others have decided in the state found without the seat being told

    def reconstruct_from(self, state: Any) -> AnyState | None:  # noqa: ANN401 - the game's own
        """Return a state, reached from the decision in `state`, that explains all events; None if none was found."""

    def reconstruct_from_deal(self) -> AnyState | None:
        """Return a state, reached from the deal, that explains all events; None if none was found."""


@runtime_checkable
class Reconstructible(Protocol):
    """A game that searches itself for a state that explains what a seat was told."""

    def make_reconstruction(
        self,
        seats: int,
        options: Any,  # noqa: ANN401 - the game's own
        seat: int,
        events: Sequence[AnyEvent],
        matches_observation: Callable[[AnyState, AnyState], bool],
        rng: Random,
        budget: StepBudget,
    ) -> Reconstruction:
        """Return the search; what it is given is as for `HistoryReconstruction`."""


class HistoryReconstruction:
    """A best-first search for a state that explains the events of one seat."""

    def __init__(
        self,
        deal: Callable[[Random], AnyState],
        seat: int,
        events: Sequence[AnyEvent],
        # whether turn and legal actions of a state, and the view of one (of its moment), are the observed ones
        matches_observation: Callable[[AnyState, AnyState], bool],
        script: RandomScript,
        rng: Random,
        budget: StepBudget,
    ) -> None:
        self._deal = deal
        self._seat = seat
        self._events = events
        self._matches_observation = matches_observation
        self._script = script
        self._rng = rng
        self._stream_count = 0
        self.is_ahead = False
        self._budget = budget
        self._trial = ReplayTrial(seat, events, script, budget)
        self._event_words = [frozenset(words_of(event)) for event in events]

    def reconstruct_from(self, state: AnyState) -> AnyState | None:
        """Return a state, reached from the decision in `state`, that explains all events; None if none was found."""
        return self._search(self._expand(SearchNode(state, 0, (), has_shuffled=True)))

    def reconstruct_from_deal(self) -> AnyState | None:
        """Return a state, reached from the deal, that explains all events; None if none was found."""
        empty = self._deal(Random("empty"))
        self._script.deck = empty.table.layout.deck
        evidence = gather_evidence(empty.table, self._seat, self._events, self._rng, self._budget)
        before = SearchNode(empty, 0, evidence.known_shuffles if evidence is not None else ())
        return self._search(self._trial.replay(before, lambda: self._deal(self._make_stream())))

    def _make_stream(self) -> ScriptedRandom:
        self._stream_count += 1
        return ScriptedRandom(f"{self._rng.seed}/{self._stream_count}", self._script)

    def _search(self, root_expansion: Iterator[SearchNode | None]) -> AnyState | None:
        # best first: fewest worlds, most events explained, newest
        queue = [_OpenExpansion(0, len(self._events), 0, root_expansion)]
        number = 0
        while queue and not self._budget.is_spent:
            worlds, unexplained, _, children = heapq.heappop(queue)
            try:
                node = next(children)
            except StopIteration:
                continue
            number += 1
            heapq.heappush(queue, _OpenExpansion(worlds + (node is None), unexplained, -number, children))
            if node is None:
                continue
            turn = node.state.turn
            if node.matched == len(self._events) and turn is not None and turn.seat == self._seat:
                if self._matches_observation(node.state, node.shown or node.state):
                    self.is_ahead = node.shown is not None
                    return node.state
            elif turn is not None:
                number += 1
                unexplained = len(self._events) - node.matched
                heapq.heappush(queue, _OpenExpansion(0, unexplained, -number, self._expand(node)))
        return None

    def _expand(self, node: SearchNode) -> Iterator[SearchNode | None]:
        """Yield the children of `node` in one world after another, and None after each: there the search may switch."""
        excluded_cards: set[int] = set()
        failures = 0
        for attempt in range(MAX_WORLDS):
            world = self._sample_node(node, attempt, excluded_cards if attempt % 2 else set())
            if world is not None:
                self._trial.told_places.clear()
                yield from self._try_legal_actions(world)
                if self._trial.told_places:
                    node = node._replace(state=_restrict_places(node.state, self._trial.told_places))
                if attempt:
                    self._add_excluded_cards(world.state, excluded_cards)
                elif not node.has_shuffled:
                    self._add_excluded_cards(node.state, excluded_cards)
            else:
                failures += 1
                if failures > MAX_FAILURES or self._budget.is_spent:
                    return
                excluded_cards.clear()
            yield None

    def _try_legal_actions(self, node: SearchNode) -> Iterator[SearchNode | None]:
        event_words = self._event_words[node.matched] if node.matched < len(self._events) else frozenset()
        told_numbers = (word for word in event_words if isinstance(word, int))
        silent, legal, children = [], sample_actions(node.state.legal(), more=told_numbers), 0
        if event_words:
            legal = order_actions(legal, event_words | node.moved_faces)
        for action in [*self._read_open(node), *legal]:
            for child in self._trial.replay(node, partial(play_on_copy, node.state, action)):
                if child.matched > node.matched or child.shown is not None:
                    if children:
                        yield None  # the seat could not tell these actions apart: others may be as good
                    children += 1
                    yield child
                elif node.silent_decisions < MAX_SILENT_DECISIONS:
                    silent.append(child)
        yield from silent

    def _read_open(self, node: SearchNode) -> Sequence[Any]:
        """Return the open action that the next event tells of, if it tells of one."""
        state = node.state
        if node.matched == len(self._events) or not isinstance(state, TakesOpenActions):
            return ()
        action = state.read_open(self._events[node.matched])
        return () if action is None else (action,)

    def _sample_node(self, node: SearchNode, attempt: int, excluded_cards: set[int]) -> SearchNode | None:
        """Return `node` in a world consistent with the later events, at first its own; None if none was found."""
        table = node.state.table
        if not attempt and not node.has_shuffled and not self._leaves_hand_hidden(node.matched, table.layout):
            return node
        evidence = gather_evidence(table, self._seat, self._events[node.matched :], self._rng, self._budget)
        if evidence is None:
            return None
        required_secrets = self._trial.required_secrets(node.matched)
        if not attempt and evidence.is_consistent and _has_secrets(table, required_secrets):
            moved = _find_moved_faces(table, table, evidence.first_moved)
            return node._replace(known_shuffles=evidence.known_shuffles, moved_faces=moved)
        limit = MAX_REQUIRED_FACES if excluded_cards or table.card_domains else None  # overlapping domains are slow
        required_faces = dict(islice(evidence.required_faces.items(), limit))
        domains = self._exclude_from_hand(node.state, evidence, excluded_cards) if excluded_cards else ()
        self._budget.spend(STEPS_PER_WORLD)
        try:
            state = sample_world_given(
                node.state, self._seat, self._make_stream(), required_faces, domains, required_secrets
            )
        except TableError:
            return None
        return node._replace(
            state=state,
            known_shuffles=evidence.known_shuffles,
            moved_faces=_find_moved_faces(table, state.table, evidence.first_moved),
        )

    def _leaves_hand_hidden(self, number: int, layout: Layout) -> bool:
        """Return whether an event is that hidden cards leave a hand: only later events tell which action it was."""
        event = self._events[number] if number < len(self._events) else None
        if not (isinstance(event, Move) and event.card is None) and not (
            isinstance(event, Lay) and all(face is None for face in event.cards)
        ):
            return False
        return (source := layout.find_zone(event.source)) is not None and source.hides_places

    def _exclude_from_hand(self, state: AnyState, evidence: CardTracks, excluded_cards: set[int]) -> list[CardDomain]:
        """Return card domains that keep `excluded_cards` out of the acting player's hidden cards."""
        turn, table = state.turn, state.table
        backs = table.stands_for or range(len(table.known_by))
        allowed = frozenset(range(len(table.known_by))) - excluded_cards
        hidden = [
            card
            for zone in table.layout.zones
            if turn is not None and zone.owner == turn.seat
            for card in table.zones[zone]
            if card >= 0 and not table.known_by[card] >> self._seat & 1 and card not in evidence.required_faces
        ]
        return [CardDomain(allowed, frozenset(backs.index(card) for card in hidden))] if hidden else []

    def _add_excluded_cards(self, state: AnyState, excluded_cards: set[int]) -> None:
        """Add the cards that legal actions of a failed world name: other cards may make the real action legal."""
        copies = state.table.layout.deck.copies
        for action in state.legal():
            for word in words_of(action):
                excluded_cards.update(copies(word))


def _find_moved_faces(table: Table, world: Table, tracks: Sequence[int]) -> frozenset[Face]:
    """Return the faces that cards of a table have in one of its worlds, where they lie at the same places."""
    places = {card: (zone, place) for zone, cards in enumerate(table.zones) for place, card in enumerate(cards)}
    lying = [places[track] for track in tracks if track in places and track >= 0]
    return frozenset(table.layout.deck.faces[world.zones[zone][place]] for zone, place in lying)


def _restrict_places(state: AnyState, told: Sequence[PlaceDomain]) -> AnyState:
    """Return a copy of a state in which the cards of some places have domains."""
    twin = state.copy()
    twin.table.chance_events = state.table.chance_events
    for zone, place, domain in told:
        twin.table.restrict([state.table.zones[zone][place]], domain)
    return twin


def _has_secrets(table: Table, required: Mapping[str, KnownValues]) -> bool:
    """Return whether the secrets of a table have the required values."""
    return all(
        list(table.values(secret)) == list(required[secret.name] or ())
        for secret in table.layout.secrets
        if secret.name in required
    )


def sample_world_given(
    state: AnyState,
    seat: int,
    rng: Random,
    required_faces: Mapping[int, Face],
    extra_domains: Sequence[CardDomain],
    required_secrets: Mapping[str, KnownValues],
) -> AnyState:
    """Return a world of `seat` in which cards and secrets have the required faces and values, in `extra_domains`.

    With private mixing a face is required only if the mixing history can be changed to give it.

    Raises:
        TableError: no such world was found.
    """
    twin = state.copy()
    table = twin.table
    table.chance_events = state.table.chance_events
    table.card_domains = [*table.card_domains, *extra_domains]
    if table.has_only_public_groups:
        for card, face in required_faces.items():
            table.restrict([card], {*table.layout.deck.copies(face)})
    else:
        table.required_faces = required_faces
    table.secrets = tuple(
        [
            held._replace(values=tuple(required_secrets[secret.name] or ()), known_by=held.known_by | 1 << seat)
            if secret.name in required_secrets
            else held
            for secret, held in zip(table.layout.secrets, table.secrets, strict=True)
        ]
    )
    world = twin.imagine(seat, rng)
    world.table.secrets = tuple(
        [
            held._replace(known_by=before.known_by)
            for held, before in zip(world.table.secrets, state.table.secrets, strict=True)
        ]
    )
    world.table.card_domains = state.table.card_domains
    return world.copy()  # without chance events
