"""The bot that is checked: what its author says about it, how it is started, and at which tables it is to play."""

from __future__ import annotations

import shlex
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any, Literal, TypeAlias

from msgspec import Struct

from pitboss.errors import ConfigError, OptionError
from pitboss.game import AnyGame
from pitboss.options import resolved
from pitboss.plugins import Registry
from pitboss.wire import Clock
from pitboss_tournament.planning import entrants
from pitboss_tournament.planning.bot_file import BotFile, read_bot_file
from pitboss_tournament.planning.limits import Limits, refused
from pitboss_tournament.planning.named_bots import chosen
from pitboss_tournament.planning.plan import Entrant, SandboxMode
from pitboss_tournament.planning.wording import listed

Kind: TypeAlias = Literal["folder", "command", "named"]


class Setting(Struct, frozen=True):
    """A table to play at."""

    game: Any  # AnyGame
    seats: int
    preset: str | None
    options: Any  # the game's own, resolved

    def __str__(self) -> str:
        preset = f", preset {self.preset!r}" if self.preset else ""
        return f"{self.game.name} with {self.seats} players{preset}"


class Subject(Struct, frozen=True, kw_only=True):
    """A bot to be checked."""

    name: str
    kind: Kind
    base: Path  # the folder that the bot runs in
    words: tuple[str, ...] = ()  # its command, as it is written; empty if its bot.toml cannot be read
    about: BotFile | None = None
    complaint: str = ""  # what is wrong with its bot.toml
    games: tuple[AnyGame, ...]
    seats: tuple[int, ...] | None = None  # the numbers of players asked for; None: all
    clock: Clock
    sandbox: SandboxMode = "none"
    limits: Limits = Limits()
    seed: str = "check"
    rounds: int = 1  # games at each table
    game_seconds: float = 5.0  # a game is cut short after so long

    @property
    def language(self) -> str:
        """What bot.toml says about the language, "" if nothing."""
        return (self.about.language or "") if self.about else ""

    @property
    def unmet(self) -> list[str]:
        """What the bot asks for of the machine and does not get, as a sentence."""
        return refused(self.name, self.limits, self.about.limits) if self.about else []

    def settings(self) -> list[Setting]:
        """Return the tables of all games: the first one of each is its smallest with the game's defaults.

        Raises:
            ConfigError: a game cannot be played by any of the numbers of players asked for.
        """
        found = [settings(game, self.seats) for game in self.games]
        for game, tables in zip(self.games, found, strict=True):
            if not tables:
                asked = listed(self.seats or (), "or")
                raise ConfigError(f"{game.name} is played by {listed(game.seats)} players, not by {asked}")
        return [setting for tables in found for setting in tables]

    def first_setting(self) -> Setting:
        """Return the table that most checks play at."""
        return self.settings()[0]


def subject(spec: str, registry: Registry, base: Path, games: tuple[AnyGame, ...], clock: Clock) -> Subject:
    """Return the bot that a person means: a name from `pitboss bots`, a folder, or a command.

    `games` are those that it is to play; none: all that it says it plays.

    Raises:
        ConfigError: there is no such bot at all, or it has nothing to play.
    """
    if named := chosen(spec, registry.bots):
        played = games or _offered(registry, named.bot.games, spec)
        return Subject(name=named.name, kind="named", base=base, words=named.command, games=played, clock=clock)
    if (base / spec).is_dir():
        return _in_folder(base / spec, registry, games, clock)
    try:
        words = tuple(shlex.split(spec))
    except ValueError as wrong:
        raise ConfigError(f"the command {spec!r} cannot be split into words: {str(wrong).lower()}") from None
    played = games or _offered(registry, None, spec)
    if len(words) < 2 and not (base / spec).exists():
        entrants.resolve(spec, registry, base, played[0].name)  # no program of this name: it says so, and what is near
    return Subject(name=_called(words), kind="command", base=base, words=words, games=played, clock=clock)


def settings(game: AnyGame, seats: tuple[int, ...] | None) -> list[Setting]:
    """Return the tables of a game: every number of players with its defaults, then every preset with the fewest players that it allows."""
    counts = [count for count in game.seats if seats is None or count in seats]
    found = [setting for count in counts if (setting := _setting(game, count, None))]
    for preset in game.presets:
        smallest = next((setting for count in counts if (setting := _setting(game, count, preset))), None)
        if smallest and all(smallest.options != other.options for other in found):
            found.append(smallest)
    return found


def _setting(game: AnyGame, seats: int, preset: str | None) -> Setting | None:
    try:
        return Setting(game, seats, preset, resolved(game, seats, preset))
    except OptionError:
        return None


def _in_folder(folder: Path, registry: Registry, games: tuple[AnyGame, ...], clock: Clock) -> Subject:
    about, complaint = None, ""
    try:
        about = read_bot_file(folder)[1]
    except ConfigError as wrong:
        complaint = str(wrong)
    name = (about and about.name) or folder.resolve().name
    known = tuple(game for game in about.games if game in registry.games) if about and about.games else None
    return Subject(
        name=name,
        kind="folder",
        base=folder.resolve(),
        words=tuple(about.command) if about else (),
        about=about,
        complaint=complaint,
        games=games or _offered(registry, known, name),
        clock=clock,
    )


def _called(words: Sequence[str]) -> str:
    """Return a name for a command: that of its script, or else of its program."""
    scripts = [word for word in words[1:] if not word.startswith("-") and Path(word).suffix]
    return Path((scripts or list(words) or ["bot"])[0]).stem


def _offered(registry: Registry, names: Collection[str] | None, bot: str) -> tuple[AnyGame, ...]:
    """Return the installed games of these names, all if there are none."""
    found = tuple(game for name, game in registry.games.items() if not names or name in names)
    if not found:
        raise ConfigError(f"there is no game to check {bot!r} with: none is installed")
    return found


def entrant_of(bot: Subject, registry: Registry) -> Entrant:
    """Return the bot as the runner would start it.

    Raises:
        ConfigError: it cannot be started.
    """
    spec = {"folder": str(bot.base), "command": shlex.join(bot.words), "named": bot.name}[bot.kind]
    return entrants.limited(entrants.resolve(spec, registry, bot.base, bot.games[0].name), bot.limits)[0]
