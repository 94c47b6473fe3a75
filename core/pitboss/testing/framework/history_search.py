"""Search for a history of a sampled world: a game that ends in it and shows one seat the events it observed.

The world's shuffles and chance events are dealt from a stacked deck. The seat's own decisions are fixed; for other
seats the real action is tried first, then every other legal one. Backtracking deals again, because a copy does not
share the stacked deck.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final, Literal, NamedTuple, TypeAlias

import msgspec

from pitboss.action_range import sample_actions
from pitboss.game import AnyState
from pitboss.open_actions import is_playable
from pitboss.table.cards import Face
from pitboss.table.randomness import StackedRandom
from pitboss.table.secret_table import ChanceEvent
from pitboss.table.table import Table
from pitboss.testing.framework.action_translation import ActionTranslation
from pitboss.testing.framework.check_runner import describe_crash
from pitboss.testing.framework.decision_point import DecisionPoint
from pitboss.testing.framework.snapshot import describe_first_difference, faces_by_zone

SearchOutcome: TypeAlias = Literal["found", "none", "unfinished"]

MAX_PLAYS: Final = 12_000  # deals and actions of one search

_encode = msgspec.json.encode


class _HistoryNode(NamedTuple):
    """A node of the search: the events matched so far, and the actions to try next."""

    matched: int  # events so far
    log_length: int  # so far
    decisions: int  # so far, of all seats
    own_decisions: int  # so far
    next_real: int  # number of the next real decision to try first
    choices: Iterator[tuple[Any, int, int]]  # an action, and `own_decisions` and `next_real` after it


class HistorySearch:
    """A search for a history of one world of one seat."""

    def __init__(self, point: DecisionPoint, seat: int, world: AnyState, chance: Sequence[ChanceEvent]) -> None:
        self.point = point
        self.seat = seat
        self.world = world
        self._shuffle_orders = [one for one in chance if isinstance(one, tuple)]
        self._lots = [one for one in chance if isinstance(one, int)]
        self.nearest_miss = "nothing could be dealt"
        self._played_game = point.played_game
        self._observed_events = [_encode(event) for event in point.state.table.events(seat)]
        self._own_decisions = [
            number for number, turn in enumerate(self._played_game.turns[: point.number]) if turn.seat == seat
        ]
        self._observed_view = _encode(point.state.view(seat))
        self._world_faces = _sorted_faces(world)
        self._translation = ActionTranslation(point.state.table, world.table)
        self._plays_left = MAX_PLAYS
        self._most_matched = -1

    def run(self) -> SearchOutcome:
        """Return how the search ended: found, none, or unfinished (more than MAX_PLAYS plays)."""
        path: list[Any] = []
        state = self._deal()
        root = self._make_node(state, _HistoryNode(0, 0, -1, 0, 0, iter(())), 0, 0) if state is not None else None
        if state is None or root is None:
            return "none"
        nodes = [root]
        while nodes and not self._is_explained(state, nodes[-1]):
            choice = next(nodes[-1].choices, None)
            if choice is None:
                nodes.pop()
                del path[-1:]
                state = self._replay(path) if nodes else state
                continue
            action, own, hint = choice
            node = self._try_action(state, nodes[-1], action, own, hint)
            if node is None:
                state = self._replay(path)
            else:
                path.append(action)
                nodes.append(node)
            if self._plays_left < 0:
                return "unfinished"
        return "found" if nodes else "none"

    def _deal(self) -> AnyState | None:
        setting = self.point.setup
        stacked = StackedRandom(
            "conformance/past", self._shuffle_orders, self._lots, strict=True, deck=self.world.table.layout.deck
        )
        try:
            return setting.game.deal(setting.seats, setting.options, stacked)
        except Exception as wrong:  # noqa: BLE001 - the border to a plugin's code
            self.nearest_miss = f"dealt from the world's shuffles and lots, it gives {describe_crash(wrong)}"
            return None

    def _replay(self, path: list[Any]) -> AnyState:
        """Return the state after `path`, which was played before, from a new deal."""
        state = self._deal()
        if state is None:
            raise ValueError(self.nearest_miss)
        for action in path:
            state.play(action)
        self._plays_left -= len(path) + 1
        return state

    def _try_action(
        self, state: AnyState, node: _HistoryNode, action: object, own_decisions: int, next_real: int
    ) -> _HistoryNode | None:
        """Play an action; return the next node, or None if the seat would not have observed the real events."""
        self._plays_left -= 1
        try:
            state.play(action)
        except Exception as wrong:  # noqa: BLE001 - the border to a plugin's code; the stacked deck may not fit either
            self._note_miss(node.matched, f"then {action!r} gives {describe_crash(wrong)}")
            return None
        return self._make_node(state, node, own_decisions, next_real)

    def _make_node(
        self, state: AnyState, before: _HistoryNode, own_decisions: int, next_real: int
    ) -> _HistoryNode | None:
        new = [_encode(event) for event in state.table.events(self.seat, before.log_length)]
        expected = self._observed_events[before.matched : before.matched + len(new)]
        if new != expected:
            same = next(
                (at for at, pair in enumerate(zip(new, expected, strict=False)) if pair[0] != pair[1]), len(expected)
            )
            seen = expected[same] if same < len(expected) else b"nothing more"
            told, real = (event.decode(errors="replace") for event in (new[same], seen))
            self._note_miss(before.matched + same, f"then it would have seen {told} in place of {real}")
            return None
        node = _HistoryNode(
            matched=before.matched + len(new),
            log_length=len(state.table.log or ()),
            decisions=before.decisions + 1,
            own_decisions=own_decisions,
            next_real=next_real,
            choices=iter(()),
        )
        return node._replace(choices=self._iterate_choices(state, node))

    def _iterate_choices(self, state: AnyState, node: _HistoryNode) -> Iterator[tuple[Any, int, int]]:
        """Yield the possible next decisions; of the seat itself only its real one."""
        turn = state.turn
        if turn is None or node.decisions > len(self._observed_events) + self.point.number:
            return  # more decisions without an event that the seat sees than there really were decisions
        legal = list(state.legal())
        if turn.seat == self.seat:
            if node.own_decisions < len(self._own_decisions):
                number = self._own_decisions[node.own_decisions]
                action = self._played_game.actions[number]
                if turn == self._played_game.turns[number] and is_playable(action, state, legal):
                    yield action, node.own_decisions + 1, max(node.next_real, number + 1)
                else:
                    self._note_miss(node.matched, f"then its own action {action!r} is not legal at {turn}")
            return
        tried: list[Any] = []
        hint = self._find_next_real(node.next_real, turn)
        if hint is not None:
            for action in self._translation.translate(self._played_game.actions[hint]):
                if action not in tried and is_playable(action, state, legal):
                    tried.append(action)
                    yield action, node.own_decisions, hint + 1
        for action in sample_actions(legal):
            if action not in tried:
                yield action, node.own_decisions, node.next_real if hint is None else hint + 1

    def _find_next_real(self, number: int, turn: object) -> int | None:
        """Return the first real decision from `number` on at this turn; None if `self.seat` is on turn before."""
        turns = self._played_game.turns
        for at in range(number, self.point.number):
            if turns[at] == turn:
                return at
            if turns[at].seat == self.seat:
                return None
        return None

    def _is_explained(self, state: AnyState, node: _HistoryNode) -> bool:
        if node.matched < len(self._observed_events) or node.own_decisions < len(self._own_decisions):
            return False
        if state.turn != self.world.turn:
            miss = f"then the turn is {state.turn}; in the world it is {self.world.turn}"
        elif (faces := _sorted_faces(state)) != self._world_faces:
            miss = f"then the cards lie as {faces!r}; in the world as {self._world_faces!r}"
        elif (view := _encode(state.view(self.seat))) != self._observed_view:
            miss = f"then its view would be another one: {describe_first_difference(self._observed_view, view)}"
        else:
            return True
        self._note_miss(node.matched, miss)
        return False

    def _note_miss(self, matched: int, what: str) -> None:
        if matched > self._most_matched:
            self._most_matched = matched
            self.nearest_miss = f"{matched} of {len(self._observed_events)} events can be told, {what}"


def _sorted_faces(state: AnyState) -> list[list[Face | None]]:
    """Return the faces in all zones; hands are sorted, as nobody else sees their order."""
    return [
        zone.as_others_tell_them(faces)
        for zone, faces in zip(state.table.layout.zones, faces_by_zone(state), strict=True)
    ]


def derive_chance(real: Table, world: Table) -> list[ChanceEvent] | None:
    """Return the chance events that lead to a world; None if the real table keeps none.

    In the order of a shuffle each card is replaced by the world's card: the one that entered the next shuffle group in
    its place, or the one that lies in its place now.
    """
    if world.chance_events is not None or real.chance_events is None:
        return world.chance_events
    chance = list(real.chance_events)
    card_in_world = {
        card: other
        for cards, others in zip(real.zones, world.zones, strict=True)
        for card, other in zip(cards, others, strict=True)
        if card >= 0
    }
    for group, world_group in zip(reversed(real.shuffle_groups), reversed(world.shuffle_groups), strict=True):
        order = chance[group.chance_index] if group.chance_index >= 0 else 0
        if isinstance(order, tuple):
            chance[group.chance_index] = tuple(card_in_world[card] for card in order)
        card_in_world.update(zip(group.cards, world_group.cards, strict=True))
    return chance
