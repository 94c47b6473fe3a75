"""The `json case` blocks of a rule book, read out of its Markdown."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

OPENING: Final = re.compile(r"\s*(?P<fence>`{3,}|~{3,})\s*json\s+case\b")


class CaseBlock(NamedTuple):
    """A block: where it stands, and its case, or the problem that makes it none."""

    file: Path
    line: int  # of the opening fence, from 1
    id: str
    case: dict[str, object]
    problem: str = ""

    @property
    def where(self) -> str:
        """The file and line, as an editor understands them."""
        return f"{self.file}:{self.line}"


class MalformedCase(ValueError):
    """The text of a block is not one JSON object with an id."""


def read_blocks(file: Path) -> list[CaseBlock]:
    """Return all blocks of a file; a block that cannot be read, or repeats an id, is there with its problem."""
    found: list[CaseBlock] = []
    lines_of_ids: dict[str, int] = {}
    for line, text in _fenced_blocks(file.read_text(encoding="utf-8")):
        try:
            case = _parse_case(text)
            name = str(case["id"])
            if name in lines_of_ids:
                raise MalformedCase(f"the id {name!r} stands twice, first in line {lines_of_ids[name]}")
        except MalformedCase as wrong:
            found.append(CaseBlock(file, line, f"line-{line}", {}, str(wrong)))
            continue
        lines_of_ids[name] = line
        found.append(CaseBlock(file, line, name, case))
    return found


def _fenced_blocks(text: str) -> Iterator[tuple[int, str | None]]:
    """Yield each block's first line and its text, None if it is never closed."""
    start, fence, inside = 0, "", list[str]()
    for number, line in enumerate(text.splitlines(), 1):
        if not fence:
            opening = OPENING.match(line)
            if opening:
                start, fence, inside = number, opening["fence"], []
        elif line.strip().startswith(fence) and not line.strip().strip(fence[0]):
            yield start, "\n".join(inside)
            fence = ""
        else:
            inside.append(line)
    if fence:
        yield start, None


def _parse_case(text: str | None) -> dict[str, object]:
    if text is None:
        raise MalformedCase("the block is never closed")
    try:
        case = json.loads(text, object_pairs_hook=_reject_repeats, parse_constant=_reject_constant)
    except json.JSONDecodeError as wrong:
        raise MalformedCase(
            f"line {wrong.lineno} of the block is not JSON: {wrong.msg} (column {wrong.colno})"
        ) from None
    if not isinstance(case, dict):
        raise MalformedCase(f"a case is a JSON object, not {text.strip()[:40]!r}")
    if not isinstance(case.get("id"), str) or not case["id"]:
        raise MalformedCase(f"a case needs an id, a string; this one has {case.get('id')!r}")
    return case


def _reject_repeats(pairs: list[tuple[str, object]]) -> dict[str, object]:
    keys = [key for key, _ in pairs]
    for key in keys:
        if keys.count(key) > 1:
            raise MalformedCase(f"the key {key!r} stands twice in one object")
    return dict(pairs)


def _reject_constant(constant: str) -> object:
    raise MalformedCase(f"{constant} is no number of JSON")
