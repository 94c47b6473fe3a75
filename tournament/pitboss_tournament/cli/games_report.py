"""`pitboss report` of several games: one table of all entrants, as a page, as Markdown, or as JSON."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Final, Literal

from pitboss_tournament.cli.luck import choose_luck, measure_luck_of_stores
from pitboss_tournament.cli.registry import load_registry
from pitboss_tournament.exchange.export import digest_records
from pitboss_tournament.exchange.pooling import open_pooled
from pitboss_tournament.reporting.games_table import GameInput, GamesTable, StoreRecords, make_games_table
from pitboss_tournament.store.store import Store

TOURNAMENT_FILE: Final = "TOURNAMENT.toml"


def read_games_table(
    groups: Sequence[Sequence[Path]], anchor: str | None, reduce: Literal["none", "luck"] | None
) -> GamesTable:
    """Return the table of some stores, those of one game in one group.

    Raises:
        ConfigError, StoreError: a store cannot be read, those of one game cannot be pooled, or none is called `anchor`.
    """
    with ExitStack() as opened:
        inputs = list[GameInput]()
        for files in groups:
            measure_luck_of_stores(files, reduce)
            store = opened.enter_context(open_pooled(files))
            inputs.append(GameInput(store, list(map(_describe_records, files)), choose_luck(store, reduce)))
        return make_games_table(inputs, load_registry(), anchor)


def _describe_records(path: Path) -> StoreRecords:
    games, digest = digest_records(path)
    commands = [["pitboss", "integrity", str(path), "--replay"]]
    with closing(Store(path)) as store:
        if store.calls.has_any():
            commands.append(["pitboss", "run", TOURNAMENT_FILE, "--replay-models", str(path)])
    return StoreRecords(path=str(path), games=games, digest=digest, commands=list(map(shlex.join, commands)))
