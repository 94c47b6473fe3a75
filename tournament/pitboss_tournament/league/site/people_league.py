"""A league in a lobby: against which of its bots people may play, by its rules, and which games they have played.

The bots run as in the league: with its limits, its clock and its sandbox, from their sealed folders. The stores of
these games are in a folder of the league, where no rating looks; a row for each person and bot goes into its book.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import trio
from msgspec.structs import replace

from pitboss.errors import ConfigError
from pitboss.outcome import Sides
from pitboss.plugins.registry import Registry
from pitboss_tournament.config.entrants import disambiguate_names
from pitboss_tournament.config.settings_plan import resolve_plan
from pitboss_tournament.html.elements import Content
from pitboss_tournament.league.book import Book, PeopleGame
from pitboss_tournament.league.ladder_view import LadderLine
from pitboss_tournament.league.league_field import enter_version, find_changed_version
from pitboss_tournament.league.league_folder import LEAGUE_FILE, League
from pitboss_tournament.league.people_results import find_league_sides, read_people_results
from pitboss_tournament.league.site.people_tables import people_tables
from pitboss_tournament.league.stored_ladder import StoredLadder
from pitboss_tournament.league.submission import ACTIVE, Submission
from pitboss_tournament.plan.names import are_confusable
from pitboss_tournament.plan.paths import STORE_ENDING
from pitboss_tournament.plan.plan import Entrant, Plan
from pitboss_tournament.play.lobby.lobby import LeagueOffer
from pitboss_tournament.play.lobby.lobby_table import LobbySeat, TableSetup, is_nameless
from pitboss_tournament.play.play_session import FinishedTable
from pitboss_tournament.processes.sandbox_probe import resolve_sandbox
from pitboss_tournament.results.numbers import format_interval
from pitboss_tournament.statistics.scoring import SeatResult, score_game
from pitboss_tournament.store.store import Store, read_last_level


class _Player(NamedTuple):
    """Who plays in a store: a person, or the bot of an owner."""

    name: str
    owner: str = ""
    digest: str = ""  # of the bot's files; "": a person


class PeopleLeague:
    """The league of a lobby (`LobbyLeague`)."""

    def __init__(self, league: League, book: Book, registry: Registry) -> None:
        """Take in the games that a lobby which was killed has not told the book.

        Raises:
            ConfigError: the league does not let people play, or its sandbox does not work here.
            StoreError: the book or a store of these games cannot be read or written.
        """
        if not league.file.league.open_to_people:
            raise ConfigError(
                f"{league.folder.root / LEAGUE_FILE}: this league lets no people play against its bots; "
                "open_to_people = 8 in [league] allows it with the best 8"
            )
        self.name = league.name
        self.setup = TableSetup(league.game, league.file.preset, league.seats)
        self.folder = league.folder.people
        self.warning: str | None  # about the sandbox
        self._level, self.warning = resolve_sandbox(league.file.sandbox, read_last_level(league.folder.store))
        self._league = league
        self._book = book
        self._registry = registry
        self._ladder = StoredLadder(league.folder.store, book, league.file.league.owners)
        self._sides = find_league_sides(league)
        self.folder.mkdir(mode=0o700, exist_ok=True)
        for path in sorted(self.folder.glob(f"*{STORE_ENDING}")):
            with closing(Store(path)) as store:
                players = [
                    _Player(one.name, one.about.owner, Path(one.folder).name if one.folder else "")
                    for one in store.header.entries
                ]
                for result in store.results(with_times=False):
                    self._note(path, players, result.deal, result.seats)

    # ---- who plays

    async def list_offers(self) -> list[LeagueOffer]:
        """Return the best versions, as many as the league allows; those that have no place yet stand last."""
        view = await self._ladder.view()
        lines = [line for line in (*view.ranked, *view.newcomers) if line.is_active]
        return [
            LeagueOffer(name_for_people(line.submission), _word_strength(line))
            for line in lines[: self._league.file.league.open_to_people]
        ]

    def is_name_taken(self, name: str) -> bool:
        """Whether readers would take a person's name for that of a bot of the league."""
        known = self._book.submissions()
        return any(are_confusable(name, bot) for one in known for bot in (one.bot, name_for_people(one)))

    def make_plan(self, seats: Sequence[LobbySeat]) -> Plan:
        """Return the plan of a table, by the rules of the league."""
        known = {name_for_people(one): one for one in self._book.submissions() if one.state in ACTIVE}
        entrants = [
            self._enter(seat.bot, known.get(seat.bot)) if seat.bot else Entrant(name=seat.name, command=())
            for seat in seats
        ]
        settings = replace(self._league.make_settings(deals=1, workers=1), sandbox=self._level)
        secret = self._league.folder.secret
        return resolve_plan(settings, disambiguate_names(entrants), self._registry, Path(), hidden=secret)

    def _enter(self, name: str, one: Submission | None) -> Entrant:
        if one is None:
            raise ConfigError(f"{name} plays in the league no more")
        if why := find_changed_version(self._league, one):
            raise ConfigError(f"{name} cannot play: {why}")
        entrant = enter_version(self._league, one, name)
        if entrant.model is not None:
            raise ConfigError(
                f"{name} asks a language model, which costs its owner's budget: it plays in the league alone"
            )
        return entrant

    # ---- what they have played

    def note_game(self, finished: FinishedTable) -> None:
        """Add a game to the book of the league."""
        plan, scheduled = finished.table.plan, finished.table.scheduled
        players = [_Player(one.name, one.about.owner, one.folder.name if one.folder else "") for one in plan.entrants]
        self._note(plan.store, players, scheduled.deal, score_game(finished.record, scheduled.entrants))

    def _note(self, store: Path, players: Sequence[_Player], deal: int, seats: Sequence[SeatResult]) -> None:
        known = self._book.submissions()
        numbers = [_find_submission(known, player) for player in players]
        pairs = _list_pairs(players, self._sides, seats)
        self._book.add_people_games(
            PeopleGame(
                store=store.name,
                deal=deal,
                person=person.entrant,
                bot=bot.entrant,
                name="" if is_nameless(players[person.entrant].name) else players[person.entrant].name,
                submission=number,
                points=person.points,
                bot_points=bot.points,
                score=(1 + (person.place < bot.place) - (person.place > bot.place)) / 2,
            )
            for person, bot in pairs
            if (number := numbers[bot.entrant]) is not None
        )

    async def describe_results(self) -> Content:
        """Return how people have fared, for a page."""
        return people_tables(await trio.to_thread.run_sync(read_people_results, self._league, self._book))


