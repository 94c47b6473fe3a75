"""The bots of a batch in their seats: which of them have a process, from their first game in a seat to their last.

Games of a batch are played one after the other, or, where bots play at many tables (`match/many_tables`), several at
once. A bot that takes tables then has one process for the games in its seat, and another bot one for each of the games
that are in play at once.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Sequence
from functools import partial
from typing import Final, TypeAlias

import trio
from msgspec import UNSET

from pitboss.protocol.messages import Ready
from pitboss_tournament.match.bot_link import BotLink
from pitboss_tournament.match.bot_seat import BotSeat, SeatLink, close_all, settle_all
from pitboss_tournament.match.table_link import SharedBot, TableLink
from pitboss_tournament.plan.limits import MEBIBYTE
from pitboss_tournament.plan.plan import Entrant
from pitboss_tournament.rounds.schedule import takes_tables
from pitboss_tournament.running.worker_protocol import PlayBatch

MAX_COPIES: Final = 16  # processes at once of a bot that plays one game at a time, beside bots at many tables

SeatKey: TypeAlias = tuple[int, int]  # entrant and seat


class SeatedBots:
    """The bots of a batch.

    Those that wait for a later game hold together no more memory than those at the table may, or the largest of them
    are ended and get a fresh process for that game.
    """

    def __init__(
        self,
        batch: PlayBatch,
        make_seat: Callable[[Entrant, int, str], BotSeat],
        share: Callable[[Entrant, int, str], SharedBot] | None = None,
        tables: int = 1,
    ) -> None:
        """Begin without a process. `make_seat` is given a bot, its seat and the seed of its first game there.

        `share`, if bots are offered `tables`: is given the same of a bot that has taken them.
        """
        self.is_stopped = False  # no game may begin any more
        self._batch = batch
        self._make_seat = make_seat
        self._share = share
        self._tables = tables
        self._left = Counter(key for number in range(len(batch.games)) for key in self._list_keys(number))
        self._begun = 0  # games
        self._playing: dict[int, list[BotSeat]] = {}  # by game of the batch
        self._waiting: defaultdict[SeatKey, list[BotSeat]] = defaultdict(list)
        self._shared: dict[SeatKey, SharedBot] = {}  # bots that have agreed to tables
        self._single = set[SeatKey]()  # bots that play one game at a time, as far as that is known
        self._change = trio.Event()

    def at_game(self, number: int) -> Sequence[BotSeat]:
        """Return the bots of a game of the batch, by seat."""
        keys = self._list_keys(number)
        self._left.subtract(keys)
        self._begun += 1
        seats = [self._waiting[key].pop() if self._waiting[key] else self._make(key, number) for key in keys]
        self._playing[number] = seats
        return seats

    async def end_game(self, number: int) -> None:
        """Wait until the bots of a game have taken in its end; close those that have no other game in this seat.

        Their logs are those of this game until something else is waited for.
        """
        ended = dict(zip(self._list_keys(number), self._playing[number], strict=True))
        resting = {key: seat for key, seat in ended.items() if self._left[key]}
        await close_all([seat for key, seat in ended.items() if key not in resting])
        await self._close_keys([key for key in ended if key not in resting])
        await settle_all([*resting.values()])
        if self._begun < len(self._batch.games):
            await self._free_memory(self._list_keys(self._begun), resting)
        for key, seat in resting.items():
            self._waiting[key].append(seat)
        del self._playing[number]
        self._notify()

    async def close(self) -> None:
        """Close all."""
        await close_all([seat for seats in (*self._waiting.values(), *self._playing.values()) for seat in seats])
        for bot in self._shared.values():
            await bot.close()

    async def wait_for_table(self, number: int) -> None:
        """Wait until a game of the batch may begin beside those in play."""
        while len(self._playing) >= self._count_tables(number):
            await self._change.wait()

    def _count_tables(self, number: int) -> int:
        """Return how many games may be in play at once when a game begins: one until its bots have said ready."""
        keys = self._list_keys(number)
        if self._shared.keys().isdisjoint(keys):
            return 1
        return min(self._tables, *[self._count_places(key) for key in keys])

    def _count_places(self, key: SeatKey) -> int:
        """Return in how many games at once a bot may be in this seat."""
        if key in self._shared:
            return self._shared[key].tables
        entrant = self._batch.entrants[key[0]]
        if takes_tables(entrant) and key not in self._single:
            return 1  # not known yet
        return MAX_COPIES if entrant.games_at_once is None else 1

    def _make(self, key: SeatKey, number: int) -> BotSeat:
        entrant, seat = self._batch.entrants[key[0]], key[1]
        if self._share is None or not takes_tables(entrant):
            return self._make_seat(entrant, seat, self._batch.games[number].bot_seeds[seat])
        made = self._make_seat(entrant, seat, self._find_first_seed(key))
        if key in self._shared:
            made.link = TableLink(self._shared[key])
        else:
            made.greet = partial(self._hear_ready, key)
        return made

    def _hear_ready(self, key: SeatKey, link: BotLink, ready: Ready) -> SeatLink:
        """Note whether a bot takes tables; return the link to go on with."""
        self._notify()
        if ready.tables is UNSET:
            self._single.add(key)
            return link
        if key not in self._shared:
            assert self._share
            self._shared[key] = self._share(self._batch.entrants[key[0]], key[1], self._find_first_seed(key))
        return self._shared[key].adopt(link, ready)

    def _find_first_seed(self, key: SeatKey) -> str:
        """Return the seed of a bot's first game in a seat: all its processes there are greeted with that."""
        first = next(number for number in range(len(self._batch.games)) if key in self._list_keys(number))
        return self._batch.games[first].bot_seeds[key[1]]

    def _notify(self) -> None:
        """Wake who waits for a table."""
        self._change.set()
        self._change = trio.Event()

    def _list_keys(self, number: int) -> list[SeatKey]:
        return [(entrant, seat) for seat, entrant in enumerate(self._batch.games[number].game.entrants)]

    async def _close_keys(self, keys: Collection[SeatKey]) -> None:
        """Close the bots that wait in these seats."""
        await close_all([seat for key in keys for seat in self._waiting.pop(key, ())])
        for key in keys:
            if key in self._shared:
                await self._shared[key].close()

    async def _free_memory(self, next_keys: Collection[SeatKey], resting: dict[SeatKey, BotSeat]) -> None:
        """Close the largest of the bots that are not in the next game, while they hold too much.

        Of those that are `resting` after a game, the ones that are closed are removed.
        """
        others = [(key, seat) for key, seats in self._waiting.items() if key not in next_keys for seat in seats]
        others += [(key, seat) for key, seat in resting.items() if key not in next_keys]
        held = {at: seat.link.held_bytes for at, (_, seat) in enumerate(others)}
        allowed = sum(self._batch.entrants[entrant].limits.memory_mb for entrant, _ in next_keys) * MEBIBYTE
        while sum(held.values()) > allowed:
            largest = max(held, key=held.__getitem__)
            del held[largest]
            key, seat = others[largest]
            if resting.get(key) is seat:
                del resting[key]
            elif seat in self._waiting[key]:
                self._waiting[key].remove(seat)
            else:
                continue  # it has begun another game meanwhile
            await seat.close()
