"""The field of a league's finals: its best versions by the standings, and why others are not in it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from msgspec import Struct

from pitboss.errors import ConfigError
from pitboss.text import format_count
from pitboss_tournament.counting.findings import Findings
from pitboss_tournament.counting.tally import Standing
from pitboss_tournament.league.finals_rules import FinalsRules
from pitboss_tournament.league.ladder_view import sort_by_rating
from pitboss_tournament.league.league_folder import League
from pitboss_tournament.league.submission import ACTIVE, Submission
from pitboss_tournament.league.version_folder import digest_folder
from pitboss_tournament.processes.bot_contents import digest_contents, is_sealed


class Finalist(Struct, frozen=True, kw_only=True):
    """A version that plays in the finals."""

    name: str  # in the finals
    owner: str
    digest: str
    version: str = ""  # as the league calls it
    games: int = 0  # in the league
    rating: float | None = None  # there, in points; None: its versions cannot all be compared


class LeftOut(Struct, frozen=True):
    """A version that does not play in the finals, and why."""

    version: str
    owner: str
    why: str


class FinalsField(NamedTuple):
    """Who plays in the finals, the best first, and which of the active versions do not."""

    taken: list[Finalist]
    left_out: list[LeftOut]


def choose_field(submissions: Sequence[Submission], summary: Findings, rules: FinalsRules) -> FinalsField:
    """Return the best of the active versions by the standings of the league, and why the other active ones are out."""
    active = {(one.bot, one.version): one for one in submissions if one.state in ACTIVE}
    chosen, left_out = list[tuple[Submission, Standing]](), list[LeftOut]()
    for line in _list_best_first(summary, active, rules):
        entry = summary.entries[summary.names.index(line.name)]
        one = active.pop((entry.name, entry.version), None)
        if one is None:
            continue
        if why := _tell_obstacle(one, line, [taken for taken, _ in chosen], rules):
            left_out.append(LeftOut(one.label, one.owner, why))
        else:
            chosen.append((one, line))
    left_out += [LeftOut(one.label, one.owner, "it has not played yet") for one in active.values()]
    names = _name_finalists([one for one, _ in chosen])
    taken = [
        Finalist(
            name=name,
            owner=one.owner,
            digest=one.digest,
            version=one.label,
            games=line.games,
            rating=_find_rating(summary, line.name),
        )
        for name, (one, line) in zip(names, chosen, strict=True)
    ]
    return FinalsField(taken, left_out)


def _list_best_first(summary: Findings, active: Collection[tuple[str, int]], rules: FinalsRules) -> list[Standing]:
    """Return the lines of the standings, those first who may play, by rating if they can be compared."""
    lines = {summary.names.index(line.name): line for line in summary.standings}
    able = [
        entry
        for entry, line in lines.items()
        if (summary.entries[entry].name, summary.entries[entry].version) in active
        and line.blocks
        and line.games >= rules.min_games
        and not line.is_out
    ]
    return [lines[entry] for entry in dict.fromkeys([*sort_by_rating(summary, able), *lines])]


def _tell_obstacle(one: Submission, line: Standing, taken: Sequence[Submission], rules: FinalsRules) -> str | None:
    """Return why a version does not play, if these do; None if it does."""
    if line.is_out:
        return "it is disqualified"
    if line.games < rules.min_games:
        return f"it has {line.games:,} of {format_count(rules.min_games, 'game')}"
    if rules.one_per_owner and any(other.owner == one.owner for other in taken):
        return f"a better version of {one.owner} plays"
    if len(taken) >= rules.top:
        return f"{rules.top} others are better"
    return None


def _find_rating(summary: Findings, label: str) -> float | None:
    if summary.ratings.group_count > 1:
        return None
    return summary.ratings.rating_of(summary.names.index(label)).points.mean


def _name_finalists(chosen: Sequence[Submission]) -> list[str]:
    """Return the names in the finals: that of the bot, with the version if several versions play; no two are alike."""
    count = Counter(one.bot for one in chosen)
    taken, names = set(count), list[str]()
    for one in chosen:
        name = one.bot
        if count[one.bot] > 1:
            name = f"{one.bot} v{one.version}"
            while name in taken:
                name += "+"
            taken.add(name)
        names.append(name)
    return names


def check_files(league: League, field: Iterable[Finalist]) -> None:
    """Check that the files of all versions are those that were validated.

    Raises:
        ConfigError: some are not; it names the folder.
    """
    for one in field:
        folder = league.folder.bots / one.digest
        if not is_sealed(folder):
            raise ConfigError(f"{folder}: the files of {one.name} are gone, or were opened for writing")
        if (found := digest_contents(digest_folder(folder))) != one.digest:
            raise ConfigError(
                f"{folder}: the files of {one.name} have changed since they were validated: they are {found}"
            )