def name_for_people(one: Submission) -> str:
    """Return what a version is called at a table with people, where names have no "@"."""
    return f"{one.bot} v{one.version}"


def _find_submission(known: Sequence[Submission], player: _Player) -> int | None:
    """Return the number of the submission that plays; None for a person, or if the book does not have it."""
    for one in known:
        is_same = (one.owner, one.digest) == (player.owner, player.digest)
        if is_same and player.name.startswith(name_for_people(one)):  # a second one at the table is called "… -2"
            return one.number
    return None


def _list_pairs(
    players: Sequence[_Player], sides: Sides, seats: Sequence[SeatResult]
) -> Iterator[tuple[SeatResult, SeatResult]]:
    """Yield each person with each bot that was an opponent; in a cooperative game with each bot."""
    side_of = {seat: number for number, side in enumerate(sides) for seat in side}
    for at, person in enumerate(seats):
        for there, bot in enumerate(seats):
            is_met = side_of[at] != side_of[there] or len(sides) == 1
            if is_met and not players[person.entrant].digest and players[bot.entrant].digest:
                yield person, bot


def _word_strength(line: LadderLine) -> str:
    if line.place is None:
        return "it has no place yet"
    return f"place {line.place}, rating {format_interval(line.rating, digits=0, has_sign=True)}"
