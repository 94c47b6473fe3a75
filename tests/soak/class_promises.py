"""What a league promises to a class, counted once the class is over."""

from __future__ import annotations

import json
import statistics
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, Final

from pitboss_tournament.league.book import Book
from pitboss_tournament.league.submission import ACTIVE, Submission
from pitboss_tournament.store.store import Store
from tests.soak.class_bots import FATES, FAULTS, ClassBot
from tests.soak.class_leaks import LeakSearch
from tests.soak.class_memory import StoreMemory
from tests.soak.class_students import KeptAnswer, MischiefAnswer
from tests.soak.promises import PromiseTally
from tests.tournament.command_line import run_pitboss

RANK_CORRELATION: Final = 0.8
OWNER_SHARE: Final = 2  # an owner has at most so many times the mean of all, as `ladder` says
SHOWN: Final = 5


class ClassEnd:
    """What is known of a class when it is over."""

    def __init__(self, *, folder: Path, game: str, bots: list[ClassBot]) -> None:
        self.folder, self.game = folder, game
        self.bots = bots  # each version that was sent
        self.kept: list[KeptAnswer] = []
        self.surprises: list[str] = []
        self.broken_off = 0
        self.killed_uploads = 0
        self.mischief: list[MischiefAnswer] = []
        self.withdrawn: set[int] = set()  # numbers of submissions
        self.by_hand = 0  # the submission that came through the form; 0: none
        self.leaks: LeakSearch | None = None
        self.live_ladder: Any = None  # JSON
        self.stored_ladder: Any = None
        self.feed: Any = None
        self.seconds = 0.0
        self.kills = 0


def check_class(end: ClassEnd, promises: PromiseTally) -> None:
    """Check all promises about submissions, games, secrets and the ladder."""
    memory = StoreMemory(end.folder)
    numbers = {kept.number for kept in end.kept} | {end.by_hand} - {0}
    print(
        f"{len(end.bots)} bots, {len(memory.submissions)} submissions, {len(memory.games):,} games, {end.kills} kills "
        f"with {end.killed_uploads} uploads on their way, {end.broken_off} broken off, {end.seconds:.0f} s"
    )
    _check_submissions(end, memory, numbers, promises)
    _check_fates(end, memory, promises)
    _check_games(end, memory, promises)
    _check_secrets(end, promises)
    _check_ladder(end, memory, promises)
    _check_folders(end, memory, promises)
    _check_audit(end, memory, promises)


def _check_submissions(end: ClassEnd, memory: StoreMemory, numbers: set[int], promises: PromiseTally) -> None:
    promises.check(not end.surprises, f"no proper upload is turned away: {end.surprises[:SHOWN]}")
    known = {number: (one.owner, one.bot, one.version, one.digest) for number, one in memory.submissions.items()}
    lost = [
        kept.bot.name
        for kept in end.kept
        if known.get(kept.number) != (kept.bot.owner, kept.bot.name, kept.version, kept.digest)
    ]
    promises.check(
        not lost and numbers == set(known),
        f"all of {len(end.kept)} answers with 2xx are there, and nothing else: {lost[:SHOWN]} lost, "
        f"{sorted(set(known) - numbers)[:SHOWN]} more",
    )
    wrong = [f"{one.what}: {one.status}" for one in end.mischief if one.status not in one.expected]
    promises.check(not wrong, f"{len(end.mischief)} requests that are no proper ones are refused: {wrong}")


def _match_bots(end: ClassEnd, memory: StoreMemory) -> dict[int, ClassBot]:
    """Return the bot of each submission."""
    found = {kept.number: kept.bot for kept in end.kept}
    if end.by_hand:
        found[end.by_hand] = next(bot for bot in end.bots if bot.name == memory.submissions[end.by_hand].bot)
    return found


def _expect_states(end: ClassEnd, one: Submission, bot: ClassBot, newest: int) -> tuple[str, ...]:
    if one.number in end.withdrawn or one.version < newest:
        return ("retired",)
    fate = FATES[bot.kind]
    return ("playing", "retired", "refused") if fate == "any" else (fate,)


