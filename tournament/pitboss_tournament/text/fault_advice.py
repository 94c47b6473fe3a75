"""What a fault was and what to do about it: by its kind, by the line that was wrong, and by what a crashed bot printed.

Standard error tells in any language where a program crashed: file and line. It is shown shortened, to where the error
happened and what it was.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import PurePath
from typing import Final, NamedTuple

from pitboss.foreign_input import InputRefused, read_json
from pitboss.protocol.faults import FaultKind
from pitboss.text import truncate_text

NOISE_ADVICE: Final = "print for yourself to standard error: standard output is the wire"
JSON_ADVICE: Final = "write one JSON object on one line; a JSON library does it best"
ACT_ADVICE: Final = 'answer each `decide` with {"type": "act", "id": its id, "choose": an index into its `legal`}'

POLICY_ADVICE: Final = "state a policy that gives probabilities to legal actions, with the chosen one, and sums to 1"
NUMBER_ADVICE: Final = '`{key}` is a number, not a string: 1, not "1"'
MAX_ERROR_LINES: Final = 12  # at the end of standard error: what stands before them may have been handled

FAULT_ADVICE: Final[dict[FaultKind, str]] = {
    "never_started": "look at `command` in bot.toml, and start the program by hand",
    "late": "answer sooner, or with what you have when `clock` in the question runs out",
    "crashed": "read its standard error; start the command by hand in the bot's folder",
    "ended_early": "leave your loop only at `bye` or at the end of the input",
    "out_of_memory": "forget what belongs to the last game when `start` comes",
    "illegal": "answer with an index into `legal`, from 0, or an entry unchanged; of a range, with a number within it",
    "malformed": (
        "`act` has the keys type, id, choose (or action) and note, and no others but an agreed policy; a note has at "
        "most 500 characters"
    ),
    "flooded": "a line has at most 65,536 bytes: keep the note short",
    "out_of_turn": "one line for each `decide`, with the id of that `decide`, and nothing else",
}

_CRASH_CURES: Final[Sequence[tuple[re.Pattern[str], str]]] = (  # what systems and libraries say, and the cure
    (
        re.compile(
            r"Name or service not known|name resolution|getaddrinfo|EAI_AGAIN|ENOTFOUND|Network is unreachable|"
            r"ENETUNREACH|No route to host|Could not resolve host|UnknownHostException|dial tcp|gaierror"
        ),
        "a bot has no network: put what it needs into its folder",
    ),
    (
        re.compile(r"Read-only file system|EROFS|ReadOnlyFileSystem"),
        "a bot's folder is read-only in a game: write to /tmp, or keep it in memory",
    ),
    (
        re.compile(r"ModuleNotFoundError|Cannot find (module|package)|no such file to load|module '.*' not found"),
        "install it in the bot's folder (Python: in a .venv there, whose python `command` names), or do without it",
    ),
    (
        re.compile(r"No such file or directory|ENOENT|NoSuchFileException"),
        "a bot sees its own folder and the system alone: copy the file into the folder, and open it from there",
    ),
    (
        re.compile(r"Permission denied|Operation not permitted|EACCES|EPERM|AccessDenied"),
        "a bot may read its own folder and the system, write to /tmp, and nothing else",
    ),
)

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

_PYTHON_CARETS: Final = re.compile(r"\s*[~^]+\s*")


class FaultDiagnosis(NamedTuple):
    """The cause of a fault."""

    where: str  # the end of a clause: the error and its line; "" if that is not known
    cure: str
    key: str  # that other faults of the same cause have; "": unknown


def diagnose_fault(kind: FaultKind, stderr: str, line: bytes = b"") -> FaultDiagnosis:
    """Return the cause of a fault and its cure; `line` was the bot's last line, `stderr` its standard error."""
    if kind == "crashed":
        site = find_crash_site(stderr)
        cure = find_crash_cure(stderr)
        if site is not None:
            told = f"mend {site.file}, line {site.line}: {cure or site.error}"
            return FaultDiagnosis(f": {site}", told, f"crashed: {site}")
        return FaultDiagnosis("", cure or FAULT_ADVICE[kind], "")
    if kind == "malformed":
        return FaultDiagnosis("", advise_line(line), "")
    if kind == "illegal" and b'"policy"' in line:
        return FaultDiagnosis("", f"{FAULT_ADVICE[kind]}; {POLICY_ADVICE}", "")
    return FaultDiagnosis("", FAULT_ADVICE[kind], kind if kind in ("late", "out_of_memory") else "")


def find_crash_cure(stderr: str) -> str:
    """Return what to do about an error that comes of how bots run, "" if the end of standard error tells of none."""
    last = "\n".join(stderr.splitlines()[-MAX_ERROR_LINES:])
    return next((cure for pattern, cure in _CRASH_CURES if pattern.search(last)), "")


def advise_line(line: bytes) -> str:
    """Return what to do about a line that is no answer to a question."""
    try:
        value = read_json(line, object)
    except InputRefused:
        return JSON_ADVICE if line.lstrip().startswith(b"{") else NOISE_ADVICE
    if not isinstance(value, dict) or value.get("type") != "act":
        return ACT_ADVICE
    return next(
        (NUMBER_ADVICE.format(key=key) for key in ("id", "choose") if isinstance(value.get(key), str)),
        FAULT_ADVICE["malformed"],
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


def excerpt_lines(text: str, first: int, last: int) -> list[str]:
    """Return the first and the last lines that are not blank, with "…" between them for two or more that are left out.

    Some languages print an error before its trace, as Java and Tcl do. Python prints it after its trace: the
    excerpt has the last frame outside libraries, with its line of code, and the last `last` lines of the error.
    """
    lines = [line for line in text.splitlines() if line.strip()]
    if (trace := _excerpt_python_trace(lines, last)) is not None:
        return trace
    if len(lines) <= first + last + 1:
        return lines
    return [*lines[:first], "…", *lines[-last:]]


def _excerpt_python_trace(lines: Sequence[str], last: int) -> list[str] | None:
    """Return the frame and the error of the last trace; None if there is no trace."""
    frames = {number: frame["file"] for number, line in enumerate(lines) if (frame := PYTHON_FRAME.match(line))}
    if not frames:
        return None
    own = [number for number, file in frames.items() if not is_foreign(file)]
    last_frame = max(frames)
    where = own[-1] if own else last_frame
    code = [line for line in lines[where + 1 : where + 2] if line.startswith("    ") and not _is_caret_line(line)]
    error = next((at for at in range(last_frame + 1, len(lines)) if not lines[at][0].isspace()), len(lines))
    return [lines[where], *code, *lines[error:][:last]]


def _is_caret_line(line: str) -> bool:
    return _PYTHON_CARETS.fullmatch(line) is not None
