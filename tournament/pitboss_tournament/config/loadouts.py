"""Loadouts that bots bring to a game: files of a bot's folder, or samples of the game, read and checked.

A bot's bot.toml or its table in the tournament file names one, `loadout = "decks/aggro.toml"`. On the command line a
plus is before it: `mybot+decks/aggro.toml`, `house:random+aggro`. A pattern means several loadouts, each of which makes
an entrant of its own, called `mybot+aggro`.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from msgspec.structs import replace

from pitboss.errors import ConfigError, OptionError
from pitboss.foreign_input import InputRefused, read_json
from pitboss.game import AnyGame
from pitboss.loadouts import LoadoutGame, convert_loadout, describe_samples, takes_loadouts
from pitboss.text import suggest_nearest
from pitboss_tournament.config.toml_file import LARGEST_FILE, TomlFile
from pitboss_tournament.plan.names import make_bot_name
from pitboss_tournament.plan.paths import BOT_FILE
from pitboss_tournament.plan.plan import LOADOUT_SIGN, BroughtLoadout, Entrant, name_with_loadout, pack_loadout

_ENDINGS: Final = (".toml", ".json")


def split_loadout(spec: str, game: AnyGame) -> tuple[str, str | None]:
    """Return a bot and its loadout, as they are written with a plus between; without one, or in another game, None."""
    bot, sign, loadout = spec.rpartition(LOADOUT_SIGN)
    is_loadout = takes_loadouts(game) and bot and loadout and " " not in loadout
    return (bot, loadout) if sign and is_loadout else (spec, None)


def enter_with_loadouts(
    entrant: Entrant, named: str | None, own: str | None, game: AnyGame, base: Path
) -> list[Entrant]:
    """Return a bot once for each loadout that it brings: those `named` by somebody, else its `own`; itself if none is.

    Files are looked for in the folder of the bot, and those that somebody names in `base` too. The bot keeps its name
    if it names one loadout itself.

    Raises:
        ConfigError: the game takes no loadouts and somebody names one, there is no such loadout, or it has another
            type.
        TomlFileError: as the latter, of a TOML file.
    """
    if not takes_loadouts(game):
        if named is not None:
            raise ConfigError(f"loadout is {named!r}, and {game.name} takes no loadouts")
        return [entrant]
    if (wanted := named or own) is None:
        return [entrant]
    folders = [] if entrant.folder is None else [entrant.folder]
    if named is None:
        _check_own(wanted, folders)
    found = find_loadouts(wanted, game, [*folders, *([] if named is None else [base])])
    if named is None and "*" not in wanted:
        return [replace(entrant, loadout=found[0])]
    return [replace(entrant, name=name_with_loadout(entrant.name, one.name), loadout=one) for one in found]


def enter_person(name: str, game: AnyGame, base: Path) -> Entrant:
    """Return a person as an entrant, who plays with a loadout if one stands behind a plus: "ann+wall".

    Raises:
        ConfigError: there is no such loadout, or several.
    """
    person, named = split_loadout(name, game)
    if named is None or not takes_loadouts(game):
        return Entrant(name=make_bot_name(name), command=())
    found = find_loadouts(named, game, [base])
    if len(found) > 1:
        raise ConfigError(f"{name!r}: a person plays with one loadout, and {named!r} are {len(found)}")
    return Entrant(name=name_with_loadout(person, found[0].name), command=(), loadout=found[0])


def bring_sample(person: Entrant, game: AnyGame, sample: str) -> Entrant:
    """Return a person with a sample of the game as the loadout; as before if the game has no such sample."""
    if not takes_loadouts(game) or sample not in game.sample_loadouts:
        return person
    return replace(person, loadout=pack_loadout(sample, game.sample_loadouts[sample]))


def find_loadouts(named: str, game: LoadoutGame, folders: Sequence[Path]) -> list[BroughtLoadout]:
    """Return the loadouts that a text names: a file, a pattern of files, or a sample of the game.

    Raises:
        ConfigError: it names none, or one that has another type than the game's.
    """
    if named in game.sample_loadouts:
        return [pack_loadout(named, game.sample_loadouts[named])]
    for folder in folders:
        paths = sorted(folder.glob(named)) if "*" in named and not named.startswith("/") else [folder / named]
        if files := [path for path in paths if path.is_file() and path.name[0] != "." and path.name != BOT_FILE]:
            return [read_loadout(path, game) for path in files]
    hint = suggest_nearest(named, game.sample_loadouts)
    where = " or ".join(repr(str(folder)) for folder in folders)
    raise ConfigError(
        f"there is no loadout {named!r}{hint}: no file in {where}, and no sample of the game, which are "
        f"{describe_samples(game)}"
    )


def _check_own(wanted: str, folders: Sequence[Path]) -> None:
    """Check that a bot names no file outside its folder: who sends a bot must not have the host's files read.

    Raises:
        ConfigError: it does.
    """
    for folder in folders:
        try:
            paths = [*folder.glob(wanted)] if not wanted.startswith("/") else [Path(wanted)]
            is_within = all(path.resolve().is_relative_to(folder.resolve()) for path in paths)
        except (ValueError, OSError, NotImplementedError):
            is_within = False
        if not is_within or ".." in Path(wanted).parts:
            raise ConfigError(f"loadout is {wanted!r}; a bot's loadout is a file in its folder")


def read_loadout(path: Path, game: LoadoutGame) -> BroughtLoadout:
    """Read the file of a loadout, TOML or JSON by its ending.

    Raises:
        ConfigError: it cannot be read, or holds no loadout of the game.
    """
    if path.suffix not in _ENDINGS:
        raise ConfigError(f"{str(path)!r} is no loadout; its name has to end in {' or '.join(_ENDINGS)}")
    content: Any = TomlFile(path).convert(game.Loadout) if path.suffix == ".toml" else _read_json(path, game)
    return pack_loadout(path.stem, content)


def _read_json(path: Path, game: LoadoutGame) -> Any:  # noqa: ANN401 - the game's own
    try:
        with path.open("rb") as file:
            return read_json(file.read(LARGEST_FILE + 1), game.Loadout, LARGEST_FILE)
    except OSError as error:
        raise ConfigError(f"{path}: {error.strerror}") from None
    except InputRefused as refused:
        raise ConfigError(f"{path}: {refused}") from None


def check_loadout(entrant: Entrant, game: AnyGame, options: object) -> None:
    """Check that a bot brings a legal loadout, if it brings any.

    Raises:
        ConfigError: it does not; the text has a sentence for each fault.
    """
    if entrant.loadout is None or not takes_loadouts(game):
        return
    try:
        convert_loadout(game, entrant.loadout.content, options, f"the loadout {entrant.loadout.name!r}")
    except OptionError as error:
        raise ConfigError(f"the bot {entrant.name!r} cannot play: {error}") from None


def complete_loadout(entrant: Entrant, game: AnyGame) -> Entrant:
    """Return a bot with a loadout, if the game takes them: the first sample of the game if it brings none."""
    if not takes_loadouts(game) or entrant.loadout is not None:
        return entrant
    name, sample = next(iter(game.sample_loadouts.items()))
    return replace(entrant, loadout=pack_loadout(name, sample))
