"""Questions that were asked again, as text and as plain data: what was observed and legal, the answers then and now."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import median
from typing import Annotated, Any

from msgspec import Meta, Struct

from pitboss.game import AnyState, render_state
from pitboss.protocol.faults import Fault
from pitboss.records.record import Record
from pitboss.rendering.table_text import DEFAULT_WIDTH
from pitboss.text import format_count, join_words
from pitboss_tournament.reask.reask import ReaskedDecision, ReaskResult
from pitboss_tournament.reask.recorded_game import RecordedGame
from pitboss_tournament.results.fault_evidence import legal_lines
from pitboss_tournament.text.terminal_text import action_text, escape_line, escape_lines, set_behind_margin

REASK_MARGIN = "  | "


def question_lines(record: Record, state: AnyState, seat: int, width: int | None) -> Iterator[str]:
    """Yield the rendering for the seat and the legal actions."""
    yield from render_state(state, seat, record.players, width or DEFAULT_WIDTH)
    legal = state.legal()
    yield f"legal were {len(legal):,}:"
    yield from legal_lines(legal, "  ", width)


def answer_lines(sessions: Sequence[ReaskResult], width: int | None) -> Iterator[str]:
    """Yield the recorded action and the answers now, equal ones counted."""
    asked = sessions[0].asked
    if asked.original.then is not None:
        yield from _label_lines("then", _recorded_text(asked), width)
        if asked.original.then.note:
            yield from _label_lines("", f"note: {asked.original.then.note}", width)
    if len(sessions) == 1:
        yield from _label_lines("now", f"{_reasked_text(asked)}  [{asked.us / 1000:.1f} ms]", width)
        if asked.note:
            yield from _label_lines("", f"note: {asked.note}", width)
        return
    kinds: dict[str, list[ReaskedDecision]] = {}
    for session in sessions:
        kinds.setdefault(_reasked_text(session.asked), []).append(session.asked)
    for what, ones in sorted(kinds.items(), key=lambda kind: -len(kind[1])):
        times = [one.us / 1000 for one in ones]
        span = f"{min(times):.1f} to {max(times):.1f} ms, the median {median(times):.1f} ms"
        yield from _label_lines("now", f"{format_count(len(ones), 'time')}: {what}  [{span}]", width)


def error_lines(session: ReaskResult, width: int | None) -> Iterator[str]:
    """Yield the bot's standard error from the question on."""
    yield f"standard error{':' if session.errors else ': nothing'}"
    for line in escape_lines(session.errors) if session.errors else ():
        yield from set_behind_margin(line, REASK_MARGIN, width)


def wire_lines(session: ReaskResult, width: int | None) -> Iterator[str]:
    """Yield the lines exchanged."""
    yield "the wire (seconds, > to the bot, < from it):"
    for line in escape_lines(session.wire):
        yield from set_behind_margin(line, REASK_MARGIN, width)


def earlier_lines(session: ReaskResult) -> Iterator[str]:
    """Yield a summary of the earlier questions and the answers that differ."""
    other = [asked for asked in session.earlier if asked.differs]
    if not session.earlier:
        return
    if not other:
        yield f"It was asked {_earlier_questions(session)} first, and answered as then."
        return
    yield (
        f"It was asked {_earlier_questions(session)} first, "
        f"and answered {len(other)} otherwise than then (the game went on as recorded):"
    )
    for asked in other:
        yield f"  {asked.original.number}. then: {_recorded_text(asked)}; now: {_reasked_text(asked)}"


def question_title(record: Record, seat: int, sessions: Sequence[ReaskResult]) -> str:
    """Return the heading of the question."""
    asked = sessions[0].asked
    return f"decision {asked.original.number}: seat {seat} ({record.players[seat]}), {asked.phase}"


