"""The format of a tournament, found by name among those of all plugins, with its options and its field."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, Final, Protocol, runtime_checkable

import msgspec

from pitboss.errors import ConfigError
from pitboss.plugins.formats import AnyFormat, EntrantField
from pitboss.plugins.hookspec import PROJECT
from pitboss.plugins.installed_entries import find_entries
from pitboss.plugins.registry import Registry
from pitboss.text import suggest_nearest
from pitboss_tournament.plan.plan import FormatChoice, Plan, Roster, find_base_name
from pitboss_tournament.plan.seating import count_block_games
from pitboss_tournament.store.header import Header
from pitboss_tournament.text.validation import convert_checked


@runtime_checkable
class StagedFormat(Protocol):
    """A format that plays several stages."""

    def may_last_grow(self, options: Any) -> bool:  # noqa: ANN401 - the format's own
        """Whether a tournament with more deals in its last stage is the same one, made longer."""


BUILT_IN: Final = "built_in"  # the entry point of what comes with Pitboss


@cache
def load_built_in_formats() -> dict[str, AnyFormat]:
    """Return Pitboss' own formats by name, without loading another plugin."""
    return Registry(find_entries(PROJECT, BUILT_IN)).formats


def find_format(name: str, registry: Registry | None = None) -> AnyFormat:
    """Return a format, by default of all that are installed.

    Other plugins are loaded only for a name that is not built in.

    Raises:
        ConfigError: no format has this name.
    """
    if name in load_built_in_formats():
        return load_built_in_formats()[name]
    formats = (registry or Registry()).formats
    if name not in formats:
        hint = suggest_nearest(name, formats)
        raise ConfigError(f"there is no format {name!r}{hint}; there are: {', '.join(formats)}")
    return formats[name]


def choose_format(name: str, options: Mapping[str, object], registry: Registry | None = None) -> FormatChoice:
    """Return a format with all its options.

    Raises:
        ConfigError: no format has this name.
        InvalidValue: the format has no such option, or the option has another type.
    """
    chosen = find_format(name, registry)
    typed = convert_checked(dict(options), chosen.Options, noun="option")
    plain = msgspec.json.decode(msgspec.json.encode(typed))  # as it comes back from a store
    may_last_grow = isinstance(chosen, StagedFormat) and chosen.may_last_grow(typed)
    return FormatChoice(name=name, options=plain, may_grow=chosen.is_static, may_last_grow=may_last_grow)


def make_field(tournament: Plan | Header, roster: Roster) -> EntrantField:
    """Return the entrants of a roster of a tournament as its format takes them."""
    bots, owners = tournament.bots, tournament.owners
    return EntrantField(
        names=tuple(find_base_name(bots[bot]) for bot in roster.entries),
        seats=tournament.seats,
        deals=roster.deals,
        games=count_block_games(tournament.seating, tournament.seats, tournament.sides),
        sides=tournament.sides,
        owners=tuple(owners[bot] for bot in roster.entries),
        yardsticks=frozenset(place for place, bot in enumerate(roster.entries) if tournament.is_yardstick(bot)),
    )


def convert_options(choice: FormatChoice, chosen: AnyFormat) -> Any:  # noqa: ANN401 - the format's own
    """Return the chosen options as a value of the format's `Options`."""
    return msgspec.convert(choice.options, chosen.Options)


def check_plan(plan: Plan, registry: Registry | None = None) -> None:
    """Check that a plan's format can be played with its entrants, seats and options.

    Raises:
        ConfigError: it cannot.
    """
    chosen = find_format(plan.format.name, registry)
    roster = Roster(first_round=1, entries=tuple(range(len(plan.entrants))), deals=plan.deals)
    chosen.check(make_field(plan, roster), convert_options(plan.format, chosen))
