"""The hook by which the house's bots enter, as anyone's do."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from pitboss.plugins.hookspec import BotOption, NamedBot, hookimpl, python_bot
from pitboss.plugins.rungs import GameRungs

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

HANDICAP_OPTIONS: Final = {
    "percent": BotOption(summary="Decisions of 100 in which it plays any legal action.", default=25, least=0, most=100),
}
ROLLOUT_OPTIONS: Final = {
    "worlds": BotOption(summary="Worlds to play each action on in.", default=8, least=1, most=100_000),
    "caution": BotOption(
        summary="Standard errors by which an action has to look better than the own bot's.",
        default=1.0,
        least=0.0,
        most=10.0,
    ),
}


@hookimpl
def pitboss_bots() -> Iterable[NamedBot]:
    """Return the bots of the house."""
    search = _bot("search", "Looks ahead: a tree search over worlds that its seat can imagine, in any game.")
    handicap = _bot("handicap", "Plays as the game's own bot, house:GAME, and in some decisions any legal action.")
    rollout = _bot("rollout", "Plays on with the game's own bot in worlds that its seat can imagine, and compares.")
    return [
        _bot("random", "Plays a legal action drawn uniformly; the same seed gives the same game."),
        _bot("first", "Plays the first legal action, as the rule book lists them."),
        replace(search, options=SEARCH_OPTIONS),
        replace(handicap, options=HANDICAP_OPTIONS),
        replace(rollout, options=ROLLOUT_OPTIONS),
    ]


@hookimpl
def pitboss_rungs() -> Iterable[GameRungs]:
    """Return the opponents that were measured, a file for each game (`bench/rungs.py` writes them)."""
    files = sorted(Path(__file__).with_name("rungs").glob("*.json"))
    return [msgspec.json.decode(file.read_bytes(), type=GameRungs) for file in files]


def _bot(name: str, summary: str) -> NamedBot:
    return python_bot(f"house:{name}", summary, "pitboss_house_bots", name)


def read_options(bot: str, options: Mapping[str, BotOption], words: Iterable[str]) -> dict[str, Any]:
    """Return the value of each option by words as `ms=50`, with the default of those that are not given.

    Raises:
        ValueError: there is no such option, or it is no number that may be chosen.
    """
    given = dict(word.partition("=")[::2] for word in words)
    if unknown := given.keys() - options.keys():
        raise ValueError(f"{bot} has no option {', '.join(sorted(unknown))!r}; it has {', '.join(options)}")
    values: dict[str, Any] = {name: option.default for name, option in options.items()}
    for name, word in given.items():
        if (number := options[name].read_number(word)) is None:
            raise ValueError(f"{bot}: {name} is {word!r}; it is {options[name].range_text}")
        values[name] = number
    return values
