"""The errors that Pitboss raises on purpose: one class, one meaning, one culprit."""

from __future__ import annotations

from collections.abc import Sequence


class PitbossError(Exception):
    """The base class. The text is one line for a person: what happened, where, and what was allowed."""


class ConfigError(PitbossError):
    """The person at the keyboard asked for something that does not exist or is not allowed."""


class SeveralErrors(ConfigError):
    """Several configuration errors at once, each on a line of its own."""

    def __init__(self, errors: Sequence[ConfigError]) -> None:
        super().__init__("; ".join(map(str, errors)))
        self.errors = tuple(errors)


class OptionError(ConfigError):
    """Options, a preset or a number of seats that a game or a format does not allow.

    `options` names them, the one to blame first: so a program can say where it stands.
    """

    def __init__(self, text: str, *options: str) -> None:
        super().__init__(text)
        self.options = options


class PositionError(ConfigError):
    """A written position does not describe a table of this game."""


class IllegalAction(PitbossError):
    """An action that the rules do not allow; the state is unchanged."""


class TableError(PitbossError):
    """A game called a table verb with cards or zones that do not allow it: a bug of its plugin."""


class NoWorldFound(PitbossError):
    """A game of an engine could not sample a world: none was found within a budget, or the engine samples none."""


class EngineFailed(PitbossError):
    """The program that knows the rules of a game ended, was silent, or answered wrongly: a bug of its plugin."""


class NotEncodable(PitbossError):
    """A value of a game cannot be written as JSON: a bug of its plugin."""


class ProtocolError(PitbossError):
    """The runner or the bot broke the protocol."""


class MalformedLine(ProtocolError):
    """A line is not one valid message."""


class FloodedLine(ProtocolError):
    """A line is longer than the protocol allows."""


class OutOfTurn(ProtocolError):
    """A valid message arrived in a phase that does not allow it, or answers another question."""


class WrongPolicy(ProtocolError):
    """A bot stated probabilities of its actions that are no policy for the question."""


class RecordError(PitbossError):
    """A record cannot be read."""


class RefusedGame(RecordError):
    """A game of a text that cannot be read. Readers of several games yield this in its place, and read on.

    `line` is where the text is wrong, from 1; None: nowhere in particular. `is_other_game`: it is of another game than
    the one that reads it, which may read the same format.
    """

    def __init__(self, line: int | None, why: str, *, is_other_game: bool = False) -> None:
        super().__init__(why if line is None else f"line {line}: {why}")
        self.line, self.why, self.is_other_game = line, why, is_other_game


class ReplayDiffers(RecordError):
    """The replay of a record differs from the record: another version of the game, or a bug."""
