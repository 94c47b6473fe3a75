"""When a tournament ends before its schedule: what a person asks for becomes rules that can be followed."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from pitboss.errors import ConfigError
from pitboss.text import suggest_nearest
from pitboss_tournament.plan.plan import StopRules


def resolve_stop_rules(names: Sequence[str], wish: StopRules) -> StopRules:
    """Return the rules for bots of these names.

    Raises:
        ConfigError: they name no bot, or ask for nothing.
    """
    for key, name in (("better_than", wish.better_than), ("bot", wish.bot)):
        if name is not None and name not in names:
            raise ConfigError(f"stop.{key} is {name!r}{suggest_nearest(name, names)}; the bots are {', '.join(names)}")
    others = [name for name in names if name != wish.better_than]
    bot = others[0] if wish.bot is None and wish.better_than is not None and len(others) == 1 else wish.bot
    if (bot is None) != (wish.better_than is None):
        missing = "bot" if bot is None else "better_than"
        raise ConfigError(
            f"stop.{missing} is missing: a tournament ends when one bot is better than another; "
            f"the bots are {', '.join(names)}"
        )
    if bot is None and not wish.ranking:
        raise ConfigError("stop asks for nothing; it has better_than with bot, or ranking = true")
    if bot is not None and bot == wish.better_than:
        raise ConfigError(f"stop.bot and stop.better_than are both {bot!r}; they must be two bots")
    return replace(wish, bot=bot)
