"""The identity of a game, and its line in the list of the installed games."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct
from msgspec.structs import asdict

from pitboss.game import AnyGame


class GameIdentity(Struct, frozen=True, kw_only=True):
    """Which game it is."""

    name: str
    title: str
    version: Annotated[str, Meta(description="Of the rules as programmed.")]
    plugin: Annotated[str, Meta(description="The distribution that it comes from, and its version.")]
    seats: Annotated[list[int], Meta(description="The numbers of players that can play.")]


class GameSummary(GameIdentity, frozen=True, kw_only=True):
    """A line of `pitboss games`; `--json` prints a list of these."""

    presets: Annotated[list[str], Meta(description="Their names.")]


def summarize_game(game: AnyGame, plugin: str) -> GameSummary:
    """Return what `pitboss games` says of a game."""
    return GameSummary(**asdict(identify_game(game, plugin)), presets=list(game.presets))


def identify_game(game: AnyGame, plugin: str) -> GameIdentity:
    """Return name, title, version, distribution (`plugin`) and numbers of players of a game."""
    return GameIdentity(name=game.name, title=game.title, version=game.version, plugin=plugin, seats=list(game.seats))
