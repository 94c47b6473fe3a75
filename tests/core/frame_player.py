"""The frames of a sequence put together: what lies on the table after each of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from pitboss.game import PublicCount
from pitboss.records.frames import Frame
from pitboss.table.cards import Face
from pitboss.table.secrets import Scalar
from pitboss.table.zones import EMPTY, Layout


class ShownTable(NamedTuple):
    """A table as a sequence shows it."""

    zones: list[list[int]]
    faces: dict[int, Face | None]
    known: dict[int, int]
    secrets: list[list[Scalar] | None]
    counts: dict[int | None, list[PublicCount]]  # by seat; None: of the table

    def faces_in(self, zone: int) -> list[Face | None]:
        """Return the faces of a zone; None for a card that the viewer does not know."""
        return [self.faces.get(token) for token in self.zones[zone] if token != EMPTY]


def empty_table(layout: Layout) -> ShownTable:
    """Return the table before the first frame."""
    return ShownTable([[] for _ in layout.zones], {}, {}, [[] for _ in layout.secrets], {})


def play_sequence(frames: Iterable[Frame], shown: ShownTable) -> Iterator[tuple[Frame, ShownTable]]:
    """Yield each frame with the table after it: `shown`, which changes."""
    for frame in frames:
        for zone, tokens in frame.zones.items():
            shown.zones[zone] = tokens
        shown.faces.update(frame.faces)
        shown.known.update(frame.known)
        for secret, values in frame.secrets.items():
            shown.secrets[secret] = values
        for seat, counts in frame.seat_counts.items():
            shown.counts[seat] = counts
        if frame.table_counts is not None:
            shown.counts[None] = frame.table_counts
        yield frame, shown


def show_last(frames: Iterable[Frame], layout: Layout) -> ShownTable:
    """Return the table after the last frame."""
    *_, (_, shown) = play_sequence(frames, empty_table(layout))
    return shown
