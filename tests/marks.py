"""Which rows of a table `make test` runs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import pytest


def first_rows(count: int) -> Callable[..., pytest.MarkDecorator]:
    """Return `pytest.mark.parametrize` with the first rows as they are and all others marked `long`."""

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
        late = [pytest.param(*one.values, id=one.id, marks=(*one.marks, pytest.mark.long)) for one in params[count:]]
        return pytest.mark.parametrize(names, [*params[:count], *late], ids=ids if callable(ids) else None)

    return parametrize
