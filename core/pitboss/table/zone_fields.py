"""Zones as fields of a state: `stock: Zone = pile(Visibility.NOBODY)`, `hands: Zones = hand_each()`.

A zone is named as its field; those of the seats as the field without a final "s", and the seat: `hand 0`, `hand 1`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import Field, field
from typing import Any, Final, TypeAlias

from pitboss.table.zones import Layout, Visibility, Zone

Zones: TypeAlias = tuple[Zone, ...]  # by seat
ZoneMaker: TypeAlias = Callable[[Layout, str], Zone | Zones]  # of the layout and the field's name

_MAKER: Final = "zone maker"


def pile(visibility: Visibility = Visibility.EVERYBODY) -> Any:  # noqa: ANN401 - as `dataclasses.field`
    """Declare a pile that nobody owns."""
    return _zone_field(lambda layout, name: layout.add_pile(name, visibility))


def spread(visibility: Visibility = Visibility.EVERYBODY) -> Any:  # noqa: ANN401
    """Declare a zone that nobody owns, in which cards lie side by side."""
    return _zone_field(lambda layout, name: layout.add_spread(name, visibility))


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


def add_declared_zones(layout: Layout, declared: Sequence[Field[Any]]) -> dict[str, Zone | Zones]:
    """Add the zones that are declared among some fields to a layout, in their order; return them by field."""
    return {one.name: one.metadata[_MAKER](layout, one.name) for one in declared if _MAKER in one.metadata}


def _zone_field(maker: ZoneMaker) -> Any:  # noqa: ANN401
    return field(metadata={_MAKER: maker})


def _add_each(
    layout: Layout, name: str, visibility: Visibility, add_zone: Callable[[str, Visibility, int], Zone]
) -> Zones:
    single = name.removesuffix("s")
    return tuple(add_zone(f"{single} {seat}", visibility, seat) for seat in range(layout.seats))
