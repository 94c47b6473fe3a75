"""Importers: the formats from which `pitboss import` makes records. Plugins add theirs by `pitboss_importers`."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from hashlib import sha256
from itertools import tee, zip_longest
from pathlib import Path
from typing import Annotated, BinaryIO, Final

import msgspec
from msgspec import Meta, Struct

from pitboss.errors import ConfigError, RecordError, RefusedGame
from pitboss.foreign_input import LARGEST_NUMBER, InputRefused, read_json
from pitboss.game import AnyGame
from pitboss.plugins.registry import Registry
from pitboss.records.notation import NotedGame, read_notation
from pitboss.records.record import ImportFunction, Record, RecordImporter, dumps, loads, verify
from pitboss.text import join_words


class Importer(Struct, frozen=True, kw_only=True):
    """A format of text, and the games that its lines describe."""

    name: str  # as people type it: `--what NAME`
    summary: str
    read: Callable[[Iterable[str]], Iterator[NotedGame | RefusedGame]]  # RecordError: a text of another format
    is_latin: bool = False  # a line that is no UTF-8 is read as Latin-1, in which old programs write


class _GameNumber(Struct, frozen=True):
    """What a line of `pitboss export` has beside the record."""

    game_id: Annotated[int, Meta(ge=0, le=LARGEST_NUMBER)] | None = None


def read_records(lines: Iterable[str]) -> Iterator[NotedGame | RefusedGame]:
    """Yield the games of a text as `pitboss export` writes it: a line of JSON each."""
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        encoded = line.encode()
        try:
            yield NotedGame(loads(encoded), read_json(encoded, _GameNumber).game_id)
        except (RecordError, InputRefused) as wrong:
            yield RefusedGame(number, str(wrong))


IMPORTERS: Final = (
    Importer(
        name="notation",
        summary="What `pitboss export --what notation` and `pitboss replay --brief` write.",
        read=read_notation,
    ),
    Importer(
        name="records",
        summary="What `pitboss export` writes, and a league gives to the owners of bots.",
        read=read_records,
    ),
)

# by ending: the name of the importer, where that is another word
USUAL_ENDINGS: Final = {"phhs": "phh", "log": "acpc", "json": "hanab-live", "txt": "notation"}


def find_importer(path: Path, registry: Registry) -> Importer | None:
    """Return the importer whose name is the ending of a file, or usual for it; None if there is none."""
    ending = path.suffix.removeprefix(".").lower()
    importers = {one.name: one for one in IMPORTERS} | list_own_importers(registry)
    return importers.get(USUAL_ENDINGS.get(ending, ending))


def list_own_importers(registry: Registry) -> dict[str, Importer]:
    """Return the formats of all installed games by name. Several games may read one format."""
    readers: dict[str, list[tuple[AnyGame, ImportFunction]]] = {}
    for game in registry.games.values():
        if isinstance(game, RecordImporter):
            for name, read in game.imports.items():
                readers.setdefault(name, []).append((game, read))
    return {
        name: Importer(
            name=name,
            summary=f"A format of {join_words([game.title for game, _ in found], 'and')}.",
            read=partial(_read_own, found),
            is_latin=True,
        )
        for name, found in readers.items()
    }


def _read_own(
    readers: Sequence[tuple[AnyGame, ImportFunction]], lines: Iterable[str]
) -> Iterator[NotedGame | RefusedGame]:
    """Yield the games of a text. Of several readers each yields one thing for each game of the text."""
    texts = tee(lines, len(readers))
    for found in zip_longest(*(read(game, text) for (game, read), text in zip(readers, texts, strict=True))):
        chosen = min((one for one in found if one is not None), key=_rank_finding)
        if isinstance(chosen, RefusedGame):
            yield chosen
        else:
            yield NotedGame(loads(dumps(chosen)))  # with options as they are read from a file: lists, no tuples


def _rank_finding(found: Record | RefusedGame) -> tuple[int, int]:
    """Return where a finding stands among those of several readers: a game that was read, a refusal, another game's.

    Of several that say it is another game's the longest is first: that of the game with the most variants.
    """
    return (1 + found.is_other_game, -len(found.why)) if isinstance(found, RefusedGame) else (0, 0)


def decode_lines(file: BinaryIO, importer: Importer, path: Path) -> Iterator[str]:
    """Yield the lines of a text for an importer, whatever their ends.

    Raises:
        ConfigError: a line is no UTF-8, and the importer does not read Latin-1.
    """
    text = io.TextIOWrapper(file, encoding="utf-8", errors="surrogateescape")
    try:
        for line in text:
            if line.isascii() or _is_encodable(line):
                yield line
            elif importer.is_latin:
                yield line.encode("utf-8", "surrogateescape").decode("latin-1")
            else:
                raise ConfigError(f"{path}: it is not UTF-8 text")
    finally:
        with suppress(ValueError):  # the file was closed before
            text.detach()


def _is_encodable(line: str) -> bool:
    try:
        line.encode()
    except UnicodeEncodeError:
        return False
    return True


def read_games(
    importer: Importer, lines: Iterable[str], registry: Registry, on_repeated: Callable[[int], None]
) -> Iterator[NotedGame | RefusedGame]:
    """Yield the games of a text, each replayed, with the next number where it has none, and why others are refused.

    A text that cannot be read to its end ends with a refusal.

    A game of Pitboss that is repeated there is left out; `on_repeated` is called with its number. Games of other
    programs may be alike: boards of bridge without names, with the same contract and result.
    """
    seen = set[bytes]()
    number = 0
    for began, found in _list_found(importer, lines):
        if isinstance(found, RefusedGame):
            yield found
            continue
        number = number if found.game_id is None else found.game_id
        try:
            verify(found.record, registry.find_game(found.record.game))
        except (RecordError, ConfigError) as wrong:
            yield RefusedGame(began if importer in IMPORTERS else None, str(wrong))
            continue
        if importer in IMPORTERS:
            if (key := _digest_game(found.record)) in seen:
                on_repeated(number)
                continue
            seen.add(key)
        yield NotedGame(found.record, number)
        number += 1


def _list_found(importer: Importer, lines: Iterable[str]) -> Iterator[tuple[int, NotedGame | RefusedGame]]:
    """Yield what an importer finds, each with the line behind which the one before was complete."""
    read = 0

    def count_lines() -> Iterator[str]:
        nonlocal read
        for line in lines:
            read += 1
            yield line

    began = 1
    try:
        for found in importer.read(count_lines()):
            yield began, found
            began = read
    except RecordError as wrong:
        yield began, wrong if isinstance(wrong, RefusedGame) else RefusedGame(None, str(wrong))


def _digest_game(record: Record) -> bytes:
    """Return a digest of what tells a game from others: times and notes, which may have been left out, do not."""
    decisions = [(one.seat, one.action) for one in record.decisions]
    played = (record.game, record.options, record.seed, record.players, decisions)
    return sha256(msgspec.json.encode(played)).digest()
