"""The field of a league: its valid versions as the entries of the tournament that they play, and the plan of that."""

from __future__ import annotations

import secrets
from collections.abc import Collection, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from msgspec.structs import replace

from pitboss import __version__
from pitboss.errors import ConfigError
from pitboss.game import resolve_options
from pitboss.plugins.registry import Registry
from pitboss.text import join_words
from pitboss_tournament.config.entrants import apply_limits, check_bot_setup, resolve_entrant
from pitboss_tournament.config.settings_plan import resolve_plan
from pitboss_tournament.league.anchors import NO_ANCHOR, find_anchor_entry, make_anchor_entry, name_anchor
from pitboss_tournament.league.league_folder import League
from pitboss_tournament.league.submission import ACTIVE, Submission
from pitboss_tournament.league.version_folder import digest_folder
from pitboss_tournament.plan.models import BotModel
from pitboss_tournament.plan.plan import Entrant, Plan, Roster, name_version
from pitboss_tournament.plan.seating import count_block_games
from pitboss_tournament.plan.settings import LogsTable
from pitboss_tournament.processes.bot_contents import digest_contents, find_changed_files
from pitboss_tournament.store.game_code import digest_game
from pitboss_tournament.store.header import Entry, Header, HeaderRow, find_changes, make_entry, make_header
from pitboss_tournament.store.rows import utc_now
from pitboss_tournament.text.differences import Difference, join_differences, join_some

SEED_BYTES: Final = 16
SPENT: Final = "its owner's budget for language models is used up"
MAY_CHANGE: Final = ("format", "faults", "title")  # from one run of a league to the next


class UnplayableVersion(ConfigError):
    """A version that was valid cannot be entered any more: somebody has changed its folder."""

    def __init__(self, submission: Submission, why: str) -> None:
        super().__init__(f"{submission.label} of {submission.owner} cannot play: {why}")
        self.submission = submission
        self.why = why


class DamagedVersion(UnplayableVersion):
    """A version whose files are not those that were submitted: the machine's fault, which costs the owner nothing."""


class LeagueField(NamedTuple):
    """Who plays: the plan of the league's tournament, and its header, in which each version is an entry."""

    plan: Plan
    header: Header

    def begin_in(self, first_round: int) -> LeagueField:
        """Return the field whose last roster holds from a round on, that is at most the next one."""
        *before, last = self.header.rosters
        kept = [one for one in before if one.first_round < first_round]
        is_same = bool(kept) and kept[-1].entries == last.entries
        rosters = (*kept, *([] if is_same else [replace(last, first_round=first_round)]))
        return LeagueField(replace(self.plan, rosters=rosters), replace(self.header, rosters=rosters))


def enter_version(league: League, submission: Submission, name: str) -> Entrant:
    """Return the bot of a submission, whose files are in bots/, as an entrant of this name.

    Raises:
        ConfigError: it cannot be entered.
    """
    return enter_files(league, submission.digest, submission.owner, name)


def enter_files(league: League, digest: str, owner: str, name: str) -> Entrant:
    """Return the bot whose files are in bots/ under a digest as an entrant of this name.

    Raises:
        ConfigError: it cannot be entered.
    """
    folder = str(league.folder.bots / digest)
    entrant = resolve_entrant(folder, _load_plugins(), Path("/"), league.game.name)
    if entrant.model is not None:
        _check_grant(league, entrant.model)
    preset = league.file.preset
    options = resolve_options(league.game, league.seats, preset, league.file.options)
    check_bot_setup(entrant, league.game, league.seats, options, preset)
    about = replace(entrant.about, owner=owner)
    if league.file.league.owners != "shown":
        about = replace(about, author=None)  # a report may be read by everybody
    return replace(apply_limits(entrant, league.limits), name=name, about=about, hidden=league.folder.secret)


