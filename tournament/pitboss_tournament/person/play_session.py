"""A session: games in a row between a person and bots, stored as a round-robin tournament with one table.

The person is the first entrant. Game `deal * orders + order` is that deal in that seat order, as in any tournament. By
default each game is a new deal and the person moves one seat on; the same deal can be replayed from the next seat.
"""

from __future__ import annotations

import shlex
from collections.abc import AsyncIterator, Sequence
from contextlib import ExitStack, closing
from typing import NamedTuple

import trio
from msgspec.structs import replace

from pitboss import __version__
from pitboss.plugins import Registry
from pitboss.table.randomness import Random
from pitboss_tournament.person.journal import JournalHeader, PlayJournal, UnfinishedGame, journal_path, read_journal
from pitboss_tournament.person.narration import YOU
from pitboss_tournament.person.person import Person, PersonLeft
from pitboss_tournament.person.terminal import PlayTerminal
from pitboss_tournament.plan.plan import Entrant, FaultRules, Plan
from pitboss_tournament.plan.seating import Order, seat_orders
from pitboss_tournament.playing import schedule
from pitboss_tournament.playing.bot_seat import BotSeat, close_all, collect_logs
from pitboss_tournament.playing.match import FROM_START, Match
from pitboss_tournament.playing.round_progress import RoundProgress
from pitboss_tournament.playing.schedule import ScheduledGame
from pitboss_tournament.playing.seat import Seat
from pitboss_tournament.playing.tournament import stop_signals
from pitboss_tournament.processes.cpu import available_cpus
from pitboss_tournament.processes.supervisor import BotSupervisor, open_supervisor
from pitboss_tournament.store.header import make_header
from pitboss_tournament.store.store import Store

PERSON = 0  # the number of the person among the entrants


class PlayRequest(NamedTuple):
    """Options of a session: first seat, number of games, adviser."""

    seat: int | None = None  # of the first game
    is_seat_drawn: bool = False
    games: int | None = None  # how many in a row; None: the person is asked after each
    adviser: Entrant | None = None


class GameSequence:
    """The game ids of a session: game `deal * len(orders) + order` is that deal in that seat order.

    With a `seat_seed` the person's seat is drawn for each deal.
    """

    def __init__(self, orders: Sequence[Order], seat_seed: str | None) -> None:
        self._orders = orders
        self._seat_seed = seat_seed

    def deal_of(self, game_id: int) -> int:
        """Return the number of a game's deal."""
        return game_id // len(self._orders)

    def next_deal(self, played: Sequence[int], seat: int | None) -> int:
        """Return the id of a game with a new deal: in a drawn seat, in `seat`, or in the seat after the last."""
        deal, order = divmod(max(played), len(self._orders)) if played else (-1, -1)
        deal += 1
        if self._seat_seed is not None:
            seat = Random(f"{self._seat_seed}/seat/{deal}").draw_words(1)[0] % len(self._orders[0])
        if seat is None:
            order = (order + 1) % len(self._orders)
        else:
            order = next(number for number, entrants in enumerate(self._orders) if entrants[seat] == PERSON)
        return deal * len(self._orders) + order

    def same_deal_in_next_order(self, played: Sequence[int], game_id: int) -> int | None:
        """Return the same deal in the next order that has not been played; None if all have."""
        deal, order = divmod(game_id, len(self._orders))
        steps = range(1, len(self._orders))
        games = (deal * len(self._orders) + (order + step) % len(self._orders) for step in steps)
        return next((game for game in games if game not in played), None)


