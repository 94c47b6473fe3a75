"""How a state stands: everything about it that can be looked at, in a form that can be compared."""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from pitboss.game import AnyState
from pitboss.turns import Turn

_encode = msgspec.json.Encoder().encode


class Shown(NamedTuple):
    """What players and spectators are shown at one moment."""

    turn: Turn | None
    legal: bytes
    views: tuple[bytes, ...]  # by seat, the spectator last


class Standing(NamedTuple):
    """Everything that can be looked at."""

    shown: Shown
    position: bytes
    zones: tuple[tuple[int, ...], ...]
    known: tuple[int, ...]
    batch: tuple[int, ...]
    stated: int  # constraints
    stream: tuple[str, int]  # where the table's random stream stands
    log: int | None
    chance: int | None


def shown(state: AnyState) -> Shown:
    """Return what everybody is shown."""
    views = tuple(_encode(state.view(seat)) for seat in range(state.table.layout.seats + 1))
    return Shown(state.turn, _encode(list(state.legal())), views)


def standing(state: AnyState) -> Standing:
    """Return everything that can be looked at."""
    table = state.table
    return Standing(
        shown(state),
        _encode(state.position()),
        tuple(map(tuple, table.zones)),
        tuple(table.known),
        tuple(table.batch),
        len(table.constraints) + len(table.confined),
        (table.rng.seed, table.rng.draws),
        None if table.log is None else len(table.log),
        None if table.chance is None else len(table.chance),
    )


def difference(before: Standing, after: Standing) -> str:
    """Return what has changed in words, nothing if nothing has."""
    parts = [difference_shown(before.shown, after.shown)]
    parts += [
        f"{part} (was {_short(old)}, is {_short(new)})"
        for part, old, new in zip(Standing._fields[1:], before[1:], after[1:], strict=True)
        if old != new
    ]
    return ", ".join(part for part in parts if part)


def difference_shown(before: Shown, after: Shown) -> str:
    """Return what is shown otherwise, in words, nothing if all is as it was."""
    parts = []
    if before.turn != after.turn:
        parts.append(f"turn (was {before.turn}, is {after.turn})")
    if before.legal != after.legal:
        parts.append(f"legal (was {_short(before.legal)}, is {_short(after.legal)})")
    parts += [
        f"view({seat}) (was {_short(old)}, is {_short(new)})"
        for seat, (old, new) in enumerate(zip(before.views, after.views, strict=True))
        if old != new
    ]
    return ", ".join(parts)


def first_difference(one: bytes, other: bytes) -> str:
    """Return the place where two encoded things part, with what is around it."""
    at = next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    begin = max(0, at - 40)
    return f"…{one[begin : at + 40].decode(errors='replace')}… against …{other[begin : at + 40].decode(errors='replace')}…"


def _short(thing: object) -> str:
    text = thing.decode(errors="replace") if isinstance(thing, bytes) else repr(thing)
    return text if len(text) <= 160 else f"{text[:157]}…"
