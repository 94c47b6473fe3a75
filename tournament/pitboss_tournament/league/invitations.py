"""Invitations: a link for a class, by which whoever has it gets a token of their own, under a name of their choice.

A link ends in `#pitboss-NUMBER-SECRET`, as a token is written: browsers send nothing of that to any server, and only
the page that it opens reads it. Of the secret a hash is kept.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import msgspec
from msgspec import Struct

from pitboss.errors import ConfigError, PitbossError
from pitboss_tournament.league.book import HOST, LEAGUE_ITSELF, Book, NewToken
from pitboss_tournament.league.tokens import draw_number, draw_secret, format_token, hash_secret
from pitboss_tournament.plan.names import are_confusable
from pitboss_tournament.store.rows import utc_now

INVITATIONS_TABLE: Final = (
    "create table if not exists league_invitations (number integer primary key, hash blob not null, uses integer, "
    "used integer not null, made text not null, ends text, revoked text) strict"
)
JOIN_PATH: Final = "/join"
LOGIN_PATH: Final = "/login"


class NotInvited(PitbossError):
    """An invitation opens nothing, or nothing any more."""


class OwnerNameTaken(PitbossError):
    """The name that somebody wants is taken: by another owner, or by one whose name looks the same."""


class ClassInvitation(Struct, frozen=True):
    """What is kept of an invitation. Times are in UTC."""

    number: int
    hash: bytes
    uses: int | None  # how many people may join by it; None: any number
    used: int
    made: str
    ends: str | None  # None: never
    revoked: str | None

    def why_invalid(self, now: str) -> str | None:
        """Return why nobody joins by it at this time; None if somebody may."""
        if self.revoked is not None:
            return f"this invitation was revoked at {self.revoked}"
        if self.ends is not None and self.ends <= now:
            return f"this invitation ended at {self.ends}"
        if self.uses is not None and self.used >= self.uses:
            return f"this invitation was for {self.uses}, and all have joined"
        return None


class InvitationBook(Book):
    """The book of a league, with its invitations."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        with self._writing():
            self._db.execute(INVITATIONS_TABLE)

    def invite(self, uses: int | None, days: float | None) -> str:
        """Make an invitation for `uses` people and `days` days (None: without end); return its words."""
        secret, now = draw_secret(), utc_now()
        ends = None if days is None else (datetime.now(UTC) + timedelta(days=days)).isoformat(timespec="seconds")
        with self._writing():
            while self.find_token(number := draw_number()) is not None or self.find_invitation(number) is not None:
                pass
            self._db.execute(
                "insert into league_invitations values (?, ?, ?, 0, ?, ?, null)",
                (number, hash_secret(secret), uses, now, ends),
            )
            many = "any number" if uses is None else str(uses)
            self._note(HOST, "invitation made", f"invitation {number} for {many}, ends {ends or 'never'}")
        return format_token(number, secret)

    def invitations(self) -> list[ClassInvitation]:
        """Return all invitations, the oldest first."""
        return list(self._read_invitations("order by made, number"))

    def find_invitation(self, number: int) -> ClassInvitation | None:
        """Return an invitation; None if there is none of this number."""
        return next(self._read_invitations("where number = ?", number), None)

    def _read_invitations(self, which: str, *values: object) -> Iterator[ClassInvitation]:
        names = ", ".join(ClassInvitation.__struct_fields__)
        rows = self._select(f"select {names} from league_invitations {which}", *values)
        yield from (msgspec.convert(row, ClassInvitation) for row in rows)

    def revoke_invitation(self, number: int) -> bool:
        """Revoke an invitation; return whether there was one to revoke. Who has joined keeps a token."""
        with self._writing():
            found = self.find_invitation(number)
            if found is None or found.revoked is not None:
                return False
            self._db.execute("update league_invitations set revoked = ? where number = ?", (utc_now(), number))
            self._note(HOST, "invitation revoked", f"invitation {number}, by which {found.used} have joined")
        return True

    def join(self, number: int, secret: str, owner: str) -> NewToken:
        """Make somebody an owner by an invitation, with a token.

        Raises:
            NotInvited: there is no such invitation, or it has ended.
            OwnerNameTaken: it is the name of another owner, or looks like that.
        """
        with self._writing():
            found = self.find_invitation(number)
            if found is None or not hmac.compare_digest(found.hash, hash_secret(secret)):
                raise NotInvited("this is no invitation of this league")
            if why := found.why_invalid(utc_now()):
                raise NotInvited(f"{why}; ask the host of the league for another one")
            if any(are_confusable(owner, other) for other in self._list_names()):
                raise OwnerNameTaken(f"the name {owner!r} is taken, or looks like one that is; choose another one")
            self._db.execute("update league_invitations set used = used + 1 where number = ?", (number,))
            self._note(owner, "joined", f"by invitation {number}")
            [made] = self.add_tokens([owner], who=owner)
        return made

    def _list_names(self) -> set[str]:
        """Return all names that somebody has: of owners, in teams, before others."""
        known = self.owner_names().values()
        shown = {name for one in known for name in (one.pseudonym, one.display) if name}
        return {HOST, LEAGUE_ITSELF, *self.owners(), *self.members(), *shown}


def open_invitations(path: Path) -> InvitationBook:
    """Open the book of a league that exists.

    Raises:
        ConfigError: there is no such file.
        StoreError: it cannot be opened.
    """
    if not path.is_file():
        raise ConfigError(f"{path}: there is no such file; `pitboss league init` makes it")
    return InvitationBook(path)


def make_link(address: str, path: str, words: str) -> str:
    """Return a link to a page of a league that takes the words of a token or an invitation.

    Raises:
        ConfigError: the address is none of a league.
    """
    try:
        parts = urlsplit(address)
        is_address = parts.scheme in ("http", "https") and bool(parts.hostname) and not (parts.query or parts.fragment)
        _ = parts.port
    except ValueError:
        is_address = False
    if not is_address:
        raise ConfigError(f"{address!r} is no address of a league; it is like https://league.example.org")
    return f"{address.rstrip('/')}{path}#{words}"
