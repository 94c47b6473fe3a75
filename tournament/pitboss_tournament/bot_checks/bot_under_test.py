"""The bot under test: its bot.toml, its command, and the tables to play at."""

from __future__ import annotations

import shlex
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Final, Literal, TypeAlias, TypedDict

from msgspec import Struct

from pitboss.errors import ConfigError
from pitboss.game import AnyGame, resolve_options
from pitboss.plugins.registry import Registry
from pitboss.protocol.messages import Clock
from pitboss.simulation.game_setup import GameSetup, OptionVariant, list_presets, make_setup
from pitboss.text import join_words
from pitboss_tournament.config import entrants
from pitboss_tournament.config.bot_file import BotFile, read_bot_file
from pitboss_tournament.config.entrants import list_bot_variants, resolve_named_bot, unmet_limits_text
from pitboss_tournament.config.loadouts import complete_loadout
from pitboss_tournament.plan.limits import Limits
from pitboss_tournament.plan.plan import Entrant, SandboxLevel
from pitboss_tournament.processes.cpu import available_cpus

ALL_GAMES_S: Final = 6.0  # seconds for whole games at all tables, side by side
FIRST_GAMES_S: Final = 30.0  # for a slow bot to play one whole game at the smallest table of each game
SHORTEST_SHARE_S: Final = 0.3  # of them for a game
LONGEST_SHARE_S: Final = 3.0

BotSource: TypeAlias = Literal["folder", "command", "named"]


class BotUnderTest(Struct, frozen=True, kw_only=True):
    """A bot, with the games, seats, clock, sandbox, limits and seed to check it with."""

    name: str
    source: BotSource
    base: Path  # the folder that the bot runs in
    command: tuple[str, ...] = ()  # its command, as it is written; empty if its bot.toml cannot be read
    bot_file: BotFile | None = None
    bot_file_error: str = ""  # what is wrong with its bot.toml
    games: tuple[AnyGame, ...]
    presets: tuple[str, ...] | None = None  # that it plays, as it says itself; None: all
    seats: tuple[int, ...] | None = None  # the numbers of players asked for, or that it plays with; None: all
    variant: OptionVariant | None = None  # of its only game that was asked for; None: those that it plays
    clock: Clock
    sandbox: SandboxLevel = "none"
    limits: Limits = Limits()
    seed: str = "check"
    rounds: int = 1  # games at each table
    game_seconds: float | None = None  # after which a game is cut short; None: a share of ALL_GAMES_S

    @property
    def language(self) -> str:
        """The language in bot.toml, "" if none."""
        return (self.bot_file.language or "") if self.bot_file else ""

    @property
    def unmet_limits(self) -> list[str]:
        """Limits that bot.toml asks for and the machine does not grant, as sentences."""
        return unmet_limits_text(self.name, self.limits, self.bot_file.limits) if self.bot_file else []

    @property
    def longest_game_s(self) -> float:
        """Seconds after which a game is cut short."""
        if self.game_seconds is not None:
            return self.game_seconds
        share = ALL_GAMES_S * available_cpus() / len(self.tables())
        return min(max(share, SHORTEST_SHARE_S), LONGEST_SHARE_S)

    @property
    def longest_first_game_s(self) -> float:
        """Seconds after which a game at the smallest table of a game is cut short."""
        if self.game_seconds is not None:
            return self.game_seconds
        return max(self.longest_game_s, FIRST_GAMES_S * available_cpus() / len(self.games))

    def tables(self) -> list[GameSetup]:
        """Return every table to play, game by game: its first variant by number of players, then others.

        Raises:
            ConfigError: a game cannot be played by any of the numbers of players asked for, or with that variant.
        """
        return [table for game in self.games for table in list_tables(game, self.seats, self._list_variants(game))]

    def _list_variants(self, game: AnyGame) -> list[OptionVariant]:
        """Return the variants of a game to play, the one that is played most first."""
        if self.variant is not None:
            return [self.variant]
        return list_bot_variants(game, self.presets) or list_presets(game)

    def first_table(self) -> GameSetup:
        """Return the table that most checks play at."""
        return self.tables()[0]


