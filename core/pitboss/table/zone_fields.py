"""Zones and secrets as fields of a state: `stock: Zone = pile(Visibility.NOBODY)`, `dice: Secrets = secret_each()`.

A zone is named as its field; those of the seats as the field without a final "s", and the seat: `hand 0`, `hand 1`;
so are several zones without an owner: `row 0`, `row 1`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import Field, field
from typing import Any, Final, TypeAlias, TypeVar

from pitboss.table.secrets import Secret
from pitboss.table.zones import Layout, Visibility, Zone

Zones: TypeAlias = tuple[Zone, ...]  # by seat, or by number
Secrets: TypeAlias = tuple[Secret, ...]  # by seat
Place: TypeAlias = Zone | Zones | Secret | Secrets
PlaceMaker: TypeAlias = Callable[[Layout, str], Place]  # of the layout and the field's name

P = TypeVar("P")

_MAKER: Final = "zone maker"


def pile(visibility: Visibility = Visibility.EVERYBODY) -> Any:  # noqa: ANN401 - as `dataclasses.field`
    """Declare a pile that nobody owns."""
    return _zone_field(lambda layout, name: layout.add_pile(name, visibility))


def spread(visibility: Visibility = Visibility.EVERYBODY) -> Any:  # noqa: ANN401
    """Declare a zone that nobody owns, in which cards lie side by side."""
    return _zone_field(lambda layout, name: layout.add_spread(name, visibility))


def piles(count: int, visibility: Visibility = Visibility.EVERYBODY) -> Any:  # noqa: ANN401
    """Declare some piles that nobody owns, numbered from 0."""
    return _zone_field(lambda layout, name: _add_numbered(layout.add_pile, name, count, visibility))


def spreads(count: int, visibility: Visibility = Visibility.EVERYBODY) -> Any:  # noqa: ANN401
    """Declare some zones that nobody owns, numbered from 0, in which cards lie side by side."""
    return _zone_field(lambda layout, name: _add_numbered(layout.add_spread, name, count, visibility))


def hand_each(visibility: Visibility = Visibility.OWNER) -> Any:  # noqa: ANN401
    """Declare a hand for each seat."""
    return _zone_field(lambda layout, name: layout.add_hands(name.removesuffix("s"), visibility))


def rack_each(labels: Sequence[int], visibility: Visibility = Visibility.OWNER) -> Any:  # noqa: ANN401
    """Declare a zone of slots for each seat; `labels` are the numbers printed at the slots, in order."""
    return _zone_field(lambda layout, name: layout.add_racks(name.removesuffix("s"), labels, visibility))


def pile_each(visibility: Visibility = Visibility.EVERYBODY) -> Any:  # noqa: ANN401
    """Declare a pile for each seat."""
    return _zone_field(lambda layout, name: _add_each(layout, name, visibility, layout.add_pile))


def spread_each(visibility: Visibility = Visibility.EVERYBODY) -> Any:  # noqa: ANN401
    """Declare a zone for each seat, in which cards lie side by side."""
    return _zone_field(lambda layout, name: _add_each(layout, name, visibility, layout.add_spread))


def secret(visibility: Visibility = Visibility.EVERYBODY) -> Any:  # noqa: ANN401
    """Declare a place without an owner, for values that are rolled or chosen."""
    return _zone_field(lambda layout, name: layout.add_secret(name, visibility))


def secret_each(visibility: Visibility = Visibility.OWNER) -> Any:  # noqa: ANN401
    """Declare a place for each seat for values that are rolled or chosen."""
    return _zone_field(lambda layout, name: _add_each(layout, name, visibility, layout.add_secret))


def add_declared_zones(layout: Layout, declared: Sequence[Field[Any]]) -> dict[str, Place]:
    """Add the zones and secrets that are declared among some fields to a layout; return them by field."""
    return {one.name: one.metadata[_MAKER](layout, one.name) for one in declared if _MAKER in one.metadata}


def _zone_field(maker: PlaceMaker) -> Any:  # noqa: ANN401
    return field(metadata={_MAKER: maker})


def _add_numbered(
    add_zone: Callable[[str, Visibility], Zone], name: str, count: int, visibility: Visibility
) -> tuple[Zone, ...]:
    return tuple(add_zone(f"{name.removesuffix('s')} {number}", visibility) for number in range(count))


def _add_each(
    layout: Layout, name: str, visibility: Visibility, add_place: Callable[[str, Visibility, int], P]
) -> tuple[P, ...]:
    single = name.removesuffix("s")
    return tuple(add_place(f"{single} {seat}", visibility, seat) for seat in range(layout.seats))
