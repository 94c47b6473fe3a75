"""Seven-card stud as a plugin of its own name, as `draw_plugin`."""

from __future__ import annotations

from collections.abc import Iterable

from pitboss import AnyGame
from pitboss.plugins.hookspec import hookimpl
from pitboss_poker.game import SevenCardStud


@hookimpl
def pitboss_games() -> Iterable[AnyGame]:
    """Return seven-card stud."""
    return [SevenCardStud()]
