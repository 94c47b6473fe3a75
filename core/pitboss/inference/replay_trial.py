"""Play an action on a copy and compare what one seat would observe with what it did observe."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator, Sequence, Set
from itertools import count
from typing import Final, NamedTuple

import msgspec

from pitboss.game import AnyState, Simultaneous
from pitboss.inference.scripted_random import KnownShuffle, KnownValues, RandomScript
from pitboss.inference.step_budget import StepBudget
from pitboss.table.cards import Face
from pitboss.table.events import AnyEvent, Choose, LogEntry, Move, Reveal, Roll, Show, Shuffle, Tell, project_events
from pitboss.table.secrets import Scalar
from pitboss.table.table import Table
from pitboss.table.zones import Layout, Zone

MAX_REPLAYS: Final = 400  # scripts of chance events for one action
MAX_LOT_VALUES: Final = 64  # of one chance event


class SearchNode(NamedTuple):
    """A state of the search."""

    state: AnyState
    matched: int  # events explained so far
    known_shuffles: Sequence[KnownShuffle]  # constraints on shuffles to come
    silent_decisions: int = 0  # since the last observed event
    shown: AnyState | None = None  # at the beginning of the moment, if others have decided since: they are told later
    has_shuffled: bool = False  # since the parent node
    moved_faces: frozenset[Face] = frozenset()  # those that the next event moves hidden, as far as later ones tell


class PlaceDomain(NamedTuple):
    """The cards that may lie in one place of a zone."""

    zone: Zone
    place: int
    domain: Set[int]


class ReplayTrial:
    """Tries actions against the events that a seat observed."""

    def __init__(self, seat: int, events: Sequence[AnyEvent], script: RandomScript, budget: StepBudget) -> None:
        self._budget = budget
        self._seat = seat
        self._events = events
        self._script = script
        self._secret_values = find_secret_values(events)
        self.told_places: list[PlaceDomain] = []  # what the next events tell of cards, by an action that was tried

    def required_secrets(self, matched: int) -> dict[str, KnownValues]:
        """Return, by name, the values that secrets on the table after `matched` events must have."""
        shown: dict[str, KnownValues] = {}
        for event in self._events[matched:]:
            if isinstance(event, Roll | Choose):
                shown.setdefault(event.secret, None)
            elif isinstance(event, Show) and event.values is not None:
                shown.setdefault(event.secret, event.values)
        return {name: values for name, values in shown.items() if values is not None}

    def replay(self, node: SearchNode, play: Callable[[], AnyState]) -> Iterator[SearchNode]:
        """Yield a node for each outcome of the action's chance events that gives exactly the observed events."""
        open_scripts: list[tuple[int, int, tuple[int, ...]]] = [(0, 0, ())]
        runs, numbers = 0, count(1)
        while open_scripts and runs < MAX_REPLAYS and not self._budget.is_spent:
            _, _, scripted_lots = heapq.heappop(open_scripts)
            runs += 1
            self._budget.spend()
            self._script.load(node.known_shuffles, scripted_lots, self._known_rolls(node.matched))
            try:
                state = play()
            except Exception:  # noqa: BLE001 - the border to a plugin's code
                continue
            finally:
                drawn_lots = self._script.drawn_lots
                self._script.load()  # streams are ordinary again
            matched, child = self._match_events(node, state)
            if child is not None:
                yield child
            values = [value for value, _ in drawn_lots]
            for at in range(len(scripted_lots), len(drawn_lots)):
                for other in range(min(drawn_lots[at][1], MAX_LOT_VALUES)):
                    if other != values[at]:
                        heapq.heappush(open_scripts, (-matched, next(numbers), (*values[:at], other)))

    def _known_rolls(self, matched: int) -> Iterator[KnownValues]:
        """Yield the values of each roll to come, seen at once or shown later; None for one that was never seen."""
        for number in range(matched, len(self._events)):
            if type(self._events[number]) is Roll:
                yield self._secret_values.get(number)

    def _match_events(self, node: SearchNode, state: AnyState) -> tuple[int, SearchNode | None]:
        """Return how many new events, from the first on, equal the observed ones; and the node if all do."""
        table = state.table
        entries = [entry for entry in table.log or () if entry.audience >> self._seat & 1]
        new = project_events(entries, table.layout, self._seat)
        table.stop_logging()
        observed = self._events[node.matched : node.matched + len(new)]
        if node.matched == len(self._events) and self._is_untold(node.state):
            return 0, node._replace(state=state, shown=node.shown or node.state, has_shuffled=False)
        for at, event in enumerate(new):
            if at >= len(observed) or not (
                event == observed[at] or _is_same_observation(event, observed[at], table.layout)
            ):
                if at < len(observed) and not self.told_places:
                    self.told_places = list(self._find_told_places(node.state.table, entries[at], observed[at]))
                return at, None
            if type(event) is Choose and (chosen := self._secret_values.get(node.matched + at)) is not None:
                held = next(secret for secret in table.layout.secrets if secret.name == event.secret)
                if list(table.values(held)) != list(chosen):
                    return at, None
        shuffles = sum(type(event) is Shuffle for event in new)
        return len(new), SearchNode(
            state,
            node.matched + len(new),
            node.known_shuffles[shuffles:],
            0 if new else node.silent_decisions + 1,
            has_shuffled=shuffles > 0,
        )

    def _find_told_places(self, table: Table, entry: LogEntry, observed: AnyEvent) -> Iterator[PlaceDomain]:
        """Yield what an observed event tells of hidden cards whose places all see.

        `table` is that before the play, and `entry` the first of its entries that differs from what was observed: it
        is the same event about other cards.
        """
        if type(observed) is Tell and entry.target is not None and entry.event == observed.event:
            slots = observed.facts.get("slots")
            if isinstance(slots, list) and {**(entry.facts or {}), "slots": slots} == observed.facts:
                others = frozenset(range(len(table.layout.deck))).difference(entry.pointed_out)
                for place in range(len(table.zones[entry.target])):
                    yield PlaceDomain(entry.target, place, entry.pointed_out if place + 1 in slots else others)
        elif type(observed) is Move and entry.verb == "move" and entry.source is not None and observed.card is not None:
            held = table.zones[entry.source]
            if not (entry.source.hides_places or entry.source.is_stacked) and entry.cards[0] in held:
                copies = frozenset(table.layout.deck.copies(observed.card))
                yield PlaceDomain(entry.source, held.index(entry.cards[0]), copies)

    def _is_untold(self, state: AnyState) -> bool:
        """Return whether the decision in a state is one that another seat makes at the same time as the own one."""
        return (
            isinstance(state, Simultaneous)
            and state.turn is not None
            and state.turn.seat != self._seat
            and self._seat in state.together()
        )


