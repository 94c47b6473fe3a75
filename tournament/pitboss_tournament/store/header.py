"""Header of a store: the settings of its tournament, and which of them a resumed run may change."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import field

from pitboss.errors import ConfigError
from pitboss.protocol.messages import Clock
from pitboss.text import format_count
from pitboss_tournament.plan.bot_clock import BotClock
from pitboss_tournament.plan.limits import Limits
from pitboss_tournament.plan.paths import PYTHON
from pitboss_tournament.plan.plan import BotAbout, Memory, Plan, ProcessSpan, ResolvedSettings, require_bot
from pitboss_tournament.plan.seating import count_block_games
from pitboss_tournament.plan.settings import describe_settings
from pitboss_tournament.processes.bot_contents import digest_bot, find_changed_files
from pitboss_tournament.statistics.running_standings import RunningStandings
from pitboss_tournament.statistics.scoring import GameResult
from pitboss_tournament.text.differences import Difference, find_differences

MAX_SEATS: Final = 1_000  # more than any table has
_MAY_GROW: Final = {"deals", "faults.disqualify_after"}  # only for formats whose later rounds do not depend on results
_OWN: Final = {
    "clocks": {},
    "processes": "batch",
    "memories": "none",
}  # lists by bot, and what bots have in stores of earlier versions


class Header(ResolvedSettings, frozen=True, kw_only=True):
    """Settings of the tournament of a store."""

    game_version: str
    pitboss_version: str
    bots: list[str]  # names; seats and results give indexes into this list
    commands: list[tuple[str, ...]]
    block_games: int | None = None  # how many games a block has; None: one for each seat
    limits: list[Limits]  # by bot
    clocks: list[BotClock] = field(default_factory=list)  # by bot: its own; none in stores of earlier versions
    processes: list[ProcessSpan] = field(default_factory=list)  # by bot, likewise
    memories: list[Memory] = field(default_factory=list)  # by bot, likewise
    about: list[BotAbout] = field(default_factory=list)  # by bot, likewise
    contents: list[dict[str, str]] = field(default_factory=list)  # by bot: digests of its files by path, likewise

    def clock_of(self, bot: int) -> Clock:
        """Return the clock that a bot plays under."""
        return self.clocks[bot].apply_to(self.clock) if self.clocks else self.clock

    def process_of(self, bot: int) -> ProcessSpan:
        """Return how long a process of a bot lives."""
        return self.processes[bot] if self.processes else "batch"

    @property
    def block_size(self) -> int:
        """Number of games of a block."""
        return self.block_games or self.seats

    def has_result(self, result: GameResult) -> bool:
        """Whether this can be the result of a game of the tournament."""
        entrants = {seat.entrant for seat in result.seats}
        places = [seat.place for seat in result.seats]
        return (
            len(entrants) == len(places) == self.seats
            and max(entrants) < len(self.bots)
            and min(places) == 1
            and max(places) <= self.seats
        )

    def new_standings(self) -> RunningStandings:
        """Return the standings of the tournament before its first game."""
        return RunningStandings(self.bots, self.block_size, self.faults.disqualify_after)


def make_header(plan: Plan, game_version: str, pitboss_version: str) -> Header:
    """Return the header of a tournament's store. The files of its bots are read."""
    settings = {name: getattr(plan, name) for name in ResolvedSettings.__struct_fields__}
    settings["options"] = msgspec.json.decode(msgspec.json.encode(plan.options))  # as it will be read
    return Header(
        **settings,
        game_version=game_version,
        pitboss_version=pitboss_version,
        bots=plan.bots,
        commands=[_name_python(entrant.command) for entrant in plan.entrants],
        block_games=count_block_games(plan.seating, plan.seats, plan.sides),
        limits=[entrant.limits for entrant in plan.entrants],
        clocks=[entrant.clock for entrant in plan.entrants],
        processes=[entrant.process for entrant in plan.entrants],
        memories=["folder" if entrant.memory else "none" for entrant in plan.entrants],
        about=[entrant.about for entrant in plan.entrants],
        contents=[{} if entrant.is_person else digest_bot(entrant) for entrant in plan.entrants],
    )


def _name_python(command: Sequence[str]) -> tuple[str, ...]:
    """Return a command in which the Python that runs Pitboss is not named by its path: it is another one elsewhere."""
    return tuple(PYTHON if word == sys.executable else word for word in command)


def find_contradiction(header: Header) -> str | None:
    """Return what in a header contradicts the rest of it, so that there is no such tournament; None if nothing does."""
    bots, seats = len(header.bots), header.seats
    if not 1 <= seats <= min(bots, MAX_SEATS):
        return f"it has {seats} seats and {format_count(bots, 'bot')}"
    if len(set(header.bots)) < bots or not len(header.commands) == len(header.limits) == bots >= len(header.about):
        return "it does not have a name, a command and limits for each bot"
    for key in _OWN:
        if (values := len(getattr(header, key))) not in (0, bots):
            return f"it has {key} of {values} of {format_count(bots, 'bot')}"
    if header.sides is not None and sorted(chain(*header.sides)) != list(range(seats)):
        return f"its sides are not those of {seats} seats"
    try:
        expected = count_block_games(header.seating, seats, header.sides)
        require_bot("anchor", header.anchor, header.bots)
    except ConfigError as error:
        return str(error)
    if header.block_games not in (None, expected):
        return f"it has blocks of {header.block_games} games, and its seating makes {expected}"
    return None


def find_changes(was: Header, now: Header) -> list[Difference]:
    """Return the differences between two headers that make them different tournaments.

    Nothing else is compared between two games, nor what belongs to a bot that plays in one tournament only.
    """
    if was.game != now.game:
        return [Difference("game", was.game, now.game)]
    allowed = {name for name, setting in describe_settings().items() if setting.may_change}
    allowed |= {"pitboss_version", "about", "contents"}
    if was.format.may_grow:
        allowed |= _MAY_GROW
    common = set(was.bots) & set(now.bots)
    return [
        change
        for change in find_differences(_key_by_bot(was, common), _key_by_bot(now, common))
        if change.path.split(".")[0] not in allowed and change.path not in allowed
    ]


def find_changed_bots(was: Header, now: Header) -> dict[str, list[str]]:
    """Return the bots of both headers whose files are not the same any more, with the files.

    A bot of which one header knows no files is left out.
    """
    before, after = (dict(zip(header.bots, header.contents, strict=False)) for header in (was, now))
    changed = {name: find_changed_files(before.get(name, {}), files) for name, files in after.items()}
    return {name: files for name, files in changed.items() if files and before.get(name) and after[name]}


def _forget_python(command: Sequence[str]) -> tuple[str, ...]:
    """Return a command without the path of the Python of a bot that is installed, which earlier versions stored."""
    is_installed = tuple(command[1:3]) == ("-P", "-m") and Path(command[0]).name.startswith("python")
    return (PYTHON, *command[1:]) if is_installed else tuple(command)


def _key_by_bot(header: Header, bots: set[str]) -> dict[str, Any]:
    """Return a header as plain data, with the values of each of these bots under its name."""
    plain: dict[str, Any] = msgspec.to_builtins(header)
    plain["commands"] = [_forget_python(command) for command in header.commands]
    for key, usual in _OWN.items():
        plain[key] = plain[key] or [usual] * len(header.bots)
    keyed = {
        key: {bot: value for bot, value in zip(header.bots, plain[key], strict=True) if bot in bots}
        for key in ("commands", "limits", *_OWN)
    }
    return {**plain, **keyed}
