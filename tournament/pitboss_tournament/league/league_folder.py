"""The folder of a league: its file, its store, and the folders of bots and of what was received."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, NamedTuple

from msgspec.structs import asdict

from pitboss.errors import ConfigError
from pitboss.game import AnyGame, resolve_options
from pitboss.plugins.registry import Registry
from pitboss.plugins.rungs import RUNG_PREFIX
from pitboss.protocol.messages import Clock
from pitboss.text import join_words
from pitboss_tournament.config.defaults import read_kept_header
from pitboss_tournament.config.entrants import merge_limits
from pitboss_tournament.config.settings_plan import check_score, resolve_plan
from pitboss_tournament.config.toml_file import TomlFile
from pitboss_tournament.league.anchors import ALL_RUNGS, enter_anchor, list_anchors
from pitboss_tournament.league.deadlines import find_zone
from pitboss_tournament.league.league_file import LeagueFile
from pitboss_tournament.league.rule_changes import apply_change, read_wall_clock
from pitboss_tournament.plan.limits import MEBIBYTE, BotLimits, Limits
from pitboss_tournament.plan.models import Budget
from pitboss_tournament.plan.plan import Entrant, Opponents, Plan
from pitboss_tournament.plan.settings import FaultsTable, TournamentFile
from pitboss_tournament.processes.file_lock import lock_file
from pitboss_tournament.text.validation import convert_checked

LEAGUE_FILE: Final = "league.toml"
LEAGUE_OPPONENTS: Final = "pseudonyms"  # unless its file or its games say otherwise
LEAGUE_STORE: Final = "league.pitboss"
NEW_LEAGUE: Final = """\
# A league of Pitboss. Each key but `game` may be left out; what stands here is what it then is.
game = "{game}"              # a name from `pitboss games`
# preset = "…"              # a named set of options; `pitboss games {game}` lists them
# seats = {seats}                 # players at a table; by default the game's smallest number
# opponents = "names"        # what a bot is told of the others at its table; by default pseudonyms
sandbox = "bubblewrap"       # its level, for strangers' programs: see `pitboss doctor`

[clock]                      # the time that a bot has
start_ms = 10000
decision_ms = 1000

[limits]                     # what each bot may use of the machine; `pitboss schema league` has the others
memory_mb = 1024

[league]
# name = "…"                # by default like this folder
placing_games = 20           # that a version plays before it has a place
active_versions = 1          # of a name that play at a time: the newest of those that are valid
owners_at_a_table = 1        # bots of one owner that may sit at a table, as long as there are others
deals = 5                    # that a table plays before its bots get other opponents
replays = "owners"           # finished games are shown to the owners of the bots in them; "public": to everybody
owners = "pseudonyms"        # before others; "class": names for those logged in; "shown": names for everybody
# anchors = ["rung:1", "rung:4"]   # bots of the house that play along and take no place; by default none
open_to_people = 0           # the best versions that people may play against: `pitboss play --browser --league`

[faults]
disqualify_after = 10        # forfeited games after which a version plays no more,
disqualify_percent = 5       # if they are this share of its games

[submissions]
max_mb = 20                  # MiB, of the files together and of the archive
max_files = 500              # files and folders
a_day = 20                   # of an owner within 24 hours
# closes = 2027-02-01T18:00:00+01:00   # with its zone; by default never
free_mb = 1024               # with less room on the disk nothing is taken

# [hook]
# command = ["notify"]       # a program of yours, called for each verdict

# [[changes]]                # rules that change at a date, which the pages tell before
# at = 2027-01-10T00:00:00+01:00
# clock = {{ decision_ms = 2000 }}

[validation]                 # before a bot plays
check = true                 # all checks of `pitboss check` must pass
games = 2                    # with random players, none of which it may forfeit
seconds = 120                # of these games, after which a bot without a fault is valid
build_seconds = 300          # the longest that a build may take
build_mb = 1024              # MiB, of a bot's folder once it is built
check_seconds = 600          # the longest that all checks may take

[trials]                     # of bots that are written on the league's pages, on deals of its own
a_day = 60                   # of an owner within 24 hours, checks and games; 0: none
games = 3                    # practice games of a trial
seconds = 120                # of these games, after which no more are played
ladder_bots = 0              # the best versions that all may practise against; 0: only house bots and own ones

[logs]                       # the wire and standard error, in the games of an owner's bots
shown = "faults"             # of games with a fault; "all": of all games; "none": of none
mb = 100                     # MiB of a bot on the disk; the oldest are dropped

