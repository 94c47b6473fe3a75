"""Prints of sources: two programs share many of them if parts of one are in the other, also with other names in them.

A source is read as tokens by Pygments. Names are all alike, as are texts; comments and layout are no tokens. Of all
runs of RUN_TOKENS tokens the least hash of each window of WINDOW_RUNS runs is a print (Schleimer, Wilkerson and Aiken
2003, *Winnowing: local algorithms for document fingerprinting*), so that sources with RUN_TOKENS + WINDOW_RUNS - 1
equal tokens in a row share one.

As a module it writes those of a folder as JSON to standard output: what a stranger has written is read in a process of
its own, which can be ended.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

import msgspec
from msgspec import Struct

from pitboss.foreign_input import InputRefused, read_json
from pitboss_tournament.processes.bot_contents import list_own_files

RUN_TOKENS: Final = 12  # tokens
WINDOW_RUNS: Final = 6  # runs, of which one is chosen
LARGEST_SOURCE: Final = 1 << 20  # bytes
MAX_TOKENS: Final = 500_000  # of a folder
READING_SECONDS: Final = 20  # that a folder may take
NOT_PLAYING: Final = frozenset({"bot.toml", "GAME.md", "README.md"})  # files that every bot may have
PROSE: Final = frozenset({".md", ".rst", ".txt", ".toml", ".json", ".jsonl", ".csv", ".lock", ".yaml", ".yml", ".html"})


class SourcePlace(NamedTuple):
    """A line of a file; lines count from 1."""

    file: str
    line: int


Prints: TypeAlias = dict[str, SourcePlace]  # where each first occurs


class SourceToken(NamedTuple):
    """What is compared of a token, and its line."""

    text: str
    line: int


class ReadSources(Struct, frozen=True, kw_only=True):
    """What was read in a bot's folder."""

    prints: Prints
    others: list[str] = []  # files without prints: data, files in no known language, very short ones


def read_sources(folder: Path) -> ReadSources | None:
    """Return what the sources of a folder are, read in a process of its own; None if that takes too long, or fails."""
    command = [sys.executable, "-P", "-m", __name__, str(folder)]
    try:
        done = subprocess.run(command, capture_output=True, timeout=READING_SECONDS, check=True)
        return read_json(done.stdout, ReadSources)
    except (subprocess.SubprocessError, InputRefused):
        return None


def print_folder(folder: Path, files: Sequence[Path]) -> ReadSources:
    """Return the prints of source files below a folder; files without a known language have none."""
    found, others, left = Prints(), list[str](), MAX_TOKENS
    for path in files:
        tokens = list(list_tokens(path))[:left]
        left -= len(tokens)
        name = path.relative_to(folder).as_posix()
        chosen = list(choose_prints(tokens))
        for digest, line in chosen:
            found.setdefault(digest, SourcePlace(name, line))
        if not chosen and name not in NOT_PLAYING:
            others.append(name)
    return ReadSources(prints=found, others=others)


def list_tokens(path: Path) -> Iterator[SourceToken]:
    """Yield the tokens of a source file; none of a file that is large or prose, or in no known language."""
    from pygments.lexers import get_lexer_for_filename  # noqa: PLC0415 - it takes long
    from pygments.token import Comment, Literal, Name, Text  # noqa: PLC0415
    from pygments.util import ClassNotFound  # noqa: PLC0415

    if path.suffix.lower() in PROSE or path.is_symlink() or path.stat().st_size > LARGEST_SOURCE:
        return
    text = path.read_text(encoding="utf-8", errors="replace")
    try:
        lexer = get_lexer_for_filename(path.name, text)
    except ClassNotFound:
        return
    line, was_text = 1, False
    for kind, value in lexer.get_tokens(text):
        is_text = kind in Literal.String
        if is_text:
            if not was_text and kind not in Literal.String.Doc:
                yield SourceToken("text", line)
        elif kind in Name and kind not in Name.Builtin:
            yield SourceToken("name", line)
        elif kind not in Comment and kind not in Text and value.strip():
            yield SourceToken(value, line)
        was_text = is_text
        line += value.count("\n")


def choose_prints(tokens: Sequence[SourceToken]) -> Iterator[tuple[str, int]]:
    """Yield some of the runs of tokens, as hashes with the lines in which they begin: the least of each window."""
    runs = [
        (_hash("\0".join(token.text for token in tokens[at : at + RUN_TOKENS])), tokens[at].line)
        for at in range(len(tokens) - RUN_TOKENS + 1)
    ]
    chosen = -1
    for first in range(max(len(runs) - WINDOW_RUNS + 1, min(len(runs), 1))):
        window = range(first, min(first + WINDOW_RUNS, len(runs)))
        least = min(window, key=lambda at: (runs[at][0], -at))
        if least != chosen:
            chosen = least
            yield runs[least]


def _hash(text: str) -> str:
    return blake2b(text.encode(), digest_size=8).hexdigest()


if __name__ == "__main__":
    here = Path(sys.argv[1])
    sys.stdout.buffer.write(msgspec.json.encode(print_folder(here, sorted(list_own_files(here)))))
