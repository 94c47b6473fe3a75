"""Named bots with options: `house:search?ms=50&worlds=200` is the bot's command with `ms=50` and `worlds=200` added."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct

from pitboss.errors import ConfigError
from pitboss.plugins.hookspec import BotOption, NamedBot
from pitboss.text import join_words, suggest_nearest


class NamedBotCommand(Struct, frozen=True):
    """A named bot as somebody has written it."""

    name: str  # with its options
    bot: NamedBot
    command: tuple[str, ...]


def resolve_named_bot(spec: str, bots: Mapping[str, NamedBot]) -> NamedBotCommand | None:
    """Return the named bot that `spec` means, None if it is none of them.

    Raises:
        ConfigError: the bot has no such option, or the option no such value.
    """
    name, _, options = spec.partition("?")
    bot = bots.get(name)
    if bot is None:
        return None
    words = tuple(_parse_options(bot, options)) if "?" in spec else ()
    return NamedBotCommand(f"{name}?{'&'.join(words)}" if words else name, bot, (*bot.command, *words))


def option_range_text(option: BotOption) -> str:
    """Return what may be chosen, in words."""
    kind = "a whole number" if isinstance(option.default, int) else "a number"
    return f"{kind} from {option.least} to {option.most}"


def _parse_options(bot: NamedBot, text: str) -> Iterator[str]:
    seen: set[str] = set()
    known = sorted(bot.options)
    if not known:
        raise ConfigError(f"the bot {bot.name!r} has no options")
    for part in text.split("&"):
        key, _, value = part.partition("=")
        if key not in known:
            raise ConfigError(
                f"the bot {bot.name!r} has no option {key!r}{suggest_nearest(key, known)}; "
                f"it has {join_words(known, 'and')}, as in {bot.name}?{known[0]}={bot.options[known[0]].default}"
            )
        if key in seen:
            raise ConfigError(f"{bot.name}: {key} is given twice")
        seen.add(key)
        yield f"{key}={_parse_number(bot, key, value)}"


def _parse_number(bot: NamedBot, key: str, value: str) -> int | float:
    option = bot.options[key]
    try:
        number = int(value) if isinstance(option.default, int) else float(value)
    except ValueError:
        number = None
    if number is None or not option.least <= number <= option.most:
        raise ConfigError(f"{bot.name}: {key} is {value!r}; it is {option_range_text(option)}")
    return number