[feedback]
a_day = 5                    # times within 24 hours that an owner may have a version's games looked into; 0: never

# [grades]                   # what `pitboss league grades` adds up: `pitboss schema league` has all keys
# valid = 40                 # points for a version that was valid
# tiers = [30, 20, 10]       # points for the tiers, those of the first one first
# late_days = 3              # after `closes`, in which submissions are taken and are late
# late_points = 5            # that are taken off for each day late
# zone = "Europe/Zurich"     # whose clocks days go by
"""


class LeagueFolder(NamedTuple):
    """The paths of a league, absolute."""

    root: Path

    @property
    def file(self) -> Path:
        """What the league is."""
        return self.root / LEAGUE_FILE

    @property
    def store(self) -> Path:
        """Its store, in which also its own tables are."""
        return self.root / LEAGUE_STORE

    @property
    def bots(self) -> Path:
        """The folder of the bots' folders, each named by its digest."""
        return self.root / "bots"

    @property
    def uploads(self) -> Path:
        """The folder of the archives that have not been unpacked into `bots` for good."""
        return self.root / "uploads"

    @property
    def people(self) -> Path:
        """The folder of the games of people against bots, whose stores have the seeds of cards."""
        return self.root / "people"

    @property
    def given(self) -> Path:
        """The folder of sources that the class was given, if the host has made it."""
        return self.root / "given"

    @property
    def secret(self) -> tuple[Path, ...]:
        """The files that no bot may read."""
        return self.store, self.file

    def free_mb(self) -> int:
        """Return the room on the disk, in MiB."""
        return self.free_bytes() // MEBIBYTE

    def free_bytes(self) -> int:
        """Return the room on the disk, in bytes."""
        return shutil.disk_usage(self.root).free


class League(NamedTuple):
    """A league: where it is, what its file says, and its game."""

    folder: LeagueFolder
    file: LeagueFile
    game: AnyGame
    seats: int
    limits: Limits  # of each bot
    opponents: Opponents  # what bots are told of each other
    anchors: tuple[Entrant, ...] = ()  # bots of the house that play along and take no place

    @property
    def name(self) -> str:
        """What it is called."""
        return self.file.league.name or self.folder.root.name

    def make_validation_plan(self, entrant: Entrant) -> Plan:
        """Return a plan by which a bot can play, at a table of its copies, under the rules of the league.

        Raises:
            ConfigError: it cannot play here.
        """
        settings = self.make_settings(seed="validation", workers=1)
        copies = [Entrant(**{**asdict(entrant), "name": f"{entrant.name}-{seat}"}) for seat in range(self.seats)]
        return resolve_plan(settings, copies, Registry(), self.folder.store, hidden=self.folder.secret)

    def make_settings(self, **others: Any) -> TournamentFile:  # noqa: ANN401 - of several types
        """Return the settings of a tournament under the rules of the league; `others` are those that a league lacks."""
        file = self.file
        return TournamentFile(
            game=file.game,
            preset=file.preset,
            options=file.options,
            seats=self.seats,
            score=file.score,
            rank="places",  # ladders go by ratings
            sandbox=file.sandbox,
            clock=file.clock,
            faults=FaultsTable(**asdict(file.faults)),
            opponents=self.opponents,
            models=file.models,
            budget=Budget(**asdict(file.budget)),
            **others,
        )

    @property
    def clock(self) -> Clock:
        """The clock of its games."""
        return Clock(**asdict(self.file.clock))


def create_folder(root: Path, game: AnyGame) -> LeagueFolder:
    """Make the folder of a league, with its file, but without its store.

    Raises:
        ConfigError: there is something in it already.
    """
    if root.exists() and (not root.is_dir() or any(root.iterdir())):
        raise ConfigError(f"{str(root)!r} exists and is not an empty folder; give the league a folder of its own")
    folder = LeagueFolder(root.absolute())
    for place in (folder.root, folder.bots, folder.uploads):
        place.mkdir(parents=True, exist_ok=True)
    folder.uploads.chmod(0o700)
    folder.file.write_text(NEW_LEAGUE.format(game=game.name, seats=min(game.seats)), encoding="utf-8")
    return folder


def find_leagues(folders: Sequence[Path]) -> list[Path]:
    """Return the folders of leagues: those that are named, and where one holds leagues and is none, those in it.

    What is no folder with a league is returned as it is: `read_league` says what is wrong with it.
    """
    found = list[Path]()
    for folder in folders:
        is_league = (folder / LEAGUE_FILE).is_file()
        inside = [] if is_league else sorted(path.parent for path in folder.glob(f"*/{LEAGUE_FILE}"))
        found += inside or [folder]
    return found


