"""The evidence of a fault, for people: the verdict, the clock, what was legal, the last lines exchanged and the last words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from pitboss.picture import WIDTH, filled
from pitboss.record import Incident
from pitboss.wire import ClockName
from pitboss_tournament.showing.words import action_text, harmless_lines, quoted

MOST_LEGAL: Final = 24
MARGIN: Final = "     | "

VERDICTS: Final = {"forfeit": "forfeited", "substitute": "substituted"}
_MEANINGS: Final = {
    "forfeit": "forfeit; the neutral action is played for the seat to the end",
    "substitute": "substitute; the neutral action is played in place of this decision only",
}
_CLOCKS: Final[dict[ClockName, str]] = {
    "start": "start_ms, from the start of the process to its ready",
    "decision": "decision_ms, for each decision",
    "game": "game_ms, for all decisions of the game together",
}


def evidence(incident: Incident, legal: Sequence[Any], width: int | None) -> Iterator[str]:
    """Yield the lines; what the bot said stands behind a margin, so that none of it can be taken for a word of ours."""
    fault = incident.fault
    yield from quoted(f"{fault.kind}: {fault.message}", "     ", width, first="   ")
    yield f"   verdict after {incident.us / 1000:,.0f} ms: {_MEANINGS[fault.verdict]}"
    if fault.clock is not None:
        yield f"   the clock: {_CLOCKS[fault.clock]}"
    if legal:
        yield from _legal(legal, width)
    if incident.exchange:
        yield "   the last lines exchanged (> to the bot, < from it):"
        for line in incident.exchange:
            yield from quoted(line, MARGIN, width)
    if incident.last_words.strip():
        yield "   the end of what it wrote to standard error:"
        for line in harmless_lines(incident.last_words):
            yield from quoted(line, MARGIN, width)


def _legal(legal: Sequence[Any], width: int | None) -> Iterator[str]:
    said = [f"{index}: {action_text(action)}" for index, action in enumerate(legal[:MOST_LEGAL])]
    if len(legal) > MOST_LEGAL:
        said.append(f"and {len(legal) - MOST_LEGAL:,} more")
    yield f"   legal were {len(legal):,}:"
    yield from (f"     {line}" for line in filled(said, "   ", (width or WIDTH) - 5))
