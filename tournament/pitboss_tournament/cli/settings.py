"""The options of commands that play tournaments: made of the fields of `TournamentFile`, which declares them."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import wraps
from pathlib import Path
from types import MappingProxyType, NoneType
from typing import Annotated, Any, Final, Literal, NamedTuple, get_args, get_origin, get_type_hints

import typer
from msgspec import NODEFAULT, Meta, Struct
from msgspec.structs import fields, replace

from pitboss_tournament.cli import parameters
from pitboss_tournament.cli.key_value_args import parse_format, parse_limits, parse_options
from pitboss_tournament.cli.number_args import any_number, whole_number
from pitboss_tournament.cli.registry import load_registry, resolve_bots
from pitboss_tournament.plan.plan import Entrant
from pitboss_tournament.plan.settings import Setting, TournamentFile, describe_settings
from pitboss_tournament.text.validation import convert_value

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
    """An option of a command: the field that it sets, its parameter, and what it is if it is not given."""

    place: Place
    parameter: str
    type: Any
    default: object


class SettingWords(NamedTuple):
    """What a command line says of the settings, by parameter."""

    values: Mapping[str, Any]

    def to_file(self, game: str, **more: object) -> TournamentFile:
        """Return the settings, as if a tournament file had them; `more` has fields that no option sets.

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
            elif value != option.default:
                tables.setdefault(option.place[0], {})[option.place[1]] = value
        said = self.values
        tables |= {name: str(said[name]) for name in ("preset", "seed", "store") if said.get(name) is not None}
        tables["pinned"] = not said.get("no_pin", False)
        if "option" in said:
            tables["options"] = parse_options(load_registry().find_game(game), said["option"] or ())
        if "format" in said:
            tables["format"] = parse_format(said["format"], said["format_option"] or (), load_registry())
        found = convert_value(tables, TournamentFile)
        return replace(found, limits=parse_limits(said.get("limit") or ()))


def takes_settings(
    *names: str, leave_out: Collection[str] = (), **defaults: object
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a command an option for each of these fields of the tournament file, by default for all that have one.

    They stand behind its own arguments. The command gets them as `settings`. By parameter: `leave_out` has those that
    it sets itself, and `defaults` those that have another default than in the file.
    """

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        own = inspect.signature(command)
        hints = get_type_hints(command, include_extras=True)
        wanted = [option for option in OPTIONS if not names or option.place[0] in names]
        options = [option for option in wanted if option.parameter not in leave_out]

        @wraps(command)
        def run(**given: Any) -> None:  # noqa: ANN401 - of all types
            words = SettingWords({option.parameter: given.pop(option.parameter) for option in options})
            command(settings=words, **given)

        made = [
            inspect.Parameter(
                option.parameter,
                inspect.Parameter.KEYWORD_ONLY,
                default=defaults.get(option.parameter, option.default),
                annotation=option.type,
            )
            for option in options
        ]
        kept = [
            one.replace(annotation=hints[one.name], kind=inspect.Parameter.KEYWORD_ONLY)
            for one in own.parameters.values()
            if one.name != "settings"
        ]
        is_argument = [_is_argument(one.annotation) for one in kept]
        first = is_argument.index(False) if False in is_argument else len(kept)
        signature = own.replace(parameters=[*kept[:first], *made, *kept[first:]])
        run.__signature__ = signature  # type: ignore[attr-defined]
        run.__annotations__ = {name: one.annotation for name, one in signature.parameters.items()}
        return run

    return decorate


def resolve_players(specs: Sequence[str], settings: TournamentFile) -> list[Entrant]:
    """Return the bots of a command line, built where that is needed, with their limits.

    Raises:
        ConfigError: a bot cannot be built, is not found, or does not play the game.
    """
    from pitboss_tournament.config.entrants import apply_limits

    network = settings.build_network
    found = resolve_bots(specs, Path(), settings.game, settings.sandbox, build_network=network)
    return [apply_limits(bot, settings.limits) for bot in found]


def _is_argument(annotation: Any) -> bool:  # noqa: ANN401 - a type
    return any(isinstance(one, typer.models.ArgumentInfo) for one in getattr(annotation, "__metadata__", ()))


def _list_options(table: type[Struct], place: Place = (), prefix: str = "") -> Iterator[SettingOption]:
    """Yield the options of a table."""
    said, hints = describe_settings(table), get_type_hints(table, include_extras=True)
    for field in fields(table):
        setting, hint = said[field.name], hints[field.name]
        default = None if field.default is NODEFAULT or isinstance(field.default, list | dict) else field.default
        if setting.no_option:
            continue
        if not place and field.name in WRITTEN_OTHERWISE:
            for parameter, kind in WRITTEN_OTHERWISE[field.name].items():
                value = {"no_pin": False, "format": default}.get(parameter)
                yield SettingOption((field.name,), parameter, kind, value)
        elif inner := _find_table(hint):
            yield from _list_options(inner, (field.name,), setting.prefix)
        else:
            yield _make_option((*place, field.name), setting, prefix, hint, default)


def _find_table(hint: Any) -> type[Struct] | None:  # noqa: ANN401 - a type
    if inspect.isclass(hint) and issubclass(hint, Struct):
        return hint
    return next((found for part in get_args(hint) if (found := _find_table(part))), None)


def _make_option(place: Place, setting: Setting, prefix: str, hint: Any, default: object) -> SettingOption:  # noqa: ANN401
    flag = setting.option or prefix + place[-1].replace("_", "-")
    kind, metas = _take_apart(hint)
    words: dict[str, Any] = {"help": next((one.description for one in metas if one.description), None)}
    if kind in (int, float):
        words["parser"] = _make_parser(kind, metas)
    elif kind is str:
        words["metavar"] = "TEXT"
    typed = kind if default is not None else kind | None
    return SettingOption(place, flag.replace("-", "_"), Annotated[typed, typer.Option(f"--{flag}", **words)], default)


def _make_parser(kind: type, metas: Sequence[Meta]) -> Callable[[str], float]:
    """Return the parser of a number within its bounds."""
    lows = [low for one in metas for low in (one.ge, one.gt) if low is not None]
    highs = [one.le for one in metas if one.le is not None]
    low, high = min(lows, default=0), max(highs, default=None)
    if kind is int:
        return whole_number(int(low), None if high is None else int(high))
    return any_number(low, high)


def _take_apart(hint: Any) -> tuple[Any, list[Meta]]:  # noqa: ANN401 - types
    """Return a type without annotations and None, and its annotations, the outermost first."""
    if get_origin(hint) is Annotated:
        kind, metas = _take_apart(get_args(hint)[0])
        return kind, [*(one for one in hint.__metadata__ if isinstance(one, Meta)), *metas]
    if get_origin(hint) is not Literal and NoneType in get_args(hint):
        [inner] = [part for part in get_args(hint) if part is not NoneType]
        return _take_apart(inner)
    return hint, []


OPTIONS: Final = tuple(_list_options(TournamentFile))
