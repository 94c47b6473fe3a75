"""Which rows of a table `make test` runs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from typing import Any

import pytest


def first_rows(count: int) -> Callable[..., pytest.MarkDecorator]:
    """Return `pytest.mark.parametrize` with the first rows that are not `long` as they are, and all others `long`."""

    def parametrize(
        names: str | Sequence[str],
        rows: Iterable[Any],
        ids: Iterable[object] | Callable[[Any], object] | None = None,
    ) -> pytest.MarkDecorator:
        is_one = isinstance(names, str) and "," not in names
        known = list(rows)
        named = [None] * len(known) if ids is None or callable(ids) else [str(one) for one in ids]
        params = [
            row if type(row) is type(pytest.param()) else pytest.param(*([row] if is_one else row), id=name)
            for row, name in zip(known, named, strict=True)
        ]
        quick = [at for at, one in enumerate(params) if "long" not in [mark.name for mark in one.marks]]
        kept = set(islice(quick, count))
        marked = [
            one if at in kept else pytest.param(*one.values, id=one.id, marks=(*one.marks, pytest.mark.long))
            for at, one in enumerate(params)
        ]
        return pytest.mark.parametrize(names, marked, ids=ids if callable(ids) else None)

    return parametrize
