"""The seat of a person, wherever they sit, and the adviser: a bot that a person may ask what to do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import trio

from pitboss.errors import PitbossError
from pitboss.game import AnyGame, AnyState
from pitboss.protocol.messages import Start
from pitboss_tournament.match.bot_seat import BotSeat
from pitboss_tournament.match.plugin_calls import PluginCalls
from pitboss_tournament.match.seat import Answer
from pitboss_tournament.plan.plan import Entrant
from pitboss_tournament.text.terminal_text import action_text

LONGEST_NOTE: Final = 500  # characters


class AdviceError(PitbossError):
    """The adviser gave no answer."""


class Adviser:
    """A bot in the seat of a person, asked in a fresh process each time.

    It is asked as a bot whose process was restarted after a fault: it need not know that somebody else made the earlier
    decisions.
    """

    def __init__(self, seat: BotSeat, game: AnyGame, number: int) -> None:
        """Take the bot in its seat, of that number."""
        self._seat = seat
        self._game = game
        self._number = number

    @property
    def name(self) -> str:
        """The name of the bot."""
        return self._seat.entrant.name

    def note(self, action: object) -> str:
        """Return what the record says of an advice."""
        return f"{self.name} advised: {action_text(action)}"[:LONGEST_NOTE]

    async def ask(
        self, start: Start, state: AnyState, log_end: int, moment: AnyState, phase: str, legal: Sequence[Any]
    ) -> Answer:
        """Return its answer: the action that it would choose, and its note.

        It is told the events of `state` up to this entry of the log, and the view of `moment`.

        Raises:
            AdviceError: it gave no answer.
        """
        seat = self._seat
        try:
            answer: object = await seat.start(start)
            if answer is None:
                with PluginCalls(self._game, lambda: f"in the view of seat {self._number}"):
                    events = state.table.events(self._number, 0, log_end) if seat.wants_events else []
                    view = seat.observe(moment)
                answer = await seat.decide(phase, legal, view, events)
            if not isinstance(answer, Answer):
                raise AdviceError(f"{self.name} gave no answer.")
            return answer
        finally:
            with trio.CancelScope(shield=True):
                await seat.close()


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
        """Whether it has nothing new beside `other`."""
        return self.cards <= other.cards and self.chance_events == other.chance_events