class PlaySession:
    """The games played by one call of `pitboss play`."""

    def __init__(self, plan: Plan, registry: Registry, terminal: PlayTerminal, request: PlayRequest) -> None:
        self.stop_signal: int | None = None  # by which it was stopped
        self._plan = plan
        self._registry = registry
        self._game = registry.find_game(plan.game)
        self._terminal = terminal
        self._request = request
        self._unfinished: UnfinishedGame | None = None  # the game that was broken off
        orders = seat_orders(plan.seating, plan.seats, plan.sides)
        self._games = GameSequence(orders, plan.seed if request.is_seat_drawn else None)
        self._games_played = 0
        self._is_unfinished = False

    def say_how_to_resume(self) -> None:
        """Print the command that resumes the unfinished game, if there is one."""
        if self._is_unfinished:
            self._terminal.say("", "The game is kept as it stands. The same command carries on with it, and so does:")
            self._terminal.say_command(f"pitboss play --resume {self._store_name()}")
        elif self.stop_signal is not None:
            self._terminal.say("")  # behind a question

    async def run(self) -> None:
        """Play until the person declines another game, the input ends, or a signal arrives.

        Raises:
            GamePluginError, ReplayDiffers, MachineError, StoreError, ConfigError: the game cannot go on; its journal
                is kept (in an exception group).
        """
        with trio.open_signal_receiver(*stop_signals()) as signals:
            async with trio.open_nursery() as listening:
                listening.start_soon(self._watch_signals, signals, listening.cancel_scope)
                await self._play_all()
                listening.cancel_scope.cancel()

    async def _watch_signals(self, signals: AsyncIterator[int], scope: trio.CancelScope) -> None:
        async for number in signals:
            self.stop_signal = number
            scope.cancel()

    async def _play_all(self) -> None:
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
                self._games_played += 1
                game_id = await self._ask_next_game(game_id)

    # ---- one game

    async def _play_one(self, supervisor: BotSupervisor, game_id: int) -> None:
        deal = self._games.deal_of(game_id)
        with ExitStack() as stack:
            store = stack.enter_context(closing(self._open_store(deal)))
            progress = RoundProgress(replace(self._plan, deals=deal + 1))
            scheduled, first = progress.scheduled_game(game_id), progress.first_of_batch(game_id)
            unfinished, self._unfinished = self._unfinished, None
            header = JournalHeader(plan=self._plan, game_id=game_id, adviser=self._request.adviser)
            journal = stack.enter_context(closing(PlayJournal(journal_path(self._plan.store), header, unfinished)))
            self._is_unfinished = True
            self._announce(scheduled, unfinished)
            seats, person = self._seat_players(supervisor, scheduled, first, journal)
            bots = [seat for seat in seats if isinstance(seat, BotSeat)]
            try:
                match = Match(
                    self._game, self._plan.options, seats, schedule.deal_seed(self._plan, scheduled), journal=person
                )
                past = unfinished.past if unfinished else FROM_START
                played = await match.play(game_id, schedule.bot_seeds(self._plan, game_id), past)
            finally:
                with trio.CancelScope(shield=True):
                    await close_all(bots)
            logs = collect_logs(bots, played.record, self._plan.keep_logs)
            store.add([(schedule.make_result(scheduled, played), store.packer.pack(played.record), logs)])
            store.record_run_end()
            journal.path.unlink()
            self._is_unfinished = False
            self._say_result(store, game_id)

    def _open_store(self, deal: int) -> Store:
        """Open the store, its plan extended to include `deal`."""
        self._plan = replace(self._plan, deals=max(deal + 1, self._plan.deals))
        return Store.for_run(self._plan.store, make_header(self._plan, self._game.version, __version__))

    def _seat_players(
        self, supervisor: BotSupervisor, scheduled: ScheduledGame, first: int, journal: PlayJournal
    ) -> tuple[Sequence[Seat], Person]:
        """Return the seats in order, and the person among them."""
        names = [self._plan.entrants[entrant].name for entrant in scheduled.entrants]
        own = scheduled.entrants.index(PERSON)
        hellos = schedule.make_hellos(self._plan, first)
        bot = self._request.adviser
        adviser = BotSeat(supervisor, bot, self._game, hellos[own], FaultRules()) if bot else None
        person = Person(self._game, self._plan.entrants[PERSON], own, names, self._terminal, journal, adviser)
        seats: list[Seat] = [
            person
            if entrant == PERSON
            else BotSeat(supervisor, self._plan.entrants[entrant], self._game, hellos[seat], self._plan.faults)
            for seat, entrant in enumerate(scheduled.entrants)
        ]
        return seats, person

    # ---- what comes next

    async def _ask_next_game(self, game_id: int) -> int | None:
        """Ask what to play next; return its game id, None to stop."""
        with closing(self._open_store(0)) as store:
            played = list(store.game_ids())
        new = self._games.next_deal([*(one for one in played if one > game_id), game_id], None)
        if self._request.games is not None:
            return new if self._games_played < self._request.games else None
        same = self._games.same_deal_in_next_order(played, game_id)
        offer = "" if same is None else ", s: the same cards in the next seat"
        while True:
            answer = await self._terminal.ask(f"Another game? y: new cards{offer}, n: no.")
            if answer is None:
                self._terminal.say("")
                return None
            match answer.strip().lower():
                case "y" | "yes":
                    return new
                case "s" if same is not None:
                    return same
                case "n" | "no" | "q" | "quit":
                    return None

    # ---- what is said

    def _announce(self, scheduled: ScheduledGame, unfinished: UnfinishedGame | None) -> None:
        names = [YOU if entrant == PERSON else self._plan.entrants[entrant].name for entrant in scheduled.entrants]
        sits = ", ".join(f"{seat} {name}" for seat, name in enumerate(names))
        self._terminal.say_heading(f"{self._game.title}, game {scheduled.game_id}. In the seats: {sits}.")
        if unfinished is not None:
            if self._request.seat not in (None, scheduled.entrants.index(PERSON)):
                self._terminal.say("--seat does not count for a game that has begun: who sat where stays.")
            self._terminal.say(f"Carried on after {len(unfinished.past.decisions)} decisions. What you saw last:")
        elif not self._games_played:
            self._terminal.say(
                "To choose an action, type its number or words of it. h is for help, ? for advice, q to stop."
            )

    def _say_result(self, store: Store, game_id: int) -> None:
        self._terminal.say("To look at it again:")
        self._terminal.say_command(f"pitboss replay {self._store_name()} {game_id}")
        results = list(store.results(with_times=False))
        if len(results) > 1:
            seats = [seat for result in results for seat in result.seats]
            names = [YOU, *(bot.name for bot in self._plan.entrants[1:])]
            wins = (sum(seat.win for seat in seats if seat.entrant == entrant) for entrant in range(len(names)))
            score = ", ".join(f"{name} {won:g}" for name, won in zip(names, wins, strict=True))
            self._terminal.say(f"Games won, of {len(results)}: {score}.")

    def _store_name(self) -> str:
        return shlex.quote(str(self._plan.store))
