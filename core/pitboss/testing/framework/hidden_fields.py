"""Hidden fields: what a state knows beside its table, and a seat cannot know. Worlds must not have these values."""

from __future__ import annotations

from typing import Final

from pitboss.game import AnyState
from pitboss.table.randomness import Random
from pitboss.testing.framework.snapshot import read_fields

WORLDS: Final = 6  # in which a field has its true value, before it is looked at closely
MORE_WORLDS: Final = 40  # in which it must have it, so that it counts as known


def find_told_field(one: AnyState, other: AnyState, seat: int, rng: Random) -> str | None:
    """Return a field of which the worlds of `seat` always hold the truth, in two states that it cannot tell apart.

    None if there is none. `one` and `other` are of one game; the field differs between them.
    """
    values = [read_fields(state) for state in (one, other)]
    differing = [name for name in values[0] if values[0][name] != values[1][name]]
    for count in (WORLDS, MORE_WORLDS) if differing else ():
        for state, true in zip((one, other), values, strict=True):
            for number in range(count):
                world = read_fields(state.imagine(seat, rng.spawn(f"world {number} of {count}")))
                differing = [name for name in differing if world[name] == true[name]]
                if not differing:
                    return None
    return differing[0] if differing else None
