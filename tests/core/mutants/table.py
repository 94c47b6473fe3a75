"""The table of which check caught which mutant: `python -m tests.core.mutants`."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from pitboss.testing import Report, check_game
from tests.core.mutants import mutants
from tests.core.mutants.magpie import Magpie

ENOUGH: Final = 0.95


class Row(Struct, frozen=True):
    """A mutant and the checks that it failed."""

    name: str
    fault: str
    caught_by: list[str]


def examined(game: Magpie) -> Report:
    """Put a game through the suite, in a small way."""
    return check_game(game, presets=["graves", "pairs"], games=2, longest=2_000)


def rows() -> list[Row]:
    """Examine every mutant."""
    return [Row(name, fault, [one.name for one in examined(game).failed]) for name, (game, fault) in mutants().items()]


def main() -> int:
    """Print the table; return 0 if the healthy game passes and enough mutants are caught."""
    healthy = examined(Magpie()).failed
    print(f"the healthy game fails {len(healthy)} checks")
    for one in healthy:
        print(f"  {one}")
    table = rows()
    for row in table:
        print(f"{'caught' if row.caught_by else 'MISSED'}  {row.name}: {row.fault}")
        print(f"        {', '.join(row.caught_by) or '-'}")
    caught = sum(bool(row.caught_by) for row in table)
    print(f"\n{caught} of {len(table)} mutants are caught: {caught / len(table):.1%} (at least {ENOUGH:.0%} is asked for)")
    return 0 if not healthy and caught >= ENOUGH * len(table) else 1
