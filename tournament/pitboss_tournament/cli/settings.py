"""The options of commands that play tournaments: made of the fields of `TournamentFile`, which declares them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import wraps
from inspect import Parameter, signature
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any, Final, Literal, NamedTuple, get_type_hints

import typer
from msgspec import NODEFAULT, Struct, inspect
from msgspec.structs import replace

from pitboss.options import strip_metadata
from pitboss_tournament.cli import parameters
from pitboss_tournament.cli.bot_resolution import resolve_bots
from pitboss_tournament.cli.key_value_args import parse_format, parse_limits, parse_options
from pitboss_tournament.cli.number_args import any_number, whole_number
from pitboss_tournament.cli.registry import load_registry
from pitboss_tournament.plan.plan import Entrant
from pitboss_tournament.plan.settings import Setting, TournamentFile, find_setting
from pitboss_tournament.text.schema_text import description_text, struct_types
from pitboss_tournament.text.validation import convert_checked

Place = tuple[str, ...]  # of a field: the names of its table, if it is in one, and its own

# the options that are written in another way than their fields: by their parameters, each with its type
WRITTEN_OTHERWISE: Final[Mapping[str, Mapping[str, Any]]] = MappingProxyType(
    {
        "preset": {"preset": parameters.Preset},
        "options": {"option": parameters.OptionWords},
        "format": {"format": parameters.FormatName, "format_option": parameters.FormatOption},
        "seed": {"seed": parameters.Seed},
        "pinned": {"no_pin": parameters.NoPin},
        "store": {"store": parameters.StorePath},
        "limits": {"limit": parameters.Limit},
    }
)


class SettingOption(NamedTuple):
    """An option of a command, made of a field."""

    place: Place  # of the field that it sets
    parameter: str  # its name in Python
    type: Any  # annotated for typer
    default: object  # its value if it is not given


class SettingWords(NamedTuple):
    """What a command line says of the settings, by parameter."""

    values: Mapping[str, Any]

    def to_file(self, game: str, **more: object) -> TournamentFile:
        """Return the settings, as if a tournament file had them; `more` has fields that no option sets.

        `game` is looked up only for a command that has options of a game.

        Raises:
            ConfigError: there is no such game, or a value is wrong.
        """
        tables: dict[str, Any] = {"game": game, **more}
        for option in OPTIONS:
            value = self.values.get(option.parameter)
            if value is None or option.place[0] in WRITTEN_OTHERWISE:
                continue
            if len(option.place) == 1:
                tables[option.place[0]] = value
            elif value != option.default:  # a table in which nothing is said is left out
                tables.setdefault(option.place[0], {})[option.place[1]] = value
        said = self.values
        tables |= {name: str(said[name]) for name in ("preset", "seed", "store") if said.get(name) is not None}
        tables["pinned"] = not said.get("no_pin", False)
        if "option" in said:
            tables["options"] = parse_options(load_registry().find_game(game), said["option"] or ())
        if "format" in said:
            tables["format"] = parse_format(said["format"], said["format_option"] or (), load_registry())
        found = convert_checked(tables, TournamentFile)
        return replace(found, limits=parse_limits(said.get("limit") or ()))


def takes_settings(
    *names: str, leave_out: Collection[str] = (), **defaults: object
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a command an option for each of these fields of the tournament file, by default for all that have one.

    They stand where its parameter `settings` stands, as which it gets them. By parameter: `leave_out` has those that it
    sets itself, and `defaults` those that have another default than in the file.
    """

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        own = signature(command)
        hints = get_type_hints(command, include_extras=True)
        wanted = [option for option in OPTIONS if not names or option.place[0] in names]
        options = [option for option in wanted if option.parameter not in leave_out]

        @wraps(command)
        def run(**given: Any) -> None:  # noqa: ANN401 - of all types
            words = SettingWords({option.parameter: given.pop(option.parameter) for option in options})
            command(settings=words, **given)

        made: list[Parameter] = []
        for name, one in own.parameters.items():
            if name != "settings":
                made.append(one.replace(annotation=hints[name], kind=Parameter.KEYWORD_ONLY))
                continue
            for option in options:
                default = defaults.get(option.parameter, option.default)
                kind = Parameter.KEYWORD_ONLY
                made.append(Parameter(option.parameter, kind, default=default, annotation=option.type))
        run.__signature__ = own.replace(parameters=made)  # type: ignore[attr-defined]
        run.__annotations__ = {one.name: one.annotation for one in made}
        return run

    return decorate


def resolve_players(
    specs: Sequence[str], settings: TournamentFile, base: Path = Path(), *, shows_builds: bool = True
) -> list[Entrant]:
    """Return the bots of a command line, called in the folder `base`, built where that is needed, with their limits.

    What a build says is shown at once, or is the `output` of the error.

    Raises:
        ConfigError: a bot cannot be built, is not found, or does not play the game.
    """
    from pitboss_tournament.config.entrants import apply_limits

    found = resolve_bots(
        specs,
        base,
        settings.game,
        settings.sandbox,
        build_network=settings.build_network,
        on_broken=settings.on_broken,
        shows_builds=shows_builds,
        store=None if settings.store is None else Path(settings.store),
    )
    return [apply_limits(bot, settings.limits) for bot in found]


def _list_options(table: type[Struct], place: Place = (), prefix: str = "") -> Iterator[SettingOption]:
    """Yield the options of a table."""
    for field in _list_fields(table):
        setting, kind = find_setting(field.type), _find_member(field.type)
        default = None if field.default is NODEFAULT else field.default
        if setting.no_option:
            continue
        if not place and field.name in WRITTEN_OTHERWISE:
            for parameter, annotation in WRITTEN_OTHERWISE[field.name].items():
                value = {"no_pin": False, "format": default}.get(parameter)
                yield SettingOption((field.name,), parameter, annotation, value)
        elif tables := struct_types(kind):
            yield from _list_options(tables[0].cls, (field.name,), setting.prefix)
        else:
            yield _make_option((*place, field.name), setting, prefix, kind, default)


def _list_fields(table: type[Struct]) -> tuple[inspect.Field, ...]:
    found = inspect.type_info(table)
    assert isinstance(found, inspect.StructType)
    return found.fields


def _find_member(kind: inspect.Type) -> inspect.Type:
    """Return a type without None."""
    inner = strip_metadata(kind)
    if isinstance(inner, inspect.UnionType):
        return next(member for member in inner.types if not isinstance(member, inspect.NoneType))
    return kind


def _make_option(place: Place, setting: Setting, prefix: str, kind: inspect.Type, default: object) -> SettingOption:
    flag = setting.option or prefix + place[-1].replace("_", "-")
    words: dict[str, Any] = {"help": description_text(kind)}
    match strip_metadata(kind):
        case inspect.IntType(ge=low, le=high):
            python: Any = int
            words["parser"] = whole_number(low or 0, high)
        case inspect.FloatType(ge=low, gt=above, le=high):
            python, words["parser"] = float, any_number(low or above or 0, high)
        case inspect.LiteralType(values=values):
            python = Literal[values]
        case inspect.BoolType():
            python = bool
        case _:
            python, words["metavar"] = str, "TEXT"
    typed = python if default is not None else python | None
    return SettingOption(place, flag.replace("-", "_"), Annotated[typed, typer.Option(f"--{flag}", **words)], default)


OPTIONS: Final = tuple(_list_options(TournamentFile))
