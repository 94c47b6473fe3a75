"""Built-in formats: who meets whom. A plugin like any other; `selection` finds the format of a tournament."""

from __future__ import annotations

from collections.abc import Iterable

from pitboss.plugins.formats import AnyFormat
from pitboss.plugins.hookspec import hookimpl
from pitboss_tournament.formats.gauntlet import Gauntlet
from pitboss_tournament.formats.knockout import Knockout
from pitboss_tournament.formats.round_robin import RoundRobin
from pitboss_tournament.formats.settle import Settle
from pitboss_tournament.formats.swiss import Swiss


@hookimpl
def pitboss_formats() -> Iterable[AnyFormat]:
    """Return the built-in formats; no other plugin can take their names."""
    return [Gauntlet(), Knockout(), RoundRobin(), Settle(), Swiss()]
