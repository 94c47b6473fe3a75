"""Bots named on the command line, as entrants."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from pitboss_tournament.authoring.bot_build import BuildRules, build_changed
from pitboss_tournament.cli.output import print_note
from pitboss_tournament.cli.registry import load_registry
from pitboss_tournament.config.entrants import expand_pattern, keep_good, resolve_entrants
from pitboss_tournament.config.loadouts import split_loadout
from pitboss_tournament.processes.sandbox_probe import check_strangers, resolve_sandbox
from pitboss_tournament.store.store import read_last_level

if TYPE_CHECKING:
    from pitboss_tournament.plan.plan import Entrant, OnBroken, SandboxChoice


def resolve_bots(
    specs: Sequence[str],
    base: Path,
    game: str,
    sandbox: SandboxChoice,
    *,
    build_network: bool = False,
    on_broken: OnBroken = "refuse",
    shows_builds: bool = True,
    store: Path | None = None,
) -> list[Entrant]:
    """Return bots given by name, command, folder relative to `base` or pattern of folders, built where that is due.

    They are built in this sandbox, with the network if that is said; what a build says is shown at once, or is the
    `output` of the error. A note names each broken one that is skipped. `store`: where the games are kept, if that is
    known.

    Raises:
        ConfigError, SeveralErrors: bots cannot be built, are not found, or do not play the game; or the sandbox cannot
            be had.
        MachineError: it is unknown now whether the sandbox works.
    """
    level, warning = resolve_sandbox(sandbox, None if store is None else read_last_level(store))
    named = load_registry().games.get(game)
    given = [(spec, None) if named is None else split_loadout(spec, named) for spec in specs]
    check_strangers([spec for spec, _ in given], sandbox, level, warning)
    rules = BuildRules(level, build_network)

    def resolve(bot: tuple[str, str | None]) -> list[Entrant]:
        build_changed(bot[0], base, print_note, rules, is_shown=shows_builds)
        return resolve_entrants(bot[0], load_registry(), base.absolute(), game, bot[1])

    expanded = [(one, loadout) for spec, loadout in given for one in expand_pattern(spec, base)]
    found, left_out = keep_good(expanded, resolve, on_broken)
    for text in left_out:
        print_note(text)
    return [*chain(*found)]
