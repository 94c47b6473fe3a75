"""Starter bots: those of `pitboss new bot`, in each language whose programs this machine has, for the league's game."""

from __future__ import annotations

import io
import shutil
import zipfile
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from pitboss.plugins.registry import Registry
from pitboss.plugins.rule_book import find_rule_book
from pitboss_tournament.authoring.game_page import render_game_page
from pitboss_tournament.authoring.game_reference import describe_game
from pitboss_tournament.authoring.templates import NewBot, Template, load_templates, render_files
from pitboss_tournament.config.bot_file import read_bot_file
from pitboss_tournament.league.league_folder import League

DEFAULT_BOT: Final = "mybot"
PACKAGED: Final = ("python-torch",)  # needs packages that a starter cannot name


class Starter(NamedTuple):
    """A starter bot in a language."""

    language: str  # in addresses
    title: str  # as people write it
    change: str  # the file with the function to change
    template: Template


@cache
def list_starters() -> dict[str, Starter]:
    """Return the starter bots by language: Python first; no bot that has to be trained before it plays."""
    found = {
        name: Starter(name, one.about.title, one.about.change, one)
        for name, one in load_templates().items()
        if not one.about.train and name not in PACKAGED and all(map(shutil.which, read_bot_file(one.folder)[1].needs))
    }
    return dict(sorted(found.items(), key=lambda pair: (pair[0] != "python", pair[1].title.casefold())))


def make_starter(league: League, starter: Starter, bot: str) -> dict[str, str]:
    """Return the files of a starter bot for the game of a league, by path."""
    new = NewBot(
        name=bot,
        into=Path(),
        game=league.game.name,
        game_page=write_game_page(league.game.name),
        opponents=max(min(league.game.seats) - 1, 1),
    )
    return {str(path): text for path, text in render_files(new, starter.template).items()}


@cache
def write_game_page(game_name: str) -> str:
    """Return GAME.md of a game: its rules, questions and actions for the author of a bot."""
    registry = Registry()
    game, plugin = registry.find_game(game_name), registry.list_distributions("pitboss_games")[game_name]
    return render_game_page(game, describe_game(game, plugin), find_rule_book(registry, game_name))


@cache
def read_book(game_name: str) -> str:
    """Return the rule book of a game, in Markdown; "" if its author has named none."""
    return find_rule_book(Registry(), game_name)


def zip_files(files: Mapping[str, str], folder: str) -> bytes:
    """Return a zip archive of files in a folder."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, text in files.items():
            archive.writestr(f"{folder}/{path}", text)
    return out.getvalue()
