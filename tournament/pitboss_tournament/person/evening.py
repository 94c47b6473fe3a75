"""An evening: games in a row between a person and bots, as games of a tournament that the person has a part in.

The person is the first entrant, and the store is that of a round-robin with one table: game `deal * orders + order` is that deal in that order of the seats, as anywhere else. By default each
game has new cards and the seats move on; the same deal once more, from the next seat, is there for who wants to compare.
"""

from __future__ import annotations

import shlex
from collections.abc import AsyncIterator, Sequence
from contextlib import ExitStack, closing
from typing import NamedTuple

import msgspec
import trio
from msgspec.structs import replace

from pitboss import __version__
from pitboss import record as records
from pitboss.plugins import Registry
from pitboss.randomness import Random
from pitboss.wire import Hello
from pitboss_tournament.person.adviser import Adviser
from pitboss_tournament.person.notebook import Kept, Notebook, Opening, kept, notebook_of
from pitboss_tournament.person.person import Left, Person
from pitboss_tournament.person.screen import Screen
from pitboss_tournament.person.telling import YOU
from pitboss_tournament.planning.plan import Entrant, Plan
from pitboss_tournament.planning.processors import processors
from pitboss_tournament.planning.seating import orders
from pitboss_tournament.playing import schedule
from pitboss_tournament.playing.course import Course
from pitboss_tournament.playing.match import NOTHING_YET, Match, Played, Seat
from pitboss_tournament.playing.player import Player, all_leave
from pitboss_tournament.playing.runner import stop_signals
from pitboss_tournament.playing.schedule import Slot
from pitboss_tournament.processes.logs import packed
from pitboss_tournament.processes.room import Room, open_room
from pitboss_tournament.results.header import header_of
from pitboss_tournament.results.scoring import GameResult, scored
from pitboss_tournament.results.store import Store

PERSON = 0  # the number of the person among the entrants


class Wishes(NamedTuple):
    """What the person wants of the evening."""

    seat: int | None = None  # of the first game
    is_seat_drawn: bool = False
    games: int | None = None  # how many in a row; None: the person is asked after each
    adviser: Entrant | None = None


