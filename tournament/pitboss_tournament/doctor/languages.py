"""The languages that bots can be written in here: which interpreters and compilers there are."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from pitboss_tournament.doctor.machine import Finding

VERSION_TIMEOUT_S: Final = 20

_PROGRAMS: Final = (
    "python3", "pypy3", "node", "deno", "bun", "java", "javac", "gcc", "g++", "clang", "go", "rustc", "zig", "dotnet",
    "perl", "ruby", "lua", "luajit", "php", "tclsh", "ghc", "ocaml", "julia", "Rscript", "gawk", "mawk", "bash", "jq",
)  # fmt: skip
_VERSION_OPTIONS: Final = {  # of the programs that do not know `--version`
    "java": ("-version",), "javac": ("-version",), "gcc": ("-dumpfullversion",), "g++": ("-dumpfullversion",),
    "go": ("version",), "zig": ("version",), "perl": ("-e", "print $^V"), "lua": ("-v",), "luajit": ("-v",),
    "tclsh": (), "ghc": ("--numeric-version",), "ocaml": ("-version",), "mawk": ("-W", "version"),
}  # fmt: skip
_INPUT: Final = {"tclsh": "puts [info patchlevel]"}  # it reads a program from its input


def find_languages() -> Iterator[Finding]:
    """Yield the programs found, with their versions, and those that are missing."""
    with ThreadPoolExecutor() as pool:
        found = dict(zip(_PROGRAMS, pool.map(_find_version, _PROGRAMS), strict=True))
    there = [f"{name} {version}".strip() for name, version in found.items() if version is not None]
    absent = [name for name, version in found.items() if version is None]
    yield Finding("languages", "ok", ", ".join(there))
    if absent:
        yield Finding("not here", "ok", f"{', '.join(absent)} (only bots that are written in them need them)")


def _find_version(name: str) -> str | None:
    """Return a program's version, "" if it prints none; None if it is missing or cannot be run."""
    if shutil.which(name) is None:
        return None
    command, text = [name, *_VERSION_OPTIONS.get(name, ("--version",))], _INPUT.get(name, "")
    try:
        done = subprocess.run(
            command, input=text, capture_output=True, text=True, timeout=VERSION_TIMEOUT_S, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    number = re.search(r"\d+(\.\d+)+", done.stdout + done.stderr)
    return None if done.returncode not in (0, 1) else number[0] if number else ""
