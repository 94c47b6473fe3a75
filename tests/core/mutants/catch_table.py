"""The table of which check caught which mutant: `python -m tests.core.mutants`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from pitboss.testing import ConformanceReport, check_game
from pitboss_magpie.magpie import Magpie
from tests.core.mutants import Mutant, list_mutants

MIN_CAUGHT: Final = 0.95
MAX_DECISIONS: Final = 150  # decisions: the healthy game has 96 at most


class MutantResult(Struct, frozen=True):
    """A mutant and the checks that it failed."""

    name: str
    fault: str
    caught_by: list[str]


def check_mutant(mutant: Mutant) -> ConformanceReport:
    """Put a mutant through the suite, up to the first game in which it fails a check."""
    presets = [] if mutant.preset is None else [mutant.preset]
    return check_game(
        mutant.game,
        seats=[mutant.players],
        presets=presets,
        games=mutant.games,
        max_decisions=MAX_DECISIONS,
        stop_at_failure=True,
    )


def check_all() -> Iterator[MutantResult]:
    """Examine every mutant."""
    for mutant in list_mutants():
        failed = check_mutant(mutant).failures
        yield MutantResult(mutant.name, mutant.fault, [verdict.name for verdict in failed])


def main() -> int:
    """Print the table; return 0 if the healthy game passes and enough mutants are caught."""
    healthy = check_game(Magpie(), games=2, max_decisions=MAX_DECISIONS).failures
    print(f"the healthy game fails {len(healthy)} checks")
    for one in healthy:
        print(f"  {one}")
    table = []
    for row in check_all():
        table.append(row)
        print(f"{'caught' if row.caught_by else 'MISSED'}  {row.name}: {row.fault}")
        print(f"        {', '.join(row.caught_by) or '-'}")
    caught = sum(bool(row.caught_by) for row in table)
    share = f"{caught / len(table):.1%} (at least {MIN_CAUGHT:.0%} is asked for)"
    print(f"\n{caught} of {len(table)} mutants are caught: {share}")
    return 0 if not healthy and caught >= MIN_CAUGHT * len(table) else 1
