"""Completion in bash, which takes a colon and an equals sign for the end of a word: `house:racko` are three."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from contextlib import redirect_stdout
from io import StringIO
from typing import Final

BREAKS: Final = (":", "=")


def is_asked_by_bash() -> bool:
    """Whether this process is to tell bash how a word goes on."""
    return os.environ.get("_PITBOSS_COMPLETE") == "complete_bash"


def complete_in_bash(complete: Callable[[], object]) -> None:
    """Let `complete` print completions of the word at the cursor, as a person sees it; print of each what bash lacks.

    Raises:
        SystemExit: `complete` has ended by that.
    """
    words, cursor = os.environ.get("COMP_WORDS", "").split("\n"), int(os.environ.get("COMP_CWORD", "0"))
    joined, at, known = join_broken_words(words, cursor)
    if len(joined) < len(words):
        os.environ |= {"COMP_WORDS": "\n".join(joined), "COMP_CWORD": str(at)}
    found = StringIO()
    try:
        with redirect_stdout(found):
            complete()
    finally:
        for line in found.getvalue().splitlines():
            print(line.removeprefix(known))


def join_broken_words(words: Sequence[str], cursor: int) -> tuple[list[str], int, str]:
    """Return words as a person sees them, the number of the one at the cursor, and its part behind the cursor."""
    joined: list[str] = []
    at, known, is_open = cursor, "", False
    for number, word in enumerate(words):
        is_break = word in BREAKS
        before = joined[-1] if joined and (is_break or is_open) else ""
        if joined and (is_break or is_open):
            joined[-1] += word
        else:
            joined.append(word)
        if number == cursor:
            at, known = len(joined) - 1, f"{before}{word}" if is_break else before
        is_open = is_break
    return joined, at if cursor < len(words) else len(joined), known
