"""The journal of an arena: what was done, one line for each step, each with the digest of the line before.

So nothing in it can be changed, left out or put in later without a trace. The seed of the deals that count in a round
follows from the arena's secret and from the line that names the versions of that round: the entrants cannot know it
while they edit, and the organizer, who published the digest of the secret before the first round, cannot choose it.
A line that a kill has cut off is not part of it.
"""

from __future__ import annotations

import hashlib
import hmac
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Final, Literal, TypeAlias, TypeVar

import msgspec
from msgspec import Meta, Struct

from pitboss.errors import ConfigError
from pitboss.foreign_input import InputRefused, read_json
from pitboss_tournament.league.submission import Evidence
from pitboss_tournament.processes.edit_run import EditRun

SEED_DIGITS: Final = 32  # of a seed, in hexadecimal
NO_LINE: Final = ""  # the digest before the first line

GameKind: TypeAlias = Literal["practice", "judged"]
GAME_KINDS: Final[tuple[GameKind, ...]] = ("practice", "judged")


class Usage(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What an edit has cost, as the entrant's command says itself in `cost.json`."""

    tokens: Annotated[int, Meta(ge=0, le=1 << 50)] | None = None
    dollars: Annotated[float, Meta(ge=0, le=1e9)] | None = None


class Begun(Struct, frozen=True, kw_only=True, tag="begun"):
    """The arena has begun: the work spaces are there, and the secret is drawn."""

    game: str
    entrants: list[str]
    rules: str  # SHA-256 of what decides games
    practice_seed: str  # of the practice deals, known to everybody
    secret_digest: str  # SHA-256 of the secret
    pitboss: str  # the version


class Edited(Struct, frozen=True, kw_only=True, tag="edited"):
    """The edit phase of an entrant has ended."""

    round: int
    entrant: str
    run: EditRun
    usage: Usage | None = None
    tampered: list[str] = []  # files of the judge in the work space that it changed, added or removed


class Frozen(Struct, frozen=True, kw_only=True, tag="frozen"):
    """The sources of an entrant's bot were copied; round 0 is what it began with."""

    round: int
    entrant: str
    digest: str  # by which the version is known; "" if there is none
    why: str = ""  # there is none


class Drawn(Struct, frozen=True, kw_only=True, tag="drawn"):
    """All versions of a round are frozen: from this line on its seed is fixed."""

    round: int
    digests: dict[str, str]  # by entrant


class Validated(Struct, frozen=True, kw_only=True, tag="validated"):
    """A version was built, checked and tried."""

    round: int
    entrant: str
    digest: str
    evidence: Evidence


class Played(Struct, frozen=True, kw_only=True, tag="played"):
    """The games of a round were played, of one kind of deals."""

    round: int
    kind: GameKind
    seed: str
    bots: dict[str, str]  # by entrant: the digest of the version that played
    games: int
    records: str  # SHA-256 of the records, without their times


class Ended(Struct, frozen=True, kw_only=True, tag="ended"):
    """A round is over: the entrants have their feedback."""

    round: int


class Revealed(Struct, frozen=True, kw_only=True, tag="revealed"):
    """The arena is over, and its secret is told."""

    secret: str


JournalEntry: TypeAlias = Begun | Edited | Frozen | Drawn | Validated | Played | Ended | Revealed
T = TypeVar("T")


class JournalLine(Struct, frozen=True, kw_only=True):
    """A line of the file."""

    previous: str  # SHA-256 of the line before, without its end
    entry: JournalEntry


class JournalBroken(ConfigError):
    """The journal is not what it was: a line does not follow from the one before."""


class Journal:
    """The journal of an arena, in memory and in its file. One process at a time writes it."""

    def __init__(self, path: Path) -> None:
        """Read the file, if there is one.

        Raises:
            JournalBroken: a line was changed, left out or put in.
        """
        self.path = path
        self.entries: list[JournalEntry] = []
        self.heads: list[str] = []  # the digest of each line
        self._size = 0  # of the whole lines, in bytes
        content = path.read_bytes() if path.exists() else b""
        for number, raw in enumerate(content.splitlines(keepends=True), 1):
            if not raw.endswith(b"\n"):  # cut off by a kill
                break
            try:
                line = read_json(raw, JournalLine)
            except InputRefused as error:
                raise JournalBroken(f"{path}, line {number}: it is no line of a journal ({error})") from None
            if line.previous != self.head:
                raise JournalBroken(f"{path}, line {number}: it does not follow from the line before; one was changed")
            self._take(line.entry, raw)

    @property
    def head(self) -> str:
        """The digest of the last line."""
        return self.heads[-1] if self.heads else NO_LINE

    def add(self, entry: JournalEntry) -> None:
        """Write an entry; it is on the disk when this returns."""
        raw = msgspec.json.encode(JournalLine(previous=self.head, entry=entry)) + b"\n"
        with self.path.open("r+b" if self.path.exists() else "x+b") as file:
            file.truncate(self._size)  # of a line that was cut off
            file.seek(self._size)
            file.write(raw)
            file.flush()
            os.fsync(file.fileno())
        self._take(entry, raw)

    def _take(self, entry: JournalEntry, raw: bytes) -> None:
        self.entries.append(entry)
        self.heads.append(hashlib.sha256(raw.rstrip(b"\n")).hexdigest())
        self._size += len(raw)

    def list_entries(self, kind: type[T]) -> Iterator[T]:
        """Yield the entries of a kind, the oldest first."""
        return (entry for entry in self.entries if isinstance(entry, kind))

    @property
    def begun(self) -> Begun | None:
        """How the arena has begun; None if it has not."""
        return next(self.list_entries(Begun), None)

    @property
    def ended_rounds(self) -> int:
        """How many rounds are over."""
        return max((entry.round for entry in self.list_entries(Ended)), default=0)

    @property
    def revealed(self) -> str | None:
        """The secret; None if the arena is not over."""
        return next((entry.secret for entry in self.list_entries(Revealed)), None)

    def find_edited(self, number: int, entrant: str) -> Edited | None:
        """Return how an entrant's edit phase of a round has ended; None if it has not."""
        return self._find(Edited, number, entrant)

    def find_frozen(self, number: int, entrant: str) -> Frozen | None:
        """Return the version of an entrant in a round; None if none was copied."""
        return self._find(Frozen, number, entrant)

    def _find(self, kind: type[Edited] | type[Frozen], number: int, entrant: str) -> T | None:
        found = (one for one in self.list_entries(kind) if (one.round, one.entrant) == (number, entrant))
        return next(found, None)  # type: ignore[return-value]

    def find_validated(self, entrant: str, digest: str) -> Validated | None:
        """Return what a version of an entrant has shown; None if that was not looked at."""
        return next(
            (one for one in self.list_entries(Validated) if (one.entrant, one.digest) == (entrant, digest)), None
        )

    def find_played(self, number: int, kind: GameKind) -> Played | None:
        """Return the games of a round; None if they have not all been played."""
        return next((one for one in self.list_entries(Played) if (one.round, one.kind) == (number, kind)), None)

    def find_drawn(self, number: int) -> tuple[Drawn, str] | None:
        """Return the line by which the seed of a round was fixed, and its digest; None if it is not."""
        for entry, head in zip(self.entries, self.heads, strict=True):
            if isinstance(entry, Drawn) and entry.round == number:
                return entry, head
        return None

    def choose_versions(self, number: int, entrants: Sequence[str]) -> dict[str, str]:
        """Return by entrant the digest of its last valid version up to a round; those that have none are left out."""
        valid = {(one.entrant, one.digest) for one in self.list_entries(Validated) if one.evidence.is_good}
        found = dict[str, str]()
        for frozen in self.list_entries(Frozen):
            if frozen.round <= number and (frozen.entrant, frozen.digest) in valid:
                found[frozen.entrant] = frozen.digest
        return {entrant: found[entrant] for entrant in entrants if entrant in found}


def derive_seed(secret: str, head: str) -> str:
    """Return the seed of the deals that count in a round, of whose versions the line with the digest `head` tells."""
    return hmac.new(secret.encode(), head.encode(), hashlib.sha256).hexdigest()[:SEED_DIGITS]


def digest_secret(secret: str) -> str:
    """Return what is published of a secret before the first round."""
    return hashlib.sha256(secret.encode()).hexdigest()


def list_versions(journal: Journal, number: int) -> Mapping[str, str]:
    """Return by entrant the digest of the version that played the deals that count in a round."""
    played = journal.find_played(number, "judged")
    return {} if played is None else played.bots
