"""Evidence of a fault as text: verdict, clock, legal actions, last messages and the end of standard error."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from pitboss.protocol.faults import ClockName, FaultVerdict
from pitboss.record import Incident
from pitboss.table.rendering import DEFAULT_WIDTH
from pitboss.text import wrap_words
from pitboss_tournament.text.terminal import action_text, escape_lines, quote_line

MOST_LEGAL: Final = 24
MARGIN: Final = "     | "

VERDICT_WORDS: Final[dict[FaultVerdict, str]] = {"forfeit": "forfeited", "substitute": "substituted"}
_VERDICT_MEANINGS: Final[dict[FaultVerdict, str]] = {
    "forfeit": "forfeit; the neutral action is played for the seat to the end",
    "substitute": "substitute; the neutral action is played in place of this decision only",
}
_CLOCKS: Final[dict[ClockName, str]] = {
    "start": "start_ms, from the start of the process to its ready",
    "decision": "decision_ms, for each decision",
    "game": "game_ms, for all decisions of the game together",
}


def evidence_lines(incident: Incident, legal: Sequence[Any], width: int | None) -> Iterator[str]:
    """Yield the lines; text of the bot stands behind a margin, so that it cannot be mistaken for ours."""
    fault = incident.fault
    yield from quote_line(f"{fault.kind}: {fault.message}", "     ", width, first="   ")
    yield f"   verdict after {incident.us / 1000:,.0f} ms: {_VERDICT_MEANINGS[fault.verdict]}"
    if fault.clock is not None:
        yield f"   the clock: {_CLOCKS[fault.clock]}"
    if legal:
        yield from _legal_lines(legal, width)
    if incident.exchange:
        yield "   the last lines exchanged (> to the bot, < from it):"
        for line in incident.exchange:
            yield from quote_line(line, MARGIN, width)
    if incident.last_words.strip():
        yield "   the end of what it wrote to standard error:"
        for line in escape_lines(incident.last_words):
            yield from quote_line(line, MARGIN, width)


def _legal_lines(legal: Sequence[Any], width: int | None) -> Iterator[str]:
    said = [f"{index}: {action_text(action)}" for index, action in enumerate(legal[:MOST_LEGAL])]
    if len(legal) > MOST_LEGAL:
        said.append(f"and {len(legal) - MOST_LEGAL:,} more")
    yield f"   legal were {len(legal):,}:"
    yield from (f"     {line}" for line in wrap_words(said, "   ", (width or DEFAULT_WIDTH) - 5))