def _check_fates(end: ClassEnd, memory: StoreMemory, promises: PromiseTally) -> None:
    bots = _match_bots(end, memory)
    newest: dict[tuple[str, str], int] = {}
    for one in memory.submissions.values():
        newest[one.owner, one.bot] = max(one.version, newest.get((one.owner, one.bot), 0))
    wrong, causes = list[str](), list[str]()
    with closing(Book(end.folder / "league.pitboss")) as book:
        for number, one in memory.submissions.items():
            bot, evidence = bots.get(number), list(book.evidence(number).values())
            if bot is None or one.state not in _expect_states(end, one, bot, newest[one.owner, one.bot]):
                wrong.append(f"{one.label} is {one.state}: {[step.seen for step in evidence[-1:]]}")
            if one.state == "refused" and not (evidence and not evidence[-1].is_good and evidence[-1].seen):
                causes.append(one.label)
    states = Counter(one.state for one in memory.submissions.values())
    promises.check(not wrong, f"all end as they should, {dict(states)}: {wrong[:SHOWN]} do not")
    promises.check(not causes, f"{states['refused']} refused ones have their causes: {causes[:SHOWN]} do not")


def _check_games(end: ClassEnd, memory: StoreMemory, promises: PromiseTally) -> None:
    store = str(end.folder / "league.pitboss")
    promises.check(not memory.find_doubles(), f"no game is there twice: {memory.find_doubles()[:SHOWN]}")
    found = run_pitboss("integrity", store, "--replay", "--json")
    promises.check(
        found.status == 0 and found.json_value["games"] == len(memory.games),
        f"integrity --replay finds nothing: {found.out[-300:] if found.status else ''}{found.err}",
    )
    bots = _match_bots(end, memory)
    kinds = {memory.submissions[number].label: bot.kind for number, bot in bots.items()}
    faults = defaultdict[str, Counter[str]](Counter)
    for label, fault, _ in memory.list_faults():
        faults[kinds[label]][fault] += 1
    innocent = {kind: dict(faults[kind]) for kind in ("good", "builds") if faults[kind]}
    promises.check(not innocent, f"no good bot has forfeited a game: {innocent}")
    odd = {kind: dict(counts) for kind, counts in faults.items() if set(counts) - FAULTS.get(kind, frozenset())}
    harmless = [bot.kind for bot in bots.values() if FATES[bot.kind] == "retired" and not faults[bot.kind]]
    shown = {kind: dict(counts) for kind, counts in sorted(faults.items())}
    promises.check(not (odd or harmless), f"bad bots have the faults of their kinds, {shown}: {odd or harmless} odd")
    _check_quota(end, promises)


