"""The search for a past: a game that leads to an imagined world, and looks to one seat as the real game did.

The shuffles and lots of the world are dealt from a stacked deck. Then the game is played again: the seat's own decisions are those
it made; for the others it is tried what they really did, then what else is legal, as long as the seat sees the events that it has seen. Secret
decisions may exist in one world and not in the other, so a step that leads nowhere is taken back: by dealing again, since a copy's table
shares no stacked deck.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final, Literal, TypeAlias

import msgspec

from pitboss.game import AnyState
from pitboss.table import Chance
from pitboss.testing.examiner import crash
from pitboss.testing.moment import Moment
from pitboss.testing.stacking import StackedFaces
from pitboss.testing.standing import first_difference
from pitboss.testing.translation import Translation
from pitboss.zones import Kind

End: TypeAlias = Literal["found", "none", "unfinished"]

PLAYS: Final = 40_000  # plays after which a search is given up

_encode = msgspec.json.encode


class _Node:
    """A point of the replay: how much of the past is told, and what may be tried next."""

    __slots__ = ("choices", "hint", "logged", "own", "told")

    def __init__(self, told: int, logged: int, own: int, hint: int) -> None:
        self.told = told  # events of the past that have come
        self.logged = logged  # entries of the log so far
        self.own = own  # decisions of the seat itself so far
        self.hint = hint  # the next real decision
        self.choices: Iterator[tuple[Any, int, int]] = iter(())  # an action, and `own` and `hint` after it


class Search:
    """A search for the past of one world of one seat."""

    def __init__(self, moment: Moment, seat: int, world: AnyState, chance: Sequence[Chance]) -> None:
        self.moment = moment
        self.seat = seat
        self.world = world
        self._orders = [one for one in chance if isinstance(one, tuple)]
        self._lots = [one for one in chance if isinstance(one, int)]
        self.nearest = "nothing could be dealt"
        self._course = moment.course
        self._target = [_encode(event) for event in moment.state.table.events(seat)]
        self._own = [number for number, turn in enumerate(self._course.turns[: moment.number]) if turn.seat == seat]
        self._view = _encode(moment.state.view(seat))
        self._zones = _lying(world)
        self._translation = Translation(moment.state.table, world.table)
        self._left = PLAYS
        self._furthest = -1

    def run(self) -> End:
        """Search, and say how it ended."""
        path: list[Any] = []
        state = self._dealt()
        root = self._node(state, _Node(0, 0, 0, 0), 0, 0) if state is not None else None
        if state is None or root is None:
            return "none"
        nodes = [root]
        while nodes and not self._is_end(state, nodes[-1]):
            choice = next(nodes[-1].choices, None)
            if choice is None:
                nodes.pop()
                del path[-1:]
                state = self._again(path) if nodes else state
                continue
            action, own, hint = choice
            node = self._step(state, nodes[-1], action, own, hint)
            if node is None:
                state = self._again(path)
            else:
                path.append(action)
                nodes.append(node)
            if self._left < 0:
                return "unfinished"
        return "found" if nodes else "none"

    def _dealt(self) -> AnyState | None:
        setting = self.moment.setting
        stacked = StackedFaces("conformance/past", self._orders, self._lots, self.world.table.layout.deck)
        try:
            return setting.game.deal(setting.seats, setting.options, stacked)
        except Exception as wrong:  # noqa: BLE001 - the border to a plugin's code
            self.nearest = f"dealt from the world's shuffles and lots, it gives {crash(wrong)}"
            return None

    def _again(self, path: list[Any]) -> AnyState:
        """Deal and play a path that is known to be possible."""
        state = self._dealt()
        if state is None:
            raise ValueError(self.nearest)
        for action in path:
            state.play(action)
        self._left -= len(path) + 1
        return state

    def _step(self, state: AnyState, node: _Node, action: Any, own: int, hint: int) -> _Node | None:  # noqa: ANN401
        """Play an action; return the next node if the seat saw what it has seen. Else the state is spoilt."""
        self._left -= 1
        try:
            state.play(action)
        except Exception as wrong:  # noqa: BLE001 - the border to a plugin's code; the stacked deck may not fit either
            self._note(node.told, f"then {action!r} gives {crash(wrong)}")
            return None
        return self._node(state, node, own, hint)

    def _node(self, state: AnyState, before: _Node, own: int, hint: int) -> _Node | None:
        new = [_encode(event) for event in state.table.events(self.seat, before.logged)]
        expected = self._target[before.told : before.told + len(new)]
        if new != expected:
            same = next((at for at, pair in enumerate(zip(new, expected, strict=False)) if pair[0] != pair[1]), len(expected))
            seen = expected[same] if same < len(expected) else b"nothing more"
            self._note(before.told + same, f"then it would have seen {first_difference(new[same], seen)}")
            return None
        node = _Node(before.told + len(new), len(state.table.log or ()), own, hint)
        node.choices = self._choices(state, node)
        return node

    def _choices(self, state: AnyState, node: _Node) -> Iterator[tuple[Any, int, int]]:
        """Yield what may be decided next: by the seat itself only what it did decide."""
        turn = state.turn
        if turn is None or len(self._target) + self.moment.number < node.logged - node.told:
            return
        legal = list(state.legal())
        if turn.seat == self.seat:
            if node.own < len(self._own):
                number = self._own[node.own]
                action = self._course.actions[number]
                if turn == self._course.turns[number] and action in legal:
                    yield action, node.own + 1, max(node.hint, number + 1)
                else:
                    self._note(node.told, f"then its own action {action!r} is not legal at {turn}")
            return
        tried: list[Any] = []
        hint = self._hint(node.hint, turn)
        if hint is not None:
            for action in self._translation.of(self._course.actions[hint]):
                if action in legal and action not in tried:
                    tried.append(action)
                    yield action, node.own, hint + 1
        for action in legal:
            if action not in tried:
                yield action, node.own, node.hint if hint is None else hint + 1

    def _hint(self, number: int, turn: object) -> int | None:
        """Return the next real decision of that seat in that phase, before any decision of the seat that searches."""
        turns = self._course.turns
        for at in range(number, self.moment.number):
            if turns[at] == turn:
                return at
            if turns[at].seat == self.seat:
                return None
        return None

    def _is_end(self, state: AnyState, node: _Node) -> bool:
        if node.told < len(self._target) or node.own < len(self._own):
            return False
        if state.turn != self.world.turn:
            self._note(node.told, f"then the turn is {state.turn}; in the world it is {self.world.turn}")
            return False
        if _lying(state) != self._zones:
            self._note(node.told, f"then the cards lie as {_lying(state)!r}; in the world as {self._zones!r}")
            return False
        view = _encode(state.view(self.seat))
        if view != self._view:
            self._note(node.told, f"then its view would be another one: {first_difference(self._view, view)}")
            return False
        return True

    def _note(self, told: int, what: str) -> None:
        if told > self._furthest:
            self._furthest = told
            self.nearest = f"{told} of {len(self._target)} events can be told, {what}"


def _lying(state: AnyState) -> list[list[str]]:
    """Return the faces in all zones; the order of a hand, which nobody else can tell, does not count."""
    table, faces = state.table, state.table.layout.deck.faces
    lying = [[repr(faces[card]) if card >= 0 else "" for card in cards] for cards in table.zones]
    return [sorted(cards) if zone.kind is Kind.HAND else cards for zone, cards in zip(table.layout.zones, lying, strict=True)]
