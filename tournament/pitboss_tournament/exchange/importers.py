"""Importers: the formats from which `pitboss import` makes records. Plugins add theirs by `pitboss_importers`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Final

from msgspec import Struct

from pitboss.plugins.registry import Registry
from pitboss.records.notation import NotedGame, parse_notation
from pitboss.records.record import verify


class Importer(Struct, frozen=True, kw_only=True):
    """A format of text, and the games that its lines describe."""

    name: str  # as people type it: `--what NAME`
    summary: str
    read: Callable[[Iterable[str]], Iterator[NotedGame]]  # raises RecordError, with the number of the line


IMPORTERS: Final = (
    Importer(
        name="notation",
        summary="What `pitboss export --what notation` and `pitboss replay --brief` write.",
        read=parse_notation,
    ),
)


def read_games(importer: Importer, lines: Iterable[str], registry: Registry) -> Iterator[NotedGame]:
    """Yield the games of a text, each replayed, with the next number where it has none.

    Raises:
        RecordError: a line is wrong.
        ReplayDiffers: a game does not replay.
    """
    number = 0
    for found in importer.read(lines):
        number = number if found.game_id is None else found.game_id
        verify(found.record, registry.find_game(found.record.game))
        yield NotedGame(found.record, number)
        number += 1
