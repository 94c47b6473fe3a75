"""What is said of a game, derived from its types and docstrings: its line in a list, its reference, its rule book."""

from __future__ import annotations

import inspect as python
import sys
from collections.abc import Callable, Sequence
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct, inspect
from msgspec.structs import asdict

from pitboss.game import AnyGame, has_positions
from pitboss.open_actions import OpenAction
from pitboss.options import strip_metadata
from pitboss.plugins.registry import Registry
from pitboss.plugins.rule_book import find_rule_book
from pitboss.simulation.game_setup import OptionVariant, list_value_choices, make_setup
from pitboss.text import join_words
from pitboss_tournament.simulation.random_games import collect_phase_actions
from pitboss_tournament.text.schema_text import allowed_text, description_text, struct_types
from pitboss_tournament.text.terminal_text import escape_lines


class GameIdentity(Struct, frozen=True, kw_only=True):
    """Which game it is."""

    name: str
    title: str
    version: Annotated[str, Meta(description="Of the rules as programmed.")]
    plugin: Annotated[str, Meta(description="The distribution that it comes from, and its version.")]
    seats: Annotated[list[int], Meta(description="The numbers of players that can play.")]


class GameSummary(GameIdentity, frozen=True, kw_only=True):
    """A line of `pitboss games`; `--json` prints a list of these."""

    presets: Annotated[list[str], Meta(description="Their names.")]


def summarize_game(game: AnyGame, plugin: str) -> GameSummary:
    """Return what `pitboss games` says of a game."""
    return GameSummary(**asdict(identify_game(game, plugin)), presets=list(game.presets))


def identify_game(game: AnyGame, plugin: str) -> GameIdentity:
    """Return name, title, version, distribution (`plugin`) and numbers of players of a game."""
    return GameIdentity(name=game.name, title=game.title, version=game.version, plugin=plugin, seats=list(game.seats))


class FieldReference(Struct, frozen=True, kw_only=True):
    """A field of an action, or of what a bot is shown."""

    name: str
    allowed: str
    meaning: str

    def line(self, quote: str = "") -> str:
        """Return the field as one line, its name in quotes."""
        return f"{quote}{self.name}{quote}: {self.allowed}. {self.meaning}".rstrip()


class OptionReference(FieldReference, frozen=True, kw_only=True):
    """An option of a game."""

    default: Any


class PresetReference(Struct, frozen=True, kw_only=True):
    """A preset: the options that it changes, and the numbers of players that it is for."""

    name: str
    sets: dict[str, Any]
    seats: list[int]


class ActionReference(Struct, frozen=True, kw_only=True):
    """A kind of action. On the wire: an object whose field `tag_field` is `tag`, with the further fields."""

    tag_field: str
    tag: str
    meaning: str
    fields: list[FieldReference]
    is_open: bool = False

    @property
    def explanation(self) -> str:
        """The meaning of the action; of an open action it says so."""
        return f"{self.meaning} Open: it is checked, and not in the legal list." if self.is_open else self.meaning

    @property
    def shape(self) -> str:
        """The JSON object with the tag's value and the names of the fields."""
        tag = [f'"{self.tag_field}": "{self.tag}"'] if self.tag_field else []
        keys = [*tag, *(f'"{field.name}": …' for field in self.fields)]
        return f"{{{', '.join(keys)}}}"


class PhaseReference(Struct, frozen=True, kw_only=True):
    """A phase and the actions that were legal in it in random games; none if random games did not reach it."""

    phase: str
    actions: list[str]


class ViewReference(Struct, frozen=True, kw_only=True):
    """A struct of the view."""

    name: str
    fields: list[FieldReference]


class GameReference(GameIdentity, frozen=True, kw_only=True):
    """All of `pitboss games NAME`."""

    about: str
    options: list[OptionReference]
    presets: list[PresetReference]
    phases: list[PhaseReference]
    actions: list[ActionReference]
    view: Annotated[list[ViewReference], Meta(description="First the view itself, then what stands within it.")]
    unlearned: Annotated[
        dict[str, str], Meta(description="By field of the view, what of it learners do not see; {}: they see it all.")
    ]


def describe_briefly(game: AnyGame) -> str:
    """Return the first paragraph of the module of a game, or else of its class."""
    return _first_paragraph(sys.modules[type(game).__module__].__doc__ or type(game).__doc__)


