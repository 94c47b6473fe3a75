"""The adviser: any bot, asked for one decision in the person's seat.

A fresh process receives the seat's observation history, as a bot does whose process was restarted after a fault. It
need not know that somebody else made the earlier decisions.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import trio

from pitboss.game import AnyGame, AnyState
from pitboss.protocol.messages import Hello, Start
from pitboss_tournament.plan.plan import Entrant, FaultRules
from pitboss_tournament.playing.bot_seat import BotSeat
from pitboss_tournament.playing.match import PluginCalls
from pitboss_tournament.playing.seat import Answer
from pitboss_tournament.processes.supervisor import BotSupervisor


class Adviser:
    """A bot that answers single questions in a person's seat."""

    def __init__(self, supervisor: BotSupervisor, entrant: Entrant, game: AnyGame, hello: Hello) -> None:
        self.name = entrant.name
        self._player = BotSeat(supervisor, entrant, game, hello, FaultRules())
        self._seat = hello.seat

    async def advise(self, start: Start, state: AnyState, phase: str, legal: Sequence[Any]) -> int | None:
        """Return the index of the legal action that it chooses; None if it gives no answer."""
        player = self._player
        try:
            if await player.start(start) is not None:
                return None
            events = state.table.events(self._seat) if player.wants_events else []
            with PluginCalls(lambda: f"in the view of seat {self._seat}"):
                view = player.observe(state)
            answer = await player.decide(phase, legal, view, events)
            return answer.choice if isinstance(answer, Answer) else None
        finally:
            with trio.CancelScope(shield=True):
                await player.close()
