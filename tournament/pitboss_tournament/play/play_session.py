"""A session: games in a row between people and bots, stored as a round-robin tournament with one table.

The people are the first entrants. Game `deal * orders + order` is that deal in that seat order, as in any tournament.
By default each game is a new deal and everybody moves one seat on; the same deal can be replayed from the next seat.
"""

from __future__ import annotations

import shlex
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import ExitStack, closing
from typing import Literal, NamedTuple, Protocol, TypeAlias

import trio
from msgspec.structs import replace

from pitboss import __version__
from pitboss.game import AnyGame, find_sides
from pitboss.loadouts import takes_loadouts
from pitboss.plugins.registry import Registry
from pitboss.protocol.messages import Hello
from pitboss.records.record import Record
from pitboss.table.randomness import Random
from pitboss_tournament.match.bot_seat import BotSeat, close_all, collect_logs
from pitboss_tournament.match.match import FROM_START, GameJournal, Match
from pitboss_tournament.match.seat import Seat
from pitboss_tournament.plan.plan import Entrant, FaultRules, Plan, hide_loadout
from pitboss_tournament.plan.seating import SeatDesign
from pitboss_tournament.play.duel_records import DuelRecord, count_duels, word_duels
from pitboss_tournament.play.journal import (
    JournalHeader,
    LobbyOrigin,
    PlayJournal,
    UnfinishedGame,
    journal_path,
    read_journal,
    take_back_last_entry,
)
from pitboss_tournament.play.person_seat import Adviser, PersonLeft, TakenBack
from pitboss_tournament.play.play_terminal import PlayTerminal
from pitboss_tournament.processes.cpu import available_cpus
from pitboss_tournament.processes.supervisor import BotSupervisor, open_supervisor
from pitboss_tournament.rounds import schedule
from pitboss_tournament.rounds.round_progress import begin_rounds
from pitboss_tournament.rounds.schedule import ScheduledGame
from pitboss_tournament.running.run_end import stop_signals
from pitboss_tournament.store.game_code import digest_game
from pitboss_tournament.store.header import make_header
from pitboss_tournament.store.store import Store

PERSON = 0  # the number of the first person among the entrants
TABLE = 0  # the number of the only table

NextGame: TypeAlias = Literal["new", "same"]  # new cards, or the same ones in the next seats


class PlayRequest(NamedTuple):
    """Options of a session: first seat, number of games, adviser, the table of a lobby."""

    seat: int | None = None  # of the first game
    is_seat_drawn: bool = False
    games: int | None = None  # how many in a row; None: the person is asked after each
    adviser: Entrant | None = None
    lobby: LobbyOrigin | None = None


class GameSequence:
    """The game ids of a session: game `deal * block_games + order` is that deal in that seat order.

    With a `seat_seed` the first person's seat is drawn for each deal.
    """

    def __init__(self, design: SeatDesign, seat_seed: str | None) -> None:
        self._design = design
        self._block_games = design.block_games
        self._seat_seed = seat_seed

    def deal_of(self, game_id: int) -> int:
        """Return the number of a game's deal."""
        return game_id // self._block_games

    def next_deal(self, played: Sequence[int], seat: int | None) -> int:
        """Return the id of a game with a new deal: in a drawn seat, in `seat`, or in the seat after the last."""
        deal, order = divmod(max(played), self._block_games) if played else (-1, -1)
        deal += 1
        if self._seat_seed is not None:
            seat = Random(f"{self._seat_seed}/seat/{deal}").draw_words(1)[0] % self._design.seats
        if seat is None:
            order = (order + 1) % self._block_games
        else:
            orders = self._design.list_orders(TABLE, deal)
            order = next(number for number, entrants in enumerate(orders) if entrants[seat] == PERSON)
        return deal * self._block_games + order

    def same_deal_in_next_order(self, played: Sequence[int], game_id: int) -> int | None:
        """Return the same deal in the next order that has not been played; None if all have."""
        deal, order = divmod(game_id, self._block_games)
        steps = range(1, self._block_games)
        games = (deal * self._block_games + (order + step) % self._block_games for step in steps)
        return next((game for game in games if game not in played), None)


class NewTable(NamedTuple):
    """A game that is about to begin, or to be carried on."""

    game: AnyGame
    plan: Plan
    scheduled: ScheduledGame
    seed: str  # of the cards
    journal: PlayJournal
    unfinished: UnfinishedGame | None  # the part that has been played
    advisers: Mapping[int, Adviser]  # by the seat of a person

    @property
    def entrants(self) -> list[Entrant]:
        """Who sits at the table, by seat."""
        return [self.plan.entrants[entrant] for entrant in self.scheduled.entrants]

    @property
    def names(self) -> list[str]:
        """What the people are told of who sits at the table, by seat: names, which tell no hidden loadout."""
        return _hide_loadouts(self.game, self.plan, [entrant.name for entrant in self.entrants])

    @property
    def people(self) -> list[int]:
        """The seats of the people."""
        return [seat for seat, entrant in enumerate(self.entrants) if entrant.is_person]


