"""The keys of a tournament file, written with dots as on the command line: `clock.game_ms`, `format.NAME`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Final

from msgspec import NODEFAULT, Struct, inspect

from pitboss.options import strip_metadata
from pitboss.text import suggest_nearest
from pitboss_tournament.plan.settings import Setting, TournamentFile, find_setting
from pitboss_tournament.text.schema_text import allowed_text, description_text, plain_value_text, struct_types

FORMAT_OPTION: Final = "An option of the format, as `pitboss formats FORMAT` lists them."
ANY_NAME: Final = "NAME"  # the part of a key that the author chooses, such as the name of a model


class SettingKey(Struct, frozen=True):
    """A key that has a value, not a table."""

    place: tuple[str, ...]  # the steps to it in nested tables
    kind: inspect.Type
    default: object  # NODEFAULT: the key must be there if its table is
    setting: Setting  # what the file's own field, in which the key is, says

    @property
    def key(self) -> str:
        """The key as a person writes it, with dots."""
        return ".".join(self.place)

    @property
    def allowed(self) -> str:
        """What values it has, in words."""
        return allowed_text(self.kind, null=False)

    @property
    def default_text(self) -> str:
        """Its default as a file would have it, "" if it has none."""
        return "" if self.default is NODEFAULT or self.default is None else plain_value_text(self.default)

    @property
    def meaning(self) -> str:
        """What it means, in sentences."""
        return next(filter(None, map(description_text, _list_members(self.kind))), "")


@cache
def list_setting_keys() -> tuple[SettingKey, ...]:
    """Return all keys of a tournament file, in the order of their declaration."""
    found = inspect.type_info(TournamentFile)
    assert isinstance(found, inspect.StructType)
    return tuple(one for field in found.fields for one in _list_keys(field, (), find_setting(field.type)))


def find_setting_key(key: str) -> SettingKey | None:
    """Return the key that is written so, with its names in place of NAME; None if there is none."""
    for one in list_setting_keys():
        if one.key == key:
            return one
        pattern = re.escape(one.key).replace(ANY_NAME, "(.+)")
        if ANY_NAME in one.key and (found := re.fullmatch(pattern, key)):
            place = tuple(found[1] if step == ANY_NAME else step for step in one.place)
            return SettingKey(place, one.kind, one.default, one.setting)
    return None


def match_key(word: str) -> str:
    """Return the key that a word means without its table or with hyphens: `game-ms`, `stop_ranking`; "" if none is."""
    keys = [one.key for one in list_setting_keys() if not one.key.startswith("bots.")]
    plain = word.replace("-", "_")
    joined = {one.replace(".", "_"): one for one in reversed(keys)}
    last = {one.rpartition(".")[2]: one for one in reversed(keys)}
    return joined.get(plain) or last.get(plain) or last.get(plain.rpartition(".")[2]) or ""


def _list_tables() -> list[str]:
    return list(dict.fromkeys(one.place[0] for one in list_setting_keys() if len(one.place) > 1))


def suggest_key(word: str) -> str:
    """Return " (did you mean …?)" with the key whose last part a word is, or that looks like it; "" if none does."""
    exact = match_key(word)
    return (
        f" (did you mean {exact!r}?)"
        if exact
        else suggest_nearest(word, [*_list_tables(), *(one.key for one in list_setting_keys())])
    )


def _list_keys(field: inspect.Field, table: tuple[str, ...], setting: Setting) -> Iterator[SettingKey]:
    place = (*table, field.encode_name)
    members = _list_members(field.type)
    if tables := [table for one in members for table in struct_types(one)]:
        for inner in tables[0].fields:
            yield from _list_keys(inner, place, setting)
        return
    for one in members:
        inner_type = strip_metadata(one)
        if isinstance(inner_type, inspect.ListType) and (tables := struct_types(inner_type.item_type)):
            yield SettingKey(place, field.type, NODEFAULT, setting)
            for inner in tables[0].fields:
                yield from _list_keys(inner, place, setting)
            return
        if isinstance(inner_type, inspect.DictType):
            yield from _list_named_keys(field, place, inner_type, setting)
            return
    default = None if field.default is NODEFAULT and not field.required else field.default
    yield SettingKey(place, field.type, default, setting)


def _list_named_keys(
    field: inspect.Field, place: tuple[str, ...], table: inspect.DictType, setting: Setting
) -> Iterator[SettingKey]:
    """Yield the keys of a table with names of any kind, behind its own key if that may have a plain value."""
    if field.default is not NODEFAULT and not isinstance(field.default, dict):
        yield SettingKey(place, field.type, field.default, setting)
    if tables := struct_types(table.value_type):
        for inner in tables[0].fields:
            yield from _list_keys(inner, (*place, ANY_NAME), setting)
        return
    meaning = {"description": FORMAT_OPTION if place == ("format",) else description_text(field.type)}
    kind = inspect.Metadata(table.value_type, extra_json_schema=meaning)
    yield SettingKey((*place, ANY_NAME), kind, NODEFAULT, setting)


def _list_members(kind: inspect.Type) -> list[inspect.Type]:
    inner = strip_metadata(kind)
    return [kind, *inner.types] if isinstance(inner, inspect.UnionType) else [kind]
