"""`pitboss schema`: JSON Schema for everything that is written or sent."""

from __future__ import annotations

from pkgutil import resolve_name
from typing import Any, Final, NamedTuple, cast

import msgspec

from pitboss.errors import ConfigError
from pitboss.schema import game_schema
from pitboss.text import join_words, suggest_nearest
from pitboss_tournament.cli.output import print_json, print_table
from pitboss_tournament.cli.registry import load_registry


def schema(what: str | None) -> None:
    """Run `pitboss schema`."""
    if what is None:
        games = [
            (game.name, f"The options, actions, views and positions of {game.title}.")
            for game in load_registry().games.values()
        ]
        print_table(("Schema", "Of what"), [*((name, source.about) for name, source in SCHEMAS.items()), *games])
    else:
        print_json(_make_schema(what) if what in SCHEMAS else _game_schema(what))


def _make_schema(name: str) -> dict[str, Any]:
    """Return the schema of a row of `SCHEMAS`: what its function returns, or that of its struct under its title."""
    found = resolve_name(SCHEMAS[name].source)
    if not SCHEMAS[name].title:
        return cast("dict[str, Any]", found())
    dialect = "https://json-schema.org/draft/2020-12/schema"
    return {"$schema": dialect, "title": SCHEMAS[name].title, **msgspec.json.schema(found)}


def _game_schema(name: str) -> dict[str, Any]:
    found = load_registry().games
    if name not in found:
        known = [*SCHEMAS, *found]
        raise ConfigError(
            f"there is no schema {name!r}{suggest_nearest(name, known)}; there are {join_words(known, 'and')}"
        )

    return game_schema(found[name])


class SchemaSource(NamedTuple):
    """The source of a schema: a function without arguments, or a struct with a title."""

    about: str
    source: str  # module:name
    title: str = ""


SCHEMAS: Final = {
    "protocol": SchemaSource("Every message between the runner and a bot.", "pitboss.schema:protocol_schema"),
    "record": SchemaSource("A recorded game.", "pitboss.schema:record_schema"),
    "events": SchemaSource("What happens at a table, as bots see it.", "pitboss.schema:event_schema"),
    "tournament": SchemaSource(
        "A tournament file.", "pitboss_tournament.config.tournament_file:TournamentFile", "A Pitboss tournament file"
    ),
    "bot": SchemaSource("A bot's bot.toml.", "pitboss_tournament.config.bot_file:BotFile", "A bot's bot.toml"),
    "league": SchemaSource(
        "A league's league.toml.", "pitboss_tournament.league.league_file:LeagueFile", "A Pitboss league file"
    ),
    "arena": SchemaSource(
        "An arena's arena.toml.", "pitboss_tournament.arena.arena_file:ArenaFile", "A Pitboss arena file"
    ),
    "arena-report": SchemaSource(
        "What `pitboss arena report` prints with --json.",
        "pitboss_tournament.arena.measures:ArenaReport",
        "What the rounds of an arena show",
    ),
    "similarity": SchemaSource(
        "What `pitboss league similar` prints with --json.",
        "pitboss_tournament.league.similarity.pairs:SimilarityReport",
        "Bots of a league that are alike",
    ),
    "grades": SchemaSource(
        "What `pitboss league grades` prints with --json.",
        "pitboss_tournament.league.grades:GradesOutput",
        "The grades of a class",
    ),
    "feedback": SchemaSource(
        "What an arena tells an entrant of a round: feedback/N.json.",
        "pitboss_tournament.arena.feedback:RoundFeedback",
        "What an entrant is told of a round",
    ),
    "match": SchemaSource(
        "Each line that `pitboss match` and `run` print with --json.",
        "pitboss_tournament.showing.live:RunEvent",
        "What happens in a run",
    ),
    "standings": SchemaSource(
        "What `pitboss standings` prints with --json.",
        "pitboss_tournament.reporting.plain_summary:SummaryData",
        "The results of a tournament",
    ),
    "report": SchemaSource(
        "What `pitboss report` prints with --json.",
        "pitboss_tournament.reporting.games_table:GamesTable",
        "Entrants in several games",
    ),
    "compare": SchemaSource(
        "What `pitboss compare` prints with --json.",
        "pitboss_tournament.showing.version_comparison:ComparisonReport",
        "Whether a version of a bot is better than another",
    ),
    "plan": SchemaSource(
        "What `pitboss plan` prints with --json.",
        "pitboss_tournament.showing.tournament_size:TournamentSize",
        "What a tournament needs to show a difference",
    ),
    "log": SchemaSource(
        "What `pitboss log` prints with --json.",
        "pitboss_tournament.showing.log_output:LogOutput",
        "The logs of a game",
    ),
    "replay": SchemaSource(
        "What `pitboss replay` prints with --json.",
        "pitboss_tournament.showing.replay_output:ReplayOutput",
        "A recorded game, decision by decision",
    ),
    "ask": SchemaSource(
        "What `pitboss ask` prints with --json.",
        "pitboss_tournament.reask.reask_output:AskOutput",
        "A recorded question, and answers to it",
    ),
    "why": SchemaSource(
        "What `pitboss why` prints with --json.",
        "pitboss_tournament.results.loss_report:LossReport",
        "Why a bot lost",
    ),
    "bundle": SchemaSource(
        "What `pitboss why --bundle` prints with --json.",
        "pitboss_tournament.reask.feedback_bundle:FeedbackBundle",
        "What a bot's author needs to know of its games",
    ),
    "rung": SchemaSource(
        "What `pitboss arena rung` prints with --json.",
        "pitboss_tournament.rungs.rung_report:RungReport",
        "A bot's rung among opponents of known strength",
    ),
    "error": SchemaSource(
        "The last line of standard error of a command with --json that errors have ended.",
        "pitboss_tournament.cli.error_hints:ErrorOutput",
        "Errors, and what to do next",
    ),
    "check": SchemaSource(
        "What `pitboss check` prints with --json.",
        "pitboss_tournament.bot_checks.suite:CheckOutput",
        "What pitboss check found out about a bot, or about each of several",
    ),
}
