"""Everything Pitboss raises on purpose: one class, one meaning, one culprit."""

from __future__ import annotations

from collections.abc import Sequence


class PitbossError(Exception):
    """The base of all. Its text is one line for a person: what, where, and what was allowed."""


class ConfigError(PitbossError):
    """The person at the keyboard asked for something that does not exist or is not allowed."""


class SeveralErrors(ConfigError):
    """Several things are wrong at once; each is told on a line of its own."""

    def __init__(self, errors: Sequence[ConfigError]) -> None:
        super().__init__("; ".join(map(str, errors)))
        self.errors = tuple(errors)


class OptionError(ConfigError):
    """A game was asked for with options, a preset or a number of seats that it does not allow."""


class PositionError(ConfigError):
    """A written position does not describe a table of this game."""


class IllegalAction(PitbossError):
    """A player tried what the rules do not allow; the state is as it was before."""


class TableError(PitbossError):
    """A game used the table in a way that makes no sense: a fault of its plugin."""


class ProtocolError(PitbossError):
    """One side of the wire broke the protocol."""


class MalformedLine(ProtocolError):
    """A line was not one valid message."""


class FloodedLine(ProtocolError):
    """More bytes came than one line may hold."""


class OutOfTurn(ProtocolError):
    """A valid message came at a moment, or in answer to a question, that did not allow it."""


class RecordError(PitbossError):
    """A record cannot be read."""


class ReplayDiffers(RecordError):
    """A record, replayed, does not give what it says: another version of the game, or a bug."""