def _check_grant(league: League, asked: BotModel) -> None:
    """Check that a league grants a bot its language model, and its owner a budget.

    Raises:
        ConfigError: it does not.
    """
    granted = league.file.models if league.file.budget.is_granted else {}
    if not granted:
        raise ConfigError(
            "it asks a language model ([model] in bot.toml), and this league grants none: submit a bot without "
            "[model], or let this one play in a tournament with [models] in its file, by `pitboss run`"
        )
    if asked.name not in granted:
        raise ConfigError(
            f"it asks the language model {asked.name!r} (name in [model] of bot.toml); this league grants "
            f"{join_words(sorted(granted), 'and')}"
        )
    if asked.extra:
        raise ConfigError(
            "[model] of bot.toml has extra fields of requests, which may cost more than a budget knows: take extra out"
        )
    if asked.budget_usd is not None or asked.budget_tokens is not None:
        raise ConfigError(
            "[model] of bot.toml has a budget of the bot; in a league each owner has one: take budget_usd and "
            "budget_tokens out"
        )


@cache
def _load_plugins() -> Registry:
    """Return the registry, made once: a league has many bots."""
    return Registry()


def draw_up_field(
    league: League,
    submissions: Sequence[Submission],
    was: Header | None,
    spent_owners: Collection[str] = (),
    **machine: Any,  # noqa: ANN401
) -> LeagueField:
    """Return the field in which the active ones of these submissions play: see `LeagueField.begin_in`.

    `submissions`: all but those whose files are damaged. `was`: the header so far, whose entries keep their numbers;
    None if nothing has been played. `spent_owners`: those whose bots with a language model do not play any more.
    `machine`: settings of a tournament file that say where and how much at a time is played.

    Raises:
        UnplayableVersion, DamagedVersion: one cannot play.
        ConfigError: the rules of the league are not those of its games, or there were never enough versions.
    """
    active = [one for one in submissions if one.state in ACTIVE]
    numbers = {(entry.name, entry.version): number for number, entry in enumerate(was.entries if was else ())}
    entries = [] if was is None else list(was.entries)
    entrants = [] if was is None else [_recall_entrant(entry) for entry in was.entries]
    playing: list[int] = []
    for one in active:
        if changed := find_changed_version(league, one, was):
            raise DamagedVersion(one, changed)
        try:
            entrant = enter_version(league, one, name_version(one.bot, one.version))
        except ConfigError as error:
            raise UnplayableVersion(one, str(error)) from None
        number = numbers.get((one.bot, one.version))
        model = "" if entrant.model is None else league.file.models[entrant.model.name].model
        counted = one.owner if number is None else entries[number].about.owner  # as when it came
        if entrant.model is not None and counted in spent_owners:
            continue
        if number is not None and entries[number].own.model != model:
            was_asked = entries[number].own.model
            raise UnplayableVersion(
                one, f"it has played with the model {was_asked!r}, and the league has {model!r} now"
            )
        if number is None:
            number = len(entries)
            entrant = replace(entrant, about=replace(entrant.about, dealt_as=f"#{number}"))  # names may change
            entries.append(replace(make_entry(entrant, one.version, model=model), joined=utc_now()))
            entrants.append(replace(entrant, contents=tuple(entries[number].contents.items())))
        else:
            entries[number] = replace(entries[number], left=None, why=None)
            contents = tuple(entries[number].contents.items())
            entrants[number] = replace(entrant, about=entries[number].about, contents=contents)
        playing.append(number)
    if playing:
        hidden = [replace(anchor, hidden=league.folder.secret) for anchor in league.anchors]
        playing += [_enter_anchor(anchor, entries, entrants) for anchor in hidden]
    for number in set(range(len(entries))).difference(playing):
        if entries[number].left is None:
            why = _tell_why(entries[number], entries, playing, submissions, spent_owners)
            entries[number] = replace(entries[number], left=utc_now(), why=why)
    if len(entrants) < league.seats:
        raise ConfigError(f"{league.seats} at a table need as many versions, and {len(entrants)} are valid")
    plan = _make_plan(league, entrants, was, **machine)
    header = make_header(replace(plan, entrants=()), league.game.version, __version__, digest_game(league.game))
    if was is not None:
        _check_rules(was, header)
    before = () if was is None else was.rosters
    last = before[-1].first_round + 1 if before else 1
    rosters = (*before, Roster(first_round=last, entries=tuple(playing), deals=plan.deals))
    header = replace(header, entries=entries, rosters=rosters)
    return LeagueField(replace(plan, entrants=tuple(entrants), rosters=rosters), header)


