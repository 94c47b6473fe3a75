"""The bots of a batch in their seats: which of them have a process, from their first game in a seat to their last."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import TypeAlias

from pitboss_tournament.match.bot_seat import BotSeat, close_all, settle_all
from pitboss_tournament.plan.limits import MEBIBYTE
from pitboss_tournament.plan.plan import Entrant
from pitboss_tournament.running.worker_protocol import PlayBatch

SeatKey: TypeAlias = tuple[int, int]  # entrant and seat


class SeatedBots:
    """The bots of a batch.

    Those that wait for a later game hold together no more memory than those at the table may, or the largest of them
    are ended and get a fresh process for that game.
    """

    def __init__(self, batch: PlayBatch, make_seat: Callable[[Entrant, int, str], BotSeat]) -> None:
        """Begin without a process. `make_seat` is given a bot, its seat and the seed of its first game there."""
        self._batch = batch
        self._make_seat = make_seat
        self._last_games = {key: number for number in range(len(batch.games)) for key in self._list_keys(number)}
        self._seats: dict[SeatKey, BotSeat] = {}

    def at_game(self, number: int) -> Sequence[BotSeat]:
        """Return the bots of a game of the batch, by seat."""
        seeds = self._batch.games[number].bot_seeds
        for key in self._list_keys(number):
            if key not in self._seats:
                entrant, seat = key
                self._seats[key] = self._make_seat(self._batch.entrants[entrant], seat, seeds[seat])
        return [self._seats[key] for key in self._list_keys(number)]

    async def end_game(self, number: int) -> None:
        """Wait until the bots of a game have taken in its end; close those that have no other game in this seat."""
        keys = self._list_keys(number)
        if done := [self._seats.pop(key) for key in keys if self._last_games[key] == number]:
            await close_all(done)
        await settle_all([self._seats[key] for key in keys if key in self._seats])
        if number + 1 < len(self._batch.games):
            await self._free_memory(self._list_keys(number + 1))

    async def close(self) -> None:
        """Close all."""
        await close_all(self._seats.values())

    def _list_keys(self, number: int) -> list[SeatKey]:
        return [(entrant, seat) for seat, entrant in enumerate(self._batch.games[number].game.entrants)]

    async def _free_memory(self, next_keys: Collection[SeatKey]) -> None:
        """Close the largest of the bots that are not in the next game, while they hold too much."""
        waiting = {key: seat.link.held_bytes for key, seat in self._seats.items() if key not in next_keys}
        allowed = sum(self._batch.entrants[entrant].limits.memory_mb for entrant, _ in next_keys) * MEBIBYTE
        while sum(waiting.values()) > allowed:
            largest = max(waiting, key=waiting.__getitem__)
            del waiting[largest]
            await self._seats.pop(largest).close()
