"""Measures the luck of the draw in the games of a store: each is replayed, in as many processes as there are CPUs.

A game takes some hundredths of a second of processor time. The run of a tournament with `reduce = "luck"` measures its
games at its end and keeps their luck in the store; whoever asks for it later measures the games that lack it, and
changes nothing in the store.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Final, TypeAlias

from pitboss.game import AnyGame
from pitboss.records.luck import estimate_luck
from pitboss_tournament.playing.plugin_calls import PluginCalls
from pitboss_tournament.playing.record_pool import PackedGame, map_records
from pitboss_tournament.store.record_packing import RecordPacker
from pitboss_tournament.store.store import Store

GAMES_A_WRITE: Final = 1_000  # kept in one transaction

GameLuck: TypeAlias = tuple[int, list[float]]  # its number, and the luck by seat


def find_unmeasured(store: Store) -> list[int]:
    """Return the numbers of the games whose luck the store does not keep."""
    known = store.luck().keys()
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


def keep_luck(store: Store, game: AnyGame, say: Callable[[str], None]) -> None:
    """Measure the games of a run's store that lack it, and keep their luck; `say` is told what takes long."""
    if numbers := find_unmeasured(store):
        say(f"measuring the luck of the draw in {len(numbers):,} games …")
        measured = measure_luck_of_games(store, numbers, game)
        while batch := list(islice(measured, GAMES_A_WRITE)):
            store.add_luck(batch)


def _measure_game(packed: PackedGame, packer: RecordPacker, game: AnyGame) -> GameLuck:
    number, record = packed
    with PluginCalls(game, lambda: f"while the luck of game {number} was measured"):
        return number, estimate_luck(packer.unpack(record), game)
