"""Entrants: what a person calls a bot (a name, a folder or a command) becomes something that can be started.

A name may have options: `house:search?ms=50&worlds=200` is the bot's command with `ms=50` and `worlds=200` added. A
bot's limits come of what the tournament allows and what the bot asks for; its bot.toml names the setups that it plays.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, TypeVar

from msgspec import Struct, to_builtins
from msgspec.structs import replace

from pitboss.errors import ConfigError
from pitboss.game import AnyGame
from pitboss.plugins.hookspec import NamedBot
from pitboss.plugins.registry import Registry
from pitboss.plugins.rungs import RUNG_PREFIX
from pitboss.simulation.game_setup import DEFAULTS, OptionVariant, make_setup
from pitboss.text import join_words, suggest_nearest
from pitboss_tournament.config.bot_file import check_needs, read_bot_file
from pitboss_tournament.config.loadouts import check_loadout, enter_with_loadouts, split_loadout
from pitboss_tournament.plan.limits import AskedLimits, BotLimits, Limits
from pitboss_tournament.plan.names import make_bot_name
from pitboss_tournament.plan.paths import BOT_FILE, PYTHON, normalize_path
from pitboss_tournament.plan.plan import BotAbout, Entrant, OnBroken, hide_loadout
from pitboss_tournament.text.validation import collect_errors, collect_good

Item = TypeVar("Item")
Result = TypeVar("Result")

_ARCHIVE_ENDINGS: Final = (".zip", ".tar", ".tar.gz", ".tgz", ".tar.xz", ".tar.bz2", ".7z", ".rar")
_LOOKS_LIKE_FILE: Final = re.compile(r"[\w./~-]+\.[A-Za-z]\w*")


def resolve_entrant(spec: str, registry: Registry, base: Path, game_name: str) -> Entrant:
    """Return the bot that `spec` means: a name from `pitboss bots`, a folder with a `bot.toml`, or else a command.

    Relative paths are relative to `base`; a folder's command runs in the folder, another command in `base`. In a game
    with loadouts one may stand behind a plus: `mybot+decks/aggro.toml`.

    Raises:
        ConfigError: there is no such bot, it cannot be started, it does not play the game, or it has several loadouts.
        TomlFileError: its `bot.toml` is wrong.
    """
    found = resolve_entrants(spec, registry, base, game_name)
    if len(found) > 1:
        brought = join_words([one.loadout.name for one in found if one.loadout], "and")
        raise ConfigError(
            f"the bot {hide_loadout(found[0].name)!r} has several loadouts, {brought}; name one of them in its "
            f"{BOT_FILE}, or behind a plus: BOT+LOADOUT"
        )
    return found[0]


def resolve_entrants(
    spec: str, registry: Registry, base: Path, game_name: str, loadout: str | None = None
) -> list[Entrant]:
    """Return the bot that `spec` means, as `resolve_entrant`, once for each loadout that it brings.

    `loadout`: a file, a pattern of files, or a sample of the game, in place of what the bot names itself.
    """
    game = registry.games.get(game_name)
    if game is None:
        return [_resolve_program(spec, registry, base, game_name)]
    if loadout is None:
        spec, loadout = split_loadout(spec, game)
    entrant, folder = _resolve_program(spec, registry, base, game_name), base / spec
    is_folder = entrant.folder is not None and folder.is_dir() and resolve_named_bot(spec, registry.bots) is None
    own = read_bot_file(folder)[1].loadout if is_folder else None
    return enter_with_loadouts(entrant, loadout, own, game, base)


def _resolve_program(spec: str, registry: Registry, base: Path, game_name: str) -> Entrant:
    if named := resolve_named_bot(spec, registry.bots) or resolve_rung(spec, registry, game_name):
        bot = named.bot
        _check_plays(bot.name, bot.games, game_name)
        return Entrant(
            name=make_bot_name(named.name),
            command=_locate_command(named.command, None),
            presets=None if bot.presets is None else tuple(bot.presets),
            seats=None if bot.seats is None else tuple(bot.seats),
        )
    if (base / spec).is_dir():
        return _resolve_folder(base / spec, game_name)
    refuse_archive(spec, base)
    return _resolve_command_line(spec, registry.bots, base)


def check_entrant(spec: str, registry: Registry, base: Path, game_name: str) -> None:
    """Check of a bot what can be told before it is built, if it has to be built.

    Raises:
        ConfigError: as `resolve_entrant`.
    """
    folder = base / spec
    if resolve_named_bot(spec, registry.bots) or not folder.is_dir() or read_bot_file(folder)[1].build is None:
        resolve_entrant(spec, registry, base, game_name)
        return
    file, bot = read_bot_file(folder)
    with file.locate_errors("games"):
        _check_plays(make_bot_name(bot.name or folder.resolve().name), bot.games, game_name)


def expand_pattern(spec: str, base: Path) -> list[str]:
    """Return the folders that a pattern such as `submissions/*` means, sorted; anything else as it is.

    Those whose names begin with . or _ are not meant. Archives are, unless the pattern ends in /: nobody's bot is to be
    missing because it was never unpacked.

    Raises:
        ConfigError: there is no such folder.
    """
    if "*" not in spec:
        return [spec]
    root = Path("/") if spec.startswith("/") else base
    paths = [
        path for path in root.glob(spec.strip("/")) if path.is_dir() or (_is_archive(path) and not spec.endswith("/"))
    ]
    found = sorted(str(path.relative_to(base) if root == base else path) for path in paths if path.name[0] not in "._")
    if not found and " " not in spec:  # with one it may be a command
        raise ConfigError(f"there is no folder {spec!r}: the pattern fits none")
    return found or [spec]


def refuse_archive(spec: str, base: Path) -> None:
    """Refuse an archive in place of the folder in it.

    Raises:
        ConfigError: it is one.
    """
    if _is_archive(base / spec):
        raise ConfigError(f"{spec!r} is an archive; unpack it, and name the folder that holds its {BOT_FILE}")


def _is_archive(path: Path) -> bool:
    return path.name.lower().endswith(_ARCHIVE_ENDINGS) and path.is_file()


def keep_good(
    specs: Iterable[Item], resolve: Callable[[Item], Result], on_broken: OnBroken
) -> tuple[list[Result], list[str]]:
    """Return the bots that can be started, and a sentence for each that is left out.

    Raises:
        ConfigError, SeveralErrors: some cannot, and that is to be refused.
    """
    if on_broken == "refuse":
        return collect_errors(specs, resolve), []
    found, errors = collect_good(specs, resolve)
    return found, [f"left out: {error}" for error in errors]


def disambiguate_names(entrants: Iterable[Entrant]) -> tuple[Entrant, ...]:
    """Return the entrants, "-2", "-3", … added to a name that has been used before."""
    taken: set[str] = set()
    result = []
    for entrant in entrants:
        name, number = entrant.name, 1
        while name in taken:
            number += 1
            name = f"{entrant.name}-{number}"
        taken.add(name)
        result.append(replace(entrant, name=name))
    return tuple(result)


def apply_limits(entrant: Entrant, allowed: Limits) -> Entrant:
    """Return the entrant with its limits: per value the smaller of what it asks for and what is allowed."""
    granted = {name: min(value, getattr(allowed, name)) for name, value in to_builtins(entrant.asked).items()}
    return replace(entrant, limits=replace(allowed, **granted))


def list_unmet_limits(entrants: Iterable[Entrant]) -> list[str]:
    """Return a warning for each entrant that asks for more than it is granted."""
    return [text for one in entrants for text in unmet_limits_text(one.name, one.limits, one.asked)]


def check_exists(entrant: Entrant) -> None:
    """Check that a stored bot's folder and program still exist.

    Raises:
        ConfigError: one does not.
    """
    if entrant.folder is not None and not entrant.folder.is_dir():
        raise ConfigError(f"the bot {entrant.name!r} cannot be started: its folder {str(entrant.folder)!r} is gone")
    if find_program(entrant.command[0], entrant.folder) is None:
        raise ConfigError(
            f"the bot {entrant.name!r} cannot be started: there is no program {entrant.command[0]!r} any more"
        )


def _resolve_folder(folder: Path, game_name: str) -> Entrant:
    file, bot = read_bot_file(folder)
    name = make_bot_name(bot.name or folder.resolve().name)
    with file.locate_errors("games"):
        _check_plays(name, bot.games, game_name)
    check_needs(file, bot)
    hint = f"; to build it: pitboss build {shlex.quote(str(folder))}" if bot.build else ""
    if bot.model is not None and (wrong := bot.model.find_wrong_extra()):
        raise file.error_at(("model", "extra"), wrong)
    with file.locate_errors("command"):
        return Entrant(
            name=name,
            command=_locate_command(bot.command, folder, hint),
            folder=folder.resolve(),
            asked=bot.limits,
            presets=None if bot.presets is None else tuple(bot.presets),
            seats=None if bot.seats is None else tuple(bot.seats),
            model=bot.model,
            about=BotAbout(version=bot.version, author=bot.author, language=bot.language),
        )


def _resolve_command_line(spec: str, known: Collection[str], base: Path) -> Entrant:
    try:
        words = shlex.split(spec)
    except ValueError as error:
        raise ConfigError(f"the command {spec!r} cannot be split into words: {str(error).lower()}") from None
    if not words:
        raise ConfigError(
            f"{spec!r} names no bot; a bot is a name from `pitboss bots`, a folder with a {BOT_FILE}, or a command"
        )
    if Path(words[0]).name == BOT_FILE:
        raise ConfigError(f"{spec!r} describes a bot; to name the bot give the folder, {str(Path(words[0]).parent)!r}")
    if find_program(words[0], base) is None and (len(words) == 1 or (base / words[0]).is_file()):
        hint = (
            f" (to run the file write './{words[0]}')"
            if (base / words[0]).is_file()
            else _suggest_bot(spec, known, base)
        )
        raise ConfigError(f"there is no bot {spec!r}{hint}: no name from `pitboss bots`, no folder, and no program")
    return Entrant(
        name=make_bot_name(_script_name(words, base)), command=_locate_command(words, base), folder=base.resolve()
    )


def _locate_command(command: Sequence[str], folder: Path | None, hint: str = "") -> tuple[str, ...]:
    """Return a command whose program exists; a program with a / becomes absolute."""
    first, *rest = (word.replace(PYTHON, sys.executable) for word in command)
    program = find_program(first, folder)
    where = str((folder or Path()) / first) if "/" in first else first
    if program is None:
        looked = "does not exist" if "/" in first else "is not on the PATH"
        raise ConfigError(f"the program {where!r} {looked}{hint}")
    if not program.is_file() or not os.access(program, os.X_OK):
        remedy = (
            f"chmod +x {shlex.quote(where)}, or name its interpreter before it"
            if program.is_file()
            else "it is a folder"
        )
        raise ConfigError(f"the program {where!r} cannot be executed ({remedy})")
    return (str(program) if "/" in first else first, *rest)


def find_program(first: str, folder: Path | None) -> Path | None:
    """Return the file that the first word of a command means, None if there is none."""
    if "/" in first:
        path = normalize_path((folder or Path()) / first)
        return path if path.exists() else None
    found = shutil.which(first)
    return Path(found) if found else None


def _check_plays(name: str, games: Sequence[str] | None, game_name: str) -> None:
    if games is not None and game_name not in games:
        raise ConfigError(f"the bot {name!r} plays {join_words(games, 'and') or 'no game'}, not {game_name}")


def _suggest_bot(spec: str, known: Collection[str], base: Path) -> str:
    before = spec.removesuffix(Path(spec).name)
    folder = base / before
    beside = [before + path.name for path in folder.iterdir() if path.is_dir()] if folder.is_dir() else []
    return suggest_nearest(spec, [*known, *beside])


def _script_name(words: Sequence[str], base: Path) -> str:
    """Return a name for a bot given as a command: the script if an interpreter runs one, else the program."""
    scripts = [word for word in words[1:] if not word.startswith("-")]
    is_interpreter = shutil.which(Path(words[0]).name) is not None or words[0] == PYTHON
    if is_interpreter and scripts and (_LOOKS_LIKE_FILE.fullmatch(scripts[0]) or (base / scripts[0]).is_file()):
        return Path(scripts[0]).stem
    return Path(words[0]).name


class NamedBotCommand(Struct, frozen=True):
    """A named bot as somebody has written it."""

    name: str  # with its options
    bot: NamedBot
    command: tuple[str, ...]


def resolve_named_bot(spec: str, bots: Mapping[str, NamedBot]) -> NamedBotCommand | None:
    """Return the named bot that `spec` means, None if it is none of them.

    Raises:
        ConfigError: the bot has no such option, or the option no such value.
    """
    name, _, options = spec.partition("?")
    bot = bots.get(name)
    if bot is None:
        return None
    words = tuple(_parse_options(bot, options)) if "?" in spec else ()
    return NamedBotCommand(f"{name}?{'&'.join(words)}" if words else name, bot, (*bot.command, *words))


def resolve_rung(spec: str, registry: Registry, game_name: str) -> NamedBotCommand | None:
    """Return the opponent that `rung:7` means in a game, None if `spec` names no rung.

    Raises:
        ConfigError: the game has no such rung, or the bot on it is not installed.
    """
    if not spec.startswith(RUNG_PREFIX):
        return None
    table = registry.rungs.get(game_name)
    if table is None:
        raise ConfigError(
            f"there is no bot {spec!r}: {game_name} has no rungs; `pitboss bots {game_name}` lists its bots"
        )
    names = [f"{RUNG_PREFIX}{number}" for number in range(1, len(table.rungs) + 1)]
    if spec not in names:
        raise ConfigError(f"there is no bot {spec!r}: the rungs of {game_name} are {names[0]} to {names[-1]}")
    bot = table.rungs[names.index(spec)].bot
    found = resolve_named_bot(bot, registry.bots)
    if found is None:
        raise ConfigError(f"{spec} of {game_name} is the bot {bot!r}, which is not installed; see `pitboss plugins`")
    return NamedBotCommand(spec, found.bot, found.command)


def _parse_options(bot: NamedBot, text: str) -> Iterator[str]:
    seen: set[str] = set()
    known = sorted(bot.options)
    if not known:
        raise ConfigError(f"the bot {bot.name!r} has no options")
    for part in text.split("&"):
        key, _, value = part.partition("=")
        if key not in known:
            raise ConfigError(
                f"the bot {bot.name!r} has no option {key!r}{suggest_nearest(key, known)}; "
                f"it has {join_words(known, 'and')}, as in {bot.name}?{known[0]}={bot.options[known[0]].default}"
            )
        if key in seen:
            raise ConfigError(f"{bot.name}: {key} is given twice")
        seen.add(key)
        yield f"{key}={_parse_number(bot, key, value)}"


def _parse_number(bot: NamedBot, key: str, value: str) -> int | float:
    option = bot.options[key]
    if (number := option.read_number(value)) is None:
        raise ConfigError(f"{bot.name}: {key} is {value!r}; it is {option.range_text}")
    return number


def merge_limits(for_all: Limits, for_one: BotLimits, base: Path) -> Limits:
    """Return the limits of one bot. Its paths become absolute: relative ones start at `base`, `~` is the home folder.

    Raises:
        ConfigError: a path that it may read does not exist.
    """
    limits = replace(for_all, **to_builtins(for_one))
    return replace(limits, read=tuple(_resolve_existing(path, base) for path in limits.read))


def unmet_limits_text(bot: str, granted: Limits, asked: AskedLimits) -> list[str]:
    """Return the warning that names every limit the bot asked to exceed; no warning if there is none."""
    short = [
        f"{name} = {value} ({getattr(granted, name)} is allowed)"
        for name, value in to_builtins(asked).items()
        if value > getattr(granted, name)
    ]
    return [f"the bot {bot!r} asks for more than it gets: {join_words(short, 'and')}"] if short else []


def _resolve_existing(text: str, base: Path) -> str:
    if "\0" in text:
        raise ConfigError(f"read names {text!r}, which does not exist")
    path = normalize_path(base / Path(text).expanduser())
    if not path.exists():
        raise ConfigError(f"read names {text!r}, which does not exist")
    return str(path)


def list_bot_variants(game: AnyGame, presets: Sequence[str] | None) -> list[OptionVariant] | None:
    """Return the variants of a game that a bot with these `presets` plays; None: all, as none of them is named."""
    own = [name for name in presets or () if name == DEFAULTS or name in game.presets]
    return [OptionVariant() if name == DEFAULTS else OptionVariant(name) for name in own] or None


def check_bot_setup(bot: Entrant, game: AnyGame, seats: int, options: object, preset: str | None = None) -> None:
    """Check that a bot plays a game with `seats` players and these resolved options, which come from this preset.

    Options that were changed beside one of its presets are the organizer's choice. A loadout has to be legal.

    Raises:
        ConfigError: it does not.
    """
    if bot.seats is not None and seats not in bot.seats:
        raise ConfigError(f"the bot {bot.name!r} plays with {join_words(bot.seats)} players, not with {seats}")
    check_loadout(bot, game, options)
    variants = list_bot_variants(game, bot.presets)
    if variants is None or (preset is not None and OptionVariant(preset) in variants):
        return
    setups = [make_setup(game, seats, variant) for variant in variants]
    if any(setup is not None and setup.options == options for setup in setups):
        return
    named = join_words([repr(variant.preset or DEFAULTS) for variant in variants], "and")
    raise ConfigError(
        f"the bot {bot.name!r} plays {game.name} with {'presets' if len(variants) > 1 else 'preset'} {named}, "
        f"and the options here are others"
    )
