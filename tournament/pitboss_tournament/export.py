"""What a store holds, for other programs: records or event logs as JSON lines, results as CSV or Parquet."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

import msgspec
from msgspec import Struct
from msgspec.structs import asdict, astuple, fields, replace

from pitboss import record as records
from pitboss.errors import ConfigError
from pitboss.plugins import Registry
from pitboss.record import Record
from pitboss_tournament.store import Store

PARQUET_ROWS = 10_000  # held in memory at a time


class SeatLine(Struct, frozen=True):
    """What one game came to for one seat, forfeits considered: a line of CSV, a row of Parquet."""

    game_id: int
    pairing: int
    deal: int
    rotation: int
    seed: str
    seat: int
    bot: str
    points: float
    place: int
    win: float
    fault: str | None
    decisions: int
    think_ms: float | None


def record_lines(store: Store, with_times: bool) -> Iterator[str]:
    """Yield each game as one JSON object: its `game_id` and the fields of its record."""
    for number, record in store.records():
        parts = msgspec.to_builtins(record if with_times else without_times(record))
        yield msgspec.json.encode({"game_id": number, **parts}).decode()


def event_lines(store: Store, registry: Registry) -> Iterator[str]:
    """Yield each event of each game, with every hidden card, as one JSON object: `game_id`, its number in the game, the event.

    Raises:
        ReplayDiffers: a record does not replay.
    """
    for number, record in store.records():
        for at, event in enumerate(records.events(record, registry.game(record.game))):
            yield msgspec.json.encode({"game_id": number, "number": at, **msgspec.to_builtins(event)}).decode()


def seat_lines(store: Store, with_times: bool) -> Iterator[SeatLine]:
    """Yield a line for each seat of each game."""
    for result, (number, record) in zip(store.results(), store.records(), strict=True):
        for seat, own in enumerate(result.seats):
            yield SeatLine(
                game_id=number,
                pairing=result.pairing,
                deal=result.deal,
                rotation=result.rotation,
                seed=record.seed,
                seat=seat,
                bot=store.header.bots[own.entrant],
                points=own.points,
                place=own.place,
                win=own.win,
                fault=own.fault,
                decisions=own.decisions,
                think_ms=own.think_us / 1000 if with_times else None,
            )


def csv_lines(store: Store, with_times: bool) -> Iterator[str]:
    """Yield a heading, then one line for each seat of each game."""
    yield _csv_line(SeatLine.__struct_fields__)
    for line in seat_lines(store, with_times):
        yield _csv_line(astuple(line))


def write_parquet(store: Store, with_times: bool, path: Path) -> None:
    """Write a row for each seat of each game to a Parquet file.

    Raises:
        ConfigError: pyarrow is not installed.
        OSError: the file cannot be written.
    """
    try:
        import pyarrow as pa
        from pyarrow import parquet
    except ImportError:
        raise ConfigError("Parquet needs pyarrow: pip install 'pitboss[parquet]'") from None
    kinds = {int: pa.int64(), float: pa.float64(), str: pa.string(), str | None: pa.string(), float | None: pa.float64()}
    schema = pa.schema([(field.name, kinds[field.type]) for field in fields(SeatLine)])
    lines = seat_lines(store, with_times)
    with parquet.ParquetWriter(path, schema) as writer:
        while rows := [asdict(line) for line in islice(lines, PARQUET_ROWS)]:
            writer.write_table(pa.Table.from_pylist(rows, schema))


def without_times(record: Record) -> Record:
    """Return the record with all thinking times zero: two runs of the same tournament then export the same bytes."""
    return replace(record, decisions=[replace(decision, us=0) for decision in record.decisions])


def _csv_line(values: Sequence[object]) -> str:
    line = io.StringIO()
    csv.writer(line, lineterminator="").writerow(values)
    return line.getvalue()
