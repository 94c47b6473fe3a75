"""The adviser: a bot that a person may ask what to do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import trio

from pitboss.errors import PitbossError
from pitboss.game import AnyGame, AnyState
from pitboss.protocol.messages import Start
from pitboss_tournament.match.bot_seat import BotSeat
from pitboss_tournament.match.plugin_calls import PluginCalls
from pitboss_tournament.match.seat import Answer
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
