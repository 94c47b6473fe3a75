"""Choosers: how the games of the conformance suite are played. Random play alone does not come everywhere."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence, Set
from math import inf
from typing import Any, Final

from pitboss.action_range import draw_action
from pitboss.game import AnyState, Evaluable
from pitboss.table.randomness import Random

MAX_STUBBORN: Final = 12
COMPARED_ACTIONS: Final = 4  # of which the best by the estimate is played
KIND_WEIGHTS: Final = (1, 1, 4, 20)  # of a kind of action, for a player with a habit


class NewKindChooser:
    """Chooses among the actions of the kind that it has played least in this phase, any of them."""

    def __init__(self) -> None:
        self._played = Counter[tuple[str, type[Any]]]()

    def __call__(self, state: AnyState, rng: Random) -> Any:  # noqa: ANN401 - an action of any game
        """Choose an action."""
        legal, phase = state.legal(), state.turn.phase if state.turn else ""
        kinds = {type(entry) for entry in legal}
        if len(kinds) > 1:
            least = min(self._played[phase, kind] for kind in kinds)
            legal = [entry for entry in legal if self._played[phase, type(entry)] == least]
        entry = rng.choice(legal)
        self._played[phase, type(entry)] += 1
        return draw_action(entry, rng.randbelow)


def choose_by_estimate(state: AnyState, rng: Random) -> Any:  # noqa: ANN401 - an action of any game
    """Choose of a few random actions the one after which the state's own estimate is best for the seat.

    Where the state has no estimate it is any action.
    """
    legal, turn = state.legal(), state.turn
    tried = [draw_action(rng.choice(legal), rng.randbelow) for _ in range(min(len(legal), COMPARED_ACTIONS))]
    if len(tried) == 1 or turn is None or not isinstance(state, Evaluable):
        return tried[0]
    best, highest = tried[0], (-inf, -inf)
    for action in tried:
        after = state.copy()
        after.play(action)
        points = after.evaluate()
        own = points[turn.seat]
        lead = own - sum(points) / len(points), own  # where all play together nobody is ahead
        if lead > highest:
            best, highest = action, lead
    return best


class SteeredChooser:
    """Plays one game by a habit that is drawn for it, so that rare things happen in some games.

    It prefers some kinds of actions, or the first or last actions of the list, or what the player before has done. In
    every third game each seat has preferences of its own, so that one seat may lose by far.
    """

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._lean = rng.choice(("none", "none", "first", "last"))
        self._copies = rng.randbelow(3) == 0
        self._by_seat = rng.randbelow(3) == 0
        self._weights: dict[tuple[int, str, type[Any]], int] = {}  # by seat (-1: all), phase and kind
        self._last: Any = None

    def __call__(self, state: AnyState, legal: Sequence[Any]) -> Any:  # noqa: ANN401 - an action of any game
        """Choose an action."""
        rng = self._rng
        if self._copies and self._last is not None and self._last in legal and rng.randbelow(4):
            return self._last
        entries, phase = legal, state.turn.phase if state.turn else ""
        seat = state.turn.seat if state.turn and self._by_seat else -1
        kinds = dict.fromkeys(map(type, legal))
        if len(kinds) > 1:
            wanted = self._draw_kind(seat, phase, [*kinds])
            entries = [entry for entry in legal if type(entry) is wanted]
        place = rng.randbelow(len(entries))
        if self._lean == "first":
            place = min(place, rng.randbelow(len(entries)), rng.randbelow(len(entries)))
        elif self._lean == "last":
            place = max(place, rng.randbelow(len(entries)), rng.randbelow(len(entries)))
        self._last = draw_action(entries[place], rng.randbelow)
        return self._last

    def _draw_kind(self, seat: int, phase: str, kinds: Sequence[type[Any]]) -> type[Any]:
        for kind in kinds:
            if (seat, phase, kind) not in self._weights:
                self._weights[seat, phase, kind] = self._rng.choice(KIND_WEIGHTS)
        return self._rng.draw_outcomes(kinds, [self._weights[seat, phase, kind] for kind in kinds], 1)[0]


class StubbornChooser:
    """Does in each phase the same kind of thing: the first that is legal, the last, or one that is named."""

    def __init__(self, last_in: Set[str], named: Mapping[str, type[Any]]) -> None:
        """`last_in` are the phases in which it is the last kind; `named` the kinds for others, where they are legal."""
        self._last_in = last_in
        self._named = named

    def __call__(self, state: AnyState, rng: Random) -> Any:  # noqa: ANN401 - an action of any game
        """Choose an action."""
        legal, phase = state.legal(), state.turn.phase if state.turn else ""
        named = self._named.get(phase)
        entries = [entry for entry in legal if type(entry) is named]
        if not entries:
            kind = type(legal[-1 if phase in self._last_in else 0])
            entries = [entry for entry in legal if type(entry) is kind]
        return draw_action(rng.choice(entries), rng.randbelow)


def list_stubborn_choosers(kinds: Mapping[str, Collection[type[Any]]]) -> list[StubbornChooser]:
    """Return choosers for phases with these kinds of actions, MAX_STUBBORN at most.

    They choose first and last kinds, for each two phases in each combination of these; and each other kind, with first
    and with last kinds in the other phases.
    """
    phases = frozenset(kinds)
    patterns = []
    for bit in range(max(1, (len(phases) - 1).bit_length())):
        last = frozenset(phase for number, phase in enumerate(sorted(phases)) if number >> bit & 1)
        patterns += [last, phases - last]
    choosers = [StubbornChooser(last, {}) for last in dict.fromkeys(patterns)]
    for phase, met in sorted(kinds.items()):
        for kind in sorted(met, key=lambda one: one.__name__) if len(met) > 2 else ():
            choosers += [StubbornChooser(last, {phase: kind}) for last in (phases, frozenset[str]())]
    return choosers[:MAX_STUBBORN]
