"""Export of a store: records, events, incidents or logs as JSON lines, results as CSV or Parquet."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from itertools import chain, islice, repeat
from pathlib import Path
from typing import Final, TypeAlias

import msgspec
from msgspec import Struct
from msgspec.structs import asdict, astuple, fields, replace

from pitboss.errors import ConfigError
from pitboss.plugins.registry import Registry
from pitboss.records import record as records
from pitboss.records.notation import NotedGame, format_notation
from pitboss.records.record import Incident, Record
from pitboss.text import escape_json
from pitboss_tournament.statistics.scoring import GameResult
from pitboss_tournament.statistics.times_of_games import list_quantiles_ms
from pitboss_tournament.store.database import StoreError
from pitboss_tournament.store.rows import StoredLog, split_wire
from pitboss_tournament.store.store import Store
from pitboss_tournament.text.columns import format_guarded_lines, guard_cell
from pitboss_tournament.text.terminal_text import decode_text

PARQUET_ROWS = 10_000  # held in memory at a time
MAX_EXPORTED_AT_ONCE: Final = 1_000  # whose times are read together

_ListedGame: TypeAlias = tuple[GameResult, str, int | None]  # with its seed and its round


class SeatRow(Struct, frozen=True):
    """Result of one seat in one game, forfeits considered: a line of CSV, a row of Parquet."""

    game_id: int
    round: int | None  # of the format, from 1; empty if the format is not installed here
    pairing: int
    deal: int
    rotation: int
    seed: str
    seat: int
    bot: str
    points: float
    place: int
    win: float
    fault: str | None  # the kind of fault by which it forfeited
    substituted: int  # decisions that the neutral action was played for, the game going on
    decisions: int  # its own: those that were played for it are not counted
    think_ms: float | None  # all decisions together
    think_p50_ms: float | None  # half of the decisions took no longer, to within 5 %
    think_p99_ms: float | None
    lag_p99_ms: float | None  # of the whole game: by how much the runner was late to read answers


def record_lines(store: Store, with_times: bool) -> Iterator[str]:
    """Yield each game as one JSON object: its `game_id` and the fields of its record."""
    for number, record in store.records():
        yield record_line(number, record if with_times else strip_times(record))


def record_line(number: int, record: Record) -> str:
    """Return a game as one JSON object: its `game_id` and the fields of its record."""
    return _format_json({"game_id": number, **msgspec.to_builtins(record)})


def event_lines(store: Store, registry: Registry) -> Iterator[str]:
    """Yield each event of each game, with every hidden card, as one JSON object.

    It has `game_id`, the number of the event in the game, and the event.

    Raises:
        ReplayDiffers: a record does not replay.
    """
    for number, record in store.records():
        for at, event in enumerate(records.replay_events(record, registry.find_game(record.game))):
            yield _format_json({"game_id": number, "number": at, **msgspec.to_builtins(event)})


def incident_lines(store: Store, with_times: bool) -> Iterator[str]:
    """Yield each incident as one JSON object: `game_id`, `bot`, and the incident as the record has it."""
    for number, record in store.records():
        for incident in (record if with_times else strip_times(record)).incidents:
            bot = record.players[incident.fault.seat]
            yield _format_json({"game_id": number, "bot": bot, **msgspec.to_builtins(incident)})


def notation_lines(store: Store, with_times: bool) -> Iterator[str]:
    """Yield each game in notation, as one text of several lines."""
    for number, record in store.records():
        yield format_notation(NotedGame(record if with_times else strip_times(record), number))


def log_lines(store: Store) -> Iterator[str]:
    """Yield each kept log as one JSON object: `game_id`, `seat`, `errors` (a text), `wire` (a list of lines)."""
    for number, log in store.all_logs():
        yield _format_json({"game_id": number, "seat": log.seat, **decode_log(log)})


def decode_log(log: StoredLog) -> dict[str, object]:
    """Return `errors`, a text, and `wire`, a list of lines, of a log. Bytes that are not UTF-8 are escaped."""
    return {
        "errors": decode_text(log.errors),
        "wire": split_wire(log),
    }


def seat_rows(
    store: Store,
    with_times: bool,
    rounds: Iterable[int | None] = repeat(None),
    write_text: Callable[[str], str] = str,
) -> Iterator[SeatRow]:
    """Yield a row for each seat of each game, its texts as `write_text` returns them."""
    labels = list(map(write_text, store.header.labels))
    for games in _batch_games(zip(store.results(), map(write_text, store.seeds()), rounds, strict=False)):
        thinking, lags = _list_quantiles([result for result, *_ in games], with_times)
        for (result, seed, number), (lag,) in zip(games, lags, strict=False):
            for seat, own in enumerate(result.seats):
                median, highest = next(thinking)
                yield SeatRow(
                    result.game_id,
                    number,
                    result.pairing,
                    result.deal,
                    result.rotation,
                    seed,
                    seat,
                    labels[own.entrant],
                    own.points,
                    own.place,
                    own.win,
                    own.fault and write_text(own.fault),
                    sum(own.substituted.values()) if own.substituted else 0,
                    own.decisions,
                    own.think_us / 1000 if with_times else None,
                    median,
                    highest,
                    lag,
                )


def _batch_games(games: Iterable[_ListedGame]) -> Iterator[list[_ListedGame]]:
    """Yield games, MAX_EXPORTED_AT_ONCE together; of games of which one cannot be read, first those before it."""
    batch: list[_ListedGame] = []
    try:
        for game in games:
            batch.append(game)
            if len(batch) == MAX_EXPORTED_AT_ONCE:
                yield batch
                batch = []
    except StoreError:
        yield batch
        raise
    yield batch


def _list_quantiles(
    results: Sequence[GameResult], with_times: bool
) -> tuple[Iterator[Sequence[float | None]], Iterator[Sequence[float | None]]]:
    """Return the median and the 99th percentile of each seat, game by game, and the latter of the lag of each game."""
    if not with_times:
        return repeat((None, None)), repeat((None,))
    thinking = list_quantiles_ms([own.think for result in results for own in result.seats], 0.5, 0.99)
    return iter(thinking), iter(list_quantiles_ms([result.lag for result in results], 0.99))


def csv_lines(store: Store, with_times: bool, rounds: Iterable[int | None] = repeat(None)) -> Iterator[str]:
    """Yield a header, then one line for each seat of each game."""
    rows = map(astuple, seat_rows(store, with_times, rounds, guard_cell))
    yield from format_guarded_lines(chain([SeatRow.__struct_fields__], rows))


def write_parquet(store: Store, with_times: bool, path: Path, rounds: Iterable[int | None] = repeat(None)) -> None:
    """Write a row for each seat of each game to a Parquet file.

    Raises:
        ConfigError: pyarrow is not installed.
        OSError: the file cannot be written.
    """
    try:
        import pyarrow as pa  # noqa: PLC0415 - an extra
        from pyarrow import parquet  # noqa: PLC0415 - an extra
    except ImportError:
        raise ConfigError("Parquet needs pyarrow: pitboss install 'pitboss[parquet]'") from None
    kinds = {
        int: pa.int64(),
        int | None: pa.int64(),
        float: pa.float64(),
        str: pa.string(),
        str | None: pa.string(),
        float | None: pa.float64(),
    }
    schema = pa.schema([(field.name, kinds[field.type]) for field in fields(SeatRow)])
    lines = seat_rows(store, with_times, rounds)
    with parquet.ParquetWriter(path, schema) as writer:
        while rows := [asdict(line) for line in islice(lines, PARQUET_ROWS)]:
            writer.write_table(pa.Table.from_pylist(rows, schema))


def strip_times(record: Record) -> Record:
    """Return the record with all times zero and faults reduced to their message.

    Two runs of a tournament so export the same bytes.
    """
    return replace(
        record,
        decisions=[replace(decision, us=0) for decision in record.decisions],
        incidents=[Incident(fault=incident.fault) for incident in record.incidents],
    )


def digest_records(store: Path) -> tuple[int, str]:
    """Return the number of games in a store, and SHA-256 of their records, without their times, in their order.

    Raises:
        StoreError: they cannot be read.
    """
    digest, games = hashlib.sha256(), 0
    with closing(Store(store)) as opened:
        for _, record in opened.records():
            digest.update(records.dumps(strip_times(record)) + b"\n")
            games += 1
    return games, digest.hexdigest()


def _format_json(value: object) -> str:
    return escape_json(msgspec.json.encode(value).decode())
