"""What a bot wrote to standard error, shortened to where its error happened and what it was."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from pitboss_tournament.text.crash_site import PYTHON_FRAME, is_foreign

_PYTHON_CARETS: Final = re.compile(r"\s*[~^]+\s*")


def excerpt_lines(text: str, first: int, last: int) -> list[str]:
    """Return the first and the last lines that are not blank, with "…" between them for two or more that are left out.

    Some languages print an error before its trace, as Java and Tcl do. Python prints it after its trace: of that there
    are the last frame that is in no library, with its line of code, and the error, of which there are `last` lines.
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
