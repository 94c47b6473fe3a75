"""Header of a store: the settings of its tournament, and its entries: the versions of bots that take part or did.

An entry never changes, except its end: when it left, and why. `field_changes` tells what a resumed run may change.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import chain
from typing import Any, Final

import msgspec
from msgspec import Struct

from pitboss.errors import ConfigError
from pitboss.game import resolve_options
from pitboss.plugins.registry import load_played_game
from pitboss.protocol.messages import Clock
from pitboss.text import format_count
from pitboss_tournament.plan.limits import BotClock, Limits
from pitboss_tournament.plan.paths import PYTHON
from pitboss_tournament.plan.plan import (
    BotAbout,
    BroughtLoadout,
    Entrant,
    Grants,
    Memory,
    Plan,
    ProcessSpan,
    ResolvedSettings,
    Roster,
    find_base_name,
    label_bots,
    name_version,
    require_bot,
)
from pitboss_tournament.plan.seating import count_block_games
from pitboss_tournament.plan.settings import describe_settings
from pitboss_tournament.processes.bot_contents import digest_bot, digest_contents, digest_prompt
from pitboss_tournament.statistics.scoring import GameResult
from pitboss_tournament.store.rows import utc_now
from pitboss_tournament.text.differences import Difference, find_differences

MERGED: Final = "merged"  # in place of the name of a format, where games were not played by a schedule
IMPORTED: Final = "imported"
MERGED_STORES: Final = "stores"  # an option of `MERGED`: how many
MAX_SEATS: Final = 1_000  # more than any table has
SHOWN_DIGITS: Final = 12  # of a digest
_NOT_COMPARED: Final = frozenset(  # the seeds of given deals are compared by themselves
    {
        "pitboss_version",
        "lexicographic",
        "fixed_circles",
        "escapes_names",
        "even_order",
        "seals_deals",
        "sandbox",
        "given_deals",
    }
)
_MAY_GROW: Final = {"deals", "faults.disqualify_after"}  # only for formats whose later rounds do not depend on results


class OwnSettings(Struct, frozen=True, kw_only=True):
    """What a tournament sets for one bot and not for the others, beside its limits."""

    clock: BotClock = BotClock()
    process: ProcessSpan = "batch"
    memory: Memory = "none"
    grants: Grants = Grants()
    model: str = ""  # the language model that it asks, as its server calls it
    loadout: BroughtLoadout | None = None  # that it brings to each game
    prompt: str = ""  # the digest of what it asks that model with; "": it asks none, or before that was kept

    def __str__(self) -> str:
        """Say it: "clock: decision_ms 5000"; nothing for a bot like all."""
        clock = f"clock: {self.clock}" if str(self.clock) else ""
        process = "a process for each game" if self.process == "game" else ""
        memory = "a memory that lasts from game to game" if self.memory == "folder" else ""
        grants = f"it may use {self.grants}" if str(self.grants) else ""
        model = f"it asks the model {self.model!r}" if self.model else ""
        return "; ".join(filter(None, (clock, process, memory, grants, model)))


class Entry(Struct, frozen=True, kw_only=True):
    """A version of a bot in a tournament."""

    name: str  # of the bot
    version: int = 1
    command: tuple[str, ...]
    limits: Limits = Limits()
    own: OwnSettings = OwnSettings()
    about: BotAbout = BotAbout()
    folder: str = ""  # where its files were when it played last; "": it has none, or before that was kept
    contents: dict[str, str] = {}  # digests of its files by path; empty: it has none, or they are not known
    joined: str = ""  # in UTC; "": before that was kept
    left: str | None = None  # in UTC; None: it takes part
    why: str | None = None  # it left

    @property
    def is_person(self) -> bool:
        """Whether the entrant is a person, without a program."""
        return not self.command

    @property
    def digest(self) -> str:
        """SHA-256 of the list of its files, in hexadecimal; "" if it has none."""
        return digest_contents(self.contents)


class HeaderRow(ResolvedSettings, frozen=True, kw_only=True):
    """The header without the entries, which are rows of their own."""

    game_version: str
    game_digest: str = ""  # of the game's code; "": before that was kept, or the game was not played here
    pitboss_version: str
    block_games: int | None = None  # how many games a block has; None: one for each seat
    lexicographic: int = 0  # bots whose tables are numbered in the order of an earlier Pitboss


class Header(HeaderRow, frozen=True, kw_only=True):
    """Settings and entries of the tournament of a store. Seats, results and rosters give indexes into the entries."""

    entries: list[Entry]
    rosters: tuple[Roster, ...]

    @property
    def bots(self) -> list[str]:
        """The names of the entries, as records have them."""
        return [name_version(entry.name, entry.version) for entry in self.entries]

    @property
    def dealt_names(self) -> list[str]:
        """The names of the entries, as the seeds of deals have them."""
        return [entry.about.dealt_as or name for entry, name in zip(self.entries, self.bots, strict=True)]

    @property
    def labels(self) -> list[str]:
        """The names of the entries, as people read them."""
        return label_bots(self.bots)

    @property
    def owners(self) -> list[str]:
        """The owners of the entries; "" for an entry without one."""
        return [entry.about.owner for entry in self.entries]

    def is_yardstick(self, bot: int) -> bool:
        """Whether an entry only measures the others."""
        return self.entries[bot].about.yardstick

    @property
    def has_schedule(self) -> bool:
        """Whether the games were played by a format, so that each number is one game of a round."""
        return self.format.name not in (MERGED, IMPORTED)

    def count_stores(self) -> int | None:
        """Return how many stores have the games; None of a merged one that does not tell."""
        if self.format.name != MERGED:
            return 1
        stores = self.format.options.get(MERGED_STORES)
        return stores if isinstance(stores, int) else None

    def clock_of(self, bot: int) -> Clock:
        """Return the clock that a bot plays under."""
        return self.entries[bot].own.clock.apply_to(self.clock)

    @property
    def keeps_neighbours(self) -> bool:
        """Whether each bot of a table has the same neighbours in all deals, though others were possible."""
        return self.format.name != IMPORTED and self.seat_design.keeps_neighbours

    @property
    def block_size(self) -> int:
        """Number of games of a block."""
        return self.block_games or self.seats

    @property
    def current_names(self) -> list[str]:
        """The names of the bots that take part now, without versions, as they are listed."""
        return [self.entries[bot].name for bot in self.rosters[-1].entries]

    @property
    def row(self) -> HeaderRow:
        """What is stored in one row."""
        return HeaderRow(**{name: getattr(self, name) for name in HeaderRow.__struct_fields__})

    def has_result(self, result: GameResult) -> bool:
        """Whether this can be the result of a game of the tournament."""
        entrants = {seat.entrant for seat in result.seats}
        places = [seat.place for seat in result.seats]
        return (
            len(entrants) == len(places) == self.seats
            and max(entrants) < len(self.entries)
            and min(places) == 1
            and max(places) <= self.seats
        )


def make_header(plan: Plan, game_version: str, pitboss_version: str, game_digest: str = "") -> Header:
    """Return the header of a tournament's store. The files of its bots are read."""
    settings = {name: getattr(plan, name) for name in ResolvedSettings.__struct_fields__}
    settings["options"] = msgspec.json.decode(msgspec.json.encode(plan.options))  # as it will be read
    fit = [entrant for entrant in plan.entrants if entrant.name not in plan.unfit]
    unfit = [entrant for entrant in plan.entrants if entrant.name in plan.unfit]
    return Header(
        **settings,
        game_version=game_version,
        game_digest=game_digest,
        pitboss_version=pitboss_version,
        block_games=count_block_games(plan.seating, plan.seats, plan.sides),
        entries=[
            make_entry(entrant, why_unfit=plan.unfit.get(entrant.name), model=name_model(plan, entrant))
            for entrant in [*fit, *unfit]
        ],
        rosters=(Roster(first_round=1, entries=tuple(range(len(fit))), deals=plan.deals),),
    )


