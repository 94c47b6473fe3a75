"""The setups of games that a bot plays, as its bot.toml names them: presets, and numbers of players."""

from __future__ import annotations

from collections.abc import Sequence

from pitboss.errors import ConfigError
from pitboss.game import AnyGame
from pitboss.simulation.game_setup import DEFAULTS, OptionVariant, make_setup
from pitboss.text import join_words
from pitboss_tournament.plan.plan import Entrant


def list_bot_variants(game: AnyGame, presets: Sequence[str] | None) -> list[OptionVariant] | None:
    """Return the variants of a game that a bot with these `presets` plays; None: all, as none of them is named."""
    own = [name for name in presets or () if name == DEFAULTS or name in game.presets]
    return [OptionVariant() if name == DEFAULTS else OptionVariant(name) for name in own] or None


def check_bot_setup(bot: Entrant, game: AnyGame, seats: int, options: object, preset: str | None = None) -> None:
    """Check that a bot plays a game with so many players and these resolved options, which come of this preset.

    Options that were changed beside one of its presets are the organizer's choice.

    Raises:
        ConfigError: it does not.
    """
    if bot.seats is not None and seats not in bot.seats:
        raise ConfigError(f"the bot {bot.name!r} plays with {join_words(bot.seats)} players, not with {seats}")
    variants = list_bot_variants(game, bot.presets)
    if variants is None or (preset is not None and OptionVariant(preset) in variants):
        return
    setups = [make_setup(game, seats, variant) for variant in variants]
    if any(setup is not None and setup.options == options for setup in setups):
        return
    named = join_words([repr(variant.preset or DEFAULTS) for variant in variants], "and")
    raise ConfigError(
        f"the bot {bot.name!r} plays {game.name} with {'presets' if len(variants) > 1 else 'preset'} {named}, "
        f"and the options here are others"
    )
