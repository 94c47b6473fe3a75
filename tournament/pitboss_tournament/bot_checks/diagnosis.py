"""Why a bot has not answered, and what its author can do: one diagnosis for all checks, from what its process did."""

from __future__ import annotations

from typing import Final, Literal, NamedTuple, TypeAlias

from pitboss_tournament.bot_checks.advice import LINE_ADVICE, READY_ADVICE, START_ADVICE, STDERR_ADVICE
from pitboss_tournament.bot_checks.raw_connection import ConnectionEnd, format_bytes
from pitboss_tournament.match.fault_causes import FLOOD_BYTES
from pitboss_tournament.text.fault_advice import ACT_ADVICE, FAULT_ADVICE, diagnose_fault

BUSY_SHARE: Final = 0.5  # of processor time, above which a silent bot computes

SilenceCause: TypeAlias = Literal[
    "out_of_memory", "ended_early", "crashed", "floods errors", "does not read", "does not flush", "reads to the end",
    "computes", "waits",
]  # fmt: skip


class Diagnosis(NamedTuple):
    """The cause of a bot's silence: what was seen, the cure, and a key that other failures of the same cause have."""

    cause: SilenceCause
    seen: str
    cure: str
    key: str = ""  # "": it cannot be told whether another failure has the same cause


def diagnose_silence(end: ConnectionEnd, asked: Literal["hello", "decide"], flush_advice: str = "") -> Diagnosis:
    """Return why a bot did not answer."""
    if end.memory_excess:
        seen = f"it was ended: its processes {end.memory_excess}, more than they may"
        return Diagnosis("out_of_memory", seen, FAULT_ADVICE["out_of_memory"], "out_of_memory")
    if not end.is_running:
        kind: Literal["ended_early", "crashed"] = "ended_early" if end.has_exited_cleanly else "crashed"
        where, cure, key = diagnose_fault(kind, end.stderr)
        return Diagnosis(
            kind, f"its process {end.exit_text}{where}", cure, key or (end.stderr and f"{kind}: {end.stderr}")
        )
    if end.stderr_bytes >= FLOOD_BYTES:
        seen = f"it wrote {end.stderr_bytes:,} bytes to standard error in {end.waited_s:.1f} s instead"
        return Diagnosis("floods errors", seen, STDERR_ADVICE, "floods errors")
    is_busy = end.computed_s > BUSY_SHARE * end.waited_s
    if end.unread_bytes:
        does = "computes" if is_busy else "sleeps, or waits for something else"
        seen = f"it has not read the line in {end.waited_s:.1f} s: it {does}"
        return Diagnosis("does not read", seen, f"read standard input line by line; {_SLOW_ADVICE[asked]}")
    said = end.said_to_more or end.said_at_close
    if said and (asked == "decide" or b"ready" in said.split(b"\n")[0]):
        first, newline, more = said.partition(b"\n")
        begins = format_bytes(first + newline) + (f" and {len(more):,} bytes more" if more else "")
        if end.takes_more:
            seen = f"it read on and on, and only at the end of its input it said {begins}"
            return Diagnosis("reads to the end", seen, LINE_ADVICE)
        when = "many more lines came" if end.said_to_more else "its input was closed"
        return Diagnosis("does not flush", f"when {when} it said {begins}", flush_advice)
    if is_busy:
        seen = f"it has read the line, and computed {end.computed_s:.1f} s in {end.waited_s:.1f} s"
        return Diagnosis("computes", seen, _SLOW_ADVICE[asked])
    return Diagnosis("waits", "it has read the line, and waits", _ANSWER_ADVICE[asked])


_SLOW_ADVICE: Final = {"hello": START_ADVICE, "decide": FAULT_ADVICE["late"]}
_ANSWER_ADVICE: Final = {"hello": READY_ADVICE, "decide": ACT_ADVICE}
