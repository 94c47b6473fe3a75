"""Teams: the bots of each table in the order in which they are named, for games in which all play together.

Four bots at tables of two make two teams. They meet nobody; with `same_deals` each team plays the same deals.
"""

from __future__ import annotations

from pitboss.errors import ConfigError
from pitboss.plugins.formats import EntrantField, FormatOptions, PlannedRound, RoundGenerator


class Teams:
    """Each bot sits at one table, with those that are named beside it."""

    name = "teams"
    summary = "Teams in the order in which bots are named, for games in which all play together."
    is_static = True
    Options = FormatOptions

    def check(self, field: EntrantField, options: FormatOptions) -> None:
        """Require whole teams."""
        if len(field.names) % field.seats:
            raise ConfigError(f"{len(field.names)} bots make no teams of {field.seats}")

    def count_blocks(self, field: EntrantField, options: FormatOptions) -> int:
        """Return one block for each team and deal."""
        return len(field.names) // field.seats * field.deals

    def rounds(self, field: EntrantField, options: FormatOptions) -> RoundGenerator:
        """Yield the only round."""
        firsts = range(0, len(field.names), field.seats)
        yield PlannedRound([tuple(range(first, first + field.seats)) for first in firsts], field.deals)
        return None
