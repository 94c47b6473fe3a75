"""Errors of starting a bot: the bot's (`BotStartError`) or the machine's (`MachineError`)."""

from __future__ import annotations

from typing import Literal, TypeAlias

from pitboss.errors import PitbossError

VoidCause: TypeAlias = Literal[
    "no_process", "no_sandbox", "no_guardian", "overloaded", "no_memory", "no_model", "other_files"
]


class BotStartError(PitbossError):
    """The bot's program cannot be run at all."""


class MachineError(PitbossError):
    """The machine cannot start a bot or talk to it. No bot is at fault; the game is void and played again."""

    def __init__(self, message: str, cause: VoidCause) -> None:
        super().__init__(message)
        self.cause = cause
