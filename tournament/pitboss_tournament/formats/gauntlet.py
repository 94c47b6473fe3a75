"""Gauntlet: some bots against all others, to rate a new bot without the cost of a round-robin.

At each table sits exactly one challenger, with each set of others from the rest that fills the table. Challengers do
not meet each other, nor does the rest without one. A disqualified challenger plays no more; when all are disqualified
the tournament is over. Tables with a disqualified bot of the rest are not played.
"""

from __future__ import annotations

from math import comb
from typing import Annotated

from msgspec import Meta

from pitboss.errors import OptionError
from pitboss.plugins.formats import EntrantField, FormatOptions, PlannedRound, RoundGenerator
from pitboss_tournament.formats.table_sets import TableSets


class GauntletOptions(FormatOptions, frozen=True, kw_only=True):
    """The options of `gauntlet`."""

    challengers: Annotated[
        tuple[str, ...], Meta(description="The names of the bots that play against the rest; by default the first one.")
    ] = ()


class Gauntlet:
    """Each challenger against all sets of the rest that fill its table."""

    name = "gauntlet"
    summary = "One bot, or some, against all the rest."
    is_static = True
    Options = GauntletOptions

    def check(self, field: EntrantField, options: GauntletOptions) -> None:
        """Require challengers that leave enough others to fill a table."""
        challengers = _challengers(field, options)
        if len(set(challengers)) < len(challengers):
            raise OptionError(f"challengers: {', '.join(options.challengers)} names a bot twice", "challengers")
        rest = len(field.names) - len(challengers)
        if rest < field.seats - 1:
            raise OptionError(
                f"challengers: {len(challengers)} of {len(field.names)} bots leave {rest} others; "
                f"a table of {field.seats} needs {field.seats - 1}",
                "challengers",
            )

    def count_blocks(self, field: EntrantField, options: GauntletOptions) -> int:
        """Return one block for each table and deal."""
        challengers = len(_challengers(field, options))
        return challengers * comb(len(field.names) - challengers, field.seats - 1) * field.deals

    def rounds(self, field: EntrantField, options: GauntletOptions) -> RoundGenerator:
        """Yield the only round."""
        challengers = _challengers(field, options)
        rest = [bot for bot in range(len(field.names)) if bot not in challengers]
        yield PlannedRound(TableSets(rest, field.seats, heads=challengers), field.deals)
        return None


def _challengers(field: EntrantField, options: GauntletOptions) -> list[int]:
    return [field.find_bot(name, "challengers") for name in options.challengers] or [0]
