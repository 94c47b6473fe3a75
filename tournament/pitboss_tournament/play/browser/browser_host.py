"""The host of people at browsers: a link for each, and one for spectators."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import Final, NamedTuple

import trio
from msgspec.structs import replace

from pitboss.game import AnyGame
from pitboss.protocol.messages import Clock
from pitboss_tournament.plan.plan import Plan
from pitboss_tournament.play.browser.browser_table import BrowserPerson, BrowserTable
from pitboss_tournament.play.browser.move_ratings import RatedMoves, rate_moves
from pitboss_tournament.play.browser.play_messages import (
    AfterMessage,
    GameMessage,
    PartMessage,
    PersonStatus,
    ServerMessage,
    StatusMessage,
)
from pitboss_tournament.play.duel_records import word_duels
from pitboss_tournament.play.play_session import FinishedTable, NewTable, NextGame, SeatedPeople
from pitboss_tournament.play.play_terminal import PlayTerminal
from pitboss_tournament.text.terminal_text import escape_line
from pitboss_tournament.web.replay_page import PART_DECISIONS

KEY_BYTES: Final = 12
OFFERS: Final[dict[str, NextGame]] = {"new cards": "new", "the same cards, one seat on": "same"}


class PlayLink(NamedTuple):
    """What a link opens."""

    name: str
    entrant: int | None  # None: a spectator


class SentParts:
    """What one page has been sent."""

    def __init__(self) -> None:
        self.table: BrowserTable | None = None
        self.frames = 0
        self.decisions = 0
        self.after: AfterMessage | None = None


class BrowserHost:
    """Seats people at browsers."""

    def __init__(
        self,
        game: AnyGame,
        plan: Plan,
        terminal: PlayTerminal,
        clock: Clock | None,
        home: str = "",
        tell_home: Callable[[], None] | None = None,
    ) -> None:
        """`home` is the address of the page from which people have come to the table; "": there is none.

        `tell_home` is called when a game begins, and when it has ended.
        """
        self._tell_home = tell_home or _tell_nobody
        self.game = game
        self.home = home
        people = [PlayLink(entrant.name, number) for number, entrant in enumerate(plan.entrants) if entrant.is_person]
        self.links = {secrets.token_urlsafe(KEY_BYTES): link for link in [*people, PlayLink("spectators", None)]}
        self.closing = ""  # why the session is over
        self.changed = trio.Event()  # set, and replaced, when pages have to show something else
        self._terminal = terminal
        self._clock = clock
        self._table: BrowserTable | None = None
        self._entrants: tuple[int, ...] = ()  # at the table, by seat
        self._pages = dict.fromkeys((link.entrant for link in people), 0)  # open ones, by entrant
        self._offers: list[str] = []
        self._chosen: NextGame = "new"
        self._answered = trio.Event()
        self.finished: FinishedTable | None = None  # the last game, until another one begins
        self._after: dict[int, AfterMessage] = {}  # by seat, or viewer

    # ---- the session

    def seat_people(self, table: NewTable) -> SeatedPeople:
        """Announce a game, and return its people."""
        sits = ", ".join(f"{seat} {entrant.name}" for seat, entrant in enumerate(table.entrants))
        self._terminal.say(f"{table.game.title}, game {table.scheduled.game_id}. In the seats: {sits}.")
        self._table = BrowserTable(table, self._clock, self.change)
        self._entrants = table.scheduled.entrants
        self.finished, self._after = None, {}
        self.change()
        self._tell_home()
        return SeatedPeople(self._table.people, self._table)

    def show_end(self, finished: FinishedTable) -> None:
        """Turn up all hands, and tell how the people have fared."""
        assert self._table is not None
        self.finished = finished
        names = finished.table.plan.bots
        duels = [escape_line(word_duels(duel, names)) for duel in finished.duels]
        for viewer, sequence in self._table.live.sequences.items():
            if viewer is not None:
                self._after[viewer] = AfterMessage(sequence.show_hands(), duels, [], "", PART_DECISIONS)
        self.change()
        self._tell_home()

    async def ask_next(self, *, has_same: bool) -> NextGame | None:
        """Wait until somebody at the table wants another game; rate the decisions of the people meanwhile."""
        self._offers = list(OFFERS) if has_same else list(OFFERS)[:1]
        self._answered = trio.Event()
        self.change()
        try:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._rate_people)
                await self._answered.wait()
                nursery.cancel_scope.cancel()
        finally:
            self._offers = []
        return self._chosen

    async def _rate_people(self) -> None:
        """Tell each person their costliest decisions, one person after the other."""
        assert self._table is not None and self.finished is not None
        people = [*self._table.people]
        for seat in people:
            self._tell_rating(seat, RatedMoves([], "Your decisions are being rated …"))
        for seat in people:
            self._tell_rating(seat, await rate_moves(self.finished, seat))

    def _tell_rating(self, seat: int, rated: RatedMoves) -> None:
        self._after[seat] = replace(self._after[seat], costly=rated.costly, rating=rated.told)
        self.change()

    def close(self, why: str) -> None:
        """Tell the pages that the session is over."""
        self.closing = why
        self.change()

    # ---- the pages

    def change(self) -> None:
        """Wake those who send to pages."""
        self.changed.set()
        self.changed = trio.Event()

    def find_key(self, entrant: int | None) -> str:
        """Return the key of an entrant's link; None: of the spectators' link."""
        return next(key for key, link in self.links.items() if link.entrant == entrant)

    def replace_link(self, entrant: int) -> None:
        """Give an entrant another link; pages of the link so far are closed."""
        link = self.links.pop(self.find_key(entrant))
        self.links[secrets.token_urlsafe(KEY_BYTES)] = PlayLink(link.name, entrant)
        self.change()

    def is_open(self, link: PlayLink) -> bool:
        """Whether a link still leads to its seat."""
        return any(link is one for one in self.links.values())

    def count_page(self, link: PlayLink, pages: int) -> None:
        """Note that a page was opened (1) or closed (-1)."""
        if link.entrant is not None:
            self._pages[link.entrant] += pages
        self.change()

    async def wait_for_pages(self, *, are_open: bool) -> None:
        """Wait until a person has a page open, or nobody has."""
        while any(self._pages.values()) is not are_open:
            await self.changed.wait()

    def find_person(self, link: PlayLink) -> BrowserPerson | None:
        """Return the seat that a link leads to; None for a spectator, or where no game has begun."""
        seat = self._seat_of(link)
        return None if self._table is None or seat is None else self._table.people[seat]

    def choose_next(self, link: PlayLink, offer: str) -> None:
        """Play another game, if that is offered."""
        if link.entrant is not None and offer in self._offers:
            self._chosen = OFFERS[offer]
            self._answered.set()

    def take_back(self, link: PlayLink) -> None:
        """Take back what the person of a link has played last, if that can be."""
        seat = self._seat_of(link)
        if self._table is not None and seat is not None:
            self._table.take_back(seat)

    def messages(self, link: PlayLink, sent: SentParts) -> list[ServerMessage]:
        """Return what a page has still to be told, all of one moment: no question may come before what it asks about.

        `sent` is brought up to date.
        """
        table = self._table
        if table is None:
            return []
        seat = self._seat_of(link)
        sequence = table.live.sequences[table.spectator if seat is None else seat]
        part = PartMessage(sequence.frames[sent.frames :], sequence.decisions[sent.decisions :])
        after = self._after.get(table.spectator if seat is None else seat)
        told: list[ServerMessage] = []
        is_new, sent.table = sent.table is not table, table
        sent.frames, sent.decisions = len(sequence.frames), len(sequence.decisions)
        if is_new:
            person = None if seat is None else table.people[seat]
            adviser = "" if person is None or person.adviser is None else person.adviser.name
            told.append(GameMessage(seat, sequence.page(table.title, None), table.about, adviser, table.goal))
        elif part.frames or part.decisions:
            told.append(part)
        told.append(self._status(table, seat))
        if after is not None and (is_new or after is not sent.after):
            told.append(after)
        sent.after = after
        return told

    def _status(self, table: BrowserTable, seat: int | None) -> StatusMessage:
        people = table.people.items()
        return StatusMessage(
            asked=[number for number, person in people if person.question is not None],
            people=[
                PersonStatus(number, self._pages[self._entrants[number]] > 0, person.left_ms)
                for number, person in people
            ],
            notices=table.notices,
            question=None if seat is None else table.people[seat].question,
            places=table.places,
            results=table.results,
            offers=[] if seat is None else self._offers,
            closing=self.closing,
            can_take_back=seat is not None and table.people[seat].can_take_back,
        )

    def _seat_of(self, link: PlayLink) -> int | None:
        return None if link.entrant is None else self._entrants.index(link.entrant)


def _tell_nobody() -> None:
    """There is no home."""
