"""Advice for bots that are silent, and how to flush standard output in each language."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath
from typing import Final

from pitboss_tournament.plan.paths import PYTHON

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
