"""The hook by which the house's bots enter, as anyone's do."""

from __future__ import annotations

from collections.abc import Iterable

from pitboss.hookspec import NamedBot, hookimpl


@hookimpl
def pitboss_bots() -> Iterable[NamedBot]:
    """Return the bots of the house."""
    return [
        _bot("random", "Plays a legal action drawn uniformly; the same seed gives the same game."),
        _bot("first", "Plays the first legal action, as the rule book lists them."),
    ]


def _bot(name: str, summary: str) -> NamedBot:
    return NamedBot(name=f"house:{name}", summary=summary, command=("{python}", "-P", "-m", "pitboss_house_bots", name))