def _hide_loadouts(game: AnyGame, plan: Plan, names: list[str]) -> list[str]:
    """Return names without those of loadouts, where the game hides loadouts."""
    is_hidden = takes_loadouts(game) and game.loadout_sight(plan.options) == "hidden"
    return list(map(hide_loadout, names)) if is_hidden else names


class FinishedTable(NamedTuple):
    """A game that has ended, and is in the store."""

    table: NewTable
    record: Record
    duels: Sequence[DuelRecord]  # of all games in the store


class SeatedPeople(NamedTuple):
    """The people at a table, by seat, and what follows their game."""

    seats: Mapping[int, Seat]
    journal: GameJournal


class PlayHost(Protocol):
    """Seats people: one at the terminal, or several at their browsers."""

    def seat_people(self, table: NewTable) -> SeatedPeople:
        """Announce a game, and return its people."""

    def show_end(self, finished: FinishedTable) -> None:
        """Show what there is to see after a game."""

    async def ask_next(self, *, has_same: bool) -> NextGame | None:
        """After a game, return what is to be played next; None: nothing. `has_same`: the same cards can be offered."""


class PlaySession:
    """The games played by one call of `pitboss play`."""

    def __init__(
        self, plan: Plan, registry: Registry, terminal: PlayTerminal, host: PlayHost, request: PlayRequest
    ) -> None:
        self.stop_signal: int | None = None  # by which it was stopped
        self._plan = plan
        self._registry = registry
        self._game = registry.find_game(plan.game)
        self._terminal = terminal
        self._host = host
        self._request = request
        self._unfinished: UnfinishedGame | None = None  # the game that was broken off
        self._games = GameSequence(plan.seat_design, plan.seed if request.is_seat_drawn else None)
        self._games_played = 0
        self._is_unfinished = False

    def say_how_to_resume(self, *options: str) -> None:
        """Print the command that resumes the unfinished game, if there is one; `options` stand at its end."""
        if self._is_unfinished:
            self._terminal.say("", "The game is kept as it stands. The same command carries on with it, and so does:")
            self._terminal.say_command(" ".join(["pitboss play --resume", self._store_name(), *options]))
        elif self.stop_signal is not None:
            self._terminal.say("")  # behind a question

    async def run(self) -> None:
        """Play until nobody wants another game, the person at the terminal leaves, or a signal arrives.

        Raises:
            GamePluginError, ReplayDiffers, MachineError, StoreError, ConfigError: the game cannot go on; its journal
                is kept (in an exception group).
        """
        with trio.open_signal_receiver(*stop_signals()) as signals:
            async with trio.open_nursery() as listening:
                listening.start_soon(self._watch_signals, signals, listening.cancel_scope)
                await self.play_games()
                listening.cancel_scope.cancel()

    async def _watch_signals(self, signals: AsyncIterator[int], scope: trio.CancelScope) -> None:
        async for number in signals:
            self.stop_signal = number
            scope.cancel()

    async def play_games(self) -> None:
        """Play until nobody wants another game, or the person at the terminal leaves; hear no signals.

        Raises:
            As `run`.
        """
        with closing(self._open_store(0)) as store:  # nobody else has it
            played = list(store.game_ids())
            store.begin_run(len(played), None)
            self._unfinished = read_journal(journal_path(self._plan.store), self._registry)
        game_id: int | None = (
            self._unfinished.header.game_id if self._unfinished else self._games.next_deal(played, self._request.seat)
        )
        async with open_supervisor(self._plan.sandbox, available_cpus()) as supervisor:
            while game_id is not None:
                try:
                    await self._play_one(supervisor, game_id)
                except PersonLeft:
                    return
                except TakenBack:
                    take_back_last_entry(journal_path(self._plan.store))
                    self._unfinished = read_journal(journal_path(self._plan.store), self._registry)
                    continue
                self._games_played += 1
                game_id = await self._ask_next_game(game_id)

    # ---- one game

    async def _play_one(self, supervisor: BotSupervisor, game_id: int) -> None:
        deal = self._games.deal_of(game_id)
        with ExitStack() as stack:
            store = stack.enter_context(closing(self._open_store(deal)))
            progress = begin_rounds(replace(self._plan, deals=deal + 1))
            scheduled = progress.scheduled_game(game_id)
            unfinished, self._unfinished = self._unfinished, None
            request = self._request
            header = JournalHeader(plan=self._plan, game_id=game_id, adviser=request.adviser, lobby=request.lobby)
            journal = stack.enter_context(closing(PlayJournal(journal_path(self._plan.store), header, unfinished)))
            self._is_unfinished = True
            entrants = [self._plan.entrants[entrant] for entrant in scheduled.entrants]
            hellos = [
                schedule.greet_entrant(self._plan, entrant, seat, schedule.bot_seeds(self._plan, first)[seat])
                for seat, (entrant, first) in enumerate(zip(entrants, progress.find_greetings(game_id), strict=True))
            ]
            table = self._lay_table(supervisor, scheduled, hellos, journal, unfinished)
            people = self._host.seat_people(table)
            opponents = self._plan.opponents
            bots = {
                seat: BotSeat(supervisor, entrant, self._game, hellos[seat], self._plan.faults, opponents=opponents)
                for seat, entrant in enumerate(table.entrants)
                if not entrant.is_person
            }
            seats = [seat for _, seat in sorted([*people.seats.items(), *bots.items()])]
            try:
                match = Match(self._game, self._plan.options, seats, table.seed, journal=people.journal)
                past = unfinished.past if unfinished else FROM_START
                played = await match.play(game_id, schedule.bot_seeds(self._plan, game_id), past)
            finally:
                with trio.CancelScope(shield=True):
                    await close_all(bots.values())
            logs = collect_logs(bots.values(), played.record, self._plan.keep_logs)
            store.add([(schedule.make_result(scheduled, played), store.packer.pack(played.record), logs)])
            store.record_run_end()
            journal.path.unlink()
            self._is_unfinished = False
            persons = [number for number, entrant in enumerate(self._plan.entrants) if entrant.is_person]
            sides = find_sides(self._game, self._plan.seats, self._plan.options)
            duels = count_duels(store.results(with_times=False), persons, sides)
            self._say_result(store, game_id, duels)
            self._host.show_end(FinishedTable(table, played.record, duels))

    def _open_store(self, deal: int) -> Store:
        """Open the store, its plan extended to include `deal`."""
        self._plan = replace(self._plan, deals=max(deal + 1, self._plan.deals))
        return Store.for_run(
            self._plan.store, make_header(self._plan, self._game.version, __version__, digest_game(self._game))
        )

    def _lay_table(
        self,
        supervisor: BotSupervisor,
        scheduled: ScheduledGame,
        hellos: Sequence[Hello],
        journal: PlayJournal,
        unfinished: UnfinishedGame | None,
    ) -> NewTable:
        bot = self._request.adviser
        seed = schedule.deal_seed(self._plan, scheduled)
        table = NewTable(self._game, self._plan, scheduled, seed, journal, unfinished, {})
        if bot is None:
            return table
        opponents = self._plan.opponents
        seats = {
            seat: BotSeat(supervisor, bot, self._game, hellos[seat], FaultRules(), opponents=opponents)
            for seat in table.people
        }
        return table._replace(advisers={seat: Adviser(found, self._game, seat) for seat, found in seats.items()})

    # ---- what comes next

    async def _ask_next_game(self, game_id: int) -> int | None:
        """Ask what to play next; return its game id, None to stop."""
        if self._games_played == self._request.games:
            return None
        with closing(self._open_store(0)) as store:
            played = list(store.game_ids())
        same = self._games.same_deal_in_next_order(played, game_id) if self._request.games is None else None
        answer = await self._host.ask_next(has_same=same is not None)
        if answer == "new":
            return self._games.next_deal([*(one for one in played if one > game_id), game_id], None)
        return None if answer is None else same

    # ---- what is said

    def _say_result(self, store: Store, game_id: int, duels: Sequence[DuelRecord]) -> None:
        self._terminal.say("To look at it again:")
        self._terminal.say_command(f"pitboss replay {self._store_name()} {game_id}")
        results, names = list(store.results(with_times=False)), _hide_loadouts(self._game, self._plan, self._plan.bots)
        if len(results) > 1:
            seats = [seat for result in results for seat in result.seats]
            wins = (sum(seat.win for seat in seats if seat.entrant == entrant) for entrant in range(self._plan.seats))
            score = ", ".join(f"{name} {won:g}" for name, won in zip(names, wins, strict=True))
            self._terminal.say(f"Games won, of {len(results)}: {score}.")
        for duel in duels:
            self._terminal.say(f"{word_duels(duel, names)}.")

    def _store_name(self) -> str:
        return shlex.quote(str(self._plan.store))
