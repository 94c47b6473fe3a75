"""`pitboss import`: games that somebody wrote down in notation, as records again."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import typer
from msgspec import UNSET

from pitboss.errors import ConfigError, RefusedGame
from pitboss.records.notation import NotedGame
from pitboss.text import format_count
from pitboss_tournament.cli.exit_status import GAMES_REFUSED
from pitboss_tournament.cli.output import print_data_lines, print_note
from pitboss_tournament.cli.registry import find_offer, load_registry
from pitboss_tournament.cli.whole_file import require_new, write_whole_file
from pitboss_tournament.exchange.export import record_line
from pitboss_tournament.exchange.importers import Importer, decode_lines, list_own_importers, read_games
from pitboss_tournament.exchange.pooling import store_games
from pitboss_tournament.plan.paths import STORE_ENDING


def import_games(file: Path, output: Path | None, what: str, strict: bool) -> None:
    """Run `pitboss import`."""
    refused: list[RefusedGame] = []
    is_store = output is not None and output.suffix == STORE_ENDING
    _write_games(_read_games(file, what, refused, strict=strict, is_store=is_store), file, output)
    if refused:
        raise typer.Exit(GAMES_REFUSED)


def _write_games(games: Iterable[NotedGame], file: Path, output: Path | None) -> None:
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


def _read_games(
    file: Path, what: str, refused: list[RefusedGame], *, strict: bool, is_store: bool
) -> Iterator[NotedGame]:
    """Yield the games that can be read, and print why the others cannot be; with `strict`, all or none.

    A store takes no game without a result.
    """
    importer = find_offer("--what", what, "pitboss_importers", Importer, list_own_importers(load_registry()))
    repeated: list[int] = []
    kept: list[NotedGame] = []
    count = 0
    for found in read_games(importer, _read_lines(file, importer), load_registry(), repeated.append):
        if is_store and isinstance(found, NotedGame) and (broken := found.record.broken) is not UNSET:
            found = RefusedGame(None, f"game {found.game_id}: {broken.why}, so that a store has nothing to count")
        if isinstance(found, RefusedGame):
            refused.append(found)
            print_note(f"{file}: {found}")
            continue
        count += 1
        if strict:
            kept.append(found)
        else:
            yield found
    if repeated:
        print_note(f"{file}: left out {format_count(len(repeated), 'game')}, each already stored there")
    if refused and (count or len(refused) > 1):
        was = "was" if len(refused) == 1 else "were"
        print_note(f"{file}: {format_count(count, 'game')} can be read; {len(refused)} {was} refused")
    if refused and (strict or not count):
        raise typer.Exit(1)
    yield from kept


def _read_lines(file: Path, importer: Importer) -> Iterator[str]:
    try:
        if str(file) == "-":
            yield from decode_lines(sys.stdin.buffer, importer, file)
            return
        with file.open("rb") as lines:
            yield from decode_lines(lines, importer, file)
    except OSError as error:
        raise ConfigError(f"{str(file)!r} cannot be read: {(error.strerror or str(error)).lower()}") from None
