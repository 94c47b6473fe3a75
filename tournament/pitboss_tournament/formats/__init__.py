"""The formats room: who meets whom. Pitboss' own formats, and those of plugins beside them; pure functions, without I/O."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from pitboss.errors import ConfigError
from pitboss.formats import AnyFormat, Field
from pitboss.options import nearest
from pitboss.plugins import Registry
from pitboss_tournament.formats.gauntlet import Gauntlet
from pitboss_tournament.formats.knockout import Knockout
from pitboss_tournament.formats.round_robin import RoundRobin
from pitboss_tournament.formats.settle import Settle
from pitboss_tournament.formats.swiss import Swiss
from pitboss_tournament.planning.fitting import fitted
from pitboss_tournament.planning.plan import FormatChoice, Plan
from pitboss_tournament.planning.seating import block_games
from pitboss_tournament.results.header import Header

OWN: Final[dict[str, AnyFormat]] = {made.name: made for made in (Gauntlet(), Knockout(), RoundRobin(), Settle(), Swiss())}


def all_formats(registry: Registry) -> dict[str, AnyFormat]:
    """Return all formats by name."""
    return dict(sorted({**registry.formats, **OWN}.items()))


def format_named(name: str, registry: Registry | None = None) -> AnyFormat:
    """Return a format, by default of all that are installed; no plugin is loaded for one of Pitboss' own.

    Raises:
        ConfigError: there is none of this name.
    """
    if name in OWN:
        return OWN[name]
    found = all_formats(registry or Registry())
    if name not in found:
        raise ConfigError(f"there is no format {name!r}{nearest(name, found)}; there are: {', '.join(found)}")
    return found[name]


def chosen(name: str, options: Mapping[str, object], registry: Registry) -> FormatChoice:
    """Return a format with all its options.

    Raises:
        ConfigError: there is no such format.
        Misfit: it has no such option or value.
    """
    made = format_named(name, registry)
    typed = fitted(dict(options), made.Options, noun="option")
    plain = msgspec.json.decode(msgspec.json.encode(typed))  # as it comes back from a store
    return FormatChoice(name=name, options=plain, may_grow=made.is_static)


def field_of(tournament: Plan | Header) -> Field:
    """Return what the format of a tournament makes its rounds for."""
    names = tournament.bots if isinstance(tournament, Header) else [entrant.name for entrant in tournament.entrants]
    return Field(
        names=tuple(names),
        seats=tournament.seats,
        deals=tournament.deals,
        games=block_games(tournament.seating, tournament.seats, tournament.sides),
        sides=tournament.sides,
    )


def options_of(choice: FormatChoice, made: AnyFormat) -> Any:  # noqa: ANN401 - the format's own
    """Return chosen options as the format's own."""
    return msgspec.convert(choice.options, made.Options)


def check(plan: Plan, registry: Registry | None = None) -> None:
    """See whether a plan can be played in its format, with its seat design.

    Raises:
        ConfigError: it cannot.
    """
    made = format_named(plan.format.name, registry)
    made.check(field_of(plan), options_of(plan.format, made))
