"""The hook by which the house's bots enter, as anyone's do."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from msgspec.structs import replace

from pitboss.plugins.hookspec import BotOption, NamedBot, hookimpl, python_bot

SEARCH_OPTIONS: Final = {
    "ms": BotOption(
        summary="Milliseconds of the processor for a decision; less where a clock leaves less.",
        default=100,
        least=1,
        most=60_000,
    ),
    "worlds": BotOption(
        summary="Worlds to look into for a decision, at most.", default=1_000_000, least=1, most=1_000_000
    ),
    "exploration": BotOption(
        summary="How readily it tries what has not gone well so far.", default=0.35, least=0.0, most=10.0
    ),
}


@hookimpl
def pitboss_bots() -> Iterable[NamedBot]:
    """Return the bots of the house."""
    search = _bot("search", "Looks ahead: a tree search over worlds that its seat can imagine, in any game.")
    return [
        _bot("random", "Plays a legal action drawn uniformly; the same seed gives the same game."),
        _bot("first", "Plays the first legal action, as the rule book lists them."),
        replace(search, options=SEARCH_OPTIONS),
    ]


def _bot(name: str, summary: str) -> NamedBot:
    return python_bot(f"house:{name}", summary, "pitboss_house_bots", name)
