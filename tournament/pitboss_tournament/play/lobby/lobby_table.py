"""A table of a lobby: its game, who sits where, and the host of its pages once nobody is missing."""

from __future__ import annotations

import re
import secrets
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

import trio

from pitboss.game import AnyGame
from pitboss_tournament.play.browser.browser_host import KEY_BYTES, BrowserHost

NAMELESS: Final = re.compile(r"Guest \d+")


class Guest(NamedTuple):
    """A person with a seat, known by a token that the person's browser keeps."""

    token: str
    name: str


def make_guest_name(number: int) -> str:
    """Return the name of a guest who has said none."""
    return f"Guest {number}"


def is_nameless(name: str) -> bool:
    """Whether a guest has said no name, as that name tells."""
    return NAMELESS.fullmatch(name) is not None


class TableSetup(NamedTuple):
    """What is played at a table."""

    game: AnyGame
    preset: str | None
    seats: int


class LobbySeat:
    """A seat: of a bot, of a guest, or open; an open one may be kept for somebody."""

    def __init__(self, bot: str = "", kept_for: str = "") -> None:
        """`bot` is a name from `pitboss bots`."""
        self.bot = bot
        self.kept_for = kept_for
        self.guest: Guest | None = None
        self.sample = ""  # of the loadouts of the game, that the guest plays with; "": the first

    @property
    def is_open(self) -> bool:
        """Whether a person may sit down here."""
        return not self.bot and self.guest is None

    @property
    def name(self) -> str:
        """Who sits here, or for whom the seat is kept; "": it is open to anybody."""
        return self.bot or (self.kept_for if self.guest is None else self.guest.name)


class LobbyTable:
    """A table."""

    def __init__(self, number: int, setup: TableSetup, seats: Sequence[LobbySeat]) -> None:
        self.number = number
        self.key = secrets.token_urlsafe(KEY_BYTES)  # of the invitation
        self.setup = setup
        self.seats = list(seats)
        self.host: BrowserHost | None = None  # from the first game on
        self.store: Path | None = None  # of its games
        self.unfinished: Path | None = None  # a store whose unfinished game goes on here
        self.is_of_league = False  # a person plays against bots of the lobby's league
        self.ended = ""  # why no game is played here any more
        self.scope = trio.CancelScope()  # of its games

    @property
    def title(self) -> str:
        """What it is called."""
        return f"{self.setup.game.title}, table {self.number}"

    @property
    def missing(self) -> int:
        """How many people are still to come."""
        return sum(seat.is_open for seat in self.seats)

    @property
    def state(self) -> str:
        """What goes on here, in a few words."""
        if self.ended:
            return "closed"
        if self.host is not None:
            return "between games" if self.host.finished is not None else "playing"
        return f"waiting for {self.missing}" if self.missing else "about to begin"

    def find_seat(self, token: str) -> int | None:
        """Return the number of the seat of a guest; None: the token is of nobody here."""
        return next(
            (at for at, one in enumerate(self.seats) if one.guest is not None and one.guest.token == token), None
        )