def _earlier_questions(session: ReaskResult) -> str:
    numbers = [asked.original.number for asked in session.earlier]
    which = f" ({join_words(numbers, 'and')})" if len(numbers) <= 3 else ""
    return f"its {format_count(len(numbers), 'earlier question')}{which}"


def _recorded_text(asked: ReaskedDecision) -> str:
    then, incident = asked.original.then, asked.original.incident
    assert then is not None
    if incident is not None:
        substitute = f"{action_text(then.action)} was played for it"
        return f"{_fault_text(incident.fault)}; {substitute}  [{incident.us / 1000:.1f} ms]"
    return f"{action_text(then.action)}  [{then.us / 1000:.1f} ms]"


def _reasked_text(asked: ReaskedDecision) -> str:
    if asked.fault is not None:
        return _fault_text(asked.fault)
    chosen = "an open action" if asked.choice is None else str(asked.choice)
    as_then = "" if asked.differs or asked.original.then is None else ", as then"
    return f"{chosen}: {action_text(asked.action)}{as_then}"


def _fault_text(fault: Fault) -> str:
    return f"{fault.kind}: {escape_line(fault.message)}"


def _label_lines(label: str, text: str, width: int | None) -> Iterator[str]:
    """Yield a quoted text behind a label."""
    yield from set_behind_margin(text, " " * 6, width, first=f"{label + ':' if label else '':6}")


class AskAnswer(Struct, frozen=True, kw_only=True):
    """What a bot answered to a question, then or now."""

    choose: Annotated[
        int | None, Meta(description="The index of the action that the bot chooses; null: a fault, or an open action.")
    ]
    action: Any
    us: int
    note: str | None
    fault: Fault | None


class AskedAgain(AskAnswer, frozen=True, kw_only=True):
    """An answer of now, with what the bot's process said."""

    errors: Annotated[str, Meta(description="What it wrote to standard error.")]
    wire: Annotated[list[str], Meta(description="The lines exchanged.")]


class EarlierAnswer(Struct, frozen=True, kw_only=True):
    """An earlier question of the game, which was asked again before."""

    decision: int
    phase: str
    then: AskAnswer | None
    now: AskAnswer


class AskOutput(Struct, frozen=True, kw_only=True):
    """A recorded question, and the answers to it."""

    game_id: int
    game: str
    seed: str
    bot: str
    seat: int
    decision: int
    phase: str
    legal: list[Any]
    then: Annotated[AskAnswer | None, Meta(description="null: the record stops at this question.")]
    answers: list[AskedAgain]
    earlier: list[EarlierAnswer]


def describe_reask(recorded: RecordedGame, bot: str, seat: int, found: Sequence[ReaskResult]) -> AskOutput:
    """Return all that `pitboss ask --json` writes."""
    first = found[0].asked
    return AskOutput(
        game_id=recorded.game_id,
        game=recorded.record.game,
        seed=recorded.record.seed,
        bot=bot,
        seat=seat,
        decision=first.original.number,
        phase=first.phase,
        legal=first.legal,
        then=_then(first),
        answers=[
            AskedAgain(
                choose=one.asked.choice,
                action=one.asked.action,
                us=one.asked.us,
                note=one.asked.note,
                fault=one.asked.fault,
                errors=one.errors,
                wire=one.wire.splitlines(),
            )
            for one in found
        ],
        earlier=[
            EarlierAnswer(decision=one.original.number, phase=one.phase, then=_then(one), now=_now(one))
            for one in found[0].earlier
        ],
    )


def _then(asked: ReaskedDecision) -> AskAnswer | None:
    then, incident = asked.original.then, asked.original.incident
    if then is None:
        return None
    return AskAnswer(
        choose=asked.original_choice,
        action=then.action,
        us=(incident or then).us,
        note=then.note,
        fault=None if incident is None else incident.fault,
    )


def _now(asked: ReaskedDecision) -> AskAnswer:
    return AskAnswer(choose=asked.choice, action=asked.action, us=asked.us, note=asked.note, fault=asked.fault)
