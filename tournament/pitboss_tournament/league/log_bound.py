"""The bound of the logs that a league keeps: those of a bot have a greatest size, and the oldest are dropped."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Final

import trio

from pitboss_tournament.league.book_file import BookFile
from pitboss_tournament.league.stored_ladder import has_tournament
from pitboss_tournament.plan.limits import MEBIBYTE
from pitboss_tournament.store.store import Store, drop_logs

LOG_LOOK_SECONDS: Final = 60.0
LOGS_DROPPED_AT_ONCE: Final = 500  # logs in a transaction, so that games are written meanwhile


async def keep_logs_bounded(path: Path, mb: int) -> None:
    """Drop the oldest logs of each bot beyond `mb` MiB, again and again."""
    while True:
        await trio.to_thread.run_sync(bound_logs, path, mb * MEBIBYTE)
        await trio.sleep(LOG_LOOK_SECONDS)


def bound_logs(path: Path, most_bytes: int) -> int:
    """Drop the oldest logs of each bot beyond `most_bytes`, as they are stored; return how many were dropped.

    Raises:
        StoreError: the store cannot be read or written.
    """
    if not has_tournament(path):
        return 0
    with closing(Store(path)) as store:
        dropped = list(_find_old(store, most_bytes))
    with closing(_LogFile(path)) as file:
        for first in range(0, len(dropped), LOGS_DROPPED_AT_ONCE):
            file.drop(dropped[first : first + LOGS_DROPPED_AT_ONCE])
    return len(dropped)


def _find_old(store: Store, most_bytes: int) -> Iterator[tuple[int, int]]:
    """Yield game and seat of the logs beyond the bound, the newest first."""
    sizes = store.log_sizes()
    if sum(size for *_, size in sizes) <= most_bytes:
        return
    bots = [entry.name for entry in store.header.entries]
    first = sizes[-1][0]
    seated = {one.game_id: [seat.entrant for seat in one.seats] for one in store.results(with_times=False, first=first)}
    kept = Counter[str]()
    for game, seat, size in sizes:
        bot = bots[seated[game][seat]]
        kept[bot] += size
        if kept[bot] > most_bytes:
            yield game, seat


class _LogFile(BookFile):
    """The logs in the open file of a league."""

    def drop(self, logs: list[tuple[int, int]]) -> None:
        """Remove logs by game and seat."""
        with self._writing():
            drop_logs(self._db, logs)
