"""A lobby: who may sit where, the tables, and the games that are played at each."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import count
from math import inf
from pathlib import Path
from typing import Final, NamedTuple, Protocol

import msgspec
import trio
from msgspec.structs import replace

from pitboss.errors import PitbossError
from pitboss.game import resolve_options
from pitboss.plugins.registry import Registry
from pitboss.protocol.messages import Clock
from pitboss_tournament.config.entrants import apply_limits, check_bot_setup, disambiguate_names, resolve_entrant
from pitboss_tournament.config.loadouts import bring_sample
from pitboss_tournament.config.settings_plan import resolve_plan
from pitboss_tournament.html.elements import Content
from pitboss_tournament.plan.names import NAME_RULE, BotName, are_confusable, clean_name
from pitboss_tournament.plan.plan import Entrant, Plan
from pitboss_tournament.plan.settings import TournamentFile
from pitboss_tournament.play.browser.browser_host import KEY_BYTES, BrowserHost
from pitboss_tournament.play.journal import JOURNAL_SUFFIX, JournalHeader, LobbyOrigin, read_journal
from pitboss_tournament.play.lobby.lobby_table import Guest, LobbySeat, LobbyTable, TableSetup, make_guest_name
from pitboss_tournament.play.play_session import FinishedTable, PlayRequest, PlaySession
from pitboss_tournament.play.play_terminal import PlayTerminal
from pitboss_tournament.play.store_choice import choose_store
from pitboss_tournament.text.terminal_text import escape_line

MAX_LOBBY_TABLES: Final = 24  # at a time
MAX_LEAGUE_TABLES: Final = 12  # those of them that guests open, against the bots of a league
LEFT_SECONDS: Final = 600.0  # after which a table of a league ends that its person has left
MAX_REASON: Final = 300  # characters of why a table was closed
HOME: Final = "/"


class LobbyRefusal(PitbossError):
    """What somebody asks of the lobby cannot be had."""


class LobbyRules(NamedTuple):
    """What the command line says of all tables."""

    make_settings: Callable[[str, str | None], TournamentFile]  # of a game and a preset
    choose_adviser: Callable[[TournamentFile, bool], Entrant | None]  # the flag: one person plays
    clock: Clock | None  # of the people


class LeagueOffer(NamedTuple):
    """A bot of a league against which people may play."""

    name: str
    told: str  # of its strength


class LobbyLeague(Protocol):
    """The league of a lobby: whose best bots people play against, by its rules, and how people have fared."""

    name: str
    setup: TableSetup
    folder: Path  # of the stores of these games

    def is_name_taken(self, name: str) -> bool:
        """Whether readers would take a person's name for that of a bot of the league."""

    async def list_offers(self) -> Sequence[LeagueOffer]:
        """Return the bots that people may play against today, the best first.

        Raises:
            PitbossError: the ladder cannot be read.
        """

    async def describe_results(self) -> Content:
        """Return how people have fared against the bots, for a page.

        Raises:
            PitbossError: the book of the league cannot be read.
        """

    def make_plan(self, seats: Sequence[LobbySeat]) -> Plan:
        """Return the plan of a table at which these people and bots sit.

        Raises:
            ConfigError: a bot is not there any more, or its files have changed.
        """

    def note_game(self, finished: FinishedTable) -> None:
        """Add a game to those by which it is told how people have fared.

        Raises:
            PitbossError: the book of the league cannot be written.
        """


