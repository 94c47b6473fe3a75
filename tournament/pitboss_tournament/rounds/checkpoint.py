"""Checkpoints: where a tournament whose rounds overlap is, so that it goes on without reading all of its games again.

A checkpoint has the rounds and the counts at some moment, and which games of the tables that were open then are among
those counted. All games counted are in the store before the checkpoint is. One that other code has made is not used.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from pitboss_tournament.counting.counts import CountsState
from pitboss_tournament.counting.kept import open_kept, seal_kept
from pitboss_tournament.rounds.recorded_rounds import RoundsState


class Checkpoint(Struct, frozen=True):
    """Rounds and counts at one moment."""

    rounds: RoundsState
    counted: list[int]  # games of open tables
    counts: CountsState
    parts: Sequence[bytes] = ()  # of the rankings: a store keeps each on its own, behind the rest


def encode_checkpoint(checkpoint: Checkpoint) -> bytes:
    """Return a checkpoint as a store keeps it, without the parts of its rankings."""
    return seal_kept(replace(checkpoint, parts=()))


def read_checkpoint(stored: Sequence[bytes]) -> Checkpoint | None:
    """Return the checkpoint that a store keeps; None if it keeps none, or one of other code."""
    found = open_kept(stored[0], Checkpoint) if stored else None
    return None if found is None else replace(found, parts=stored[1:])
