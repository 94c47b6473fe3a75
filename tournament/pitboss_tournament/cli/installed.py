"""`pitboss games` and `rules`: the installed games, and all about one of them."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import typer

from pitboss.errors import ConfigError
from pitboss.text import join_words
from pitboss_tournament.authoring.game_reference import (
    ActionReference,
    GameReference,
    PresetReference,
    describe_game,
    read_rule_book,
    summarize_game,
)
from pitboss_tournament.cli.output import print_json, print_paragraph, print_table
from pitboss_tournament.cli.registry import load_registry, make_game_page
from pitboss_tournament.text.schema_text import plain_value_text


def games(name: str | None, page: bool, as_json: bool) -> None:
    """Run `pitboss games`."""
    if page and (name is None or as_json):
        raise ConfigError("--page shows one game, without --json: name the game")
    if name is None:
        _list_games(as_json)
        return
    if page:
        typer.echo(make_game_page(name), nl=False)
        return
    found = describe_game(load_registry().find_game(name), load_registry().list_distributions("pitboss_games")[name])
    if as_json:
        print_json(found)
    else:
        _print_game(found)


def rules(name: str, as_json: bool) -> None:
    """Run `pitboss rules`."""
    text = read_rule_book(load_registry(), name)
    if as_json:
        print_json({"game": name, "rules": text})
    elif sys.stdout.isatty():
        import pydoc  # noqa: PLC0415 - it takes long to import, and the list of the games needs nothing of it

        pydoc.pager(text)
    else:
        typer.echo(text)


def _list_games(as_json: bool) -> None:
    games = load_registry().games.values()
    plugins = load_registry().list_distributions("pitboss_games")
    found = [summarize_game(game, plugins[game.name]) for game in games]
    if as_json:
        print_json(found)
    elif not found:
        typer.echo("No game is installed. A game is a package: pitboss install racko")
    else:
        rows = [(one.name, one.title, _name_seats(one.seats), ", ".join(one.presets)) for one in found]
        print_table(("Name", "Title", "Seats", "Presets"), rows)


def _name_seats(seats: Sequence[int]) -> str:
    """Return numbers of seats in words: "2 to 5", "4", or "2 or 4" where one between is left out."""
    is_run = len(seats) > 2 and [*seats] == [*range(seats[0], seats[-1] + 1)]
    return f"{seats[0]} to {seats[-1]}" if is_run else join_words(seats)


def _print_game(reference: GameReference) -> None:
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
    if reference.unlearned:
        typer.echo("\nWhat learners do not see of the view")
    for name, part in reference.unlearned.items():
        print_paragraph(f"{name}: {part}", 2, 6)
    typer.echo(f"\nAs JSON Schema: pitboss schema {reference.name}")


def _print_preset(preset: PresetReference, seats: list[int]) -> None:
    sets = ", ".join(f"{name} = {plain_value_text(value)}" for name, value in preset.sets.items()) or "the defaults"
    only = f" ({_name_seats(preset.seats)} players)" if preset.seats != seats else ""
    print_paragraph(f"{preset.name}: {sets}{only}", 2, 4)


def _print_action(action: ActionReference) -> None:
    print_paragraph(action.shape, 2)
    print_paragraph(action.meaning, 6)
    for field in action.fields:
        print_paragraph(field.line(), 6, 4)