def _enter_anchor(anchor: Entrant, entries: list[Entry], entrants: list[Entrant]) -> int:
    """Return the number of the entry of an anchor, which plays; the first time it is added."""
    number = find_anchor_entry(anchor, entries)
    if number is None:
        number = len(entries)
        entries.append(make_anchor_entry(anchor, entries))
        entrants.append(anchor)
    else:
        entries[number] = replace(entries[number], left=None, why=None)
    name = name_anchor(entries[number])
    entrants[number] = replace(anchor, name=name, contents=tuple(entries[number].contents.items()))
    return number


def find_changed_version(league: League, submission: Submission, was: Header | None = None) -> str:
    """Return what is wrong with the files of a valid submission, and what to do; "" if they are what was submitted.

    `was`: the header of the league's games, which names the files that changed.
    """
    folder = league.folder.bots / submission.digest
    if not folder.is_dir():
        return f"{folder} is gone; take the folder out of a backup, or ask for another submission"
    now = digest_folder(folder)
    if digest_contents(now) == submission.digest:
        return ""
    entries = () if was is None else was.entries
    meant = next((e.contents for e in entries if (e.name, e.version) == (submission.bot, submission.version)), {})
    files = join_some(find_changed_files(meant, now)) if meant else "its files"
    return f"{files} in {folder} changed since {submission.label} was submitted; take the old files out of a backup"


def _make_plan(league: League, playing: Sequence[Entrant], was: Header | None, **machine: Any) -> Plan:  # noqa: ANN401
    rules = league.file.league
    options = {"overlapping": True, "owner_seats": rules.owners_at_a_table}
    settings = league.make_settings(
        deals=rules.deals,
        seed=secrets.token_hex(SEED_BYTES) if was is None else was.seed,
        format={"name": "ladder", **options},
        title=league.name,
        logs=LogsTable(keep="all" if league.file.logs.shown == "all" else "faults"),
        **machine,
    )
    plan = resolve_plan(settings, playing, _load_plugins(), league.folder.store, hidden=league.folder.secret)
    games = count_block_games(plan.seating, plan.seats, plan.sides)
    placing = -(-rules.placing_games // games)  # blocks
    chosen = replace(plan.format, options={**plan.format.options, "placing": placing})
    return replace(plan, format=chosen, seals_deals=was is None or was.seals_deals)


def _recall_entrant(entry: Entry) -> Entrant:
    """Return a version as it is told of, unless it plays."""
    name = name_version(entry.name, entry.version)
    return Entrant(name=name, command=entry.command, limits=entry.limits, about=entry.about)


def _tell_why(
    entry: Entry,
    entries: Sequence[Entry],
    playing: Sequence[int],
    submissions: Sequence[Submission],
    spent_owners: Collection[str],
) -> str:
    if entry.about.yardstick:
        return NO_ANCHOR
    if entry.own.model and entry.about.owner in spent_owners:
        return SPENT
    if not any((entry.name, entry.version) == (one.bot, one.version) for one in submissions):
        return "its files on the league's machine are damaged"
    newer = [entries[bot].version for bot in playing if entries[bot].name == entry.name]
    return f"replaced by {name_version(entry.name, max(newer))}" if newer else "retired"


def _check_rules(was: HeaderRow, now: HeaderRow) -> None:
    """Check that the games of a league can go on under its rules.

    Raises:
        ConfigError: games by other rules would be added up.
    """
    if was.game_version != now.game_version:
        raise ConfigError(
            f"{was.game} is {now.game_version} now, and the league's games were played by {was.game_version}; "
            "`pitboss league rejudge` compares them"
        )
    if was.game_digest and was.game_digest != now.game_digest:
        raise ConfigError(
            f"{was.game} {now.game_version} has other files than when the league's games were played; "
            "`pitboss league rejudge` compares them"
        )
    changed = [one for one in find_changes(was, now) if one.path.split(".")[0] not in MAY_CHANGE]
    if was.score != now.score:  # a tournament file may change it, as all its results are rescored
        changed.append(Difference("score", was.score, now.score))
    if changed:
        raise ConfigError(
            f"the league's games were played by other rules ({join_differences(changed)}): take the old rules back, "
            "or begin another league"
        )
