"""The seat of a person, wherever they sit: what the match asks of it, and what an adviser has to be told."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pitboss.game import AnyGame, AnyState
from pitboss.protocol.messages import Start
from pitboss_tournament.plan.plan import Entrant
from pitboss_tournament.play.adviser import Adviser


class PersonLeft(Exception):
    """The person stopped the session. Caught by `PlaySession`."""


class TakenBack(Exception):
    """The person takes back the decision that was recorded last. Caught by `PlaySession`."""


class PersonSeat:
    """What the seats of people have in common. The match shows it the state; subclasses ask the person."""

    def __init__(self, game: AnyGame, entrant: Entrant, seat: int, adviser: Adviser | None) -> None:
        self.entrant = entrant
        self.log_position = 0
        self.wants_events = True
        self.adviser = adviser
        self._game = game
        self._seat = seat
        self._start: Start | None = None
        self._state: AnyState | None = None  # as it is
        self._moment: AnyState | None = None  # as it may be shown

    async def start(self, start: Start) -> None:
        """Keep the start message, for the adviser."""
        self._start = start

    async def rejoin(self) -> None:
        """Return None: a person needs no process."""

    def observe(self, state: AnyState) -> object:
        """Keep the state, for the adviser; a person is sent no view."""
        self._moment = state
        return None

    def keep_state(self, state: AnyState) -> None:
        """Keep the state as it is, for the adviser's events."""
        self._state = state

    async def _ask(self, adviser: Adviser, phase: str, legal: Sequence[Any]) -> Any:  # noqa: ANN401 - of any game
        """Return the action that the adviser would choose.

        Raises:
            AdviceError: it gave none.
        """
        assert self._start is not None and self._state is not None and self._moment is not None
        return await adviser.ask(self._start, self._state, self.log_position, self._moment, phase, legal)