class Lobby:
    """The tables of a server, and their guests."""

    def __init__(
        self, registry: Registry, rules: LobbyRules, terminal: PlayTerminal, league: LobbyLeague | None = None
    ) -> None:
        self.registry = registry
        self.league = league
        self.tables: dict[str, LobbyTable] = {}  # by the key of the invitation
        self.changed = trio.Event()  # set, and replaced, when pages have to show something else
        self.version = 0  # how often that was
        self._rules = rules
        self._terminal = terminal
        self._numbers = count(1)
        self._full: tuple[trio.MemorySendChannel[LobbyTable], trio.MemoryReceiveChannel[LobbyTable]]
        self._full = trio.open_memory_channel(MAX_LOBBY_TABLES)

    # ---- what there is

    def list_bots(self, setup: TableSetup) -> list[str]:
        """Return the names of the bots that can sit at a table: the game's own first."""
        bots = [bot for bot in self.registry.bots.values() if bot.games is None or setup.game.name in bot.games]
        return [bot.name for bot in sorted(bots, key=lambda bot: bot.games is None) if self._plays(bot.name, setup)]

    def find_guest(self, token: str) -> Guest | None:
        """Return the guest of a token, wherever the guest sits."""
        return next((guest for guest in self._list_guests() if guest.token == token), None)

    def find_host(self, key: str) -> BrowserHost | None:
        """Return the host of the games to which the key of a link leads."""
        hosts = (table.host for table in self.tables.values())
        return next((host for host in hosts if host is not None and key in host.links), None)

    # ---- what people do

    def open_table(self, setup: TableSetup, seats: Sequence[LobbySeat]) -> LobbyTable:
        """Return a new table.

        Raises:
            LobbyRefusal: there are too many, no person is to play, two seats are kept for one name, or there is no such
                bot.
            ConfigError: the game cannot be played so.
        """
        if len(self.tables) >= MAX_LOBBY_TABLES:
            raise LobbyRefusal(f"There are {MAX_LOBBY_TABLES} tables, which is the most: close one first.")
        if all(seat.bot for seat in seats):
            raise LobbyRefusal("A person has to play: leave a seat open. `pitboss match` lets bots play by themselves.")
        table = LobbyTable(next(self._numbers), setup, [])
        bots = self.list_bots(setup)
        for seat in seats:
            if seat.bot and seat.bot not in bots:  # a command would be run
                raise LobbyRefusal(f"There is no bot {seat.bot!r} for this table.")
            if seat.kept_for:
                self._check_name(table, seat.kept_for)
            table.seats.append(seat)
        self._make_plan(table)  # what cannot be played is refused now
        self.tables[table.key] = table
        self.change()
        return table

    def open_league_table(self, token: str, said: str, bots: Sequence[str]) -> tuple[LobbyTable, Guest]:
        """Return a new table of the league, at which the guest of a token or a new guest plays against these bots.

        A new guest has the name that was said, or a drawn one if it is empty. `bots` are of the league.

        Raises:
            LobbyRefusal: there are too many tables, the guest has one of the league, or the name cannot be had.
            ConfigError: the game cannot be played so.
        """
        assert self.league is not None
        open_tables = [table for table in self.tables.values() if table.is_of_league]
        if len(self.tables) >= MAX_LOBBY_TABLES or len(open_tables) >= MAX_LEAGUE_TABLES:
            raise LobbyRefusal("All tables are taken: come back later.")
        if any(table.find_seat(token) is not None for table in open_tables):
            raise LobbyRefusal("You have a table already: end it first.")
        table = LobbyTable(next(self._numbers), self.league.setup, [LobbySeat(), *map(LobbySeat, bots)])
        table.is_of_league = True
        guest = self.find_guest(token) or Guest(
            secrets.token_urlsafe(KEY_BYTES), clean_name(said) or self._draw_name(table)
        )
        self._check_name(table, guest.name, token)
        if self.league.is_name_taken(guest.name):
            raise LobbyRefusal(f"A bot of the league is called {guest.name}: choose another name.")
        table.seats[0].guest = guest
        self._make_plan(table)  # what cannot be played is refused now
        self.tables[table.key] = table
        self._begin_if_full(table)
        self.change()
        return table, guest

    def restore_tables(self, folder: Path) -> list[str]:
        """Offer the unfinished games that an earlier lobby has left in a folder again, each at a table of its own.

        Its seats are kept for the same people. Return why other games are not offered.
        """
        notes = []
        for path in sorted(folder.glob(f"*{JOURNAL_SUFFIX}")):
            try:
                found = read_journal(path, self.registry)
                if found is not None and found.header.lobby is not None:
                    self._restore_table(path.with_name(path.name.removesuffix(JOURNAL_SUFFIX)), found.header)
            except PitbossError as error:
                notes.append(f"{path.name}: this unfinished game is not offered again: {error}")
        return notes

    def _restore_table(self, store: Path, header: JournalHeader) -> None:
        plan, origin = header.plan, header.lobby
        assert origin is not None
        seats = [
            LobbySeat(bot) if bot else LobbySeat(kept_for=entrant.name)
            for bot, entrant in zip(origin.bots, plan.entrants, strict=True)
        ]
        setup = TableSetup(self.registry.find_game(plan.game), origin.preset, plan.seats)
        self.open_table(setup, seats).unfinished = store

    def sit_down(self, table: LobbyTable, number: int, token: str, said: str, sample: str = "") -> Guest:
        """Give a seat to the guest of a token or, if it is of nobody, to a new guest with the name that was said.

        `sample`: the sample of the game's loadouts with which the guest plays; the first if there is none of this name.

        Raises:
            LobbyRefusal: the seat is not open, or the name cannot be had.
        """
        if table.ended or not 0 <= number < len(table.seats) or not table.seats[number].is_open:
            raise LobbyRefusal("Somebody else has taken that seat: choose another one.")
        seat = table.seats[number]
        if table.find_seat(token) is not None:
            raise LobbyRefusal("You have a seat at this table already.")
        guest = self.find_guest(token)
        if guest is None:
            guest = Guest(secrets.token_urlsafe(KEY_BYTES), clean_name(said))
        kept = next(
            (at for at, one in enumerate(table.seats) if one.is_open and one.kept_for == guest.name != ""), None
        )
        if kept is None:
            self._check_name(table, guest.name, token)
        if kept is not None and kept != number:
            raise LobbyRefusal(f"Seat {kept + 1} is kept for you, {guest.name}: sit down there.")
        if kept is None and seat.kept_for:
            raise LobbyRefusal(f"Seat {number + 1} is kept for {seat.kept_for}: choose another one.")
        seat.guest, seat.sample = guest, sample
        self._begin_if_full(table)
        self.change()
        return guest

    def stand_up(self, table: LobbyTable, token: str) -> None:
        """Open the seat of a guest again, before the first game; a table of the league ends at any time."""
        number = table.find_seat(token)
        if number is not None and table.is_of_league:
            self.close_table(table, "You have ended this table; an unfinished game is kept.")
        elif number is not None and table.host is None:
            table.seats[number].guest = None
            self.change()

    def change_seat(self, table: LobbyTable, number: int, bot: str) -> None:
        """Open a seat again, or give it to a bot instead of a person.

        While a game is on, the seat is kept for its person, who comes back by the invitation: the link so far ends.

        Raises:
            LobbyRefusal: there is no such seat, or it cannot be had.
        """
        if not 0 <= number < len(table.seats) or table.ended:
            raise LobbyRefusal("There is no such seat.")
        seat = table.seats[number]
        if table.host is None:
            if bot and bot not in self.list_bots(table.setup):
                raise LobbyRefusal(f"There is no bot {bot!r} for this game.")
            if bot and all(one.bot for one in table.seats if one is not seat):
                raise LobbyRefusal("A person has to play: leave this seat open.")
            if bot != seat.bot:
                table.unfinished = None  # it was a game of others
            table.seats[number] = LobbySeat(bot, "" if bot else seat.kept_for)
            self._begin_if_full(table)
        elif bot or seat.guest is None:
            raise LobbyRefusal("A game is on: only the seat of a person can be opened for that person.")
        else:
            seat.kept_for, seat.guest = seat.guest.name, None
            table.host.replace_link(number)
        self.change()

    def close_table(
        self, table: LobbyTable, why: str = "The host has closed this table; an unfinished game is kept."
    ) -> None:
        """End the games of a table, and forget the table."""
        table.ended = table.ended or why
        if table.host is not None:
            table.host.close(table.ended)
        table.scope.cancel()
        self.tables.pop(table.key, None)
        self.change()

    def change(self) -> None:
        """Wake those who send to pages."""
        self.version += 1
        self.changed.set()
        self.changed = trio.Event()

    # ---- the games

    async def run(self) -> None:
        """Play at each table that is full, until this is cancelled."""
        async with trio.open_nursery() as nursery:
            async for table in self._full[1]:
                nursery.start_soon(self._play, table)

    async def _play(self, table: LobbyTable) -> None:
        session: PlaySession | None = None
        try:
            with table.scope:
                session = self._make_session(table)
                async with trio.open_nursery() as nursery:
                    if table.is_of_league:
                        nursery.start_soon(self._close_when_left, table)
                    await session.play_games()
                    nursery.cancel_scope.cancel()
        except* PitbossError as errors:
            table.ended = escape_line(f"This table had to be closed: {_find_first(errors)}")[:MAX_REASON]
        finally:
            table.ended = table.ended or "The session was stopped; the game is kept."
            if session is not None and not table.is_of_league:
                session.say_how_to_resume("--browser")
            if table.host is not None:
                table.host.close(table.ended)
            self.change()

    def _make_session(self, table: LobbyTable) -> PlaySession:
        game, bots = table.setup.game, [seat.bot for seat in table.seats]
        others = [store for one in self.tables.values() for store in (one.store, one.unfinished) if store is not None]
        folder = self.league.folder if self.league is not None and table.is_of_league else Path()
        plan = choose_store(self._make_plan(table), game, table.unfinished, None, others, folder)
        table.store = plan.store
        request = PlayRequest(seat=0)
        if not table.is_of_league:  # there nobody is advised
            adviser = self._rules.choose_adviser(self._make_settings(table), bots.count("") == 1)
            if adviser is not None:
                adviser = replace(adviser, hidden=plan.entrants[-1].hidden)
            request = PlayRequest(seat=0, adviser=adviser, lobby=LobbyOrigin(preset=table.setup.preset, bots=bots))
        tell = partial(self._tell_news, table)
        table.host = BrowserHost(game, plan, self._terminal, self._rules.clock, HOME, tell)
        return PlaySession(plan, self.registry, self._terminal, table.host, request)

    def _tell_news(self, table: LobbyTable) -> None:
        """Show that a game has begun or ended; one against bots of the league counts when it has ended."""
        finished = None if table.host is None else table.host.finished
        if self.league is not None and table.is_of_league and finished is not None:
            self.league.note_game(finished)
        self.change()

    async def _close_when_left(self, table: LobbyTable) -> None:
        """Close a table once its person has had no page open for a while."""
        host = table.host
        assert host is not None
        with trio.move_on_after(LEFT_SECONDS) as waiting:
            while True:
                await host.wait_for_pages(are_open=True)
                waiting.deadline = inf
                await host.wait_for_pages(are_open=False)
                waiting.deadline = trio.current_time() + LEFT_SECONDS
        self.close_table(table, "Nobody was here any more; an unfinished game is kept.")

    def _make_settings(self, table: LobbyTable) -> TournamentFile:
        setup = table.setup
        return replace(self._rules.make_settings(setup.game.name, setup.preset), seats=setup.seats)

    def _make_plan(self, table: LobbyTable) -> Plan:
        """Return the plan of a table; a seat that is open has a name for the time being.

        Raises:
            ConfigError: the game cannot be played so.
        """
        if self.league is not None and table.is_of_league:
            return self.league.make_plan(table.seats)
        setup, given = table.setup, self._make_settings(table)
        resolve = partial(resolve_entrant, registry=self.registry, base=Path.cwd(), game_name=setup.game.name)
        entrants = [
            apply_limits(resolve(seat.bot), given.limits)
            if seat.bot
            else bring_sample(Entrant(name=seat.name or f"Person {number}", command=()), setup.game, seat.sample)
            for number, seat in enumerate(table.seats, 1)
        ]
        return resolve_plan(given, disambiguate_names(entrants), self.registry, table.unfinished or Path())

    def _begin_if_full(self, table: LobbyTable) -> None:
        if table.host is None and not table.missing:
            self._full[0].send_nowait(table)

    # ---- names

    def _draw_name(self, table: LobbyTable) -> str:
        """Return a name for a guest who has said none."""
        taken = {guest.name for guest in self._list_guests()} | {seat.name for seat in table.seats}
        while (name := make_guest_name(secrets.randbelow(10_000))) in taken:
            pass
        return name

    def _check_name(self, table: LobbyTable, name: str, token: str = "") -> None:
        """Check that a person, the guest of a token, may be called so at a table.

        Raises:
            LobbyRefusal: it is no name, or readers would take it for the name of somebody else.
        """
        try:
            msgspec.convert(name, BotName)
        except msgspec.ValidationError:
            raise LobbyRefusal(f"{name!r} is no name here; a name is {NAME_RULE}.") from None
        here = [seat.name for seat in table.seats if seat.name and not (seat.guest and seat.guest.token == token)]
        elsewhere = [guest.name for guest in self._list_guests() if guest.token != token]
        taken = next((one for one in (*here, *elsewhere) if are_confusable(one, name)), None)
        if taken is not None:
            where = "at this table" if taken in here else "at another table"
            raise LobbyRefusal(f"Somebody {where} is called {taken}: choose another name than {name}.")

    def _list_guests(self) -> Iterator[Guest]:
        for table in self.tables.values():
            yield from (seat.guest for seat in table.seats if seat.guest is not None)

    def _plays(self, bot: str, setup: TableSetup) -> bool:
        given = self._rules.make_settings(setup.game.name, setup.preset)
        try:
            entrant = resolve_entrant(bot, self.registry, Path.cwd(), setup.game.name)
            options = resolve_options(setup.game, setup.seats, setup.preset, given.options)
            check_bot_setup(entrant, setup.game, setup.seats, options, setup.preset)
        except PitbossError:
            return False
        return True


def _find_first(error: BaseException) -> BaseException:
    return _find_first(error.exceptions[0]) if isinstance(error, BaseExceptionGroup) else error
