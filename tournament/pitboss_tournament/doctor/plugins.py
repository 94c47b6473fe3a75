"""Findings about the installed plugins: games, named bots, packs, and plugins that are broken."""

from __future__ import annotations

from collections.abc import Iterator

from pitboss.plugins import Registry
from pitboss_tournament.doctor.machine import Finding


def check_plugins() -> Iterator[Finding]:
    """Yield what is installed, and a problem for each broken plugin."""
    registry = Registry()
    games, bots, packs = sorted(registry.games), sorted(registry.bots), sorted(registry.packs)
    if games:
        yield Finding("games", "ok", ", ".join(games))
    else:
        yield Finding("games", "problem", "none is installed", "a game is a package: pip install pitboss-racko")
    yield Finding("bots by name", "ok", ", ".join(bots) or "none; bots are also folders and commands")
    if packs:
        yield Finding("packs", "ok", ", ".join(packs))
    for broken in registry.broken_plugins:
        yield Finding("plugin", "problem", " ".join(str(broken).split()), "mend it, or uninstall it")