def read_league(root: Path, registry: Registry, now: datetime | None = None) -> League:
    """Read what a league is, by the rules that hold at a time; None: now.

    Raises:
        ConfigError: there is none.
        TomlFileError: its file is wrong.
    """
    folder = LeagueFolder(root.absolute())
    if not folder.file.is_file():
        made = "`pitboss league init FOLDER GAME` makes a league"
        raise ConfigError(f"{str(root)!r} holds no {LEAGUE_FILE}; {made}")
    source = TomlFile(root / LEAGUE_FILE)
    file = _apply_changes(source, source.convert(LeagueFile), now)
    with source.locate_errors("game"):
        game = registry.find_game(file.game)
    seats = min(game.seats) if file.seats is None else file.seats
    if seats not in game.seats:
        raise source.error_at(("seats",), f"seats is {seats}; {game.name} is played by {join_words(game.seats)}")
    with source.locate_errors():
        convert_checked(file.options, game.Options, at=("options",))
    for number, change in enumerate(file.changes):
        with source.locate_errors("changes", number, "options"):
            resolve_options(game, seats, file.preset, {**file.options, **change.options})
    with source.locate_errors("options"):
        options = resolve_options(game, seats, file.preset, file.options)
    with source.locate_errors("limits"):
        limits = merge_limits(file.limits, BotLimits(), folder.root)
    with source.locate_errors("score"):
        check_score(TournamentFile(game=file.game, score=file.score), game, options)
    with source.locate_errors("league", "anchors"):
        names = list_anchors(file.league.anchors, game.name, registry)
        clock = Clock(**asdict(file.clock))
        anchors = [enter_anchor(name, game, seats, file.preset, options, limits, clock) for name in names]
    check_grades(file, names, source)
    for place in (folder.bots, folder.uploads):
        place.mkdir(exist_ok=True)
    kept = read_kept_header(folder.store)
    opponents = file.opponents or (LEAGUE_OPPONENTS if kept is None else kept.opponents)
    return League(folder, file, game, seats, limits, opponents, tuple(anchors))


def _apply_changes(source: TomlFile, file: LeagueFile, now: datetime | None) -> LeagueFile:
    """Return a league's file with the changes that are in force; each change, also one to come, must fit."""
    plain, in_force = source.values, file
    moment = read_wall_clock() if now is None else now
    for number, change in sorted(enumerate(file.changes), key=lambda one: one[1].at):
        plain = apply_change(plain, change)
        with source.locate_errors("changes", number):
            changed = convert_checked(plain, LeagueFile)
        if change.at <= moment:
            in_force = changed
    return in_force


def check_grades(file: LeagueFile, anchors: Sequence[str], source: TomlFile) -> None:
    """Check what [grades] says against the rest of the file.

    Raises:
        TomlFileError: one of its keys cannot hold.
    """
    grades = file.grades
    for name in grades.beats:
        is_known = name in anchors or (name == ALL_RUNGS and any(one.startswith(RUNG_PREFIX) for one in anchors))
        if not is_known:
            known = join_words(anchors, "and") or "none"
            said = f"{name!r} is no anchor of the league; [league] anchors are {known}"
            raise source.error_at(("grades", "beats", name), said)
    if grades.late_days and file.submissions.closes is None:
        said = "late_days are days after the end of submissions, and [submissions] has no `closes`"
        raise source.error_at(("grades", "late_days"), said)
    if any(one.percent >= after.percent for one, after in pairwise(grades.top)):
        raise source.error_at(("grades", "top"), "the first one that fits counts: give the smallest percent first")
    with source.locate_errors("grades", "zone"):
        if grades.zone is not None:
            find_zone(grades.zone)


@contextmanager
def hold_league(folder: LeagueFolder, complaint: str) -> Iterator[None]:
    """Context manager: this process alone runs a league, or changes its games; the store has a lock of its own.

    Raises:
        ConfigError: another process does; the text is `complaint`.
    """
    if os.name != "posix":
        raise ConfigError("a league needs Linux or macOS: this system has no locks of folders, nor process groups")
    descriptor = os.open(folder.uploads, os.O_RDONLY | os.O_DIRECTORY)
    try:
        try:
            lock_file(descriptor, waits=False)
        except BlockingIOError:
            raise ConfigError(f"{folder.root}: {complaint}") from None
        yield
    finally:
        os.close(descriptor)