def describe_game(game: AnyGame, plugin: str) -> GameReference:
    """Return what `pitboss games NAME` says of a game.

    Raises:
        RandomGameError: the game failed in a random game.
    """
    return GameReference(
        **asdict(identify_game(game, plugin)),
        about=describe_briefly(game),
        options=_describe_options(game),
        presets=[_describe_preset(game, name) for name in game.presets],
        phases=_describe_phases(game),
        actions=[_describe_action(one) for one in struct_types(inspect.type_info(game.Action))],
        view=[
            ViewReference(name=one.cls.__name__, fields=_describe_fields(one, _allowed_text))
            for one in _nested_structs(inspect.type_info(game.View))
        ],
        unlearned=dict(getattr(game, "unlearned", {})),
    )


def _first_paragraph(docstring: str | None) -> str:
    """Return the first paragraph of a docstring as one line."""
    return " ".join(python.cleandoc(docstring or "").split("\n\n")[0].split())


def _describe_options(game: AnyGame) -> list[OptionReference]:
    plain = msgspec.to_builtins(game.Options())
    [options] = struct_types(inspect.type_info(game.Options))
    return [OptionReference(**asdict(field), default=plain.get(field.name)) for field in _describe_fields(options)]


def _describe_fields(
    struct: inspect.StructType, describe: Callable[[inspect.Type], str] = allowed_text
) -> list[FieldReference]:
    return [
        FieldReference(name=one.encode_name, allowed=describe(one.type), meaning=description_text(one.type))
        for one in struct.fields
    ]


def _describe_preset(game: AnyGame, name: str) -> PresetReference:
    plain = msgspec.to_builtins(game.Options())
    changed = msgspec.to_builtins(game.presets[name])
    sets = {option: value for option, value in changed.items() if option not in plain or value != plain[option]}
    seats = [count for count in game.seats if make_setup(game, count, OptionVariant(name))]
    return PresetReference(name=name, sets=sets, seats=seats)


def _describe_phases(game: AnyGame) -> list[PhaseReference]:
    """Return the phases that random games reached, and those that a position may name."""
    found = collect_phase_actions(game)
    named = [
        str(value)
        for position in (struct_types(inspect.type_info(game.Position)) if has_positions(game) else [])
        for field in position.fields
        if field.encode_name == "phase"
        for value in list_value_choices(field.type)
    ]
    return [PhaseReference(phase=phase, actions=found.get(phase, [])) for phase in dict.fromkeys([*found, *named])]


def _describe_action(kind: inspect.StructType) -> ActionReference:
    return ActionReference(
        tag_field=kind.tag_field or "",
        tag=str(kind.tag or kind.cls.__name__),
        meaning=_first_paragraph(kind.cls.__doc__),
        fields=_describe_fields(kind),
        is_open=issubclass(kind.cls, OpenAction),
    )


def _nested_structs(kind: inspect.Type) -> list[inspect.StructType]:
    """Return the structs of a type, outermost first, each once."""
    found: list[inspect.StructType] = []
    waiting: list[inspect.Type] = [kind]
    while waiting:
        inner = strip_metadata(waiting.pop(0))
        if inner not in found:
            found += [inner] if isinstance(inner, inspect.StructType) else []
            waiting += _element_types(inner)
    return found


def _element_types(kind: inspect.Type) -> Sequence[inspect.Type]:
    match kind:
        case inspect.StructType(fields=fields):
            return [field.type for field in fields]
        case inspect.UnionType(types=types):
            return types
        case inspect.ListType(item_type=item) | inspect.SetType(item_type=item) | inspect.VarTupleType(item_type=item):
            return [item]
        case inspect.TupleType(item_types=items):
            return items
        case inspect.DictType(value_type=value):
            return [value]
    return []


def _allowed_text(kind: inspect.Type) -> str:
    """Describe the values of a type; a struct is only named, as it has its own list of fields."""
    inner = strip_metadata(kind)
    if not struct_types(inner) and not any(_nested_structs(one) for one in _element_types(inner)):
        return allowed_text(kind)
    match inner:
        case inspect.StructType(cls=cls):
            return f"a {cls.__name__}"
        case inspect.UnionType(types=types):
            return join_words("null" if isinstance(one, inspect.NoneType) else _allowed_text(one) for one in types)
        case inspect.DictType(value_type=value):
            return f"an object, each value {_allowed_text(value)}"
    return f"a list, each {join_words(_allowed_text(one) for one in _element_types(inner))}"


def read_rule_book(registry: Registry, name: str) -> str:
    """Return the rule book of the game `name`, safe to print; without a rule book, the description of the game.

    Raises:
        ConfigError: there is no such game, or several.
    """
    book = find_rule_book(registry, name)
    if not book:
        game, plugin = registry.find_game(name), registry.list_distributions("pitboss_games")[name]
        book = f"{describe_briefly(game)}\n\n({plugin} has no rule book: its author can name one as `readme`.)"
    return "\n".join(escape_lines(book))
