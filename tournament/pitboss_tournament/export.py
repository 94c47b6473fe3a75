"""What a store holds, for other programs: records or event logs as JSON lines, results as CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator

import msgspec
from msgspec.structs import replace

from pitboss import record as records
from pitboss.plugins import Registry
from pitboss.record import Record
from pitboss_tournament.store import Store

CSV_HEADINGS = (
    "game_id",
    "pairing",
    "deal",
    "rotation",
    "seed",
    "seat",
    "bot",
    "points",
    "place",
    "win",
    "fault",
    "decisions",
    "think_ms",
)


def record_lines(store: Store, with_times: bool) -> Iterator[str]:
    """Yield each game as one JSON object: its `game_id` and the fields of its record."""
    for number, record in store.records():
        fields = msgspec.to_builtins(record if with_times else without_times(record))
        yield msgspec.json.encode({"game_id": number, **fields}).decode()


def event_lines(store: Store, registry: Registry) -> Iterator[str]:
    """Yield each event of each game, with every hidden card, as one JSON object: `game_id`, its number in the game, the event.

    Raises:
        ReplayDiffers: a record does not replay.
    """
    for number, record in store.records():
        for at, event in enumerate(records.events(record, registry.game(record.game))):
            yield msgspec.json.encode({"game_id": number, "number": at, **msgspec.to_builtins(event)}).decode()


def csv_lines(store: Store, with_times: bool) -> Iterator[str]:
    """Yield a heading, then one line for each seat of each game, forfeits considered."""
    yield _csv_line(CSV_HEADINGS)
    for result, (number, record) in zip(store.results(), store.records(), strict=True):
        for seat, own in enumerate(result.seats):
            bot = store.header.bots[own.entrant]
            think = f"{own.think_us / 1000:.3f}" if with_times else ""
            where = (number, result.pairing, result.deal, result.rotation, record.seed, seat, bot)
            yield _csv_line((*where, own.points, own.place, own.win, own.fault or "", own.decisions, think))


def without_times(record: Record) -> Record:
    """Return the record with all thinking times zero: two runs of the same tournament then export the same bytes."""
    return replace(record, decisions=[replace(decision, us=0) for decision in record.decisions])


def _csv_line(values: tuple[object, ...]) -> str:
    line = io.StringIO()
    csv.writer(line, lineterminator="").writerow(values)
    return line.getvalue()