def resolve_bot(spec: str, registry: Registry, base: Path, games: tuple[AnyGame, ...], clock: Clock) -> BotUnderTest:
    """Resolve a specification (name from `pitboss bots`, folder or command) to a bot and its games.

    `games` restricts the games; none: all that the bot says it plays.

    Raises:
        ConfigError: there is no such bot, or no game to check it with is installed.
    """
    named = resolve_named_bot(spec, registry.bots)
    if named is None and len(games) == 1:
        named = entrants.resolve_rung(spec, registry, games[0].name)
    if named is not None:
        played = games or _select_games(registry, named.bot.games, spec)
        return BotUnderTest(
            name=named.name,
            source="named",
            base=base,
            command=named.command,
            **_list_own_setups(played, named.bot.presets, named.bot.seats),
            clock=clock,
        )
    if (base / spec).is_dir():
        return _bot_in_folder(base / spec, registry, games, clock)
    entrants.refuse_archive(spec, base)
    try:
        words = tuple(shlex.split(spec))
    except ValueError as wrong:
        raise ConfigError(f"the command {spec!r} cannot be split into words: {str(wrong).lower()}") from None
    played = games or _select_games(registry, None, spec)
    if len(words) < 2 and not (base / spec).exists():
        entrants.resolve_entrant(spec, registry, base, played[0].name)  # no such program: it says so, and what is near
    scripts = [word for word in words[1:] if not word.startswith("-") and Path(word).suffix]
    name = Path((scripts or words or ["bot"])[0]).stem
    return BotUnderTest(name=name, source="command", base=base, command=words, games=played, clock=clock)


def list_tables(game: AnyGame, seats: Sequence[int] | None, variants: Sequence[OptionVariant]) -> list[GameSetup]:
    """Return each number of players with the first variant, then each other with the fewest players that it allows.

    Raises:
        ConfigError: the game cannot be played by any of the numbers of players asked for, or with the only variant.
    """
    counts = [count for count in game.seats if seats is None or count in seats]
    first, *others = variants
    found = [setup for count in counts if (setup := make_setup(game, count, first))]
    for variant in others:
        smallest = next((setup for count in counts if (setup := make_setup(game, count, variant))), None)
        if smallest and all(smallest.options != other.options for other in found):
            found.append(smallest)
    if not found and counts and not others:
        resolve_options(game, counts[0], first.preset, first.changes)  # says why not
    if not found:
        raise ConfigError(
            f"{game.name} is played by {join_words(game.seats)} players, not by {join_words(seats or ())}"
        )
    return found


def _bot_in_folder(folder: Path, registry: Registry, games: tuple[AnyGame, ...], clock: Clock) -> BotUnderTest:
    about, complaint = None, ""
    try:
        about = read_bot_file(folder)[1]
    except ConfigError as wrong:
        complaint = str(wrong)
    name = (about and about.name) or folder.resolve().name
    known = tuple(game for game in about.games if game in registry.games) if about and about.games else None
    played = games or _select_games(registry, known, name)
    return BotUnderTest(
        name=name,
        source="folder",
        base=folder.resolve(),
        command=tuple(about.command) if about else (),
        bot_file=about,
        bot_file_error=complaint,
        **_list_own_setups(played, about.presets if about else None, about.seats if about else None),
        clock=clock,
    )


class _OwnSetups(TypedDict):
    """What of some games a bot plays."""

    games: tuple[AnyGame, ...]
    presets: tuple[str, ...] | None
    seats: tuple[int, ...] | None


def _list_own_setups(
    games: tuple[AnyGame, ...], presets: Sequence[str] | None, seats: Sequence[int] | None
) -> _OwnSetups:
    """Return what of these games a bot plays that names presets and numbers of players; None: it does not."""
    own = {number for number in seats or () if any(number in game.seats for game in games)}
    return _OwnSetups(
        games=tuple(game for game in games if not own or own.intersection(game.seats)),
        presets=None if presets is None else tuple(presets),
        seats=tuple(sorted(own)) or None,
    )


def _select_games(registry: Registry, names: Collection[str] | None, bot: str) -> tuple[AnyGame, ...]:
    """Return the installed games of these names, all if there are none."""
    found = tuple(game for name, game in registry.games.items() if not names or name in names)
    if not found:
        raise ConfigError(f"there is no game to check {bot!r} with: none is installed")
    return found


def make_entrant(bot: BotUnderTest, registry: Registry) -> Entrant:
    """Return the bot as an entrant.

    Raises:
        ConfigError: the bot cannot be entered.
    """
    spec = {"folder": str(bot.base), "command": shlex.join(bot.command), "named": bot.name}[bot.source]
    entrant = entrants.resolve_entrant(spec, registry, bot.base, bot.games[0].name)
    return entrants.apply_limits(complete_loadout(entrant, bot.games[0]), bot.limits)
