"""Checkpoints: where a tournament whose rounds overlap is, so that it goes on without reading all of its games again.

A checkpoint has the rounds and the standings at some moment, and which games of the tables that were open then are
counted in them. All games counted are in the store before the checkpoint is. One that other code has made is not used.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple, Protocol

import msgspec
from msgspec import Struct

from pitboss_tournament import formats as formats_code
from pitboss_tournament.counting.findings import StandingsState, compute_code_version
from pitboss_tournament.rounds import open_rounds, recorded_rounds, round_blocks, round_progress
from pitboss_tournament.rounds.recorded_rounds import RoundsState
from pitboss_tournament.statistics.scoring import GameResult
from pitboss_tournament.store.header import Header


class CheckpointHead(Struct, frozen=True):
    """A checkpoint without the parts of its rankings."""

    code_version: str
    rounds: RoundsState
    counted: list[int]  # games of open tables
    standings: StandingsState


class Checkpoint(NamedTuple):
    """A checkpoint as it was read."""

    head: CheckpointHead
    parts: Sequence[bytes]  # of its rankings


class ResultFollower(Protocol):
    """What is told each result that counts, those in the store too."""

    def begin(self) -> None:
        """Forget what was told: all results come again."""

    def restore(self, checkpoint: Checkpoint) -> None:
        """Begin with what a checkpoint has counted.

        Raises:
            ValueError: it contradicts itself.
        """

    def add(self, result: GameResult) -> None:
        """Take a result."""

    def change_header(self, header: Header) -> None:
        """Take it that others take part now."""


def make_head(rounds: RoundsState, counted: Iterable[int], standings: StandingsState) -> bytes:
    """Return the head of a checkpoint, encoded."""
    return msgspec.msgpack.encode(CheckpointHead(compute_full_version(), rounds, list(counted), standings))


def read_checkpoint(stored: Sequence[bytes]) -> Checkpoint | None:
    """Return the checkpoint that a store keeps; None if it keeps none, or one of other code."""
    if not stored:
        return None
    try:
        version = msgspec.msgpack.decode(stored[0], type=_Version).code_version
        if version != compute_full_version():
            return None
        return Checkpoint(msgspec.msgpack.decode(stored[0], type=CheckpointHead), stored[1:])
    except msgspec.MsgspecError:
        return None


class _Version(Struct):
    code_version: str


@cache
def compute_full_version() -> str:
    """Return a checksum of the code whose values a checkpoint has."""
    version = hashlib.blake2b(compute_code_version().encode(), digest_size=16)
    modules = [Path(str(module.__file__)) for module in (open_rounds, recorded_rounds, round_blocks, round_progress)]
    for file in sorted((*Path(formats_code.__path__[0]).glob("*.py"), *modules)):
        version.update(file.read_bytes())
    return version.hexdigest()
