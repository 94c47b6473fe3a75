"""How the owners of a league are called before others: by pseudonyms, by names that they have chosen, or their own."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from pitboss.errors import PitbossError
from pitboss_tournament.league.book_file import BookFile
from pitboss_tournament.league.pseudonyms import draw_pseudonym
from pitboss_tournament.plan.names import BotName, are_confusable, clean_name
from pitboss_tournament.store.rows import utc_now
from pitboss_tournament.text.validation import InvalidValue, convert_checked

OwnerAccess: TypeAlias = Literal["pseudonyms", "class", "shown"]  # of LeagueTable.owners

DISPLAY_NAME_CHOSEN: Final = "display name chosen"  # in the audit trail
BETWEEN_CHOICES: Final = timedelta(minutes=10)  # of a display name by one owner


class NameRefused(PitbossError):
    """An owner cannot be called so; the text is for the owner."""


class OwnerNames(Struct, frozen=True, kw_only=True):
    """The names of an owner."""

    owner: str
    pseudonym: str  # drawn once, and kept
    display: str  # that the owner has chosen; "": none
    chosen: str  # when that was, in UTC; "": never

    def find_public(self, access: OwnerAccess) -> str:
        """Return the name before everybody, also without a login."""
        return self.display or (self.owner if access == "shown" else self.pseudonym)


class NameBook(BookFile):
    """The part of a league's book that has the names of owners."""

    def public_names(self, access: OwnerAccess) -> dict[str, str]:
        """Return how each owner is called before everybody."""
        return {owner: names.find_public(access) for owner, names in self.owner_names().items()}

    def owner_names(self) -> Mapping[str, OwnerNames]:
        """Return the names of all owners; a pseudonym is drawn for each who has none yet."""
        known = self._read_names()
        everybody = {row["owner"] for row in self._select(_EVERYBODY)}
        if everybody <= known.keys():
            return known
        with self._writing():
            known = self._read_names()
            taken = {*everybody, *(name for one in known.values() for name in (one.pseudonym, one.display))}
            for owner in sorted(everybody.difference(known)):
                drawn = draw_pseudonym(taken)
                taken.add(drawn)
                self._db.execute("insert into league_names values (?, ?, '', '')", (owner, drawn))
        return self._read_names()

    def choose_display_name(self, owner: str, said: str) -> OwnerNames:
        """Call an owner otherwise before others; "" takes the name away.

        Raises:
            NameRefused: it is no name, it looks like a name of somebody else, or the owner has chosen one just now.
        """
        display = _check_display_name(said) if said.strip() else ""
        with self._writing():
            names = self.owner_names()
            now = datetime.now(UTC)
            if names[owner].display == display:
                return names[owner]
            if names[owner].chosen and now < datetime.fromisoformat(names[owner].chosen) + BETWEEN_CHOICES:
                raise NameRefused(
                    f"a name may be changed once in {BETWEEN_CHOICES.seconds // 60} minutes; try it later"
                )
            for other in names.values() if display else ():
                if other.owner != owner and any(
                    are_confusable(display, name) for name in (other.owner, other.pseudonym, other.display) if name
                ):
                    raise NameRefused(f"the name {display!r} looks like that of somebody else; choose another one")
            self._db.execute(
                "update league_names set display = ?, chosen = ? where owner = ?", (display, utc_now(), owner)
            )
            self._note(owner, DISPLAY_NAME_CHOSEN, display or "none")
        return self.owner_names()[owner]

    def _read_names(self) -> dict[str, OwnerNames]:
        return {row["owner"]: OwnerNames(**row) for row in self._select("select * from league_names")}


_EVERYBODY: Final = (
    "select name as owner from league_owners union select owner from league_submissions union "
    "select owner from league_tokens"
)


def _check_display_name(said: str) -> str:
    try:
        return convert_checked(clean_name(said), BotName)
    except InvalidValue as error:
        raise NameRefused(f"this cannot be a name: {error}") from None
