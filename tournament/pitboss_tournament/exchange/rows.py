"""A store as rows of plain values, for pandas, polars and any other program in Python.

    with open_store("friday.pitboss") as store:
        table = polars.DataFrame(store.list_bots())

A row is a dict. Its values are texts, numbers, booleans or None, its keys are the columns of the same CSV:
`pitboss standings --csv`, `pitboss standings --pairs --csv`, `pitboss export --what csv`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import Any, TypeAlias

from msgspec.structs import asdict

from pitboss_tournament.counting.pair_choice import order_pairs
from pitboss_tournament.counting.stored_findings import StoredFindings
from pitboss_tournament.exchange.export import seat_rows
from pitboss_tournament.exchange.pooling import open_pooled
from pitboss_tournament.results.standings_rows import BotRow, PairRow, list_pair_rows
from pitboss_tournament.rounds.round_replay import number_rounds
from pitboss_tournament.rounds.stored_headline import list_placed_rows
from pitboss_tournament.store.store import Store
from pitboss_tournament.text.columns import struct_rows

Row: TypeAlias = dict[str, Any]


class StoredRows:
    """What a store holds, as rows; made by `open_store`."""

    def __init__(self, store: Store) -> None:
        """Read nothing yet: each method reads what it returns."""
        self._store = store

    @property
    def game(self) -> str:
        """The name of the game."""
        return self._store.header.game

    @property
    def bots(self) -> Sequence[str]:
        """The names of the bots, in the order of the tournament."""
        return self._store.header.labels

    def list_bots(self) -> list[Row]:
        """Return a row for each bot, in the order of the standings."""
        return list(struct_rows(BotRow, list_placed_rows(self._findings, self._store, self._findings.team_scores)))

    def list_pairs(self) -> list[Row]:
        """Return a row for each two bots, the better one first as far as is known."""
        numbers = {name: number for number, name in enumerate(self._findings.names)}
        order = [numbers[line.name] for line in self._findings.standings]
        pairs = order_pairs(self._findings.compare_pairs(), order)
        return list(struct_rows(PairRow, list_pair_rows(self._findings, pairs)))

    def iterate_seats(self) -> Iterator[Row]:
        """Yield a row for each seat of each game, forfeits considered, in the order of the games' numbers."""
        for row in seat_rows(self._store, with_times=True, rounds=number_rounds(self._store)):
            yield asdict(row)

    @cached_property
    def _findings(self) -> StoredFindings:
        return StoredFindings(self._store)


@contextmanager
def open_store(path: Path | str, *others: Path | str) -> Iterator[StoredRows]:
    """Context manager: a store, or several of one game as one, as rows. Nothing is written.

    Raises:
        ConfigError, StoreError: one cannot be read, or they cannot be pooled; the message says why.
    """
    with open_pooled([Path(path), *map(Path, others)]) as store:
        yield StoredRows(store)
