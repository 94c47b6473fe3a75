"""Threats to the player on turn: the `pending` of section 2.1."""

from __future__ import annotations

from typing import Final, NamedTuple, TypeAlias

from msgspec import UNSET

from pitboss_ragamaru.messages import AttackKind, Pending

BASE_DRAWS: Final[dict[str, int]] = {"TRY": 5, "PG": 3, "DG": 3}  # cards to draw for each card played
CONVERSION_DRAWS: Final = 2  # more
RESTS_A_SIN_BIN: Final = 2  # for each Sin Bin


class Attack(NamedTuple):
    """An attack: cards to draw, unless the player answers it."""

    kind: AttackKind
    draw: int
    converted: bool


class SinBin(NamedTuple):
    """A Sin Bin: turns to rest, unless the player answers it."""

    rests: int


Threat: TypeAlias = Attack | SinBin | None


def threat_message(threat: Threat) -> Pending | None:
    """Return a threat in the form of views and positions."""
    if isinstance(threat, Attack):
        return Pending(attack=threat.kind, draw=threat.draw, converted=threat.converted)
    return Pending(sin=threat.rests) if threat else None


def threat_of(pending: Pending | None) -> Threat:
    """Return the threat that `pending` describes.

    Raises:
        ValueError: `pending` is neither an attack nor rests, or is both.
    """
    if pending is None:
        return None
    kind, draw, rests = pending.attack, pending.draw, pending.sin
    if kind is not UNSET and draw is not UNSET and rests is UNSET:
        return Attack(kind, draw, pending.converted is True)
    if rests is not UNSET and kind is UNSET and draw is UNSET and pending.converted is UNSET:
        return SinBin(rests)
    raise ValueError("an attack has `attack`, `draw` and `converted`, a Sin Bin has `sin`")
