"""Work on many stored records, in as many processes as there are CPUs."""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from itertools import islice, repeat
from typing import Final, TypeAlias, TypeVar

from pitboss.game import AnyGame
from pitboss.plugins.registry import load_played_game
from pitboss_tournament.processes.cpu import available_cpus
from pitboss_tournament.store.record_packing import RecordPacker

Result = TypeVar("Result")

GAMES_A_PROCESS: Final = 64  # games that are worth a process of their own, and are handed out at a time

PackedGame: TypeAlias = tuple[int, bytes]  # its number, and its packed record
RecordWork: TypeAlias = Callable[[PackedGame, RecordPacker, AnyGame], Result]  # a function of a module


def map_records(
    work: RecordWork[Result], packed: Iterable[PackedGame], count: int, packer: RecordPacker, game: AnyGame
) -> Iterator[Result]:
    """Yield what a function returns of each of `count` games, in their order; few games are worth no processes.

    Whatever it raises is raised here.
    """
    processes = min(available_cpus(), count // GAMES_A_PROCESS)
    if processes < 2:
        yield from (work(one, packer, game) for one in packed)
        return
    context = multiprocessing.get_context("spawn")  # a fork would copy the threads' locks
    pool = ProcessPoolExecutor(processes, context, initializer=_ignore_interrupts)
    games = iter(packed)
    try:
        while batch := list(islice(games, processes * GAMES_A_PROCESS)):
            yield from pool.map(_do_work, repeat(work), batch, repeat(packer), repeat(game.name), chunksize=8)
    finally:
        pool.shutdown(cancel_futures=True)


def _do_work(work: RecordWork[Result], packed: PackedGame, packer: RecordPacker, game: str) -> Result:
    return work(packed, packer, _find_game(game))


@cache
def _find_game(name: str) -> AnyGame:
    return load_played_game(name)


def _ignore_interrupts() -> None:
    """Leave Ctrl-C to the parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
