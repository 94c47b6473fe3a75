"""Every house bot passes `pitboss check` with each preset, at each number of players, that it takes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from msgspec.structs import replace

from pitboss.errors import ConfigError
from pitboss.plugins.registry import Registry
from pitboss.protocol.messages import Clock
from pitboss.simulation.game_setup import OptionVariant
from pitboss_tournament.bot_checks.bot_under_test import BotUnderTest, resolve_bot
from pitboss_tournament.bot_checks.suite import check_bot
from pitboss_tournament.config.entrants import list_bot_variants

pytestmark = [pytest.mark.once, pytest.mark.long]

REGISTRY: Final = Registry()
PATIENT: Final = Clock(start_ms=60_000, decision_ms=60_000)
GAME_SECONDS: Final = 10.0
LEFT_OUT: Final = ("house:first", "house:random")  # they choose by number; "first" comes to no end in some games


def list_checked_bots() -> Iterator[BotUnderTest]:
    """Yield each house bot that knows the rules, with each of its games and each preset, and with none."""
    for name, bot in REGISTRY.bots.items():
        for game in REGISTRY.games.values():
            if name not in LEFT_OUT and (bot.games is None or game.name in bot.games):
                spec = f"{name}?ms=5" if "ms" in bot.options else name
                found = resolve_bot(spec, REGISTRY, Path.cwd(), (game,), PATIENT)
                variants = list_bot_variants(game, bot.presets) or [OptionVariant(), *map(OptionVariant, game.presets)]
                yield from (replace(found, variant=variant) for variant in variants)


def name_case(bot: BotUnderTest) -> str:
    """Return bot, game and preset."""
    return f"{bot.name}-{bot.games[0].name}-{bot.variant and bot.variant.preset}"


@pytest.mark.parametrize("bot", [*list_checked_bots()], ids=name_case)
def test_a_house_bot_at_every_table(bot: BotUnderTest) -> None:
    """A house bot plays without a fault at every table that it may enter."""
    try:
        bot.tables()
    except ConfigError as error:
        pytest.skip(str(error))

    report = check_bot(replace(bot, game_seconds=GAME_SECONDS), REGISTRY, ["plays-in-every-seat"])

    assert [*map(str, report.results_with("failed"))] == []
    assert report.decisions
