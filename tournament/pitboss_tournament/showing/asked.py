"""A question that was asked again, for people: the table as the bot saw it, what was legal, what it did then and what it does now."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import median

from pitboss.game import AnyState
from pitboss.picture import WIDTH, filled, picture
from pitboss.record import Record
from pitboss.wire import Fault
from pitboss_tournament.asking.again import Asked, Session
from pitboss_tournament.planning.wording import counted, listed
from pitboss_tournament.showing.words import action_text, harmless, harmless_lines, quoted

MARGIN = "  | "


def question_lines(record: Record, state: AnyState, seat: int, width: int | None) -> Iterator[str]:
    """Yield what the bot in a seat saw, and what was legal."""
    yield from picture(state, seat, record.players, width or WIDTH)
    legal = state.legal()
    yield f"legal were {len(legal):,}:"
    said = [f"{index}: {action_text(action)}" for index, action in enumerate(legal)]
    yield from (f"  {line}" for line in filled(said, "   ", (width or WIDTH) - 2))


def answer_lines(sessions: Sequence[Session], width: int | None) -> Iterator[str]:
    """Yield what was played then, and what is answered now, one time or several."""
    asked = sessions[0].asked
    yield from _labelled("then", _then(asked), width)
    if asked.decided.then.note:
        yield from _labelled("", f"note: {asked.decided.then.note}", width)
    if len(sessions) == 1:
        yield from _labelled("now", f"{_now(asked)}  [{asked.us / 1000:.1f} ms]", width)
        if asked.note:
            yield from _labelled("", f"note: {asked.note}", width)
        return
    kinds: dict[str, list[Asked]] = {}
    for session in sessions:
        kinds.setdefault(_now(session.asked), []).append(session.asked)
    for what, ones in sorted(kinds.items(), key=lambda kind: -len(kind[1])):
        times = [one.us / 1000 for one in ones]
        span = f"{min(times):.1f} to {max(times):.1f} ms, the median {median(times):.1f} ms"
        yield from _labelled("now", f"{counted(len(ones), 'time')}: {what}  [{span}]", width)


def error_lines(session: Session, width: int | None) -> Iterator[str]:
    """Yield what the bot wrote to standard error, from the question on."""
    yield f"standard error{':' if session.errors else ': nothing'}"
    for line in harmless_lines(session.errors) if session.errors else ():
        yield from quoted(line, MARGIN, width)


def wire_lines(session: Session, width: int | None) -> Iterator[str]:
    """Yield the lines exchanged."""
    yield "the wire (seconds, > to the bot, < from it):"
    for line in harmless_lines(session.wire):
        yield from quoted(line, MARGIN, width)


def earlier_lines(session: Session) -> Iterator[str]:
    """Yield where it has answered earlier questions otherwise than then."""
    other = [asked for asked in session.earlier if asked.differs]
    if not session.earlier:
        return
    if not other:
        yield f"It was asked {_earlier(session)} first, and answered as then."
        return
    yield f"It was asked {_earlier(session)} first, and answered {len(other)} otherwise than then (the game went on as recorded):"
    for asked in other:
        yield f"  {asked.decided.number}. then: {_then(asked)}; now: {_now(asked)}"


def as_sentence(record: Record, seat: int, sessions: Sequence[Session]) -> str:
    """Return whose question it is."""
    asked = sessions[0].asked
    return f"decision {asked.decided.number}: seat {seat} ({record.players[seat]}), {asked.phase}"


def _earlier(session: Session) -> str:
    numbers = [asked.decided.number for asked in session.earlier]
    return f"its {counted(len(numbers), 'earlier question')}" + (f" ({listed(numbers, 'and')})" if len(numbers) <= 3 else "")


def _then(asked: Asked) -> str:
    then, incident = asked.decided.then, asked.decided.incident
    if incident is not None:
        return f"{_wrong(incident.fault)}; {action_text(then.action)} was played for it  [{incident.us / 1000:.1f} ms]"
    return f"{action_text(then.action)}  [{then.us / 1000:.1f} ms]"


def _now(asked: Asked) -> str:
    if asked.fault is not None:
        return _wrong(asked.fault)
    return f"{asked.choice}: {action_text(asked.action)}{'' if asked.differs else ', as then'}"


def _wrong(fault: Fault) -> str:
    return f"{fault.kind}: {harmless(fault.message)}"


def _labelled(label: str, text: str, width: int | None) -> Iterator[str]:
    """Yield a foreign text behind a label, so that nothing in it can be taken for a word of ours."""
    yield from quoted(text, " " * 6, width, first=f"{label + ':' if label else '':6}")
