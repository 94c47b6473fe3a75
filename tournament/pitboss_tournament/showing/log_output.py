"""The logs of a game as plain data: `pitboss log --json`."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType

from pitboss.errors import ConfigError
from pitboss.records.record import Record
from pitboss_tournament.models.calls import CallRow
from pitboss_tournament.store.rows import StoredLog, split_wire
from pitboss_tournament.text.terminal_text import decode_text


class SeatLogOutput(Struct, frozen=True, kw_only=True):
    """The logs of a seat; what was not asked for, or is not kept, is left out."""

    seat: int
    bot: str
    errors: Annotated[str | UnsetType, Meta(description="What it wrote to standard error.")] = UNSET
    wire: Annotated[list[str] | UnsetType, Meta(description="The lines exchanged.")] = UNSET
    models: Annotated[list[CallRow] | UnsetType, Meta(description="What it asked its language model.")] = UNSET


class LogOutput(Struct, frozen=True, kw_only=True):
    """The logs of a game."""

    game_id: int
    game: str
    seed: str
    logs: list[SeatLogOutput]


def describe_logs(
    game_id: int, record: Record, logs: Sequence[StoredLog], wanted: Collection[str], calls: Sequence[CallRow]
) -> LogOutput:
    """Return all that `pitboss log --json` writes; `wanted` are parts of the logs: errors, wire."""
    by_seat = {one.seat: one for one in logs}
    seats = sorted({*by_seat, *(call.place.seat for call in calls)})
    said = [_describe_seat(record.players[seat], seat, by_seat.get(seat), wanted, calls) for seat in seats]
    return LogOutput(game_id=game_id, game=record.game, seed=record.seed, logs=said)


def cut_to_question(log: StoredLog, question: int, place: str) -> StoredLog:
    """Return the log with the wire of one question of its seat alone; `place` names the decision.

    Raises:
        ConfigError: these lines are not kept.
    """
    lines = log.wire.splitlines(keepends=True)
    asked = [number for number, line in enumerate(lines) if b' > {"type":"decide",' in line]
    ids = {int(found[1]): number for number in asked if (found := re.search(rb'"id":(\d+)', lines[number]))}
    if question not in ids:
        raise ConfigError(f"the log has no question of {place}: it was not put to the bot, or these lines are not kept")
    first = ids[question]
    end = next((number for number in asked if number > first), len(lines))
    return StoredLog(log.seat, log.errors, b"".join(lines[first:end]))


def _describe_seat(
    bot: str, seat: int, log: StoredLog | None, wanted: Collection[str], calls: Sequence[CallRow]
) -> SeatLogOutput:
    return SeatLogOutput(
        seat=seat,
        bot=bot,
        errors=UNSET if log is None or "errors" not in wanted else decode_text(log.errors),
        wire=UNSET if log is None or "wire" not in wanted else split_wire(log),
        models=[call for call in calls if call.place.seat == seat] or UNSET,
    )
