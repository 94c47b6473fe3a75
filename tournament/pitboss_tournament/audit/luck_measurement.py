"""Measures the luck of the draw in the games of a store: each is replayed, in as many processes as there are CPUs.

A game takes some thousandths of a second of processor time. The run of a tournament with `reduce = "luck"` measures its
games at its end; whoever asks for luck later measures the games that lack it. What has been measured is kept in the
store.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from time import process_time
from typing import Final, TypeAlias

from pitboss.errors import PitbossError
from pitboss.game import AnyGame, resolve_options
from pitboss.records.luck import check_evaluable, estimate_luck
from pitboss_tournament.audit.record_pool import PackedGame, map_records
from pitboss_tournament.match.plugin_calls import PluginCalls
from pitboss_tournament.processes.cpu import available_cpus
from pitboss_tournament.store.database import StoreError
from pitboss_tournament.store.record_packing import RecordPacker
from pitboss_tournament.store.store import Store

GAMES_A_WRITE: Final = 1_000  # kept in one transaction
TIMED_SECONDS: Final = 0.5  # of processor time for games that are measured to know what a game takes

GameLuck: TypeAlias = tuple[int, list[list[float]]]  # its number, and the luck by seat and feature


def find_unmeasured(store: Store) -> list[int]:
    """Return the numbers of the games whose luck the store does not keep."""
    known = store.kept.luck().keys()
    return [number for number in store.game_ids() if number not in known]


def measure_luck_of_games(store: Store, numbers: Iterable[int], game: AnyGame) -> Iterator[GameLuck]:
    """Yield the luck of some games of a store.

    Raises:
        ReplayDiffers: a record does not replay.
        GamePluginError: the game's plugin failed.
    """
    wanted = frozenset(numbers)
    packed = ((number, record) for number, _, record in store.raw_games() if number in wanted)
    yield from map_records(_measure_game, packed, len(wanted), store.packer, game)


def keep_luck(
    store: Store, game: AnyGame, numbers: Sequence[int], show_game: Callable[[], None], say: Callable[[str], None]
) -> dict[int, list[list[float]]]:
    """Measure some games of a store; return their luck, and keep it in the store, so that no game is measured twice.

    `show_game` is called after each game. `say` is told if the store cannot be written: then nothing more is kept.

    Raises:
        ReplayDiffers: a record does not replay.
        GamePluginError: the game's plugin failed.
    """
    found: dict[int, list[list[float]]] = {}
    can_write = True
    measured = measure_luck_of_games(store, numbers, game)
    while batch := list(_show_each(islice(measured, GAMES_A_WRITE), show_game)):
        found.update(batch)
        if can_write:
            try:
                store.kept.add_luck(batch)
            except StoreError as error:
                can_write = False
                say(f"the luck of the draw is not kept: {error}")
    return found


def time_luck(store: Store, game: AnyGame) -> float | None:
    """Return the seconds that the luck of a game takes on all processors, by some games of a store.

    None: the game has no evaluation, or the games do not replay.
    """
    header, began, games = store.header, process_time(), 0
    try:
        check_evaluable(game, header.seats, resolve_options(game, header.seats, overrides=header.options))
        for number, _, record in store.raw_games():
            _measure_game((number, record), store.packer, game)
            games += 1
            if process_time() - began > TIMED_SECONDS:
                break
    except PitbossError:
        return None
    return (process_time() - began) / games / available_cpus() if games else None


def _show_each(measured: Iterable[GameLuck], show_game: Callable[[], None]) -> Iterator[GameLuck]:
    for one in measured:
        show_game()
        yield one


def _measure_game(packed: PackedGame, packer: RecordPacker, game: AnyGame) -> GameLuck:
    number, record = packed
    with PluginCalls(game, lambda: f"while the luck of game {number} was measured"):
        return number, estimate_luck(packer.unpack(record), game)
