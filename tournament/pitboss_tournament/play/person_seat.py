"""The seat of a person, wherever they sit: what the match asks of it, and what an adviser has to be told."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from pitboss.game import AnyGame, AnyState
from pitboss.protocol.messages import Start
from pitboss_tournament.match.seat import Answer
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
        self._seen_before = _Seen(frozenset(), 0)  # what the person knew at the last question
        self.can_take_back = False  # the last decision: nobody has answered it, and it has shown the person nothing new

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

    def note_question(self) -> None:
        """Note what the person knows when a question is put."""
        self._seen_before = self._list_seen()

    def note_decision(self) -> None:
        """Note that the person has decided: it may be taken back if it has shown nothing new."""
        self.can_take_back = self._list_seen().is_within(self._seen_before)

    def _list_seen(self) -> _Seen:
        """Return what the person knows now."""
        assert self._state is not None
        table = self._state.table
        known = (card for card, known_by in enumerate(table.known_by) if known_by >> self._seat & 1)
        return _Seen(frozenset(known), len(table.chance_events or ()))

    async def _ask(self, adviser: Adviser, phase: str, legal: Sequence[Any]) -> Answer:
        """Return the answer of the adviser: the action that it would choose, and its note.

        Raises:
            AdviceError: it gave none.
        """
        assert self._start is not None and self._state is not None and self._moment is not None
        return await adviser.ask(self._start, self._state, self.log_position, self._moment, phase, legal)


class _Seen(NamedTuple):
    """What a person has seen: the cards, and how often something was shuffled or rolled."""

    cards: frozenset[int]
    chance_events: int

    def is_within(self, other: _Seen) -> bool:
        """Whether nothing of it is new beside `other`."""
        return self.cards <= other.cards and self.chance_events == other.chance_events
