"""A measure of work that does not depend on the machine: the number of function calls."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class CallCounter:
    """Counts the calls of functions, those in C too."""

    count = 0

    def __call__(self, frame: FrameType, event: str, arg: object) -> None:
        """Count an event of the interpreter, if it is a call."""
        self.count += event in ("call", "c_call")


@contextmanager
def count_calls() -> Iterator[CallCounter]:
    """Count the calls of functions in the block."""
    counter, before = CallCounter(), sys.getprofile()
    sys.setprofile(counter)
    try:
        yield counter
    finally:
        sys.setprofile(before)
