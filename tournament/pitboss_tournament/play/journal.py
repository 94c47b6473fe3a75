"""The journal: decisions and faults of the unfinished game, fsynced one JSON line each, so that it can be resumed.

The first line is a header. An incomplete last line is ignored.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final, NamedTuple

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from pitboss.errors import ConfigError
from pitboss.options import convert_value
from pitboss.plugins.registry import Registry
from pitboss.records.record import Decision, Incident
from pitboss_tournament.match.match import ResumePoint
from pitboss_tournament.plan.plan import Entrant, Plan

JOURNAL_SUFFIX: Final = ".unfinished"  # of the file beside the store


class LobbyOrigin(Struct, frozen=True, kw_only=True):
    """The table of a lobby at which a game is played: what the lobby needs to offer the table again."""

    preset: str | None = None
    bots: list[str]  # by entrant, as the lobby calls them; "": a person


class JournalHeader(Struct, frozen=True, kw_only=True):
    """The first line of a journal: the plan, the game, the adviser, and the table of a lobby."""

    plan: Plan
    game_id: int
    adviser: Entrant | None = None
    lobby: LobbyOrigin | None = None  # None: the game was not begun in a lobby


class JournalEntry(Struct, frozen=True, omit_defaults=True):
    """A line of the journal after the first: a decision or an incident."""

    decision: Decision | None = None
    incident: Incident | None = None


class UnfinishedGame(NamedTuple):
    """A journal's header, its decisions and faults, and the length of its complete lines in bytes."""

    header: JournalHeader
    past: ResumePoint
    size: int


class PlayJournal:
    """A journal open for writing."""

    def __init__(self, path: Path, header: JournalHeader, unfinished: UnfinishedGame | None = None) -> None:
        """Create a journal, or reopen that of an unfinished game at the end of its complete lines.

        Raises:
            ConfigError: the file cannot be written.
        """
        self.path = path
        try:
            self._descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o666)
            os.ftruncate(self._descriptor, 0 if unfinished is None else unfinished.size)
        except OSError as error:
            raise ConfigError(f"{path}: cannot be written: {error.strerror}") from None
        if unfinished is None:
            self.write(header)

    def close(self) -> None:
        """Close the file."""
        os.close(self._descriptor)

    def write(self, line: JournalHeader | JournalEntry) -> None:
        """Append a line; return when it is on the disk."""
        rest = _encode(line) + b"\n"
        try:
            while rest:
                rest = rest[os.write(self._descriptor, rest) :]
            os.fsync(self._descriptor)
        except OSError as error:
            raise ConfigError(f"{self.path}: cannot be written: {error.strerror}") from None


def journal_path(store: Path) -> Path:
    """Return the path of the journal that belongs to a store."""
    return store.with_name(f"{store.name}{JOURNAL_SUFFIX}")


def read_journal_seed(store: Path) -> str | None:
    """Return the seed of the game that was broken off beside a store; None if there is none, or none can be read."""
    try:
        return _header_decoder.decode(journal_path(store).read_bytes().partition(b"\n")[0]).plan.seed
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None


def read_journal(path: Path, registry: Registry) -> UnfinishedGame | None:
    """Return the unfinished game; None if there is none.

    Raises:
        ConfigError: the file cannot be read, or is no journal of an installed game.
    """
    try:
        text = path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read: {error.strerror}") from None
    size = text.rfind(b"\n") + 1
    lines = text[:size].splitlines()
    if not lines:
        return None  # it was ended before anything was decided
    try:
        header = _header_decoder.decode(lines[0])
        entries = [_entry_decoder.decode(line) for line in lines[1:]]
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise ConfigError(f"{path}: this is not the journal of an unfinished game: {error}") from None
    decisions = [entry.decision for entry in entries if entry.decision is not None]
    incidents = [entry.incident for entry in entries if entry.incident is not None]
    plan, game = header.plan, registry.find_game(header.plan.game)
    plan = replace(plan, options=convert_value(plan.options, game.Options, game.name, ConfigError))
    return UnfinishedGame(replace(header, plan=plan), ResumePoint(decisions, incidents), size)


def take_back_last_entry(path: Path) -> None:
    """Remove the last decision or incident from a journal that ends with a complete line.

    Raises:
        ConfigError: the file cannot be read or written.
    """
    try:
        with path.open("r+b") as file:
            file.truncate(file.read().rstrip(b"\n").rfind(b"\n") + 1)
            os.fsync(file.fileno())
    except OSError as error:
        raise ConfigError(f"{path}: cannot be written: {error.strerror}") from None


_encode: Final = msgspec.json.Encoder(enc_hook=os.fspath).encode
_header_decoder: Final[msgspec.json.Decoder[JournalHeader]] = msgspec.json.Decoder(
    JournalHeader, dec_hook=lambda path_type, text: path_type(text)
)
_entry_decoder: Final[msgspec.json.Decoder[JournalEntry]] = msgspec.json.Decoder(JournalEntry)
