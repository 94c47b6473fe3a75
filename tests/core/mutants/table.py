"""The table of which check caught which mutant: `python -m tests.core.mutants`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from pitboss.testing import Report, check_game
from tests.core.mutants import Mutant, mutants
from tests.core.mutants.magpie import Magpie

ENOUGH: Final = 0.95
LONGEST: Final = 150  # decisions: the healthy game has 96 at most


class Row(Struct, frozen=True):
    """A mutant and the checks that it failed."""

    name: str
    fault: str
    caught_by: list[str]


def examined(mutant: Mutant) -> Report:
    """Put a mutant through the suite, up to the first game in which it fails a check."""
    presets = [] if mutant.preset is None else [mutant.preset]
    return check_game(
        mutant.game, seats=[mutant.players], presets=presets, games=mutant.games, longest=LONGEST, stop_at_failure=True
    )


def rows() -> Iterator[Row]:
    """Examine every mutant."""
    for mutant in mutants():
        failed = examined(mutant).failed
        yield Row(mutant.name, mutant.fault, [verdict.name for verdict in failed])


def main() -> int:
    """Print the table; return 0 if the healthy game passes and enough mutants are caught."""
    healthy = check_game(Magpie(), games=2, longest=LONGEST).failed
    print(f"the healthy game fails {len(healthy)} checks")
    for one in healthy:
        print(f"  {one}")
    table = []
    for row in rows():
        table.append(row)
        print(f"{'caught' if row.caught_by else 'MISSED'}  {row.name}: {row.fault}")
        print(f"        {', '.join(row.caught_by) or '-'}")
    caught = sum(bool(row.caught_by) for row in table)
    print(f"\n{caught} of {len(table)} mutants are caught: {caught / len(table):.1%} (at least {ENOUGH:.0%} is asked for)")
    return 0 if not healthy and caught >= ENOUGH * len(table) else 1
