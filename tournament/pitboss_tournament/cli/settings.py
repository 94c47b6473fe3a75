"""`pitboss settings`: the keys of a tournament, with type, default and meaning."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

import typer
from msgspec import UNSET, Struct, UnsetType

from pitboss.errors import ConfigError
from pitboss_tournament.cli.output import print_json, print_paragraph, print_table
from pitboss_tournament.plan.setting_keys import SettingKey, find_setting_key, list_setting_keys, suggest_key

ALSO_OPTIONS: Final = ("seats", "preset", "format", "deals", "seed", "store", "workers", "sandbox", "on")
MEANINGS_WIDTH: Final = 64  # columns of a meaning in the list


class SettingOutput(Struct, frozen=True, kw_only=True):
    """A setting, as `pitboss settings --json` writes it."""

    key: str
    allowed: str
    default: object | UnsetType = UNSET
    meaning: str
    of_run: bool  # whether `pitboss run` takes it
    note: str | UnsetType = UNSET


def settings(key: str | None, of_run: bool, as_json: bool) -> None:
    """Run `pitboss settings`."""
    found = [one for one in _find_keys(key) if not of_run or one.setting.is_of_run]
    if not found:
        raise ConfigError(f"--run: games depend on {key}; write it into the file")
    if as_json:
        print_json([_describe(one) for one in found])
    elif key is None:
        _print_list(found)
    else:
        for number, one in enumerate(found):
            typer.echo("\n" if number else "", nl=False)
            _print_setting(one)


def _find_keys(key: str | None) -> Sequence[SettingKey]:
    """Return the keys that a word means: all, one, or those of a table.

    Raises:
        ConfigError: there is none.
    """
    keys = list_setting_keys()
    if key is None:
        return keys
    inner = [one for one in keys if f"{one.key}.".startswith(f"{key}.")]
    if inner:
        return inner
    if found := find_setting_key(key):
        return [found]
    raise ConfigError(f"there is no key {key!r}{suggest_key(key)}; `pitboss settings` lists them")


def _print_list(keys: Sequence[SettingKey]) -> None:
    rows = [
        (one.key, one.default_text or "-", _shorten(one.meaning))
        for one in keys
        if len(one.place) == 1 or one.place[0] != "bots"
    ]
    print_table(("Key", "Default", "What it is"), rows)
    typer.echo()
    print_paragraph(
        "In a file, the part before the dot is the table of the key. On the command line, write -s KEY=VALUE: "
        "-s clock.game_ms=60000. `pitboss settings KEY` explains a key; `pitboss settings bots` lists keys of [[bots]]."
    )


def _print_setting(one: SettingKey) -> None:
    default = f"Default: {one.default_text}." if one.default_text else ""
    typer.echo(f"{one.key} = {one.allowed}")
    print_paragraph(" ".join(filter(None, (one.meaning, default))), 4)
    print_paragraph(_describe_use(one), 4)


def _describe_use(one: SettingKey) -> str:
    """Return how a key is typed, and when it may change."""
    if one.setting.no_option:
        return f"In a file; on the command line {one.setting.no_option}."
    typed = f"-s {one.key}=VALUE"
    if one.key in ALSO_OPTIONS:
        typed += f", or --{one.key} VALUE"
    elif one.place[0] == "options":
        typed += f", or -o {one.place[-1]}=VALUE"
    return f"On the command line: {typed}.{' `pitboss run` takes it, too.' if one.setting.is_of_run else ''}"


def _describe(one: SettingKey) -> SettingOutput:
    return SettingOutput(
        key=one.key,
        allowed=one.allowed,
        default=one.default if one.default_text else UNSET,
        meaning=one.meaning,
        of_run=one.setting.is_of_run,
        note=one.setting.no_option or UNSET,
    )


def _shorten(meaning: str) -> str:
    """Return the first clause of a meaning."""
    first = re.split(r"(?<=[^.])[.;:] ", meaning)[0].rstrip(".")
    return first if len(first) <= MEANINGS_WIDTH else f"{first[: MEANINGS_WIDTH - 1].rsplit(' ', 1)[0]} …"
