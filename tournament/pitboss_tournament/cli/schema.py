"""`pitboss schema`: JSON Schema for everything that is written or sent."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Final

import typer

from pitboss_tournament.cli import completion


def _complete(incomplete: str) -> list[str]:
    return [name for name in (*SCHEMAS, *completion.complete_games(incomplete)) if name.startswith(incomplete)]


def schema(
    what: Annotated[
        str | None,
        typer.Argument(
            metavar="[WHAT]",
            help="protocol, record, events, tournament, bot, check, or the name of a game.",
            autocompletion=_complete,
            show_default=False,
        ),
    ] = None,
) -> None:
    """Print a JSON Schema; without WHAT, list what there is a schema of."""
    from pitboss_tournament.cli.output import print_json, print_table

    if what is None:
        from pitboss_tournament.cli.registry import load_registry

        games = [
            (game.name, f"The options, actions, views and positions of {game.title}.")
            for game in load_registry().games.values()
        ]
        print_table(("Schema", "Of what"), [*((name, about) for name, (about, _) in SCHEMAS.items()), *games])
    else:
        print_json(SCHEMAS[what][1]() if what in SCHEMAS else _game_schema(what))


def _protocol_schema() -> dict[str, Any]:
    from pitboss.schema import protocol_schema

    return protocol_schema()


def _record_schema() -> dict[str, Any]:
    from pitboss.schema import record_schema

    return record_schema()


def _events_schema() -> dict[str, Any]:
    from pitboss.schema import event_schema

    return event_schema()


def _tournament_schema() -> dict[str, Any]:
    from pitboss_tournament.config.tournament_file import TournamentFile

    return _struct_schema(TournamentFile, "A Pitboss tournament file")


def _bot_schema() -> dict[str, Any]:
    from pitboss_tournament.config.bot_file import BotFile

    return _struct_schema(BotFile, "A bot's bot.toml")


def _check_schema() -> dict[str, Any]:
    from pitboss_tournament.checks.bot_check import BotReport

    return _struct_schema(BotReport, "What pitboss check found out about a bot")


def _struct_schema(struct: type, title: str) -> dict[str, Any]:
    import msgspec

    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": title, **msgspec.json.schema(struct)}


def _game_schema(name: str) -> dict[str, Any]:
    from pitboss.errors import ConfigError
    from pitboss.text import join_words, suggest_nearest
    from pitboss_tournament.cli.registry import load_registry

    found = load_registry().games
    if name not in found:
        known = [*SCHEMAS, *found]
        raise ConfigError(
            f"there is no schema {name!r}{suggest_nearest(name, known)}; there are {join_words(known, 'and')}"
        )
    from pitboss.schema import game_schema

    return game_schema(found[name])


SCHEMAS: Final[dict[str, tuple[str, Callable[[], dict[str, Any]]]]] = {
    "protocol": ("Every message between the runner and a bot.", _protocol_schema),
    "record": ("A recorded game.", _record_schema),
    "events": ("What happens at a table, as bots see it.", _events_schema),
    "tournament": ("A tournament file.", _tournament_schema),
    "bot": ("A bot's bot.toml.", _bot_schema),
    "check": ("What `pitboss check` prints with --json.", _check_schema),
}