def _check_quota(end: ClassEnd, promises: PromiseTally) -> None:
    """Check that over all rounds no owner has had more than the share that `ladder` allows."""
    had, most = Counter[str](), Counter[str]()
    with closing(Store(end.folder / "league.pitboss")) as store:
        owners, rosters = store.header.owners, store.header.rosters
        for played in store.rounds.read():
            roster = max((one for one in rosters if one.first_round <= played.number), key=lambda one: one.first_round)
            there = {owners[bot] for bot in roster.entries} | {owners[bot] for table in played.tables for bot in table}
            if played.tables:
                had.update(owners[bot] for table in played.tables for bot in table)
                most.update(dict.fromkeys(there, OWNER_SHARE * -(-len(roster.entries) // max(1, len(there)))))
    over = {owner: (count, most[owner]) for owner, count in had.items() if count > most[owner]}
    [(busiest, count)] = had.most_common(1)
    promises.check(not over, f"no owner plays more than its part; the busiest is {busiest}, {count} seats: {over}")


def _check_secrets(end: ClassEnd, promises: PromiseTally) -> None:
    leaks = end.leaks
    assert leaks is not None
    promises.check(
        not leaks.leaks and leaks.own_words > 0,
        f"in {leaks.fetched} answers are no words of others, and {leaks.own_words} of the owner: {leaks.leaks[:SHOWN]}",
    )
    promises.check(not leaks.failures, f"none of them is an error of the server: {leaks.failures[:SHOWN]}")


def _check_ladder(end: ClassEnd, memory: StoreMemory, promises: PromiseTally) -> None:
    ladder, bots = end.stored_ladder, _match_bots(end, memory)
    ranked = [(line["number"], f"{line['bot']}@{line['version']}") for line in ladder["ranked"]]
    good = [bots[number] for number, _ in ranked if bots[number].kind in ("good", "builds")]
    correlation = _correlate([float(bot.strength) for bot in good])
    by_strength = [[place for place, bot in enumerate(good, 1) if bot.strength == level] for level in range(4)]
    means = ", ".join(f"{statistics.fmean(places):.1f}" for places in by_strength if places)
    promises.check(
        correlation > RANK_CORRELATION,
        f"the order agrees with the strengths: {correlation:.2f}, mean places by strength {means}",
    )
    live = [line["number"] for line in end.live_ladder["ranked"]]
    agreed = _correlate([float(live.index(number)) for number, _ in ranked if number in live])
    promises.check(
        agreed > RANK_CORRELATION and set(live) == {number for number, _ in ranked},
        f"the ladder in memory is that of the store, but for the last games: {agreed:.3f}",
    )
    found = run_pitboss("standings", str(end.folder / "league.pitboss"), "--json").json_value
    with closing(Store(end.folder / "league.pitboss")) as store:
        names = {
            label: f"{one.name}@{one.version}"
            for label, one in zip(store.header.labels, store.header.entries, strict=True)
        }
    there = {label for _, label in ranked}
    rows = [row for row in found["standings"] if names[row["name"]] in there]
    if len({row["group"] for row in rows}) == 1:  # else, or if others cannot be compared, they are in order of wins
        rows.sort(key=lambda row: -row["rating"]["mean"])
    order = [names[row["name"]] for row in rows]
    promises.check(
        order == [label for _, label in ranked] and found["played"] == ladder["games"] == len(memory.games),
        f"`pitboss standings` has the order of /api/ladder, {len(order)} versions, {found['played']:,} games",
    )
    _check_tiers(ladder, promises)
    _check_tiers(end.live_ladder, promises)


def _check_tiers(ladder: Any, promises: PromiseTally) -> None:  # noqa: ANN401 - JSON
    """Check that places count up, that ranks hold them, and that a tier begins where one is proven worse."""
    lines = ladder["ranked"]
    wrong = [line["bot"] for place, line in enumerate(lines, 1) if line["place"] != place]
    wrong += [line["bot"] for line in lines if not line["ranks"]["best"] <= line["place"] <= line["ranks"]["worst"]]
    worse = {(one, other): verdict == "better" for one, other, _, _, verdict, *_ in ladder["pairs"]}
    worse |= {(other, one): verdict == "worse" for one, other, _, _, verdict, *_ in ladder["pairs"]}
    first: Any = None
    for line in lines:
        if first is None or line["tier"] != first["tier"]:
            met = None if first is None else worse.get((first["number"], line["number"]))
            if line["tier"] != (1 if first is None else first["tier"] + 1) or met is False:
                wrong.append(f"{line['bot']} begins tier {line['tier']}")
            first = line
        elif worse.get((first["number"], line["number"])):
            wrong.append(f"{line['bot']} in tier {line['tier']}")
    tiers = lines[-1]["tier"] if lines else 0
    promises.check(bool(lines) and not wrong, f"{len(lines)} versions are in {tiers} tiers: {wrong[:SHOWN]} wrong")


def _correlate(values: Sequence[float]) -> float:
    """Return Spearman's correlation of values with their places."""
    ordered = sorted(values)
    ranks = [ordered.index(value) + (ordered.count(value) - 1) / 2 for value in values]
    return statistics.correlation(range(len(ranks)), ranks)


def _check_folders(end: ClassEnd, memory: StoreMemory, promises: PromiseTally) -> None:
    uploads = [path.name for path in (end.folder / "uploads").iterdir()]
    with closing(Book(end.folder / "league.pitboss")) as book:
        valid = book.list_valid()
    kept = {one.digest for one in memory.submissions.values() if one.state != "refused" or one.number in valid}
    folders = {path.name for path in (end.folder / "bots").iterdir()}
    promises.check(
        not uploads and folders == kept,
        f"nothing is left over: {len(uploads)} uploads, {len(folders)} folders of bots for {len(kept)} digests",
    )


def _check_audit(end: ClassEnd, memory: StoreMemory, promises: PromiseTally) -> None:
    status = run_pitboss("league", "status", str(end.folder), "--json").json_value
    trail = [(one["what"], one["about"]) for one in status["audit"]]

    def has(what: str, one: Submission) -> bool:
        return any(kind == what and f"submission {one.number} ({one.label}" in about for kind, about in trail)

    missing = [
        f"{what} {one.label}"
        for one in memory.submissions.values()
        for what in ("submitted", *([one.state] if one.state in ("refused", "retired", "playing") else []))
        if not has(what, one)
    ]
    kinds = Counter(kind for kind, _ in trail)
    promises.check(
        not missing and kinds["upload refused"] >= 5 and kinds["same files"] == 1 and kinds["sent again"] >= 2,
        f"the audit trail has it all, {dict(kinds)}: {missing[:SHOWN]} missing",
    )
    told = {one["number"]: (one["name"], one["version"], one["state"]) for one in end.feed["versions"]}
    there = {one["number"]: (one["bot"], one["version"], one["state"]) for one in status["submissions"]}
    book = {number: (one.bot, one.version, one.state) for number, one in memory.submissions.items()}
    promises.check(
        told == there == book and status["waiting"] == [] and len(status["shared"]) == 1,
        f"`league status --json` agrees with the feed and the book: {len(there)} submissions",
    )


def check_upkeep(end: ClassEnd, promises: PromiseTally) -> None:
    """Check that the commands of a host run through on the league."""
    folder = str(end.folder)
    first, second = (line["bot"] for line in end.stored_ladder["ranked"][:2])
    ran = run_pitboss("league", "retire", folder, second, "--why", "the class is over")
    states = {one.state for one in StoreMemory(end.folder).submissions.values() if one.bot == second}
    promises.check(
        ran.status == 0 and not states.intersection(ACTIVE), f"`league retire` takes one out: {states} {ran.err}"
    )
    store = end.folder / "finals.pitboss"
    held = run_pitboss(
        *("league", "finals", folder, "--top", "4", "--deals", "10", "--store", str(store), "--workers", "2")
    )
    games = _count_games(store)
    whole = run_pitboss("integrity", str(store), "--replay")
    promises.check(
        (held.status, whole.status, games) == (0, 0, 4 * 3 * 10) and first in held.out,
        f"`league finals` plays {games} games, {first} among the best: {first in held.out} "
        f"{held.err[-200:] if held.status else ''}",
    )
    copy = end.folder.parent / "copy"
    ran = run_pitboss("league", "backup", folder, str(copy))
    states_of: list[Mapping[str, Any]] = [
        run_pitboss("league", "status", str(one), "--json").json_value for one in (end.folder, copy) if one.is_dir()
    ]
    whole = run_pitboss("integrity", str(copy / "league.pitboss"))
    promises.check(
        (ran.status, whole.status) == (0, 0) and json.dumps(states_of[0]) == json.dumps(states_of[-1]),
        f"`league backup` makes a whole copy: {ran.err}{whole.out[-200:] if whole.status else ''}",
    )


def _count_games(path: Path) -> int:
    if not path.exists():
        return 0
    with closing(Store(path)) as store:
        return store.count_games()
