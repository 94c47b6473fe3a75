"""Bots that a league cannot enter: their owners are told why, and what to do."""

from __future__ import annotations

from pathlib import Path

import pytest

from pitboss.errors import ConfigError
from pitboss.plugins.registry import Registry
from pitboss_tournament.league.league_field import enter_files
from pitboss_tournament.league.league_folder import read_league
from tests.league.archives import BOT_TOML, GOOD_BOT
from tests.league.league_process import make_league

pytestmark = pytest.mark.once


def test_a_bot_that_asks_a_language_model(tmp_path: Path) -> None:
    """A league has no models and no key: the bot plays without [model], or in a tournament that has models."""
    make_league(tmp_path / "course", sandbox="none")
    league = read_league(tmp_path / "course", Registry())
    bot = league.folder.bots / "digest"
    bot.mkdir()
    (bot / "bot.toml").write_bytes(BOT_TOML + b'[model]\nname = "main"\n')
    (bot / "bot.py").write_bytes(GOOD_BOT)

    with pytest.raises(ConfigError) as refused:
        enter_files(league, "digest", "ada", "mybot")

    assert str(refused.value) == (
        "it asks a language model ([model] in bot.toml), and a league has none: submit a bot without [model], or let "
        "this one play in a tournament with [models] in its file, by `pitboss run`"
    )
