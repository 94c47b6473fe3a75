"""A plugin whose bots play one game only: for the tests of entrants."""

from __future__ import annotations

from collections.abc import Iterable

from pitboss.plugins.hookspec import NamedBot, hookimpl


@hookimpl
def pitboss_bots() -> Iterable[NamedBot]:
    """Return two bots."""
    return [
        NamedBot(
            name="picky:rummy", summary="Plays rummy.", command=["{python}", "-m", "rummy"], games=["rummy", "hearts"]
        ),
        NamedBot(name="picky:lost", summary="Is not to be found.", command=["no-such-program"]),
        NamedBot(name="picky:all", summary="Plays all.", command=["{python}", "-m", "all"]),
    ]