def name_model(plan: Plan, entrant: Entrant) -> str:
    """Return what the server calls the model that a bot asks; "" if it asks none."""
    return "" if entrant.model is None else plan.models[entrant.model.name].model


def make_entry(entrant: Entrant, version: int = 1, why_unfit: str | None = None, model: str = "") -> Entry:
    """Return a version of a bot that has not played; its files are read."""
    return Entry(
        name=find_base_name(entrant.name),
        version=version,
        command=tuple(PYTHON if word == sys.executable else word for word in entrant.command),  # the path may change
        limits=entrant.limits,
        own=OwnSettings(
            clock=entrant.clock,
            process=entrant.process,
            memory="folder" if entrant.memory else "none",
            grants=entrant.grants,
            model=model,
            loadout=entrant.loadout,
            prompt=digest_prompt(entrant),
        ),
        about=entrant.about,
        folder="" if entrant.folder is None else str(entrant.folder),
        contents={} if entrant.is_person else digest_bot(entrant),
        left=None if why_unfit is None else utc_now(),
        why=why_unfit,
    )


def find_contradiction(header: Header) -> str | None:
    """Return a contradiction within a header, which no tournament can have; None if there is none."""
    bots, seats = len(header.entries), header.seats
    if not 1 <= seats <= min(bots, MAX_SEATS):
        return f"it has {seats} seats and {format_count(bots, 'bot')}"
    if len(set(header.bots)) < bots:
        return "two of its bots have one name"
    if wrong := _find_wrong_roster(header.rosters, bots):
        return wrong
    if header.sides is not None and sorted(chain(*header.sides)) != list(range(seats)):
        return f"its sides are not those of {seats} seats"
    try:
        expected = count_block_games(header.seating, seats, header.sides)
        require_bot("anchor", header.anchor, header.bots)
    except ConfigError as error:
        return str(error)
    if header.block_games not in (None, expected) and header.has_schedule:
        return f"it has blocks of {header.block_games} games, and its seating makes {expected}"
    return None