def find_secret_values(events: Sequence[AnyEvent]) -> dict[int, Sequence[Scalar]]:
    """Return, by the number of its event, each value that was rolled or chosen, as it was seen then or shown later."""
    values: dict[int, Sequence[Scalar]] = {}
    last: dict[str, int] = {}  # by name, the number of the event that put there what lies there
    for number, event in enumerate(events):
        if isinstance(event, Roll | Choose):
            last[event.secret] = number
        if isinstance(event, Roll | Choose | Show) and event.values is not None and event.secret in last:
            values[last[event.secret]] = event.values
    return values


def play_on_copy(state: AnyState, action: object) -> AnyState:
    """Return a copy of `state` after `action`; its log has the events of the action only."""
    twin = state.copy()
    twin.table.log = []
    twin.play(action)
    return twin


def _is_same_observation(event: AnyEvent, observed: AnyEvent, layout: Layout) -> bool:
    """Whether two unequal events are the same observation: the order of a revealed hand does not count."""
    if type(event) is Reveal and type(observed) is Reveal:
        if (event.zone, event.event) != (observed.zone, observed.event):
            return False
        zone = layout.find_zone(event.zone)
        return (
            zone is not None
            and zone.hides_places
            and sorted(map(repr, event.cards)) == sorted(map(repr, observed.cards))
        )
    if type(event) is Tell and type(observed) is Tell:  # one may hold a tuple where the other holds a list
        return msgspec.json.encode(event) == msgspec.json.encode(observed)
    return False
