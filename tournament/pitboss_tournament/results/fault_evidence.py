"""Evidence of a fault as text: verdict, clock, legal actions, last messages and the end of standard error."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from pitboss.protocol.faults import ClockName, Fault, FaultVerdict
from pitboss.records.record import Incident
from pitboss.rendering.table_text import DEFAULT_WIDTH
from pitboss.text import wrap_words
from pitboss_tournament.plan.paths import BOT_FILE, PYTHON
from pitboss_tournament.store.header import Header
from pitboss_tournament.text.fault_advice import diagnose_fault, excerpt_lines
from pitboss_tournament.text.terminal_text import action_text, escape_line, escape_lines, set_behind_margin

MAX_LEGAL: Final = 24
EVIDENCE_MARGIN: Final = "     | "
EXCERPT_LINES: Final = 2  # of each end of standard error

VERDICT_WORDS: Final[dict[FaultVerdict, str]] = {"forfeit": "forfeited", "substitute": "substituted"}
_VERDICT_MEANINGS: Final[dict[FaultVerdict, str]] = {
    "forfeit": "forfeit; it is asked no more, and the neutral action is played in its place to the end",
    "substitute": "substitute; the neutral action is played in place of this decision only",
}
_CLOCKS: Final[dict[ClockName, str]] = {
    "start": "start_ms, from the start of the process to its ready",
    "decision": "decision_ms, for each decision",
    "game": "game_ms, for all decisions of the game together",
}


class EvidenceLine(NamedTuple):
    """A line of the evidence of a fault."""

    text: str
    is_quoted: bool = False  # exchanged with the bot, or written by it: shown so that it cannot be mistaken for ours


def tell_judgement(incident: Incident) -> Iterator[EvidenceLine]:
    """Yield what the fault was, when and how it was judged, and by which clock."""
    fault = incident.fault
    yield EvidenceLine(f"{fault.kind}: {fault.message}")
    yield EvidenceLine(f"judged after {incident.us / 1000:,.0f} ms: {_VERDICT_MEANINGS[fault.verdict]}")
    if fault.clock is not None:
        yield EvidenceLine(f"the clock: {_CLOCKS[fault.clock]}")


def quote_bot(incident: Incident) -> Iterator[EvidenceLine]:
    """Yield the last lines exchanged, and the end of standard error."""
    if incident.exchange:
        yield EvidenceLine("the last lines exchanged (> to the bot, < from it):")
        yield from (EvidenceLine(line, is_quoted=True) for line in incident.exchange)
    if incident.last_words.strip():
        yield EvidenceLine("the end of what it wrote to standard error:")
        yield from (EvidenceLine(line, is_quoted=True) for line in escape_lines(incident.last_words))


def evidence_lines(incident: Incident, legal: Sequence[Any], width: int | None) -> Iterator[str]:
    """Yield the evidence as lines for a terminal; text of the bot has a margin before it."""
    for line in tell_judgement(incident):
        yield from _fold_evidence(line, width)
    if legal:
        yield f"   legal were {len(legal):,}:"
        yield from legal_lines(legal, "     ", width, MAX_LEGAL)
    for line in quote_bot(incident):
        yield from _fold_evidence(line, width)


def _fold_evidence(line: EvidenceLine, width: int | None) -> Iterator[str]:
    if line.is_quoted:
        return set_behind_margin(line.text, EVIDENCE_MARGIN, width)
    return set_behind_margin(line.text, "     ", width, first="   ")


def first_fault_lines(game_id: int, incident: Incident, width: int | None) -> Iterator[str]:
    """Yield when the first fault of a bot was and what it was, and where its program says that it failed."""
    fault = incident.fault
    yield f"  first in game {game_id}, question {fault.decision}, {fault.kind}: {fault.message}"
    if said := incident.last_words.strip():
        yield "  its standard error then:"
        for line in excerpt_lines(said, EXCERPT_LINES, EXCERPT_LINES):
            yield from set_behind_margin(line, EVIDENCE_MARGIN, width)


def advise_incident(incident: Incident) -> str:
    """Return what to do about a fault."""
    line = incident.exchange[-1].removeprefix("< ").encode() if incident.exchange else b""
    return diagnose_fault(incident.fault.kind, incident.last_words, line).cure


def find_check_command(header: Header, bot: str) -> str:
    """Return the command line that checks a bot of a store, by its label; "" for a person."""
    entry = header.entries[header.labels.index(bot)]
    if entry.is_person:
        return ""
    if entry.folder and Path(entry.folder, BOT_FILE).is_file():
        folder, here = Path(entry.folder), Path.cwd()
        spec = str(folder.relative_to(here)) if folder.is_relative_to(here) else entry.folder
    elif PYTHON in entry.command and not entry.folder:
        spec = entry.name  # a bot of a plugin: other commands do not hold the word
    else:
        spec = shlex.join(entry.command).replace(shlex.quote(PYTHON), PYTHON)
    return shlex.join(["pitboss", "check", spec, "--game", header.game])


def legal_lines(legal: Sequence[Any], indent: str, width: int | None, most: int | None = None) -> list[str]:
    """Return legal actions with their indexes, as many as fit in a line, and the number of those beyond `most`."""
    words = [f"{index}: {action_text(action)}" for index, action in enumerate(legal[:most])]
    if len(words) < len(legal):
        words.append(f"and {len(legal) - len(words):,} more")
    return [f"{indent}{line}" for line in wrap_words(words, "   ", (width or DEFAULT_WIDTH) - len(indent))]


def fault_text(fault: Fault) -> str:
    """Return verdict, kind and message of a fault: "forfeited, late: …"."""
    return f"{VERDICT_WORDS[fault.verdict]}, {fault.kind}: {escape_line(fault.message)}"


def ask_command(store: Path, game_id: int, seat: int) -> str:
    """Return the command line that puts the faulty decision of a seat to its bot again."""
    return shlex.join(["pitboss", "ask", str(store), str(game_id), "--seat", str(seat)])


def game_command(verb: str, store: Path, game_id: int, *words: str) -> str:
    """Return a command line about a game of a store: `pitboss replay x.pitboss 17`."""
    return shlex.join(["pitboss", verb, str(store), str(game_id), *words])
