"""Where a program of any language crashed: file and line, as its standard error tells."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import PurePath
from typing import Final, NamedTuple

from pitboss.text import truncate_text

MAX_ERROR_CHARS: Final = 200

PYTHON_FRAME: Final = re.compile(r'^\s*File "(?P<file>[^"]+)", line (?P<line>\d+)', re.M)

_RUST: Final = re.compile(r"panicked at (?P<file>\S+\.rs):(?P<line>\d+):\d+:$", re.M)  # the error is in the next line
_FOREIGN: Final = re.compile(
    r"^(<|node:|/usr/|/nix/|.*/((site|dist)-packages|node_modules|lib/python\d[^/]*)/|.*/pitboss/bot\.py$)"
)
_SITES: Final[Sequence[tuple[re.Pattern[str], bool]]] = (  # a line of a trace, and whether the last one is the cause
    (PYTHON_FRAME, True),
    (_RUST, False),
    (re.compile(r"^\t(?P<file>\S+\.go):(?P<line>\d+)", re.M), False),
    (re.compile(r"^\s+at (?!javax?\.|jdk\.)\S*\((?P<file>\w+\.(?:java|kt|scala)):(?P<line>\d+)\)", re.M), False),
    (re.compile(r"^\s+at .* in (?P<file>.+\.cs):line (?P<line>\d+)", re.M), False),
    (re.compile(r"^\s+at .*?(?P<file>(?:node:|/)[^\s():]+):(?P<line>\d+):\d+", re.M), False),  # JavaScript
    (re.compile(r"^(?P<file>\S+\.[cm]?js):(?P<line>\d+)$", re.M), False),  # and its errors of syntax
    (re.compile(r"^(?:lua\S*: )?(?P<file>\S+\.(?:rb|lua)):(?P<line>\d+):", re.M), False),
    (re.compile(r" in (?P<file>\S+\.php)(?: on line |[:(])(?P<line>\d+)"), False),
    (re.compile(r" at (?P<file>\S+) line (?P<line>\d+)[.,]"), False),  # Perl
    (re.compile(r"^(?P<file>[^\s:]+): (?:line )?(?P<line>\d+): ", re.M), True),  # a shell
)
_ERROR: Final = re.compile(
    r"^(Exception in thread .*|[\w.$]*(Error|Exception)\b.*|panic: .*|Unhandled exception.*)", re.M
)


class CrashSite(NamedTuple):
    """The line of a program that raised an error, and the error."""

    file: str
    line: int
    error: str

    def __str__(self) -> str:
        return f"{self.error} ({PurePath(self.file).name}, line {self.line})"


def find_crash_site(stderr: str) -> CrashSite | None:
    """Return the crash that the end of standard error tells of, in the program's own files if they are named."""
    for pattern, is_last in _SITES:
        own = [one for one in pattern.finditer(stderr) if not is_foreign(one["file"])]
        if own:
            site = own[-1 if is_last else 0]
            return CrashSite(site["file"], int(site["line"]), _find_error(stderr, site))
    return None


def is_foreign(file: str) -> bool:
    """Tell whether a file that a trace names belongs to a language, a library or Pitboss, and not to a bot's author."""
    return _FOREIGN.match(file) is not None


def _find_error(stderr: str, site: re.Match[str]) -> str:
    """Return the line that names the error: the last that looks so, else that of the site."""
    named = [*_ERROR.finditer(stderr)]
    start = stderr.rfind("\n", 0, site.start() + 1) + 1
    first, *rest = stderr[start:].strip("\n").splitlines()
    line = named[-1][0] if named else rest[0] if rest and site.re is _RUST else first
    return truncate_text(line.strip(), MAX_ERROR_CHARS)
