"""Why a bot could not be started: its own fault, or the machine's."""

from __future__ import annotations

from typing import Literal, TypeAlias

from pitboss.errors import PitbossError

VoidCause: TypeAlias = Literal["no_process", "no_sandbox", "no_guardian"]


class CannotStart(PitbossError):
    """The bot's program cannot be run at all."""


class RoomTrouble(PitbossError):
    """The machine has no means to start or to speak to a bot: nobody's fault at the table, and the game is void."""

    def __init__(self, message: str, cause: VoidCause) -> None:
        super().__init__(message)
        self.cause = cause
