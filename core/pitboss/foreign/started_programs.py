"""The programs of games that a process has started and not ended: whoever kills what bots have left spares them."""

from __future__ import annotations

from typing import Final

_started: Final = set[tuple[int, int]]()  # the numbers of starter and program: a process that is forked inherits them


def note_program(starter: int, pid: int) -> None:
    """Note that the process `starter` has started the program `pid`."""
    _started.add((starter, pid))


def forget_program(starter: int, pid: int) -> None:
    """Forget a program, before its number can be that of another process."""
    _started.discard((starter, pid))


def list_started_programs(starter: int) -> set[int]:
    """Return the numbers of the programs that a process has started and not ended."""
    return {pid for by, pid in _started if by == starter}
