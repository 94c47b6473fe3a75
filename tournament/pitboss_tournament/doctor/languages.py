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

_VERSION_COMMANDS: Final[
    dict[str, tuple[tuple[str, ...], str]]
] = {  # the program, how it is asked, and what it is asked on its standard input
    "python3": (("--version",), ""),
    "pypy3": (("--version",), ""),
    "node": (("--version",), ""),
    "deno": (("--version",), ""),
    "bun": (("--version",), ""),
    "java": (("-version",), ""),
    "javac": (("-version",), ""),
    "gcc": (("-dumpfullversion",), ""),
    "g++": (("-dumpfullversion",), ""),
    "clang": (("--version",), ""),
    "go": (("version",), ""),
    "rustc": (("--version",), ""),
    "zig": (("version",), ""),
    "dotnet": (("--version",), ""),
    "perl": (("-e", "print $^V"), ""),
    "ruby": (("--version",), ""),
    "lua": (("-v",), ""),
    "luajit": (("-v",), ""),
    "php": (("--version",), ""),
    "tclsh": ((), "puts [info patchlevel]"),
    "ghc": (("--numeric-version",), ""),
    "ocaml": (("-version",), ""),
    "julia": (("--version",), ""),
    "Rscript": (("--version",), ""),
    "gawk": (("--version",), ""),
    "mawk": (("-W", "version"), ""),
    "bash": (("--version",), ""),
    "jq": (("--version",), ""),
}


def find_languages() -> Iterator[Finding]:
    """Yield which were found, with their versions, and which were not."""
    with ThreadPoolExecutor() as pool:
        found = dict(zip(_VERSION_COMMANDS, pool.map(_find_version, _VERSION_COMMANDS), strict=True))
    there = [f"{name} {version}".strip() for name, version in found.items() if version is not None]
    absent = [name for name, version in found.items() if version is None]
    yield Finding("languages", "ok", ", ".join(there))
    if absent:
        yield Finding("not here", "ok", f"{', '.join(absent)} (only bots that are written in them need them)")


def _find_version(name: str) -> str | None:
    """Return the version of a program, empty if it does not tell; None if it is not there, or cannot be run."""
    if shutil.which(name) is None:
        return None
    words, asked = _VERSION_COMMANDS[name]
    try:
        done = subprocess.run(
            [name, *words], input=asked, capture_output=True, text=True, timeout=VERSION_TIMEOUT_S, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    number = re.search(r"\d+(\.\d+)+", done.stdout + done.stderr)
    return None if done.returncode not in (0, 1) else number[0] if number else ""
