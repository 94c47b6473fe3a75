"""The limits of a bot, from what the tournament allows and what the bot asks for."""

from __future__ import annotations

from pathlib import Path

from msgspec import to_builtins
from msgspec.structs import replace

from pitboss.errors import ConfigError
from pitboss.text import join_words
from pitboss_tournament.plan.limits import AskedLimits, BotLimits, Limits
from pitboss_tournament.plan.paths import normalize_path


def merge_limits(for_all: Limits, for_one: BotLimits, base: Path) -> Limits:
    """Return the limits of one bot. Its paths become absolute: relative ones start at `base`, `~` is the home folder.

    Raises:
        ConfigError: a path that it may read does not exist.
    """
    limits = replace(for_all, **to_builtins(for_one))
    return replace(limits, read=tuple(_resolve_existing(path, base) for path in limits.read))


def unmet_limits_text(bot: str, granted: Limits, asked: AskedLimits) -> list[str]:
    """Return the warning that names every limit the bot asked to exceed; no warning if there is none."""
    short = [
        f"{name} = {value} ({getattr(granted, name)} is allowed)"
        for name, value in to_builtins(asked).items()
        if value > getattr(granted, name)
    ]
    return [f"the bot {bot!r} asks for more than it gets: {join_words(short, 'and')}"] if short else []


def _resolve_existing(text: str, base: Path) -> str:
    if "\0" in text:
        raise ConfigError(f"read names {text!r}, which does not exist")
    path = normalize_path(base / Path(text).expanduser())
    if not path.exists():
        raise ConfigError(f"read names {text!r}, which does not exist")
    return str(path)
