"""`pitboss import`: games that somebody wrote down in notation, as records again."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from pitboss.errors import ConfigError, RecordError
from pitboss.text import format_count
from pitboss_tournament.cli.output import print_data_lines, print_note
from pitboss_tournament.cli.registry import find_offer, load_registry
from pitboss_tournament.cli.whole_file import require_new, write_whole_file
from pitboss_tournament.exchange.export import record_line
from pitboss_tournament.exchange.importers import Importer, list_own_importers, read_games
from pitboss_tournament.exchange.pooling import store_games
from pitboss_tournament.plan.paths import STORE_ENDING

if TYPE_CHECKING:
    from pitboss.records.notation import NotedGame


def import_games(file: Path, output: Path | None, what: str) -> None:
    """Run `pitboss import`."""
    games = _read_games(file, what)
    if output is not None and output.suffix == STORE_ENDING:
        require_new(output)
        with write_whole_file(output, file) as part:
            store_games(games, part)
        return
    lines = (record_line(game.game_id or 0, game.record) for game in games)
    if output is None:
        print_data_lines(lines)
        return
    with write_whole_file(output, file) as part, part.open("w", encoding="utf-8", newline="\n") as out:
        out.writelines(f"{line}\n" for line in lines)


def _read_games(file: Path, what: str) -> Iterator[NotedGame]:
    repeated: list[int] = []
    importer = find_offer("--what", what, "pitboss_importers", Importer, list_own_importers(load_registry()))
    try:
        yield from read_games(importer, _read_lines(file), load_registry(), repeated.append)
    except RecordError as error:
        raise RecordError(f"{file}: {error}") from None
    if repeated:
        print_note(f"{file}: left out {format_count(len(repeated), 'game')}, each already stored there")


def _read_lines(file: Path) -> Iterator[str]:
    try:
        if str(file) == "-":
            yield from io.TextIOWrapper(sys.stdin.buffer, encoding="utf-8")
            return
        with file.open(encoding="utf-8") as lines:
            yield from lines
    except UnicodeDecodeError:
        raise ConfigError(f"{file}: it is not UTF-8 text") from None
    except OSError as error:
        raise ConfigError(f"{str(file)!r} cannot be read: {(error.strerror or str(error)).lower()}") from None
