"""Following: a game as a state, rebuilt from what one seat was told. For bots in Python that look ahead.

    from pitboss.bot import Decision, run
    from pitboss.following import Following

    following = Following()

    def choose(decision: Decision) -> int:
        state = following.heard(decision)
        ...

    run(choose, want="both")

Call `heard` at every decision: what happened since the last one is explained, and kept.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, Final

import msgspec

from pitboss.events import AnyEvent
from pitboss.explaining import Explanation
from pitboss.options import resolved
from pitboss.patience import STEPS_A_SECOND, Patience
from pitboss.plugins import Registry
from pitboss.randomness import Random
from pitboss.steering import Wheel

if TYPE_CHECKING:
    from pitboss.bot import Decision
    from pitboss.game import AnyGame, AnyState
    from pitboss.wire import Start

SHARE: Final = 0.25  # of the time for a decision
MOST_KEPT: Final = 32  # states

_plain = msgspec.json.Decoder().decode
_encoded = msgspec.json.Encoder().encode


class Following:
    """The games that a bot plays, one after another, each followed from its seat."""

    def __init__(self, game: AnyGame | None = None) -> None:
        self._game = game
        self._start: Start | None = None
        self._events: list[AnyEvent] = []  # of the whole game
        self._kept: list[tuple[AnyState, int]] = []  # states at earlier decisions, with the events until then
        self._wheel = Wheel()
        self._number = 0

    def heard(self, decision: Decision, seconds: float | None = None) -> AnyState | None:
        """Return the game at a decision as a state: all that the seat knows is so, and all else is as it may be.

        `imagine` of it draws from the worlds that the seat cannot tell from the real one. It is yours to play in. None: no explanation was found for what
        has happened, in about so many `seconds` (by default a quarter of the time for the decision; they are counted in steps, not by a clock, so
        that a bot plays the same game again); the next decision may have one. Call it at every decision.

        Raises:
            ValueError: there are no events to follow; `run` was not told to want them.
        """
        limit = seconds if seconds is not None else decision.decision_ms * SHARE / 1000
        patience = Patience(round(limit * STEPS_A_SECOND))
        if decision.start != self._start:
            self._start, self._events, self._kept, self._number = decision.start, [], [], 0
            self._game = self._game or installed(decision.hello.game)
        events = msgspec.convert(decision.events, list[AnyEvent])
        self._events += events
        if not self._events:
            raise ValueError('a game is followed by its events: let the bot say run(choose, want="both")')
        state = self._explained(decision, patience)
        if state is None:
            return None
        self._keep(state)
        return state.copy()

    def _explained(self, decision: Decision, patience: Patience) -> AnyState | None:
        """Explain what has happened since the last decision; if that cannot be, since an earlier one: what was imagined since then may be wrong."""
        back = 1
        while back <= len(self._kept):
            before, told = self._kept[-back]
            part = patience.half()
            state = self._explanation(decision, self._events[told:], part).after(before)
            patience.take_back(part)
            if state is not None:
                del self._kept[len(self._kept) - back + 1 :]
                return state
            back *= 2
        self._kept = []
        return self._rebuilt(decision, patience)

    def _keep(self, state: AnyState) -> None:
        """Keep a state to go back to: of the older ones ever fewer."""
        self._kept.append((state, len(self._events)))
        if len(self._kept) > MOST_KEPT:
            del self._kept[: MOST_KEPT // 2 : 2]

    def _rebuilt(self, decision: Decision, patience: Patience) -> AnyState | None:
        """Explain the whole game."""
        game, seats = self._game, decision.hello.seats
        assert game
        options = resolved(game, seats, given=decision.hello.options)
        return self._explanation(decision, self._events, patience).from_deal(lambda rng: game.deal(seats, options, rng))

    def _explanation(self, decision: Decision, events: list[AnyEvent], patience: Patience) -> Explanation:
        self._number += 1
        rng = Random(f"{decision.start.seed}/following/{self._number}")

        def is_so(state: AnyState) -> bool:
            return _is_as_told(state, decision)

        return Explanation(decision.seat, events, is_so, self._wheel, rng, patience)


def _is_as_told(state: AnyState, decision: Decision) -> bool:
    """Tell whether a state looks to the seat as the wire says."""
    turn = state.turn
    if turn is None or turn != (decision.seat, decision.phase) or _as_on_wire(state.legal()) != decision.legal:
        return False
    return decision.view is None or _as_on_wire(state.view(decision.seat)) == decision.view


def _as_on_wire(value: object) -> Any:  # noqa: ANN401 - plain data
    return _plain(_encoded(value))


@cache
def installed(name: str) -> AnyGame:
    """Return an installed game.

    Raises:
        ConfigError: no such game is installed.
    """
    return Registry().game(name)
