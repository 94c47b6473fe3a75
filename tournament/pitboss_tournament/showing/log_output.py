"""The logs of a game as plain data: `pitboss log --json`."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import Annotated, Any, Final

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from pitboss.errors import ConfigError
from pitboss.foreign_input import InputRefused, read_json
from pitboss.records.record import Record
from pitboss_tournament.models.calls import CallRow
from pitboss_tournament.store.rows import StoredLog, split_wire
from pitboss_tournament.text.terminal_text import decode_text

MAX_LEGAL_LISTED: Final = 3  # actions
_TO_BOT: Final = b" > {"  # of a line of the wire, between the time and what the runner said
_FROM_BOT: Final = b" < {"


class SeatLogOutput(Struct, frozen=True, kw_only=True):
    """The logs of a seat; what was not asked for, or is not kept, is left out."""

    seat: int
    bot: str
    errors: Annotated[str | UnsetType, Meta(description="What it wrote to standard error.")] = UNSET
    wire: Annotated[
        list[str] | UnsetType,
        Meta(description="The lines exchanged; with --brief without what questions repeat."),
    ] = UNSET
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


def shorten_wire(log: StoredLog) -> StoredLog:
    """Return the log without what its questions repeat.

    A question has what differs from the question before: of its view those entries, under `view_changes`. A list of
    more than `MAX_LEGAL_LISTED` legal actions is a number, `legal_count`; the answer then has the action, `chosen`.
    Lines that were cut, and other messages, stay as they are.
    """
    lines = log.wire.split(b"\n")
    last: dict[str, Any] = {}
    for number, line in enumerate(lines):
        before, sign, text = line.partition(_TO_BOT)
        if sign:
            question = _read_message(b"{" + text, "decide")
            if question is not None:
                lines[number] = before + sign[:-1] + msgspec.json.encode(_leave_out_known(question, last))
                last = question
            continue
        before, sign, text = line.partition(_FROM_BOT)
        answer = _read_message(b"{" + text, "act") if sign else None
        legal = last.get("legal", [])
        if answer is not None and len(legal) > MAX_LEGAL_LISTED and answer.get("choose") in range(len(legal)):
            lines[number] = before + sign[:-1] + msgspec.json.encode({**answer, "chosen": legal[answer["choose"]]})
    return StoredLog(log.seat, log.errors, b"\n".join(lines))


def _leave_out_known(question: dict[str, Any], last: dict[str, Any]) -> dict[str, Any]:
    """Return a question without what was as it is in the last one."""
    shorter = dict[str, Any]()
    for key, value in question.items():
        if key == "legal" and len(value) > MAX_LEGAL_LISTED:
            shorter["legal_count"] = len(value)
        elif key == "view" and isinstance(value, dict) and isinstance(known := last.get(key), dict):
            changed = {name: seen for name, seen in value.items() if name not in known or known[name] != seen}
            shorter["view_changes"] = changed
        elif key in ("type", "id", "legal") or key not in last or last[key] != value:
            shorter[key] = value
    return shorter


def _read_message(text: bytes, kind: str) -> dict[str, Any] | None:
    """Return a message of this type; None if the text is none."""
    try:
        message = read_json(text, dict[str, Any])
    except InputRefused:
        return None
    return message if message.get("type") == kind and isinstance(message.get("legal", []), list) else None


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
