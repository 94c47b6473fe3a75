"""What owners of a league and their bots were called before, as the audit trail tells it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from pitboss_tournament.league.book import HOST, Book
from pitboss_tournament.league.name_book import DISPLAY_NAME_CHOSEN

RENAMED: Final = "renamed"  # in the audit trail
_TO: Final = " to "


def tell_owner_renamed(was: str, name: str) -> str:
    """Return what the audit trail says of an owner with another name."""
    return f"the owner {was}{_TO}{name}"


def tell_bot_renamed(was: str, owner: str, name: str) -> str:
    """Return what the audit trail says of a bot with another name."""
    return f"the bot {was} of {owner}{_TO}{name}"


def list_names(book: Book, owner: str) -> list[str]:
    """Return all names that an owner has or had, the name of today first: as an owner, and those that the owner chose.

    A name that is another owner's today is not among them.
    """
    known = book.owner_names()
    others = {name for one in known.values() if one.owner != owner for name in (one.owner, one.pseudonym, one.display)}
    names = [owner]
    shown = [known[owner].display]
    beginning = tell_owner_renamed("", "").removesuffix(_TO)
    for line in reversed(book.audit()):  # each rename leads to an earlier name
        if line.who == HOST and line.what == RENAMED and line.about.startswith(beginning):
            for name in names:
                if line.about.endswith(f"{_TO}{name}"):
                    names.append(line.about[len(beginning) : -len(f"{_TO}{name}")])
                    break
        elif line.what == DISPLAY_NAME_CHOSEN and line.who in names and line.about != "none":
            shown.append(line.about)
    return [name for name in dict.fromkeys([*names, *shown]) if name and name not in others]


def list_former_bots(book: Book, owners: Iterable[str]) -> list[str]:
    """Return the former names of the bots of an owner with these names; one that is a bot's today is not among them."""
    today, endings = {one.bot for one in book.submissions()}, [f" of {owner}{_TO}" for owner in owners]
    beginning = "the bot "
    found = dict[str, None]()
    for line in book.audit():
        if line.who == HOST and line.what == RENAMED and line.about.startswith(beginning):
            for ending in endings:
                was, ends, _ = line.about.removeprefix(beginning).partition(ending)
                if ends and was not in today:
                    found[was] = None
    return [*found]
