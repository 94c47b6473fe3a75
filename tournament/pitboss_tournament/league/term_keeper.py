"""The end of submissions: a league that runs freezes then which versions count, and later what their games show.

Two snapshots are written into the book. *versions*: when submissions have ended for all, and those that were sent in
time are validated, which version of each bot is in time. *standings*: when nobody can submit any more, late days and
extensions included, and each version that counts has played `[grades] games` games, or plays no more: the standings of
the class, with the rubric and the groups of that moment. If somebody gets an extension after that, standings are frozen
again at its end, and the later ones count.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from typing import Final, NamedTuple

import trio

from pitboss.errors import PitbossError
from pitboss.text import format_count
from pitboss_tournament.league.book import LEAGUE_ITSELF, Book
from pitboss_tournament.league.class_standings import (
    ClassStandings,
    CountedVersion,
    StoreMoment,
    draw_up_standings,
    find_moment,
    has_arrivals,
    is_settled,
    list_candidates,
    read_arrivals,
)
from pitboss_tournament.league.deadlines import Deadlines, find_zone
from pitboss_tournament.league.league_folder import League
from pitboss_tournament.league.stored_ladder import LADDER_REST_FACTOR, has_tournament
from pitboss_tournament.league.submission import ACTIVE
from pitboss_tournament.store.rows import utc_now
from pitboss_tournament.store.store import Store

TERM_LOOK_SECONDS: Final = 5.0  # between looks whether there is something to freeze


class TermState(NamedTuple):
    """What counts at a time, and what is missing before the standings can be frozen."""

    deadlines: Deadlines
    candidates: list[CountedVersion]
    missing: str  # in a sentence; "": nothing


def read_deadlines(league: League, book: Book) -> Deadlines:
    """Return when submissions to a league end."""
    grades = league.file.grades
    zone = None if grades.zone is None else find_zone(grades.zone)
    return Deadlines(league.file.submissions.closes, grades.late_days, zone, book.extensions())


def read_term(league: League, book: Book, now: datetime) -> TermState:
    """Return what counts at a time, by the book."""
    deadlines, arrivals = read_deadlines(league, book), read_arrivals(book)
    frozen = book.find_snapshot("versions", list[CountedVersion]) or []
    candidates, last = list_candidates(arrivals, deadlines, frozen), deadlines.find_last_of_all()
    if last is None:
        return TermState(deadlines, candidates, "submissions do not end: [submissions] has no `closes`")
    if now <= last:
        return TermState(deadlines, candidates, f"somebody may submit until {deadlines.show(last)}")
    if not has_arrivals(arrivals, last):
        return TermState(deadlines, candidates, say_nothing_came(deadlines))
    if not is_settled(arrivals, last):
        return TermState(deadlines, candidates, "submissions wait for the validator")
    return TermState(deadlines, candidates, "")


def say_nothing_came(deadlines: Deadlines) -> str:
    """Return the sentence that nothing was submitted before submissions ended, with what to do about it."""
    assert deadlines.closes is not None
    return (
        f"nothing was submitted before submissions ended, at {deadlines.show(deadlines.closes)}; give [submissions] "
        "another `closes` if they are to go on"
    )


@contextmanager
def open_games(league: League) -> Iterator[Store | None]:
    """Context manager: the store of a league; None if no game was ever planned."""
    if not has_tournament(league.folder.store):
        yield None
        return
    with closing(Store(league.folder.store)) as store:
        yield store


def draw_up_now(league: League, book: Book, state: TermState) -> ClassStandings:
    """Return the standings of a class by all games so far."""
    last = state.deadlines.find_last_of_all()
    until = "" if last is None else last.isoformat()
    with open_games(league) as store:
        moment = StoreMoment(at=utc_now()) if store is None else find_moment(store)
        placing = league.file.league.placing_games
        return draw_up_standings(store, moment, state.candidates, book.submissions(), placing, until)


def count_unplayed(league: League, book: Book, standings: ClassStandings) -> int:
    """Return how many versions that count have fewer games than the standings need, and play."""
    active = {one.number for one in book.submissions() if one.state in ACTIVE}
    wanted = league.file.grades.games
    return sum(line.submission in active and not line.is_out and line.games < wanted for line in standings.lines)


class TermKeeper:
    """Freezes what counts at the end of submissions, while a league runs."""

    def __init__(self, league: League, book: Book, show: Callable[[str], None]) -> None:
        """`show` gets a line for the host when something is frozen."""
        self._league = league
        self._book = book
        self._show = show
        self._seen: tuple[int, datetime] | None = None  # the games and the end when standings were last drawn up
        self._is_told = False  # that nothing was submitted

    async def run(self) -> None:
        """Look again and again. What cannot be frozen is told the host once, and tried again."""
        told = ""
        while self._league.file.submissions.closes is not None:
            begun = trio.current_time()
            try:
                await trio.to_thread.run_sync(self.look)
            except PitbossError as error:
                if str(error) != told:
                    told = str(error)
                    self._show(f"the standings of the class cannot be frozen: {told}")
            await trio.sleep(max(TERM_LOOK_SECONDS, LADDER_REST_FACTOR * (trio.current_time() - begun)))

    def look(self, now: datetime | None = None) -> None:
        """Freeze what is to be frozen at a time, by default now."""
        now = now or datetime.now(UTC)
        closes = self._league.file.submissions.closes
        if closes is None or now <= closes:
            return
        deadlines = read_deadlines(self._league, self._book)
        last = deadlines.find_last_of_all()
        if last is not None and not has_arrivals(read_arrivals(self._book), last):
            if now > last and not self._is_told:
                self._is_told = True
                self._show(f"nothing is frozen: {say_nothing_came(deadlines)}")
            return
        if self._book.find_snapshot("versions", list[CountedVersion]) is None:
            self._freeze_versions(closes)
        self._freeze_standings(now)

    def _freeze_versions(self, closes: datetime) -> None:
        arrivals = read_arrivals(self._book)
        if is_settled(arrivals, closes):
            found = list_candidates(arrivals, read_deadlines(self._league, self._book)._replace(late_days=0))
            self._book.add_snapshot("versions", found, f"{format_count(len(found), 'version')} in time", LEAGUE_ITSELF)
            self._show(f"submissions have ended: {format_count(len(found), 'version')} came in time")

    def _freeze_standings(self, now: datetime) -> None:
        state = read_term(self._league, self._book, now)
        last = state.deadlines.find_last_of_all()
        if state.missing or last is None:
            return
        before = self._book.find_snapshot("standings", ClassStandings)
        if before is not None and datetime.fromisoformat(before.until) >= last:
            return
        with open_games(self._league) as store:
            games = 0 if store is None else store.count_games()
        if (games, last) == self._seen:
            return
        self._seen = games, last
        found = draw_up_now(self._league, self._book, state)
        if count_unplayed(self._league, self._book, found):
            return
        about = f"{format_count(found.places, 'place')} by {format_count(found.moment.games, 'game')}"
        self._book.freeze_standings(found, self._league.file.grades, about, LEAGUE_ITSELF)
        self._show(f"the standings of the class are frozen: {about}; `pitboss league grades` tells the grades")
