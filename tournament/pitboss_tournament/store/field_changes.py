"""What a run that goes on with a tournament may change: more deals, and who takes part.

A bot whose files, command or limits changed is another version. Games of different code are never added up.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import Final, NamedTuple, Protocol

import msgspec
from msgspec.structs import replace

from pitboss.errors import ConfigError
from pitboss.text import join_words
from pitboss_tournament.plan.paths import PYTHON, memory_folder
from pitboss_tournament.plan.plan import Entrant, Plan, Roster, name_version
from pitboss_tournament.processes.bot_contents import find_changed_files
from pitboss_tournament.statistics.scoring import GameResult
from pitboss_tournament.store.header import RULES, Entry, Header, HeaderRow, find_changes
from pitboss_tournament.store.rows import RecordedRound, utc_now
from pitboss_tournament.text.differences import Difference, find_differences, join_differences, join_some

PYTHON_PATH: Final = re.compile(r"/.*/python[0-9.]*")
_TAKEN_OUT: Final = "taken out"


class RoundSource(Protocol):
    """Recorded rounds of a tournament; there are none if its rounds do not overlap."""

    def read(self, after: int = 0) -> Iterator[RecordedRound]:
        """Yield the rounds after a number."""


class StoredGames(Protocol):
    """The games of a tournament."""

    @property
    def header(self) -> Header:
        """What the tournament is."""

    def count_games(self) -> int:
        """Return the number of games."""

    def results(self, with_times: bool = True) -> Iterator[GameResult]:
        """Yield the result of each game, by number."""

    @property
    def rounds(self) -> RoundSource:
        """The rounds that overlap."""


class FieldChanges(NamedTuple):
    """How the bots of a resumed run may differ from those of its store."""

    has_versions: bool  # a changed bot joins as another version; otherwise it is refused
    find_round: Callable[[StoredGames, Sequence[str]], int]  # from which it holds, given who joins; or ConfigError


class Merged(NamedTuple):
    """A header that a run goes on with, and sentences on who joined and left."""

    header: Header
    notes: list[str]


def merge_header(stored: StoredGames, now: Header, changes: FieldChanges | None) -> Merged:
    """Return the header with which a run of a tournament goes on; `now` is made of its plan.

    `changes`: None if its bots must be those of the store.

    Raises:
        ConfigError: it is another tournament, or games of different code would be added up.
    """
    was = stored.header
    if found := find_changes(was, now):
        raise _refuse(found)
    if changes is not None and not stored.count_games():
        return Merged(replace(now, entries=stamp_entries(now.entries)), [])
    settings = {name: getattr(now, name) for name in HeaderRow.__struct_fields__}
    kept = {**settings, "lexicographic": was.lexicographic}
    entries, chosen, changed = _match_entries(was, now, changes is not None and changes.has_versions)
    if changed:
        raise ConfigError(_describe_changed(was, changed, changes is not None))
    current = was.rosters[-1].entries
    _check_order(was, now)
    if set(chosen) != set(current) and (changes is None or not set(now.current_names) & set(was.current_names)):
        raise _refuse([Difference("bots", [was.labels[bot] for bot in current], now.bots)])
    header = Header(**kept, entries=entries, rosters=was.rosters)
    rosters, notes = list(was.rosters), list[str]()
    if set(chosen) == set(current):
        rosters = _grow_deals(was, now.deals)
    elif changes is not None:
        joined = [header.bots[bot] for bot in chosen if bot not in current]
        changed_from = changes.find_round(stored, joined)
        rosters = _change_roster(rosters, Roster(first_round=changed_from, entries=chosen, deals=now.deals))
        entries, notes = _end_entries(header, current, chosen)
    return Merged(Header(**kept, entries=entries, rosters=tuple(rosters)), notes)


def _refuse(found: Sequence[Difference]) -> ConfigError:
    if {one.path for one in found} <= RULES:
        rules = "`pitboss rejudge` replays its games by the rules as they are now, and keeps those that end as they did"
        return _refuse_tournament(join_differences(found), rules)
    return _refuse_tournament(join_differences(found))


def _refuse_tournament(differences: str, cure: str = "repeat the settings that it was begun with") -> ConfigError:
    return ConfigError(f"this store is of another tournament ({differences}); {cure}, or choose another store")


def _match_entries(
    was: Header, now: Header, has_versions: bool
) -> tuple[list[Entry], tuple[int, ...], dict[str, list[str]]]:
    """Return the entries with those that are new, the numbers of those that take part, and what changed, by bot."""
    entries, chosen, changed = list(was.entries), list[int](), dict[str, list[str]]()
    have_played = {number for roster in was.rosters for number in roster.entries}
    for bot in now.entries:
        versions = [number for number, entry in enumerate(was.entries) if entry.name == bot.name]
        differences = {number: find_bot_changes(was.entries[number], bot) for number in reversed(versions)}
        number = next((number for number, found in differences.items() if not found), None)
        if number is not None:
            entry, contents = was.entries[number], bot.contents or was.entries[number].contents
            bot = replace(bot, version=entry.version, contents=contents, joined=entry.joined)
            if bot.left is not None and entry.left is not None:
                bot = replace(bot, left=entry.left)
            if not was.format.may_grow:  # who goes on to a later stage depends on it
                bot = replace(bot, about=replace(bot.about, yardstick=entry.about.yardstick))
        elif versions and versions[-1] not in have_played:  # it was not admitted
            number = versions[-1]
            bot = replace(bot, version=was.entries[number].version, joined=utc_now())
        elif versions and not has_versions:
            changed[bot.name] = differences[versions[-1]]
            continue
        else:
            number = len(entries)
            version = 1 + max((was.entries[number].version for number in versions), default=0)
            entries.append(bot)
            bot = replace(bot, version=version, joined=utc_now())
        entries[number] = bot
        if bot.left is None:
            chosen.append(number)
    return entries, tuple(chosen), changed


def list_newcomers(was: Header | None, now: Header) -> list[str]:
    """Return the names of the bots of a plan that have not taken part in the tournament of a store, as they are now."""
    if was is None:
        return [bot.name for bot in now.entries]
    played = [was.entries[number] for roster in was.rosters for number in roster.entries]
    return [
        bot.name
        for bot in now.entries
        if not any(bot.name == entry.name and not find_bot_changes(entry, bot) for entry in played)
    ]


def find_bot_changes(was: Entry, now: Entry) -> list[str]:
    """Return what of a bot is not the same any more. Files and prompts that one side does not know are not compared."""
    if not (was.own.prompt and now.own.prompt):
        was, now = (replace(one, own=replace(one.own, prompt="")) for one in (was, now))
    differences = find_differences(_describe_start(was, now.command), _describe_start(now, was.command))
    files = find_changed_files(was.contents, now.contents) if was.contents and now.contents else []
    return [*files, *(join_differences([one]) for one in differences)]


def _describe_start(bot: Entry, other_command: Sequence[str]) -> dict[str, object]:
    """Return how a bot is started, and what it may use, as plain data, to be compared with another version."""
    command, limits = _forget_python(bot.command, other_command), msgspec.to_builtins(bot.limits)
    return {"command": command, "limits": limits, **msgspec.to_builtins(bot.own)}


def _describe_changed(was: Header, changed: Mapping[str, Sequence[str]], offers_version: bool) -> str:
    what = "; ".join(f"{name}: {join_some(found)}" for name, found in changed.items())
    last = {entry.name: entry.version for entry in was.entries}
    bot = next(iter(changed))
    offer = (
        f"play on with --new-version ({name_version(bot, last[bot] + 1)} joins, {bot}@{last[bot]} keeps its games and "
        "plays no more), "
        if offers_version
        else ""
    )
    return (
        f"bots are not those that played here ({what}), and games of different code are not added up; {offer}take the "
        "old files back, or choose another store"
    )


def _check_order(was: Header, now: Header) -> None:
    """Check that the bots of both are listed in the same order, which is their seed order.

    Raises:
        ConfigError: they are not.
    """
    before, after = was.current_names, now.current_names
    common = set(before) & set(after)
    orders = [[name for name in names if name in common] for names in (before, after)]
    if orders[0] != orders[1]:
        raise _refuse_tournament(f"bots: {', '.join(orders[0])} here, now listed as {', '.join(orders[1])}")


def _grow_deals(was: Header, deals: int) -> list[Roster]:
    """Return the rosters for a number of deals: the first one grows, after a change all tables play another stage."""
    last = was.rosters[-1]
    if len(was.rosters) == 1:
        return [replace(last, deals=max(deals, last.deals))]
    if deals <= last.deals or not was.format.may_grow:
        return list(was.rosters)
    return [*was.rosters, replace(last, first_round=last.first_round + 1, deals=deals)]


def _change_roster(rosters: Sequence[Roster], changed: Roster) -> list[Roster]:
    """Return the rosters with one more; it takes the place of one that has not begun."""
    before = [roster for roster in rosters if roster.first_round < changed.first_round]
    is_back = before and set(before[-1].entries) == set(changed.entries) and before[-1].deals >= changed.deals
    return before if is_back else [*before, changed]


def _end_entries(header: Header, current: Sequence[int], chosen: Sequence[int]) -> tuple[list[Entry], list[str]]:
    """Return the entries, those ended that take part no more, and a sentence on each that joined or left."""
    entries, labels, notes = list(header.entries), header.labels, list[str]()
    active = {entries[bot].name: bot for bot in chosen}
    for bot in current:
        if bot in chosen:
            continue
        successor = active.get(entries[bot].name)
        why = entries[bot].why or (_TAKEN_OUT if successor is None else f"replaced by {labels[successor]}")
        entries[bot] = replace(entries[bot], left=utc_now(), why=why)
        void = bot in header.find_void(header.bots)
        notes.append(f"{labels[bot]} has left ({why})" if void else f"{labels[bot]} has left ({why}); its games stay")
    joined = [labels[bot] for bot in chosen if bot not in current]
    return entries, [*notes, *([f"{join_words(joined, 'and')} joined"] if joined else [])]


def _forget_python(command: Sequence[str], other: Sequence[str]) -> list[str]:
    """Return a command without the path of the Python that ran Pitboss, which earlier versions stored.

    It is that of this run, that of an installed bot, or a Python where the other command has whatever runs Pitboss.
    """
    is_installed = tuple(command[1:3]) == ("-P", "-m") and Path(command[0]).name.startswith("python")
    words = [PYTHON, *command[1:]] if is_installed else command
    return [
        PYTHON if word == sys.executable or (other_word == PYTHON and PYTHON_PATH.fullmatch(word)) else word
        for word, other_word in zip_longest(words, other[: len(words)], fillvalue="")
    ]


def stamp_entries(entries: Iterable[Entry]) -> list[Entry]:
    """Return entries that join now."""
    return [replace(entry, joined=utc_now()) for entry in entries]


def _name_version(entrant: Entrant, bot: str, store: Path) -> Entrant:
    """Return an entrant as a version, which has a memory of its own."""
    memory = None if entrant.memory is None else memory_folder(store, bot)
    return replace(entrant, name=bot, memory=memory)


def number_entrants(plan: Plan, header: Header) -> Plan:
    """Return a plan whose entrants are the entries of a store, also those that have left, with the files that play."""
    number_of = {header.entries[bot].name: bot for bot in header.rosters[-1].entries}
    playing = {number_of[entrant.name]: entrant for entrant in plan.entrants if entrant.name in number_of}
    bots = header.bots
    entrants = tuple(
        replace(_name_version(playing[number], bots[number], plan.store), contents=tuple(entry.contents.items()))
        if number in playing
        else Entrant(name=bots[number], command=entry.command, limits=entry.limits, about=entry.about)
        for number, entry in enumerate(header.entries)
    )
    stop = plan.stop
    if stop is not None and stop.bot is not None and stop.better_than is not None:
        stop = replace(stop, bot=bots[number_of[stop.bot]], better_than=bots[number_of[stop.better_than]])
    return replace(plan, entrants=entrants, stop=stop, rosters=header.rosters, lexicographic=header.lexicographic)
