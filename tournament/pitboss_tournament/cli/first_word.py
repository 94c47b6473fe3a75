"""The game on a command line, and what was meant by a word in its place."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path

from pitboss.errors import ConfigError
from pitboss_tournament.cli.registry import load_registry
from pitboss_tournament.plan.paths import STORE_ENDING


def require_game(command: str, word: str, others: Sequence[str] = ()) -> str:
    """Return the name of the game; `others` are the words behind it.

    Raises:
        ConfigError: it is no game; the text says what is typed for what was meant.
    """
    path = shlex.quote(word)
    if word.endswith(".toml"):
        pilot = f"{path} --games 20` plays a pilot, and `pitboss plan --from {Path(word).with_suffix(STORE_ENDING)}"
        plays = f"{pilot}` plans from it" if command == "plan" else f"{path}` plays it"
        raise ConfigError(f"{word} is a tournament file, but the first word must be a game: `pitboss run {plays}")
    if word.endswith(STORE_ENDING):
        typed = f"pitboss plan --from {path}" if command == "plan" else f"pitboss standings {path}"
        raise ConfigError(f"{word} is a store, but the first word must be a game; did you mean `{typed}`?")
    games = load_registry().games
    if word not in games and (named := [other for other in others if other in games]):
        words = [named[0], word, *(one for one in others if one != named[0])]
        raise ConfigError(f"the game comes first: pitboss {command} {shlex.join(words)}")
    return load_registry().find_game(word).name


def check_no_store(file: Path) -> None:
    """Check that a tournament file is no store.

    Raises:
        ConfigError: it is one.
    """
    if file.suffix == STORE_ENDING:
        tournament = file.with_suffix(".toml")
        meant = (
            f"`pitboss run {tournament}` carries on" if tournament.is_file() else "the command that made it carries on"
        )
        raise ConfigError(
            f"{file} is a store, but the first word must be a tournament file; {meant}, and `pitboss standings "
            f"{shlex.quote(str(file))}` shows it"
        )
