"""Seats: what a match asks of whoever sits at its table, and the answer to a question."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

import msgspec

from pitboss.game import AnyState
from pitboss.protocol.messages import Act, End, Start
from pitboss.record import Decision, Incident
from pitboss.table.events import AnyEvent
from pitboss_tournament.plan.plan import Entrant


class Answer(NamedTuple):
    """A choice among the legal actions."""

    choice: int  # index into the legal actions
    us: int  # microseconds billed
    lag_us: int  # microseconds the runner was late to read it
    note: str | None


class Seat(Protocol):
    """A player at a table: a bot, a person, or a random player."""

    entrant: Entrant
    log_position: int  # length of the part of the game's log that the player has been told

    @property
    def wants_events(self) -> bool:
        """Whether questions bring events."""

    async def start(self, start: Start) -> Incident | None:
        """Begin a new game."""

    def resume(self, decisions: Sequence[Decision], incidents: Sequence[Incident]) -> None:
        """Take over the seat's decisions and incidents of a game that was broken off."""

    async def rejoin(self) -> Incident | None:
        """Make sure the player is there for the next question, also after a fault."""

    def observe(self, state: AnyState) -> object:
        """Return the view for the next question, None if the player wants none."""

    async def decide(self, phase: str, legal: Sequence[Any], view: object, events: list[AnyEvent]) -> Answer | Incident:
        """Choose one of the legal actions."""

    async def end(self, end: End) -> None:
        """Learn the result of the game."""


class IllegalChoice(Exception):
    """The answer chooses no legal action."""


def find_choice(act: Act, legal: Sequence[Any], action_type: Any) -> int:  # noqa: ANN401 - a type, or a union of types
    """Return the index of the action that an answer chooses.

    Raises:
        IllegalChoice: it chooses none.
    """
    if act.choose is not None:
        if act.choose < len(legal):
            return act.choose
        raise IllegalChoice(f"it chose {act.choose}; there were {len(legal)} legal actions, 0..{len(legal) - 1}")
    try:
        return list(legal).index(msgspec.convert(act.action, action_type))
    except (msgspec.ValidationError, ValueError):
        played, allowed = (msgspec.json.encode(value).decode() for value in (act.action, legal))
        raise IllegalChoice(f"it played {played[:200]}; legal were {allowed[:1000]}") from None