def _find_wrong_roster(rosters: Sequence[Roster], bots: int) -> str | None:
    begun = [roster.first_round for roster in rosters]
    if not rosters or begun[0] != 1 or begun != sorted(set(begun)):
        return "its rosters do not follow one another"
    for roster in rosters:
        if len(set(roster.entries)) < len(roster.entries) or not set(roster.entries) <= set(range(bots)):
            return f"the roster of round {roster.first_round} is not one of {bots} bots"
        if roster.deals < 1:
            return f"the roster of round {roster.first_round} has {roster.deals} deals"
    return None


RULES: Final = frozenset({"game_version", "game_digest"})  # of a header: what tells that the rules may have changed


def find_changes(was: HeaderRow, now: HeaderRow) -> list[Difference]:
    """Return the differences between the settings of two headers that make them different tournaments.

    Nothing else is compared between two games.
    """
    if was.game != now.game:
        return [Difference("game", was.game, now.game)]
    if (was.given_deals and was.given_deals.seeds) != (now.given_deals and now.given_deals.seeds):
        drawn = "drawn by the seed"
        return [Difference("deals", str(was.given_deals or drawn), str(now.given_deals or drawn))]
    allowed = {name for name, setting in describe_settings().items() if setting.may_change}
    allowed |= _NOT_COMPARED
    if was.format.may_grow:
        allowed |= _MAY_GROW
    if was.format.may_last_grow and _grows_last_stage(was.format.options, now.format.options):
        allowed.add("format.options.stages")
    if not (was.game_digest and now.game_digest):
        allowed.add("game_digest")
    if was.options != now.options and add_later_options(was, was.options) == now.options:
        allowed.add("options")
    plain = [{name: getattr(header, name) for name in HeaderRow.__struct_fields__} for header in (was, now)]
    return [
        change
        for change in find_differences(*map(msgspec.to_builtins, plain))
        if change.path.split(".")[0] not in allowed and change.path not in allowed
    ]


def add_later_options(header: HeaderRow, options: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return options with those that the game of a header has got since; these are as they are by default."""
    return msgspec.json.decode(_complete_options(header.game, header.seats, msgspec.json.encode(options)))  # type: ignore[no-any-return]


@lru_cache(maxsize=16)
def _complete_options(game: str, seats: int, options: bytes) -> bytes:
    try:
        return msgspec.json.encode(
            resolve_options(load_played_game(game), seats, overrides=msgspec.json.decode(options))
        )
    except ConfigError:  # the game is not here, or has other options
        return options


def _grows_last_stage(was: Mapping[str, Any], now: Mapping[str, Any]) -> bool:
    """Return whether the options of a format differ in the deals of the last stage alone, which are not fewer now."""
    before, after = was.get("stages"), now.get("stages")
    if not before or not after or {**before[-1], "deals": 0} != {**after[-1], "deals": 0}:
        return False
    fewer = (after[-1]["deals"] or 0) < before[-1]["deals"]
    return before[:-1] == after[:-1] and not fewer
