"""`pitboss new` and `pitboss build`: the folder of a bot or a game, made from a template; and a bot, built.

Other commands build by themselves where a bot has changed since.
"""

from __future__ import annotations

import shlex
import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Literal

import typer
from msgspec.structs import replace

from pitboss.errors import ConfigError
from pitboss_tournament.authoring import bot_build
from pitboss_tournament.authoring.bot_build import DEFAULT_RULES, BuildRules, read_tournament_builds
from pitboss_tournament.authoring.game_templates import NewGame, make_game
from pitboss_tournament.authoring.templates import (
    GAME_PAGE,
    MODEL_BOTS_FOLDER,
    NewBot,
    Template,
    find_bridge,
    find_sdk_bot,
    find_template,
    load_templates,
    make_bot,
)
from pitboss_tournament.cli.output import print_json, print_note, print_table
from pitboss_tournament.cli.registry import load_registry, make_game_page
from pitboss_tournament.config.bot_file import read_bot_file
from pitboss_tournament.plan.paths import BOT_FILE


def bot(
    language: str | None,
    name: str | None,
    game: str | None,
    from_: str | None,
    vendor: bool,
    into: Path,
    list_: bool,
    as_json: bool,
) -> None:
    """Run `pitboss new bot`."""
    if list_:
        _print_list(load_templates(), as_json)
        return
    if from_ and (game or vendor):
        raise ConfigError("a bridge has its game, and the SDK beside it: --from goes without --game and --vendor")
    if from_:
        template, name = _find_bridge_and_name(from_, language, name)
    else:
        template, name = _find_bot_and_name(language, name, vendor)
    into, name = _split_path(into, name)
    if name.partition("?")[0] in load_registry().bots:
        raise ConfigError(f"{name!r} is the name of a bot in `pitboss bots`; give another name")
    made = NewBot(
        name=name,
        into=into,
        game=game,
        game_page=make_game_page(game) if game else None,
        opponents=max(min(load_registry().find_game(game).seats) - 1, 1) if game else 1,
    )
    make_bot(made, template)
    if as_json:
        _print_bot(made, template)
    elif from_:
        _print_bridge_steps(made, template)
    elif template.folder.parent.name == "models":
        _print_model_steps(made, template)
    else:
        _print_steps(made, template)


def _find_bot_and_name(language: str | None, name: str | None, vendor: bool) -> tuple[Template, str]:
    if language is None or name is None:
        raise ConfigError("a LANGUAGE and a NAME are needed; `pitboss new bot --list` lists the languages")
    template = find_template(language, {**load_templates(), **load_templates(MODEL_BOTS_FOLDER)})
    return find_sdk_bot(template) if vendor else template, name


def _find_bridge_and_name(framework: str, first: str | None, second: str | None) -> tuple[Template, str]:
    """Return the template of a bridge, and the name, which is then the only argument."""
    template = find_bridge(framework)
    if first is None or second is not None:
        raise ConfigError(f"a bridge is in Python: after --from {framework} comes its NAME, and no LANGUAGE")
    return template, first


def _split_path(into: Path, name: str) -> tuple[Path, str]:
    """Return the folder and the name, which may have been given as a path."""
    folder, slash, last = name.rstrip("/").rpartition("/")
    return into / f"{folder}{slash}", last


def game(name: str, kind: Literal["shedding", "tricks", "dice", "betting"], into: Path, as_json: bool) -> None:
    """Run `pitboss new game`."""
    into, name = _split_path(into, name)
    made = NewGame(name=name, kind=kind, into=into)
    make_game(made, load_registry().games)
    module = str(made.folder / f"{made.module}.py")
    if as_json:
        print_json({"folder": str(made.folder), "name": name, "kind": kind, "module": module})
        return
    where, python = shlex.quote(str(made.folder)), shlex.quote(sys.executable)
    typer.echo(f"{made.folder} is a game of {kind}: {module}, its rules, its tests and a tournament.\n")
    typer.echo(f"  install it         {python} -m pip install --editable {where}")
    typer.echo(f"  check it           pitboss check-game {name}")
    typer.echo(f"  let bots play it   pitboss run {shlex.quote(str(made.folder / 'tournament.toml'))}")
    typer.echo(f"  play it yourself   pitboss play {name} --against house:random")


def build(bots: list[str], sandbox: Literal["auto", "bubblewrap", "landlock", "none"] | None, network: bool) -> None:
    """Run `pitboss build`."""
    failed = False
    for folder, rules in dict(_find_folders(bots, Path.cwd())).items():
        rules = replace(rules, sandbox=sandbox or rules.sandbox, has_network=network or rules.has_network)
        try:
            if bot_build.build(folder, print_note, rules, always=True):
                typer.echo(f"{folder} is built")
            else:
                typer.echo(f"{folder} has no build step")
        except ConfigError as error:
            failed = True
            print_note(str(error))
    if failed:
        raise typer.Exit(1)


