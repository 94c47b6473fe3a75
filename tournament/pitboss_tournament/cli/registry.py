"""The installed plugins, broken ones reported once and left out; and bots named on the command line, as entrants."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from pitboss_tournament.cli.output import print_note

if TYPE_CHECKING:
    from pitboss.plugins.registry import Registry
    from pitboss_tournament.plan.plan import Entrant, OnBroken, SandboxChoice

T = TypeVar("T")


@cache
def load_registry() -> Registry:
    """Return the installed plugins; print one line for every broken one, and for every name that several offer."""
    from pitboss.plugins.registry import Registry

    found = Registry()
    asked = (found.games, found.bots, found.packs, found.formats)  # a broken plugin is found when its hook is called
    assert all(isinstance(offer, Mapping) for offer in asked)
    for problem in found.problems:
        print_note(" ".join(str(problem).split()))
    return found


def load_offers(hook: str, kind: type[T]) -> dict[str, T]:
    """Return what plugins offer by a hook of the runner; print one line for each that is broken, as `load_registry`."""
    registry = load_registry()
    known = len(registry.problems)
    found = registry.offers(hook, kind)
    for problem in registry.problems[known:]:
        print_note(" ".join(str(problem).split()))
    return found


def find_offer(option: str, name: str, hook: str, kind: type[T], more: Mapping[str, T] = {}) -> T:
    """Return what an option names, of what plugins offer by a hook, or of `more`.

    Raises:
        ConfigError: there is no such name.
    """
    from pitboss.errors import ConfigError
    from pitboss.text import join_words, suggest_nearest

    known = {**more, **load_offers(hook, kind)}
    if name not in known:
        hint = suggest_nearest(name, known)
        raise ConfigError(f"{option}: there is no {name!r}{hint}; there are: {join_words(list(known), 'and')}")
    return known[name]


def make_game_page(game_name: str) -> str:
    """Return the page of a game for the author of a bot.

    Raises:
        ConfigError: there is no such game.
        RandomGameError: it failed in a random game.
    """
    from pitboss_tournament.authoring.game_page import render_game_page

    game = load_registry().find_game(game_name)
    return render_game_page(game, load_registry().list_distributions("pitboss_games")[game_name])


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
        MachineError: whether the sandbox works cannot be told now.
    """
    from pitboss_tournament.authoring.bot_build import BuildRules, build_changed
    from pitboss_tournament.config.entrants import expand_pattern, keep_good, resolve_entrant
    from pitboss_tournament.processes.sandbox_probe import check_strangers, resolve_sandbox
    from pitboss_tournament.store.store import read_last_level

    level, warning = resolve_sandbox(sandbox, None if store is None else read_last_level(store))
    check_strangers(specs, sandbox, level, warning)
    rules = BuildRules(level, build_network)

    def resolve(spec: str) -> Entrant:
        build_changed(spec, base, print_note, rules, is_shown=shows_builds)
        return resolve_entrant(spec, load_registry(), base.absolute(), game)

    expanded = [one for spec in specs for one in expand_pattern(spec, base)]
    found, left_out = keep_good(expanded, resolve, on_broken)
    for text in left_out:
        print_note(text)
    return found
