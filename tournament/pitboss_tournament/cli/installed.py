"""`pitboss games`, `rules`, `bots`, `formats` and `plugins`: what is installed, and all about one game."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Final

import typer

from pitboss_tournament.cli import completion
from pitboss_tournament.cli.output import print_json, print_paragraph, print_table
from pitboss_tournament.cli.parameters import Json
from pitboss_tournament.cli.registry import load_registry, make_game_page

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pitboss_tournament.authoring.game_reference import ActionReference, GameReference, PresetReference

MAIN_KINDS: Final = ("games", "bots", "packs", "formats")  # what plugins add mostly


def games(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="[NAME]",
            help="A game, to see all of it.",
            autocompletion=completion.complete_games,
            show_default=False,
        ),
    ] = None,
    page: Annotated[
        bool, typer.Option("--page", help="Print its page for the author of a bot: a real question of each phase.")
    ] = False,
    as_json: Json = False,
) -> None:
    """List the installed games; with a NAME, show that game's seats, options, presets, phases, actions and what a bot
    is shown. With --page that is a page in Markdown, with a real question of each phase.

    With --json: a list of objects with name, title, version, plugin, seats and presets; with a NAME an object that also
    has about, options, phases, actions and view.
    """
    from pitboss.errors import ConfigError

    if page and (name is None or as_json):
        raise ConfigError("--page is of one game, for people: name the game, without --json")
    if name is None:
        _list_games(as_json)
        return
    if page:
        typer.echo(make_game_page(name), nl=False)
        return
    from pitboss_tournament.authoring.game_reference import describe_game

    found = describe_game(load_registry().find_game(name), load_registry().list_distributions("pitboss_games")[name])
    if as_json:
        print_json(found)
    else:
        _print_game(found)


def bots(as_json: Json = False) -> None:
    """List the bots that can be named in place of a folder or a command.

    Options follow a name as in house:search?ms=50&worlds=200. With --json: a list of objects with name, summary, games,
    presets and seats (null: all), command, options and plugin.
    """
    import msgspec

    from pitboss_tournament.config.entrants import option_range_text

    found = list(load_registry().bots.values())
    plugins = load_registry().list_distributions("pitboss_bots")
    if as_json:
        print_json([{**msgspec.to_builtins(bot), "plugin": plugins[bot.name]} for bot in found])
    elif not found:
        typer.echo("No bot is installed. Bots are also folders with a bot.toml, and commands in quotes.")
    else:
        rows = [(bot.name, "all" if bot.games is None else ", ".join(bot.games), bot.summary) for bot in found]
        print_table(("Name", "Games", "What it does"), rows)
        choices = [
            (f"{bot.name}?{key}=", f"{option.default}", option_range_text(option), option.summary)
            for bot in found
            for key, option in bot.options.items()
        ]
        if choices:
            typer.echo()
            print_table(("Option", "Default", "Allowed", "What it is"), choices)


def formats(as_json: Json = False) -> None:
    """List the formats, ways to decide who meets whom, with their options.

    With --json: a list of objects with name, summary, static (all rounds are known from the start) and options (a JSON
    Schema).
    """
    from msgspec.json import schema
    from msgspec.structs import fields

    found = load_registry().formats.values()
    if as_json:
        print_json(
            [
                {"name": one.name, "summary": one.summary, "static": one.is_static, "options": schema(one.Options)}
                for one in found
            ]
        )
    else:
        rows = [(one.name, ", ".join(field.encode_name for field in fields(one.Options)), one.summary) for one in found]
        print_table(("Name", "Options", "What it does"), rows)


def rules(
    name: Annotated[
        str,
        typer.Argument(metavar="NAME", help="A game.", autocompletion=completion.complete_games, show_default=False),
    ],
) -> None:
    """Print the rule book of a game: what its distribution has as its description.

    In a terminal it is shown a page at a time.
    """
    import pydoc

    from pitboss_tournament.authoring.game_reference import read_rule_book

    text = read_rule_book(load_registry(), name)
    if sys.stdout.isatty():
        pydoc.pager(text)
    else:
        typer.echo(text)


def plugins(as_json: Json = False) -> None:
    """List the installed plugins with what each adds, and what was left out and why.

    Ends with status 1 if something was left out. With --json: an object with plugins, a list of objects with plugin
    (the distribution and its version), games, bots, packs, formats, exporters, importers, report_sections, engines and
    commands (lists of names); and left_out, a list of sentences.
    """
    from pitboss.plugins.registry import Registry, describe_distribution
    from pitboss_tournament.cli.app import find_plugin_commands, list_refused_commands
    from pitboss_tournament.exchange.exporters import Exporter
    from pitboss_tournament.exchange.importers import Importer
    from pitboss_tournament.reporting.sections import ReportSection
    from pitboss_tournament.running.engine import Engine

    registry, by_plugin = Registry(), dict[str, dict[str, list[str]]]()
    offers: dict[str, Mapping[str, object]] = {kind: getattr(registry, kind) for kind in MAIN_KINDS}
    of_runner = {"exporters": Exporter, "importers": Importer, "report_sections": ReportSection, "engines": Engine}
    for kind, struct in of_runner.items():
        offers[kind] = registry.offers(f"pitboss_{kind}", struct)
    kinds = (*offers, "commands")
    for kind in offers:
        for name, plugin in registry.list_distributions(f"pitboss_{kind}").items():
            by_plugin.setdefault(plugin, {one: [] for one in kinds})[kind].append(name)
    for name, entry in find_plugin_commands().items():
        by_plugin.setdefault(describe_distribution(entry), {one: [] for one in kinds})["commands"].append(name)
    left_out = [" ".join(str(problem).split()) for problem in registry.problems] + list_refused_commands()
    found = [{"plugin": plugin, **by_plugin[plugin]} for plugin in sorted(by_plugin)]
    if as_json:
        print_json({"plugins": found, "left_out": left_out})
    else:
        rows = [(plugin, *_list_cells(by_plugin[plugin])) for plugin in sorted(by_plugin)]
        print_table(("Plugin", *(kind.capitalize() for kind in MAIN_KINDS), "Other"), rows)
        for sentence in left_out:
            print_paragraph(sentence)
    if left_out:
        raise typer.Exit(1)


def _list_cells(names: Mapping[str, Sequence[str]]) -> list[str]:
    """Return what a plugin adds: a cell for each of the main kinds, and one for all else."""
    more = [kind for kind in names if kind not in MAIN_KINDS and names[kind]]
    others = [f"{kind.replace('_', ' ')} {', '.join(names[kind])}" for kind in more]
    return [*(", ".join(names[kind]) or "-" for kind in MAIN_KINDS), "; ".join(others) or "-"]


def _list_games(as_json: bool) -> None:
    from pitboss_tournament.authoring.game_reference import summarize_game

    games = load_registry().games.values()
    plugins = load_registry().list_distributions("pitboss_games")
    found = [summarize_game(game, plugins[game.name]) for game in games]
    if as_json:
        print_json(found)
    elif not found:
        typer.echo("No game is installed. A game is a package: pip install pitboss-racko")
    else:
        rows = [(one.name, one.title, _name_seats(one.seats), ", ".join(one.presets)) for one in found]
        print_table(("Name", "Title", "Seats", "Presets"), rows)


def _name_seats(seats: Sequence[int]) -> str:
    """Return numbers of seats in words: "2 to 5", "4", or "2 or 4" where one between is left out."""
    from pitboss.text import join_words

    is_run = len(seats) > 2 and [*seats] == [*range(seats[0], seats[-1] + 1)]
    return f"{seats[0]} to {seats[-1]}" if is_run else join_words(seats)


def _print_game(reference: GameReference) -> None:
    from pitboss_tournament.text.schema_text import plain_value_text

    typer.echo(f"{reference.title}: {reference.name}, version {reference.version}, from {reference.plugin}\n")
    print_paragraph(reference.about)
    typer.echo(f"\nSeats: {_name_seats(reference.seats)}")
    if reference.options:
        typer.echo("\nOptions: in a tournament file under [options], else -o NAME=VALUE")
    for option in reference.options:
        print_paragraph(f"{option.name} = {plain_value_text(option.default)}  ({option.allowed})", 2)
        print_paragraph(option.meaning, 6)
    if reference.presets:
        typer.echo('\nPresets: in a tournament file preset = "NAME", else --preset NAME')
    for preset in reference.presets:
        _print_preset(preset, reference.seats)
    typer.echo("\nPhases, and what may be legal in them")
    for phase in reference.phases:
        print_paragraph(
            f"{phase.phase}: {', '.join(phase.actions) or '(not met in random games; by other options, or seldom)'}",
            2,
            4,
        )
    typer.echo("\nActions")
    for action in reference.actions:
        _print_action(action)
    for number, struct in enumerate(reference.view):
        typer.echo(f"\n{struct.name}, in it" if number else "\nWhat a bot is shown: the fields of view")
        for field in struct.fields:
            print_paragraph(field.line(), 2, 6)
    typer.echo(f"\nAs JSON Schema: pitboss schema {reference.name}")


def _print_preset(preset: PresetReference, seats: list[int]) -> None:
    from pitboss_tournament.text.schema_text import plain_value_text

    sets = ", ".join(f"{name} = {plain_value_text(value)}" for name, value in preset.sets.items()) or "the defaults"
    only = f" ({_name_seats(preset.seats)} players)" if preset.seats != seats else ""
    print_paragraph(f"{preset.name}: {sets}{only}", 2, 4)


def _print_action(action: ActionReference) -> None:
    print_paragraph(action.shape, 2)
    print_paragraph(action.meaning, 6)
    for field in action.fields:
        print_paragraph(field.line(), 6, 4)
