"""`pitboss schema`: JSON Schema for everything that is written or sent."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Final

import typer

from pitboss_tournament.cli import complete


def _complete(incomplete: str) -> list[str]:
    return [name for name in (*WHAT, *complete.games(incomplete)) if name.startswith(incomplete)]


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
    from pitboss_tournament.cli.printing import print_json, print_table

    if what is None:
        from pitboss_tournament.cli.installed import registry

        games = [(game.name, f"The options, actions, views and positions of {game.title}.") for game in registry().games.values()]
        print_table(("Schema", "Of what"), [*((name, about) for name, (about, _) in WHAT.items()), *games])
    else:
        print_json(WHAT[what][1]() if what in WHAT else _game(what))


def _protocol() -> dict[str, Any]:
    from pitboss.schema import protocol_schema

    return protocol_schema()


def _record() -> dict[str, Any]:
    from pitboss.schema import record_schema

    return record_schema()


def _events() -> dict[str, Any]:
    from pitboss.schema import event_schema

    return event_schema()


def _tournament() -> dict[str, Any]:
    from pitboss_tournament.planning.config import TournamentFile

    return _of(TournamentFile, "A Pitboss tournament file")


def _bot() -> dict[str, Any]:
    from pitboss_tournament.planning.bot_file import BotFile

    return _of(BotFile, "A bot's bot.toml")


def _check() -> dict[str, Any]:
    from pitboss_tournament.checks.check import BotReport

    return _of(BotReport, "What pitboss check found out about a bot")


def _of(struct: type, title: str) -> dict[str, Any]:
    import msgspec

    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": title, **msgspec.json.schema(struct)}


def _game(name: str) -> dict[str, Any]:
    from pitboss.errors import ConfigError
    from pitboss.options import nearest
    from pitboss_tournament.cli.installed import registry
    from pitboss_tournament.planning.wording import listed

    found = registry().games
    if name not in found:
        known = [*WHAT, *found]
        raise ConfigError(f"there is no schema {name!r}{nearest(name, known)}; there are {listed(known, 'and')}")
    from pitboss.schema import game_schema

    return game_schema(found[name])


WHAT: Final[dict[str, tuple[str, Callable[[], dict[str, Any]]]]] = {
    "protocol": ("Every message between the runner and a bot.", _protocol),
    "record": ("A recorded game.", _record),
    "events": ("What happens at a table, as bots see it.", _events),
    "tournament": ("A tournament file.", _tournament),
    "bot": ("A bot's bot.toml.", _bot),
    "check": ("What `pitboss check` prints with --json.", _check),
}
