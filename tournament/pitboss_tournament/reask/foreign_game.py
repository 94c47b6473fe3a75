"""A game of any file: of a store, of exported records, or of a text that an importer reads, also one without an end."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import Any, Final, NamedTuple

from msgspec import UNSET
from msgspec.structs import replace

from pitboss.errors import ConfigError, RefusedGame
from pitboss.foreign_input import InputRefused, read_json
from pitboss.plugins.registry import Registry
from pitboss.records.record import Record, StoppedGame, replay_states
from pitboss_tournament.exchange.importers import Importer, decode_lines, find_importer, read_games
from pitboss_tournament.reask.recorded_game import RecordedGame, is_store_file, load_recorded_game, make_from_record

QUOTED_REFUSALS: Final = 3
FIRST_LINE_BYTES: Final = 1 << 20  # of a file that may hold records


class NumberedGame(NamedTuple):
    """A game of a text and its number there."""

    game_id: int
    record: Record


def load_any_game(path: Path, game_id: int | None, registry: Registry) -> RecordedGame:
    """Return a game of a file.

    None: the first one with a fault, or the first of all; of a text of other programs the first one without an end.
    Games of a text are counted from 0, without those that cannot be read.

    Raises:
        ConfigError: there is no such file or game, or it cannot be read.
        RecordError: a line is no record.
        ReplayDiffers: a game without an end does not replay.
    """
    importer = find_importer(path, registry)
    if importer is None or not path.is_file() or is_store_file(path) or _has_records(path):
        recorded = load_recorded_game(path, game_id)
    else:
        found = _find_game(path, game_id, importer, registry)
        recorded = make_from_record(path, found.game_id, found.record)
    if recorded.record.broken is UNSET:
        return recorded
    return replace(recorded, open_seat=_find_open_seat(recorded.record, registry))


def _has_records(path: Path) -> bool:
    """Return whether a file begins with a record as `pitboss export` writes them."""
    with path.open("rb") as file:
        line = file.readline(FIRST_LINE_BYTES)
    try:
        return "game_version" in read_json(line, dict[str, Any])
    except InputRefused:
        return False


def _find_game(path: Path, game_id: int | None, importer: Importer, registry: Registry) -> NumberedGame:
    """Return the game with a number, or the first without an end, else the first."""
    refused: list[RefusedGame] = []
    first: NumberedGame | None = None
    count = 0
    with path.open("rb") as file:
        for one in read_games(importer, decode_lines(file, importer, path), registry, lambda _number: None):
            if isinstance(one, RefusedGame) and not isinstance(one, StoppedGame):
                refused.append(one)
                continue
            found = NumberedGame(count, one.record)
            if game_id == count or (game_id is None and one.record.broken is not UNSET):
                return found
            first = first or found
            count += 1
    if first is not None and game_id is None:
        return first
    wanted = "no game" if game_id is None else f"no game {game_id}"
    there = f"its games are numbered 0 to {count - 1}" if count else "none can be read"
    raise ConfigError("; ".join([f"{path}: there is {wanted}", there, *map(str, refused[:QUOTED_REFUSALS])]))


def _find_open_seat(record: Record, registry: Registry) -> int | None:
    """Return the seat on turn where a record stops; None if the game is over there, or its rules fail."""
    game = registry.find_game(record.game)
    last = len(record.decisions)
    state = next(islice(replay_states(record, game), last, None))
    return None if state.turn is None else state.turn.seat
