"""Mistakes as data: tables in TOML, of what is written wrong and what the message says of it.

The tables of a test `test_X.py` stand in `test_X.toml` beside it; those of a game, in `games/every_game/NAME.toml`. A
key is what is written wrong, and its value is what the message says. In a table of tables the outer key is what the
mistake replaces. In a key `{5000 times 1}` stands for 5,000 ones. In a list of JSON "13 times" repeats the value before
it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final, TypeAlias

import msgspec
import pytest

from tests.marks import first_rows

Mistakes: TypeAlias = Mapping[str, "str | list[str] | Mistakes"]

REPEATED_TEXT: Final = re.compile(r"\{(\d+) times (.+?)\}", re.DOTALL)
REPEATED_VALUE: Final = re.compile(r"(\d+) times")


def each_mistake(test: str, table: str = "mistakes", *, quick: int | None = None) -> pytest.MarkDecorator:
    """Return a parametrization with the rows of a table beside a test file; with `quick`, later rows are marked long.

    A row is `written` and `said`, or `right`, `wrong` and `said` of a table of tables.
    """
    tables = msgspec.toml.decode(Path(test).with_suffix(".toml").read_bytes(), type=dict[str, dict[str, Any]])
    rows = list(list_mistakes(tables[table]))
    names = ("written", "said") if len(rows[0]) == 2 else ("right", "wrong", "said")
    ids = [" / ".join(row)[:100] for row in rows]
    return first_rows(len(rows) if quick is None else quick)(names, rows, ids)


def list_mistakes(table: Mistakes) -> Iterator[tuple[Any, ...]]:
    """Yield the keys of each mistake, the outer ones first, and what is said of it."""
    for key, value in table.items():
        written = REPEATED_TEXT.sub(lambda found: found[2] * int(found[1]), key)
        inner = list_mistakes(value) if isinstance(value, Mapping) else [(value,)]
        yield from ((written, *one) for one in inner)


def read_json(text: str) -> Any:  # noqa: ANN401 - any JSON
    """Return a JSON value in which repeated values are written out."""
    return _repeat_values(json.loads(text))


def _repeat_values(value: Any) -> Any:  # noqa: ANN401 - any JSON
    if isinstance(value, dict):
        return {name: _repeat_values(inner) for name, inner in value.items()}
    if not isinstance(value, list):
        return value
    found: list[Any] = []
    for inner in value:
        repeated = REPEATED_VALUE.fullmatch(inner) if isinstance(inner, str) else None
        found += [found[-1]] * (int(repeated[1]) - 1) if repeated else [_repeat_values(inner)]
    return found
