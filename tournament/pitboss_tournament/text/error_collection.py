"""Collection of errors: a check of many things reports all that are wrong, not only the first."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

from pitboss.errors import ConfigError, SeveralErrors

Given = TypeVar("Given")
Made = TypeVar("Made")


def collect_errors(items: Iterable[Given], make: Callable[[Given], Made]) -> list[Made]:
    """Return what is made of each.

    Raises:
        ConfigError: of one of them nothing could be made.
        SeveralErrors: of several of them.
    """
    made: list[Made] = []
    wrong: list[ConfigError] = []
    for one in items:
        try:
            made.append(make(one))
        except ConfigError as error:
            wrong.append(error)
    if wrong:
        raise wrong[0] if len(wrong) == 1 else SeveralErrors(wrong)
    return made
