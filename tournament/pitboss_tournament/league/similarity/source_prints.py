"""Prints of sources: two programs share many of them if parts of one are in the other, also with other names in them.

A source is read as tokens by Pygments. Names are all alike, as are texts; comments and layout are no tokens. Of all
runs of RUN tokens some are chosen, by their hashes, as Schleimer, Wilkerson and Aiken do (2003, *Winnowing: local
algorithms for document fingerprinting*): two sources with RUN + WINDOW - 1 equal tokens in a row share a print.

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

from pitboss_tournament.processes.bot_contents import list_own_files

RUN: Final = 12  # tokens
WINDOW: Final = 6  # runs, of which one is chosen
LARGEST_SOURCE: Final = 1 << 20  # bytes
MOST_TOKENS: Final = 500_000  # of a folder
SECONDS: Final = 20  # that a folder may take
PROSE: Final = frozenset({".md", ".rst", ".txt", ".toml", ".json", ".jsonl", ".csv", ".lock", ".yaml", ".yml", ".html"})


class Place(NamedTuple):
    """A line of a file; lines count from 1."""

    file: str
    line: int


Prints: TypeAlias = dict[str, Place]  # where each first occurs


class Token(NamedTuple):
    """What is compared of a token, and its line."""

    text: str
    line: int


def read_prints(folder: Path) -> Prints | None:
    """Return the prints of a folder, read in a process of its own; None if that takes too long, or fails."""
    command = [sys.executable, "-P", "-m", __name__, str(folder)]
    try:
        done = subprocess.run(command, capture_output=True, timeout=SECONDS, check=True)
        return msgspec.json.decode(done.stdout, type=Prints)
    except (subprocess.SubprocessError, msgspec.MsgspecError):
        return None


def print_folder(folder: Path, files: Sequence[Path]) -> Prints:
    """Return the prints of source files below a folder; files without a known language have none."""
    found, left = Prints(), MOST_TOKENS
    for path in files:
        tokens = list(list_tokens(path))[:left]
        left -= len(tokens)
        name = path.relative_to(folder).as_posix()
        for digest, line in choose_prints(tokens):
            found.setdefault(digest, Place(name, line))
    return found


def list_tokens(path: Path) -> Iterator[Token]:
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
                yield Token("text", line)
        elif kind in Name and kind not in Name.Builtin:
            yield Token("name", line)
        elif kind not in Comment and kind not in Text and value.strip():
            yield Token(value, line)
        was_text = is_text
        line += value.count("\n")


def choose_prints(tokens: Sequence[Token]) -> Iterator[tuple[str, int]]:
    """Yield some of the runs of tokens, as hashes with the lines in which they begin: the least of each window."""
    runs = [
        (_hash("\0".join(token.text for token in tokens[at : at + RUN])), tokens[at].line)
        for at in range(len(tokens) - RUN + 1)
    ]
    chosen = -1
    for first in range(max(len(runs) - WINDOW + 1, min(len(runs), 1))):
        window = range(first, min(first + WINDOW, len(runs)))
        least = min(window, key=lambda at: (runs[at][0], -at))
        if least != chosen:
            chosen = least
            yield runs[least]


def _hash(text: str) -> str:
    return blake2b(text.encode(), digest_size=8).hexdigest()


if __name__ == "__main__":
    here = Path(sys.argv[1])
    sys.stdout.buffer.write(msgspec.json.encode(print_folder(here, sorted(list_own_files(here)))))
