"""Promises: each is printed with the figure that keeps or breaks it, and the command ends with a verdict."""

from __future__ import annotations

from collections.abc import Sequence


class PromiseTally:
    """Counts what was kept and what was broken."""

    def __init__(self) -> None:
        self._broken = 0
        self._made = 0

    def check(self, is_kept: bool, sentence: str) -> None:
        """Print a promise with its figures."""
        self._made += 1
        self._broken += not is_kept
        print(f"{'kept' if is_kept else 'BROKEN':6} {sentence}", flush=True)

    def exit_status(self) -> int:
        """Print the verdict and return the exit status."""
        print(f"{self._made - self._broken} of {self._made} promises kept", flush=True)
        return 1 if self._broken else 0


def format_row(cells: Sequence[object], widths: Sequence[int]) -> str:
    """Return a line of a table; numbers to the right."""
    return "  ".join(
        f"{cell:>{width}}" if isinstance(cell, int | float) else f"{cell!s:<{width}}"
        for cell, width in zip(cells, widths, strict=True)
    ).rstrip()
