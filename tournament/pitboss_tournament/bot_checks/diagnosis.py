"""Why a bot has not answered, and what its author can do: one diagnosis for all checks, from what its process did.

Advice for bots that are silent, and how to flush standard output in each language, stands here too.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath
from typing import Final, Literal, NamedTuple, TypeAlias

from pitboss_tournament.bot_checks.raw_connection import ConnectionEnd, format_bytes
from pitboss_tournament.match.fault_causes import FLOOD_BYTES
from pitboss_tournament.plan.paths import PYTHON
from pitboss_tournament.text.fault_advice import ACT_ADVICE, FAULT_ADVICE, diagnose_fault

BUSY_SHARE: Final = 0.5  # of processor time, above which a silent bot computes
SilenceCause: TypeAlias = Literal[
    "out_of_memory", "ended_early", "crashed", "floods errors", "does not read", "does not flush", "reads to the end",
    "computes", "waits",
]  # fmt: skip

_FLUSH_ADVICE: Final[dict[str, str]] = {
    "python": "print(…, flush=True), or start it with `python3 -u`",
    "c": "fflush(stdout) after each answer, or setvbuf(stdout, NULL, _IOLBF, 0) once",
    "c++": "std::cout << … << std::endl, or std::flush",
    "perl": "$| = 1; once, at the top",
    "ruby": "$stdout.sync = true once, at the top",
    "node": "answer in a 'data' or 'line' handler; fs.readFileSync(0) waits for the end of the input",
    "java": "System.out.flush() after each answer, or a PrintWriter with autoflush",
    "kotlin": "System.out.flush() after each answer",
    "go": "Flush() of your bufio.Writer after each answer",
    "rust": "std::io::stdout().flush() after each answer",
    "c#": "Console.Out.Flush() after each answer",
    "haskell": "hSetBuffering stdout LineBuffering, once",
    "lua": 'io.stdout:setvbuf("line") once, or io.stdout:flush()',
    "php": "fflush(STDOUT) after each answer, and no ob_start()",
    "tcl": "fconfigure stdout -buffering line, once",
    "awk": "fflush() after each print; mawk needs `-W interactive` besides, to see its first line",
    "r": "flush(stdout()) after each answer",
    "jq": "jq --unbuffered",
    "shell": "answer inside a `while read -r line` loop; sed wants -u and grep --line-buffered",
}
_ALIASES: Final[dict[str, str]] = {
    "js": "node", "javascript": "node", "typescript": "node", "deno": "node", "bun": "node", "py": "python",
    "pypy": "python", "pl": "perl", "rb": "ruby", "cpp": "c++", "cc": "c++", "cxx": "c++", "gawk": "awk", "mawk": "awk",
    "nawk": "awk", "sh": "shell", "bash": "shell", "dash": "shell", "zsh": "shell", "ksh": "shell", "tclsh": "tcl",
    "luajit": "lua", "rs": "rust", "hs": "haskell", "runghc": "haskell",
    "jar": "java", "class": "java", "rscript": "r", "csharp": "c#", "dotnet": "c#", "kt": "kotlin",
}  # fmt: skip
STDERR_ADVICE: Final = "print less: of what a bot writes to standard error only the beginning and the end are kept"
LINE_ADVICE: Final = "read line by line, and answer before you read on: the input ends only after the last game"
READY_ADVICE: Final = "read one line from standard input, and when its type is hello print a ready"
START_ADVICE: Final = (
    "load less before `ready`; or get more time: start_ms, by default 10000, in [clock] of the tournament file, or "
    "-s clock.start_ms=N"
)


class Diagnosis(NamedTuple):
    """The cause of a bot's silence: what was seen, the cure, and a key that other failures of the same cause have."""

    cause: SilenceCause
    seen: str
    cure: str
    key: str = ""  # "": unknown whether another failure has the same cause


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


def advise_flush(language: str, command: Sequence[str]) -> str:
    """Return how a bot flushes its answers, in the language of bot.toml, else in that of its program or script."""
    paths = [PurePath(word.replace(PYTHON, "python")) for word in command if not word.startswith("-")]
    names = [name for path in paths for name in (path.name, path.suffix.removeprefix("."))]
    for word in " ".join([language, *names]).lower().split():
        plain = word.strip(",;()0123456789.") or word
        known = _ALIASES.get(plain, plain)
        if known in _FLUSH_ADVICE:
            return f"flush after every line: {_FLUSH_ADVICE[known]}"
    return "flush standard output after every line (docs/protocol.md says how in a dozen languages)"
