"""The scenes of a film put together: what lies on the table after each of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from pitboss.game import PublicCount
from pitboss.records.film import Scene
from pitboss.table.cards import Face
from pitboss.table.secrets import Scalar
from pitboss.table.zones import EMPTY, Layout


class ShownTable(NamedTuple):
    """A table as a film shows it."""

    zones: list[list[int]]
    faces: dict[int, Face | None]
    known: dict[int, int]
    secrets: list[list[Scalar] | None]
    counts: dict[int | None, list[PublicCount]]  # by seat; None: of the table

    def faces_in(self, zone: int) -> list[Face | None]:
        """Return the faces of a zone; None for a card that the viewer does not know."""
        return [self.faces.get(token) for token in self.zones[zone] if token != EMPTY]


def empty_table(layout: Layout) -> ShownTable:
    """Return the table before the first scene."""
    return ShownTable([[] for _ in layout.zones], {}, {}, [[] for _ in layout.secrets], {})


def play_film(scenes: Iterable[Scene], shown: ShownTable) -> Iterator[tuple[Scene, ShownTable]]:
    """Yield each scene with the table after it: `shown`, which changes."""
    for scene in scenes:
        for zone, tokens in scene.zones.items():
            shown.zones[zone] = tokens
        shown.faces.update(scene.faces)
        shown.known.update(scene.known)
        for secret, values in scene.secrets.items():
            shown.secrets[secret] = values
        for seat, counts in scene.seat_counts.items():
            shown.counts[seat] = counts
        if scene.table_counts is not None:
            shown.counts[None] = scene.table_counts
        yield scene, shown


def show_last(scenes: Iterable[Scene], layout: Layout) -> ShownTable:
    """Return the table after the last scene."""
    *_, (_, shown) = play_film(scenes, empty_table(layout))
    return shown
