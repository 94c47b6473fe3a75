"""Conditional sampling: worlds of a seat in which some cards have faces that are known from later events."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pitboss.game import AnyState
from pitboss.table.cards import Face
from pitboss.table.constraints import CardDomain
from pitboss.table.randomness import Random


def sample_world_given(
    state: AnyState,
    seat: int,
    rng: Random,
    required_faces: Mapping[int, Face],
    extra_domains: Sequence[CardDomain] = (),
) -> AnyState:
    """Return a world of a seat in which each card of `required_faces` has its face, and `extra_domains` hold.

    With private mixing the faces are required as far as the mixing history allows them.

    Raises:
        TableError: no such world was found.
    """
    twin = state.copy()
    table = twin.table
    table.chance_events = state.table.chance_events
    table.card_domains = [*table.card_domains, *extra_domains]
    if table.has_only_public_groups:
        for card, face in required_faces.items():
            table.restrict([card], {*table.layout.deck.copies(face)})
    else:
        table.required_faces = required_faces
    world = twin.imagine(seat, rng)
    world.table.card_domains = state.table.card_domains
    return world.copy()  # without chance events
