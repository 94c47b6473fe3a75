"""Sheets: what a person wants to know of a game before playing it, read from its types and docstrings, with no code per game."""

from __future__ import annotations

import inspect as python
import sys
from collections.abc import Iterable, Sequence
from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta, Struct, inspect

from pitboss.errors import OptionError
from pitboss.game import AnyGame
from pitboss.options import resolved
from pitboss_tournament.planning.wording import allowed, alternatives, bare, listed, meaning, structs
from pitboss_tournament.simulating.playouts import met


class Identity(Struct, frozen=True, kw_only=True):
    """Which game it is."""

    name: str
    title: str
    version: Annotated[str, Meta(description="Of the rules as programmed.")]
    plugin: Annotated[str, Meta(description="The distribution that it comes from, and its version.")]
    seats: Annotated[list[int], Meta(description="The numbers of players that can play.")]


class GameSummary(Identity, frozen=True, kw_only=True):
    """A line of `pitboss games`; `--json` prints a list of these."""

    presets: Annotated[list[str], Meta(description="Their names.")]


class FieldSheet(Struct, frozen=True, kw_only=True):
    """A field of an action, or of what a bot is shown."""

    name: str
    allowed: str
    meaning: str


class OptionSheet(FieldSheet, frozen=True, kw_only=True):
    """An option of a game."""

    default: Any


class PresetSheet(Struct, frozen=True, kw_only=True):
    """A preset: the options that it changes, and the numbers of players that it is for."""

    name: str
    sets: dict[str, Any]
    seats: list[int]


class ActionSheet(Struct, frozen=True, kw_only=True):
    """A kind of action. On the wire: an object whose field `tag_field` is `tag`, with the further fields."""

    tag_field: str
    tag: str
    meaning: str
    fields: list[FieldSheet]


class PhaseSheet(Struct, frozen=True, kw_only=True):
    """A phase, and what can be legal in it, as far as random games showed (a rare phase may not have been met: no actions)."""

    phase: str
    actions: list[str]


class ViewSheet(Struct, frozen=True, kw_only=True):
    """A struct of which what a bot is shown consists."""

    name: str
    fields: list[FieldSheet]


class GameSheet(Identity, frozen=True, kw_only=True):
    """All of `pitboss games NAME`."""

    about: str
    options: list[OptionSheet]
    presets: list[PresetSheet]
    phases: list[PhaseSheet]
    actions: list[ActionSheet]
    view: Annotated[list[ViewSheet], Meta(description="First the view itself, then what stands within it.")]


def summary(game: AnyGame, plugin: str) -> GameSummary:
    """Return what `pitboss games` says of a game."""
    return GameSummary(
        name=game.name, title=game.title, version=game.version, plugin=plugin, seats=list(game.seats), presets=list(game.presets)
    )


def sheet(game: AnyGame, plugin: str) -> GameSheet:
    """Return what `pitboss games NAME` says of a game.

    Raises:
        GameBroke: the game failed in a random game.
    """
    return GameSheet(
        name=game.name,
        title=game.title,
        version=game.version,
        plugin=plugin,
        seats=list(game.seats),
        about=_about(game),
        options=_options(game),
        presets=[_preset(game, name) for name in game.presets],
        phases=_phases(game),
        actions=[_action(one) for one in structs(inspect.type_info(game.Action))],
        view=[_shown(one) for one in _within(inspect.type_info(game.View))],
    )


def _about(game: AnyGame) -> str:
    """Return the first paragraph of the game's module, or else of its class."""
    module = sys.modules.get(type(game).__module__)
    text = python.cleandoc(module.__doc__ if module and module.__doc__ else type(game).__doc__ or "")
    return " ".join(text.split("\n\n")[0].split())


def _options(game: AnyGame) -> list[OptionSheet]:
    plain = msgspec.to_builtins(game.Options())
    return [
        OptionSheet(
            name=one.encode_name, allowed=allowed(one.type), default=plain.get(one.encode_name), meaning=meaning(one.type)
        )
        for one in _fields(game.Options)
    ]


def _fields(struct: type) -> Sequence[inspect.Field]:
    [table] = structs(inspect.type_info(struct))
    return table.fields


def _preset(game: AnyGame, name: str) -> PresetSheet:
    plain = msgspec.to_builtins(game.Options())
    changed = msgspec.to_builtins(game.presets[name])
    sets = {option: value for option, value in changed.items() if option not in plain or value != plain[option]}
    return PresetSheet(name=name, sets=sets, seats=[seats for seats in game.seats if _goes(game, seats, name)])


def _goes(game: AnyGame, seats: int, preset: str) -> bool:
    try:
        resolved(game, seats, preset)
    except OptionError:
        return False
    return True


def _phases(game: AnyGame) -> list[PhaseSheet]:
    """Return the phases that random games came upon, and those that a written position may be in."""
    found = met(game)
    return [PhaseSheet(phase=phase, actions=found.get(phase, [])) for phase in dict.fromkeys([*found, *_written_phases(game)])]


_PHASE: Final = "phase"


def _written_phases(game: AnyGame) -> Iterable[str]:
    for table in structs(inspect.type_info(game.Position)):
        for one in table.fields:
            if one.encode_name == _PHASE:
                yield from (str(value) for value in alternatives(one.type))


def _action(kind: inspect.StructType) -> ActionSheet:
    fields = [FieldSheet(name=one.encode_name, allowed=allowed(one.type), meaning=meaning(one.type)) for one in kind.fields]
    about = " ".join(python.cleandoc(kind.cls.__doc__ or "").split("\n\n")[0].split())
    return ActionSheet(tag_field=kind.tag_field or "", tag=str(kind.tag or kind.cls.__name__), meaning=about, fields=fields)


def _shown(kind: inspect.StructType) -> ViewSheet:
    fields = [FieldSheet(name=one.encode_name, allowed=_allowed(one.type), meaning=meaning(one.type)) for one in kind.fields]
    return ViewSheet(name=kind.cls.__name__, fields=fields)


def _within(kind: inspect.Type) -> list[inspect.StructType]:
    """Return the structs of a type: first itself, then all within it, each once."""
    found: list[inspect.StructType] = []
    waiting: list[inspect.Type] = [kind]
    while waiting:
        inner = bare(waiting.pop(0))
        if isinstance(inner, inspect.StructType) and inner not in found:
            found.append(inner)
            waiting += [one.type for one in inner.fields]
        elif not isinstance(inner, inspect.StructType):
            waiting += _parts(inner)
    return found


def _parts(kind: inspect.Type) -> Sequence[inspect.Type]:
    match kind:
        case inspect.UnionType(types=types):
            return types
        case inspect.ListType(item_type=item) | inspect.SetType(item_type=item) | inspect.VarTupleType(item_type=item):
            return [item]
        case inspect.TupleType(item_types=items):
            return items
        case inspect.DictType(value_type=value):
            return [value]
    return []


def _allowed(kind: inspect.Type) -> str:
    """Return what a type allows; a struct is only named, as it has a list of its own."""
    inner = bare(kind)
    if not structs(inner) and not any(_within(one) for one in _parts(inner)):
        return allowed(kind)
    match inner:
        case inspect.StructType(cls=cls):
            return f"a {cls.__name__}"
        case inspect.UnionType(types=types):
            return listed("null" if isinstance(one, inspect.NoneType) else _allowed(one) for one in types)
        case inspect.DictType(value_type=value):
            return f"an object, each value {_allowed(value)}"
    return f"a list, each {listed(_allowed(one) for one in _parts(inner))}"
