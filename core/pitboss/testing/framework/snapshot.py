"""Snapshots: everything observable about a state, in a comparable form."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields, is_dataclass
from functools import lru_cache
from typing import Any, NamedTuple, Protocol, runtime_checkable

import msgspec

from pitboss.game import AnyState, Positioned
from pitboss.table.cards import Face
from pitboss.table.secrets import SecretValue
from pitboss.table.turns import Turn

_encode = msgspec.json.Encoder().encode


@runtime_checkable
class DescribedState(Protocol):
    """A state that says itself what it holds beside its table and its turn."""

    def describe_fields(self) -> dict[str, str]:
        """Return each thing by its name, as text; equal texts for equal things."""


class PublicSnapshot(NamedTuple):
    """What everybody is shown: the turn, the legal actions and all views."""

    turn: Turn | None
    legal: bytes
    views: tuple[bytes, ...]  # by seat, the spectator last


class Snapshot(NamedTuple):
    """Everything observable about a state."""

    public: PublicSnapshot
    position: bytes
    fields: tuple[str, ...]  # what the state has beside the table, if it is a dataclass
    zones: tuple[tuple[int, ...], ...]
    known: tuple[int, ...]
    shuffle_groups: tuple[int, ...]
    constraints: int  # how many
    secrets: tuple[SecretValue, ...]
    stream: tuple[str, int]  # seed and draws
    log: int | None
    chance: int | None


def take_public_snapshot(state: AnyState) -> PublicSnapshot:
    """Return what everybody is shown."""
    views = tuple(_encode(state.view(seat)) for seat in range(state.table.layout.seats + 1))
    return PublicSnapshot(state.turn, _encode(list(state.legal())), views)


def snapshot_after_each(state: AnyState, actions: Iterable[Any]) -> list[PublicSnapshot]:
    """Play the actions; return what everybody is shown after each."""
    snapshots = []
    for action in actions:
        state.play(action)
        snapshots.append(take_public_snapshot(state))
    return snapshots


def take_snapshot(state: AnyState) -> Snapshot:
    """Return everything observable about a state."""
    table = state.table
    return Snapshot(
        take_public_snapshot(state),
        _encode(write_position(state)),
        tuple(read_fields(state).values()),
        tuple(map(tuple, table.zones)),
        tuple(table.known_by),
        tuple(table.shuffle_group_of),
        len(table.constraints) + len(table.card_domains) + len(table.secret_facts),
        table.secrets,
        (table.rng.seed, table.rng.draws),
        None if table.log is None else len(table.log),
        None if table.chance_events is None else len(table.chance_events),
    )


def write_position(state: AnyState) -> object:
    """Return the position of a state; None if its game has no positions."""
    return state.position() if isinstance(state, Positioned) else None


def read_fields(state: AnyState) -> dict[str, str]:
    """Return the fields of a state, beside the table and the turn, by name and as text.

    A state that is no dataclass may say them itself (`DescribedState`); else there are none.
    """
    if isinstance(state, DescribedState):
        return state.describe_fields()
    return {name: repr(getattr(state, name)) for name in _list_fields(type(state))}


@lru_cache
def _list_fields(state: type[AnyState]) -> tuple[str, ...]:
    """Return the names of the fields of a dataclass that say more than its type, the table and the turn."""
    names: list[str] = [one.name for one in fields(state)] if is_dataclass(state) else []
    return tuple(name for name in names if name not in ("table", "rng", "turn", "options"))


def faces_by_zone(state: AnyState) -> list[list[Face | None]]:
    """Return the faces of the cards in all zones, None for an empty place."""
    faces = state.table.layout.deck.faces
    return [[faces[card] if card >= 0 else None for card in cards] for cards in state.table.zones]


def describe_difference(before: Snapshot, after: Snapshot) -> str:
    """Return the changes in words; "" if there are none."""
    parts = [describe_public_difference(before.public, after.public)]
    parts += [
        f"{part} (was {_shorten(old)}, is {_shorten(new)})"
        for part, old, new in zip(Snapshot._fields[1:], before[1:], after[1:], strict=True)
        if old != new
    ]
    return ", ".join(part for part in parts if part)


def describe_public_difference(before: PublicSnapshot, after: PublicSnapshot) -> str:
    """Return the changes of what everybody is shown, in words; "" if there are none."""
    parts = []
    if before.turn != after.turn:
        parts.append(f"turn (was {before.turn}, is {after.turn})")
    if before.legal != after.legal:
        parts.append(f"legal (was {_shorten(before.legal)}, is {_shorten(after.legal)})")
    parts += [
        f"view({seat}) (was {_shorten(old)}, is {_shorten(new)})"
        for seat, (old, new) in enumerate(zip(before.views, after.views, strict=True))
        if old != new
    ]
    return ", ".join(parts)


def describe_first_difference(one: bytes, other: bytes) -> str:
    """Return where two encoded values begin to differ, with some context."""
    at = next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    parts = (text[max(0, at - 40) : at + 40].decode(errors="replace") for text in (one, other))
    return " against ".join(f"…{part}…" for part in parts)


def _shorten(thing: object) -> str:
    text = thing.decode(errors="replace") if isinstance(thing, bytes) else repr(thing)
    return text if len(text) <= 160 else f"{text[:157]}…"
