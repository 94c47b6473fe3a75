"""What to do about a fault: by its kind, by the line that was wrong, and by the error that a crashed bot printed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from pitboss.foreign_input import InputRefused, read_json
from pitboss.protocol.faults import FaultKind
from pitboss_tournament.text.crash_site import find_crash_site

NOISE_ADVICE: Final = "print for yourself to standard error: standard output is the wire"
JSON_ADVICE: Final = "write one JSON object on one line; a JSON library does it best"
ACT_ADVICE: Final = 'answer each `decide` with {"type": "act", "id": its id, "choose": an index into its `legal`}'

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
        "`act` has the keys type, id, choose (or action) and note, and no others; a note has at most 500 characters"
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


class FaultDiagnosis(NamedTuple):
    """Why a bot did wrong."""

    where: str  # the end of a clause: the error and its line; "" if that is not known
    cure: str
    key: str  # that other faults of the same cause have; "": it cannot be told


def diagnose_fault(kind: FaultKind, stderr: str, line: bytes = b"") -> FaultDiagnosis:
    """Return why a bot did wrong, and what to do; `line` was its last, `stderr` what it wrote to standard error."""
    if kind == "crashed":
        site = find_crash_site(stderr)
        cure = find_crash_cure(stderr)
        if site is not None:
            told = f"mend {site.file}, line {site.line}: {cure or site.error}"
            return FaultDiagnosis(f": {site}", told, f"crashed: {site}")
        return FaultDiagnosis("", cure or FAULT_ADVICE[kind], "")
    if kind == "malformed":
        return FaultDiagnosis("", advise_line(line), "")
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