def _print_bot(new_bot: NewBot, template: Template) -> None:
    print_json(
        {
            "folder": str(new_bot.folder),
            "language": template.language,
            "game": new_bot.game,
            "change": str(new_bot.folder / template.about.change),
            "page": None if new_bot.game_page is None else str(new_bot.folder / GAME_PAGE),
        }
    )


def _print_steps(new_bot: NewBot, template: Template) -> None:
    where, training = shlex.quote(str(new_bot.folder)), template.about.train
    typer.echo(
        f"{new_bot.folder} is a bot in {template.about.title} that plays {new_bot.game or 'any game'} at random"
        f"{', until it is trained' if training else ''}.\n"
    )
    if training:
        program = shlex.join([sys.executable, str(new_bot.folder / training), new_bot.game or "GAME"])
        typer.echo(f"  train it                 {program}")
    typer.echo(f"  the function to change   choose in {new_bot.folder / template.about.change}")
    if new_bot.game_page is not None:
        typer.echo(f"  what it sees and does    {new_bot.folder / GAME_PAGE}")
    typer.echo(f"  check it                 pitboss check {where}")
    others = " ".join(new_bot.other_bots)
    typer.echo(f"  let it play              pitboss match {new_bot.game or 'GAME'} {where} {others}")


def _print_model_steps(new_bot: NewBot, template: Template) -> None:
    where = new_bot.folder
    first, *more = new_bot.other_bots
    named = (f'{{ bot = "{bot}", name = "random-{number}" }}' for number, bot in enumerate(more, 2))
    bots = ", ".join((f'"{where}"', f'"{first}"', *named))
    typer.echo(
        f"{where} asks {template.about.title} what to play in {new_bot.game or 'any game'}; it has no code.\n\n"
        f"  what the model is asked  {where / template.about.change}\n"
        f"  how much it may say      [model] in {where / 'bot.toml'}\n"
        f"  check it                 pitboss check {where}\n"
        f"  a model without one      pitboss models fake\n"
        f"  let it play              a tournament file with the model; docs/models.md shows one:\n\n"
        f'    game = "{new_bot.game or "GAME"}"\n'
        f"    bots = [{bots}]\n\n"
        "    [models.main]\n"
        '    url = "http://127.0.0.1:8080/v1"\n'
        '    model = "as the server calls it"'
    )


def _print_bridge_steps(new_bot: NewBot, template: Template) -> None:
    about = read_bot_file(new_bot.folder)[1]
    game = " and ".join(about.games or ())
    where = shlex.quote(str(new_bot.folder))
    typer.echo(f"{new_bot.folder} is a bridge to {template.about.title}; it plays {game}.\n")
    typer.echo(f"  what plays, and how      command in {new_bot.folder / template.about.change}")
    if template.about.install:
        wanted = shlex.join(template.about.install)
        typer.echo(
            f"  install the framework    python3 -m venv {where}/.venv && {where}/.venv/bin/pip install {wanted}"
        )
    typer.echo(f"  test the bridge          python3 -m unittest discover {where}")
    typer.echo(f"  check it                 pitboss check {where} --seats 2")
    preset = f"--preset {about.presets[0]} " if about.presets else ""
    typer.echo(f"  let it play              pitboss match {game} {where} house:random --seats 2 {preset}".rstrip())


def _print_list(known: Mapping[str, Template], as_json: bool) -> None:
    needs = {name: read_bot_file(one.folder)[1].needs for name, one in known.items()}
    has = {name: all(map(shutil.which, needs[name])) for name in known}
    if as_json:
        print_json(
            [
                {
                    "language": name,
                    "title": one.about.title,
                    "aliases": one.about.aliases,
                    "needs": needs[name],
                    "has": has[name],
                    "packages": one.about.packages,
                }
                for name, one in known.items()
            ]
        )
        return
    rows = [
        (
            name,
            one.about.title,
            ", ".join(needs[name]),
            "yes" if has[name] else f"no: apt install {' '.join(one.about.packages)}",
        )
        for name, one in known.items()
    ]
    print_table(("Language", "", "Needs", "Here"), rows)


def _find_folders(words: Sequence[str], base: Path) -> Iterator[tuple[Path, BuildRules]]:
    """Yield the bots' folders, and how each is built."""
    for word in words:
        path = Path(word)
        if (base / path).is_dir():
            yield path, DEFAULT_RULES
        elif path.name == BOT_FILE:
            yield path.parent, DEFAULT_RULES
        elif path.suffix == ".toml":
            names, rules = read_tournament_builds(path)
            yield from ((path.parent / bot, rules) for bot in names if (path.parent / bot / BOT_FILE).is_file())
        else:
            raise ConfigError(
                f"there is no folder {word!r}, and it is no tournament file (….toml): nothing else can be built"
            )
