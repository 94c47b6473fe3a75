"""Shell completion: candidates, of which typer offers those that begin with what is typed.

Loads no plugin that is not needed and never fails.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from pitboss.game import AnyGame
    from pitboss.plugins.registry import Registry
    from pitboss_tournament.plan.setting_keys import SettingKey


def complete_games() -> list[str]:
    """Return the names of the games."""
    return list(_load_registry().games)


def complete_presets(ctx: typer.Context) -> list[str]:
    """Return the presets of the game on the command line."""
    game = _find_typed_game(ctx)
    return list(game.presets) if game else []


def complete_options(ctx: typer.Context, incomplete: str) -> list[str]:
    """Return completions of NAME= for the options of the game on the command line, or of an option's values."""
    game = _find_typed_game(ctx)
    if game is None:
        return []
    from pitboss.simulation.game_setup import list_value_choices, option_fields
    from pitboss_tournament.text.schema_text import plain_value_text

    fields = option_fields(game)
    if "=" not in incomplete:
        return [f"{one.encode_name}=" for one in fields]
    name = incomplete.partition("=")[0]
    values = [value for one in fields if one.encode_name == name for value in list_value_choices(one.type)]
    return [f"{name}={value if isinstance(value, str) else plain_value_text(value)}" for value in values]


def complete_settings(ctx: typer.Context, incomplete: str) -> list[str]:
    """Return completions of KEY= for the keys of a tournament file, or of a key's values."""
    from pitboss_tournament.plan.setting_keys import list_setting_keys

    return _complete_keys(ctx, incomplete, [one for one in list_setting_keys() if not one.setting.no_option])


def complete_run_settings(ctx: typer.Context, incomplete: str) -> list[str]:
    """Return completions as `complete_settings`, of the keys that a run may change."""
    from pitboss_tournament.plan.setting_keys import list_setting_keys

    keys = [one for one in list_setting_keys() if one.setting.is_of_run]
    return _complete_keys(ctx, incomplete, keys)


def complete_setting_keys() -> list[str]:
    """Return the keys of a tournament file, and its tables."""
    from pitboss_tournament.plan.setting_keys import list_setting_keys

    keys = [one.key for one in list_setting_keys()]
    return [*dict.fromkeys(key.partition(".")[0] for key in keys), *keys]


def complete_topics(ctx: typer.Context) -> list[str]:
    """Return what `pitboss help` explains: commands, those of a group behind its name; games, formats and settings."""
    from pitboss_tournament.cli.app import SOURCES, app

    group: Any = typer.main.get_command(app)
    words = ctx.params.get("words") or ctx.args
    for word in words:
        group = group.get_command(ctx, word) if hasattr(group, "commands") else None
    if words:
        return list(group.commands) if hasattr(group, "commands") else []
    return [*SOURCES, *complete_games(), *complete_formats(), *complete_setting_keys()]


def _complete_keys(ctx: typer.Context, incomplete: str, keys: Iterable[SettingKey]) -> list[str]:
    from pitboss.simulation.game_setup import list_value_choices
    from pitboss_tournament.text.schema_text import plain_value_text

    name, equals, _ = incomplete.partition("=")
    if name.startswith("options."):
        return [f"options.{one}" for one in complete_options(ctx, incomplete.removeprefix("options."))]
    if not equals:
        return [one.key if one.key.endswith(".NAME") else f"{one.key}=" for one in keys]
    if name == "format":
        return [f"format={one}" for one in complete_formats()]
    values = [value for one in keys if one.key == name for value in list_value_choices(one.kind)]
    return [f"{name}={value if isinstance(value, str) else plain_value_text(value)}" for value in values]


def complete_sandboxes() -> list[str]:
    """Return the levels of the sandbox."""
    from typing import get_args

    from pitboss_tournament.plan.plan import SandboxChoice

    return list(get_args(SandboxChoice))


def complete_compared(ctx: typer.Context, incomplete: str) -> list[str]:
    """Return games for the first word of `pitboss compare` or `plan`, bots for the others."""
    words = ctx.params.get("words") or ctx.args
    return complete_bots(incomplete) if words else complete_games()


def complete_formats() -> list[str]:
    """Return the names of the formats."""
    return list(_load_registry().formats)


def complete_bots(incomplete: str) -> list[str]:
    """Return the named bots and the folders, a slash behind those without a bot.toml."""
    return [*([] if "/" in incomplete else _load_registry().bots), *_list_folders(incomplete)]


def complete_schemas() -> list[str]:
    """Return the names of the schemas, and those of the games."""
    from pitboss_tournament.cli.schema import SCHEMAS

    return [*SCHEMAS, *complete_games()]


def complete_languages() -> list[str]:
    """Return the languages of new bots."""
    from pitboss_tournament.authoring.templates import load_templates

    return list(load_templates())


def complete_bridges() -> list[str]:
    """Return the frameworks that there is a bridge to."""
    from pitboss_tournament.authoring.templates import BRIDGES_FOLDER, load_templates

    return list(load_templates(BRIDGES_FOLDER))


def complete_stores(incomplete: str) -> list[str]:
    """Return the stores, and the folders with a slash behind them."""
    return _list_files(incomplete, ".pitboss")


def complete_tournament_files(incomplete: str) -> list[str]:
    """Return the TOML files, and the folders with a slash behind them."""
    return _list_files(incomplete, ".toml")


def _list_files(incomplete: str, ending: str) -> list[str]:
    typed, _, begun = incomplete.rpartition("/")
    folder = Path(typed or ("/" if incomplete.startswith("/") else "."))
    before = incomplete.removesuffix(begun)
    paths = sorted(folder.iterdir()) if folder.is_dir() else []
    shown = [path for path in paths if not path.name.startswith(".") and (path.is_dir() or path.name.endswith(ending))]
    return [f"{before}{path.name}{'/' if path.is_dir() else ''}" for path in shown]


def _list_folders(incomplete: str) -> Iterable[str]:
    typed, _, begun = incomplete.rpartition("/")
    folder = Path(typed or ("/" if incomplete.startswith("/") else "."))
    before = incomplete.removesuffix(begun)
    if folder.is_dir():
        for path in sorted(folder.glob(f"{begun}*/") if begun else folder.iterdir()):
            if path.is_dir() and not path.name.startswith("."):
                yield before + path.name + ("" if (path / "bot.toml").is_file() else "/")


def _find_typed_game(ctx: typer.Context) -> AnyGame | None:
    """Return the game on the command line. If a plugin has the name of its game, no other plugin is loaded."""
    typed = ctx.params.get("game")
    words = (
        [typed] if isinstance(typed, str) else ctx.params.get("words") or ctx.args
    )  # "--preset" at the end: no params
    for word in words:
        own = _load_registry(word).games.get(word)
        if own is not None:
            return own
    everything = _load_registry().games
    return next((everything[word] for word in words if word in everything), None)


def _load_registry(only: str | None = None) -> Registry:
    from pitboss.plugins.hookspec import PROJECT
    from pitboss.plugins.installed_entries import find_entries
    from pitboss.plugins.registry import Registry

    return Registry(find_entries(PROJECT, only))
