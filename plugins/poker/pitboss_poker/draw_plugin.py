"""Five-card draw as a plugin of its own name: what asks for one game imports the plugin that is called like it."""

from __future__ import annotations

from collections.abc import Iterable

from pitboss import AnyGame
from pitboss.plugins.hookspec import hookimpl
from pitboss_poker.game import FiveCardDraw


@hookimpl
def pitboss_games() -> Iterable[AnyGame]:
    """Return five-card draw."""
    return [FiveCardDraw()]
