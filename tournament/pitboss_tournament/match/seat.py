"""Seats: what a match asks of whoever sits at its table, and the answer to a question."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from msgspec import Struct

from pitboss.game import AnyState
from pitboss.open_actions import NOTHING_OPEN, OpenChoices
from pitboss.protocol.messages import End, Start
from pitboss.protocol.policy import Policy
from pitboss.records.record import Decision, Incident
from pitboss.table.events import AnyEvent
from pitboss_tournament.plan.plan import Entrant


class Answer(Struct, frozen=True):
    """An action that can be played."""

    action: Any  # one of the legal actions, one of a range of them, or an open one
    us: int  # microseconds billed
    lag_us: int  # microseconds the runner was late to read it
    note: str | None
    policy: Policy | None = None  # with actions of the game


class Seat(Protocol):
    """A player at a table: a bot, a person, or a random player."""

    entrant: Entrant
    log_position: int  # length of the part of the game's log that the player has been told
    wants_events: bool  # whether questions bring events

    async def start(self, start: Start) -> Incident | None:
        """Begin a new game."""

    def resume(self, decisions: Sequence[Decision], incidents: Sequence[Incident]) -> None:
        """Take over the seat's decisions and incidents of a game that was broken off."""

    async def rejoin(self) -> Incident | None:
        """After a fault, make sure the player is there for the next question."""

    def observe(self, state: AnyState) -> object:
        """Return the view for the next question, None if the player wants none."""

    async def decide(
        self,
        phase: str,
        legal: Sequence[Any],
        view: object,
        events: list[AnyEvent],
        together: Sequence[int] = (),
        beside: OpenChoices = NOTHING_OPEN,
    ) -> Answer | Incident:
        """Choose one of the legal actions, or one `beside` them that passes the check there.

        `together` are the seats that decide at the same moment.

        Raises:
            ProcessLost: the player has to `rejoin`, and to be asked again with all that it has seen of the game.
        """

    async def end(self, end: End) -> None:
        """Learn the result of the game."""
