"""Importers: the formats from which `pitboss import` makes records. Plugins add theirs by `pitboss_importers`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from hashlib import sha256
from typing import Final

import msgspec
from msgspec import Struct

from pitboss.game import AnyGame
from pitboss.plugins.registry import Registry
from pitboss.records.notation import NotedGame, parse_notation
from pitboss.records.record import ImportFunction, Record, RecordImporter, dumps, loads, verify


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


def list_own_importers(registry: Registry) -> dict[str, Importer]:
    """Return the formats of all installed games by name."""
    return {
        name: Importer(name=name, summary=f"A format of {game.title}.", read=partial(_read_own, game, read))
        for game in registry.games.values()
        if isinstance(game, RecordImporter)
        for name, read in game.imports.items()
    }


def _read_own(game: AnyGame, read: ImportFunction, lines: Iterable[str]) -> Iterator[NotedGame]:
    for record in read(game, lines):
        yield NotedGame(loads(dumps(record)))  # with options as they are read from a file: lists, no tuples


def read_games(
    importer: Importer, lines: Iterable[str], registry: Registry, on_repeated: Callable[[int], None]
) -> Iterator[NotedGame]:
    """Yield the games of a text, each replayed, with the next number where it has none.

    A game of Pitboss that is repeated there is left out; `on_repeated` is called with its number. Games of other
    programs may be alike: boards of bridge without names, with the same contract and result.

    Raises:
        RecordError: a line is wrong.
        ReplayDiffers: a game does not replay.
    """
    seen = set[bytes]()
    number = 0
    for found in importer.read(lines):
        number = number if found.game_id is None else found.game_id
        verify(found.record, registry.find_game(found.record.game))
        if importer in IMPORTERS:
            if (key := _digest_game(found.record)) in seen:
                on_repeated(number)
                continue
            seen.add(key)
        yield NotedGame(found.record, number)
        number += 1


def _digest_game(record: Record) -> bytes:
    """Return a digest of what tells a game from others: times and notes, which may have been left out, do not."""
    decisions = [(one.seat, one.action) for one in record.decisions]
    played = (record.game, record.options, record.seed, record.players, decisions)
    return sha256(msgspec.json.encode(played)).digest()
