"""The formats room: who meets whom. Pitboss' own formats, and those of plugins beside them; pure functions, without I/O."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from pitboss.errors import ConfigError
from pitboss.formats import AnyFormat, EntrantField
from pitboss.options import suggest_nearest
from pitboss.plugins import Registry
from pitboss_tournament.formats.gauntlet import Gauntlet
from pitboss_tournament.formats.knockout import Knockout
from pitboss_tournament.formats.round_robin import RoundRobin
from pitboss_tournament.formats.settle import Settle
from pitboss_tournament.formats.swiss import Swiss
from pitboss_tournament.plan.plan import FormatChoice, Plan
from pitboss_tournament.plan.seating import count_block_games
from pitboss_tournament.store.header import Header
from pitboss_tournament.text.validation import convert_value

BUILT_IN_FORMATS: Final[dict[str, AnyFormat]] = {
    made.name: made for made in (Gauntlet(), Knockout(), RoundRobin(), Settle(), Swiss())
}


def list_formats(registry: Registry) -> dict[str, AnyFormat]:
    """Return all formats by name."""
    return dict(sorted({**registry.formats, **BUILT_IN_FORMATS}.items()))


def find_format(name: str, registry: Registry | None = None) -> AnyFormat:
    """Return a format, by default of all that are installed; no plugin is loaded for one of Pitboss' own.

    Raises:
        ConfigError: there is none of this name.
    """
    if name in BUILT_IN_FORMATS:
        return BUILT_IN_FORMATS[name]
    found = list_formats(registry or Registry())
    if name not in found:
        raise ConfigError(f"there is no format {name!r}{suggest_nearest(name, found)}; there are: {', '.join(found)}")
    return found[name]


def choose_format(name: str, options: Mapping[str, object], registry: Registry) -> FormatChoice:
    """Return a format with all its options.

    Raises:
        ConfigError: there is no such format.
        Misfit: it has no such option or value.
    """
    made = find_format(name, registry)
    typed = convert_value(dict(options), made.Options, noun="option")
    plain = msgspec.json.decode(msgspec.json.encode(typed))  # as it comes back from a store
    return FormatChoice(name=name, options=plain, may_grow=made.is_static)


def make_field(tournament: Plan | Header) -> EntrantField:
    """Return what the format of a tournament makes its rounds for."""
    names = tournament.bots if isinstance(tournament, Header) else [entrant.name for entrant in tournament.entrants]
    return EntrantField(
        names=tuple(names),
        seats=tournament.seats,
        deals=tournament.deals,
        games=count_block_games(tournament.seating, tournament.seats, tournament.sides),
        sides=tournament.sides,
    )


def convert_options(choice: FormatChoice, made: AnyFormat) -> Any:  # noqa: ANN401 - the format's own
    """Return chosen options as the format's own."""
    return msgspec.convert(choice.options, made.Options)


def check_plan(plan: Plan, registry: Registry | None = None) -> None:
    """See whether a plan can be played in its format, with its seat design.

    Raises:
        ConfigError: it cannot.
    """
    made = find_format(plan.format.name, registry)
    made.check(make_field(plan), convert_options(plan.format, made))