class Evening:
    """The games that are played between two starts of the program."""

    def __init__(self, plan: Plan, registry: Registry, screen: Screen, wishes: Wishes) -> None:
        self.was_stopped = False  # by a signal
        self._plan = plan
        self._registry = registry
        self._game = registry.game(plan.game)
        self._screen = screen
        self._wishes = wishes
        self._kept: Kept | None = None  # the game that was broken off
        self._orders = orders(plan.seating, plan.seats, plan.sides)
        self._played = 0
        self._is_broken_off = False

    def say_how_to_carry_on(self) -> None:
        """Say how to carry on, if there is anything to carry on with."""
        if self._is_broken_off:
            self._screen.say("", "The game is kept as it stands. The same command carries on with it, and so does:")
            self._screen.command(f"pitboss play --resume {self._store_name()}")
        elif self.was_stopped:
            self._screen.say("")  # behind a question

    async def run(self) -> None:
        """Play until the person has enough, the input ends, or a signal stops it.

        Raises:
            BrokenGame, ReplayDiffers, RoomTrouble, StoreError, ConfigError: the game cannot go on; what has been played of it is kept (in an exception group).
        """
        with trio.open_signal_receiver(*stop_signals()) as signals:
            async with trio.open_nursery() as listening:
                playing = trio.CancelScope()
                listening.start_soon(self._stop_when_told, signals, playing)
                with playing:
                    await self._play_all()
                listening.cancel_scope.cancel()

    async def _stop_when_told(self, signals: AsyncIterator[int], playing: trio.CancelScope) -> None:
        async for _ in signals:
            self.was_stopped = True
            playing.cancel()

    async def _play_all(self) -> None:
        with closing(self._opened(0)) as store:  # nobody else has it
            played = list(store.ids())
            store.begin_run(len(played), None)
            self._kept = kept(notebook_of(self._plan.store), self._registry)
        game_id: int | None = self._kept.opening.game_id if self._kept else self._new_cards(played, self._wishes.seat)
        async with open_room(self._plan.sandbox, processors()) as room:
            while game_id is not None:
                try:
                    await self._play_one(room, game_id)
                except Left:
                    return
                self._played += 1
                game_id = await self._next(game_id)

    # ---- one game

    async def _play_one(self, room: Room, game_id: int) -> None:
        deal = game_id // len(self._orders)
        with closing(self._opened(deal)) as store, ExitStack() as open_until_the_end:
            slot, first = _placed(replace(self._plan, deals=deal + 1), game_id)
            unfinished, self._kept = self._kept, None
            opening = Opening(plan=self._plan, game_id=game_id, adviser=self._wishes.adviser)
            notebook = Notebook(notebook_of(self._plan.store), opening, unfinished)
            self._is_broken_off = True
            open_until_the_end.callback(notebook.close)
            self._announce(slot, unfinished)
            seats, person = self._seated(room, slot, first, notebook)
            bots = [seat for seat in seats if isinstance(seat, Player)]
            try:
                match = Match(self._game, self._plan.options, seats, schedule.deal_seed(self._plan, slot), scribe=person)
                past = unfinished.past if unfinished else NOTHING_YET
                played = await match.play(game_id, schedule.bot_seeds(self._plan, game_id), past)
            finally:
                with trio.CancelScope(shield=True):
                    await all_leave(bots)
            self._keep(store, slot, played, bots)
            open_until_the_end.pop_all()
            notebook.discard()
            self._is_broken_off = False
            self._close(store, game_id)

    def _opened(self, deal: int) -> Store:
        """Return the store, ready for a deal."""
        deals = max(deal + 1, self._plan.deals)
        self._plan = replace(self._plan, deals=deals)
        return Store.for_run(self._plan.store, header_of(self._plan, self._game.version, __version__))

    def _seated(self, room: Room, slot: Slot, first: int, notebook: Notebook) -> tuple[Sequence[Seat], Person]:
        """Return everybody in their seats, and the person among them."""
        names = [self._plan.entrants[entrant].name for entrant in slot.entrants]
        seeds = schedule.bot_seeds(self._plan, first)
        own = slot.entrants.index(PERSON)
        hellos = [self._hello(seat, seeds[seat]) for seat in range(self._plan.seats)]
        adviser = None
        if self._wishes.adviser is not None:
            adviser = Adviser(room, self._wishes.adviser, self._game, hellos[own])
        person = Person(self._plan.entrants[PERSON], own, names, self._screen, notebook, adviser)
        seats: list[Seat] = [
            person
            if entrant == PERSON
            else Player(room, self._plan.entrants[entrant], self._game, hellos[seat], self._plan.faults)
            for seat, entrant in enumerate(slot.entrants)
        ]
        return seats, person

    def _hello(self, seat: int, seed: str) -> Hello:
        plan = self._plan
        options = msgspec.to_builtins(plan.options)
        return Hello(game=plan.game, options=options, seats=plan.seats, seat=seat, seed=seed, clock=plan.clock)

    def _keep(self, store: Store, slot: Slot, played: Played, bots: Sequence[Player]) -> None:
        """Put a finished game into the store, as a tournament does."""
        record = played.record
        result = GameResult(slot.game_id, slot.pairing, slot.deal, slot.rotation, scored(record, slot.entrants), played.lag)
        logs = [bot.log() for bot in bots] if record.faults or self._plan.keep_logs == "all" else []
        store.add([(result, packed(records.written(record)), logs)])

    # ---- what comes next

    def _new_cards(self, played: Sequence[int], seat: int | None) -> int:
        """Return a game with a new deal: in a certain seat, in a drawn one, or in the one after the last."""
        deal, order = divmod(max(played), len(self._orders)) if played else (-1, -1)
        deal += 1
        if self._wishes.is_seat_drawn:
            seat = Random(f"{self._plan.seed}/seat/{deal}").words(1)[0] % self._plan.seats
        order = (order + 1) % len(self._orders) if seat is None else self._order_with(seat)
        return deal * len(self._orders) + order

    def _order_with(self, seat: int) -> int:
        return next(number for number, order in enumerate(self._orders) if order[seat] == PERSON)

    def _same_cards(self, played: Sequence[int], game_id: int) -> int | None:
        """Return the same deal in the next order that has not been played; None if all have."""
        deal, order = divmod(game_id, len(self._orders))
        steps = range(1, len(self._orders))
        games = (deal * len(self._orders) + (order + step) % len(self._orders) for step in steps)
        return next((game for game in games if game not in played), None)

    async def _next(self, game_id: int) -> int | None:
        """Return the next game that the person wants."""
        with closing(self._opened(0)) as store:
            played = list(store.ids())
        new = self._new_cards([*(one for one in played if one > game_id), game_id], None)
        if self._wishes.games is not None:
            return new if self._played < self._wishes.games else None
        same = self._same_cards(played, game_id)
        offer = "" if same is None else ", s: the same cards in the next seat"
        while True:
            answer = await self._screen.ask(f"Another game? y: new cards{offer}, n: no.")
            if answer is None:
                self._screen.say("")
                return None
            match answer.strip().lower():
                case "y" | "yes":
                    return new
                case "s" if same is not None:
                    return same
                case "n" | "no" | "q" | "quit":
                    return None

    # ---- what is said

    def _announce(self, slot: Slot, unfinished: Kept | None) -> None:
        names = [YOU if entrant == PERSON else self._plan.entrants[entrant].name for entrant in slot.entrants]
        sits = ", ".join(f"{seat} {name}" for seat, name in enumerate(names))
        self._screen.heading(f"{self._game.title}, game {slot.game_id}. In the seats: {sits}.")
        if unfinished is not None:
            if self._wishes.seat not in (None, slot.entrants.index(PERSON)):
                self._screen.say("--seat does not count for a game that has begun: who sat where stays.")
            self._screen.say(f"Carried on after {len(unfinished.past.decisions)} decisions. What you saw last:")
        elif not self._played:
            self._screen.say("To choose an action, type its number or words of it. h is for help, ? for advice, q to stop.")

    def _close(self, store: Store, game_id: int) -> None:
        self._screen.say("To look at it again:")
        self._screen.command(f"pitboss replay {self._store_name()} {game_id}")
        results = list(store.results(with_times=False))
        if len(results) > 1:
            seats = [seat for result in results for seat in result.seats]
            wins = [sum(seat.win for seat in seats if seat.entrant == entrant) for entrant in range(len(self._plan.entrants))]
            names = [YOU, *(bot.name for bot in self._plan.entrants[1:])]
            score = ", ".join(f"{name} {won:g}" for name, won in zip(names, wins, strict=True))
            self._screen.say(f"Games won, of {len(results)}: {score}.")

    def _store_name(self) -> str:
        return shlex.quote(str(self._plan.store))


def _placed(plan: Plan, game_id: int) -> tuple[Slot, int]:
    """Return where a game stands in the schedule, and the first game of its sitting."""
    course = Course(plan)
    return course.slot(game_id), course.first_of_sitting(game_id)
