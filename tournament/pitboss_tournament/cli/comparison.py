"""A comparison of two bots as commands play it: `pitboss compare`, and each one of a queue."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from pitboss_tournament.cli.exit_status import NOT_BETTER, UNDECIDED
from pitboss_tournament.cli.registry import load_registry
from pitboss_tournament.cli.setting_words import resolve_players
from pitboss_tournament.cli.tournament_run import open_tournament
from pitboss_tournament.config.defaults import name_store
from pitboss_tournament.config.versions import ComparisonSettings, find_company, name_versions, plan_comparison

if TYPE_CHECKING:
    from pitboss_tournament.running.run_end import RunLimits
    from pitboss_tournament.running.tournament import Tournament
    from pitboss_tournament.showing.version_comparison import ComparisonReport


@contextmanager
def open_comparison(
    comparison: ComparisonSettings,
    old: str,
    new: str,
    base: Path = Path(),
    *,
    hidden: Sequence[Path] = (),
    keeps_store: bool = True,
    shows_builds: bool = True,
    limits: RunLimits | None = None,
) -> Iterator[Tournament]:
    """Context manager: build the bots, which are called so in the folder `base`, and open the store of a comparison.

    A store with its games carries on. `hidden`: more files that no bot may read. What a build says is shown at
    once, or is the `output` of the error.

    Raises:
        ConfigError, SeveralErrors: a bot cannot be built or is not found, a setting is wrong, the store is another's.
    """
    registry, given = load_registry(), comparison.settings
    called = [old, new, *find_company(comparison, registry)]
    before, after, *others = resolve_players(called, given, base, shows_builds=shows_builds)
    bots = [*name_versions(before, after), *others]
    with name_store(given, [bot.name for bot in bots[:2]], keeps_store, [bot.name for bot in others]) as (
        seeded,
        store,
    ):
        comparison = replace(comparison, settings=seeded)
        plan = plan_comparison(comparison, bots, registry, store, hidden=hidden, keeps_store=keeps_store)
        with open_tournament(plan, limits) as tournament:
            yield tournament


def verdict_status(found: ComparisonReport) -> int:
    """Return the exit status of a verdict."""
    return {"better": 0, "not better": NOT_BETTER}.get(found.verdict, UNDECIDED)
