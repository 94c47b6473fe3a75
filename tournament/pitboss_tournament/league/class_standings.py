"""The standings of a class: which version of each owner counts, and what its games have shown until some moment.

Of each bot the newest version counts that was valid, was not taken out for good, and was sent before submissions ended
for its owner, late days included. Of several bots of an owner the one with the highest rating counts. So each owner has
one place. Owners with the token of a host take none.

The places and tiers are those of the versions that count, all pairs of them tested together. They follow from the games
in the store until a `StoreMoment` alone: whoever has the store computes the same again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Annotated, NamedTuple

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from pitboss_tournament.counting.counts import Counts
from pitboss_tournament.counting.findings import Findings
from pitboss_tournament.counting.scored_results import read_scored_results
from pitboss_tournament.league.anchors import iter_anchors
from pitboss_tournament.league.book import Book
from pitboss_tournament.league.deadlines import Deadlines
from pitboss_tournament.league.ladder_view import sort_by_rating
from pitboss_tournament.league.submission import WAITING, Submission
from pitboss_tournament.results.standings_rows import BotRow, list_rated_rows
from pitboss_tournament.statistics.anchor_proofs import find_beaten
from pitboss_tournament.statistics.rank_confidence import RankConfidence
from pitboss_tournament.store.header import Header
from pitboss_tournament.store.rows import utc_now
from pitboss_tournament.store.store import Store


class CountedVersion(Struct, frozen=True):
    """A version that may count for its owner. No names are in it: they may be changed."""

    submission: int
    sent: str  # when its upload began, in UTC
    late_days: int = 0


class StoreMoment(Struct, frozen=True, kw_only=True):
    """Which games a store had at a moment: all up to the last one, but for the gaps."""

    at: Annotated[str, Meta(description="In UTC.")]
    games: Annotated[int, Meta(description="Games in the store then.")] = 0
    last: Annotated[int, Meta(description="The number of the last of them; -1: there was none.")] = -1
    gaps: Annotated[list[int], Meta(description="The numbers of games before it that were not in the store.")] = []
    rules: Annotated[str, Meta(description="SHA-256 of the rules of its games; empty if none was planned.")] = ""
    seed: Annotated[str, Meta(description="SHA-256 of the seed of its deals; empty if none was planned.")] = ""


class ClassLine(Struct, frozen=True, kw_only=True):
    """What the games show of the version that counts for an owner."""

    submission: int
    sent: str
    late_days: int = 0
    games: int = 0
    rating: float | None = None
    half_width: float | None = None  # of the comparison interval of 95 %
    place: int | None = None  # None: too few games, or it is out
    best: int | None = None  # the places that it may have
    worst: int | None = None
    tier: int | None = None
    is_out: bool = False
    beats: dict[str, float] = {}  # anchors, with the sureness


class ClassStandings(Struct, frozen=True, kw_only=True):
    """The standings of a class at a moment."""

    moment: StoreMoment
    until: str = ""  # the last moment at which somebody could submit, in UTC; "": submissions do not end
    lines: list[ClassLine] = []
    places: int = 0  # how many have one
    placing_games: int = 0  # that a version needs for one
    anchors: list[int] = []  # numbers of entries


class Arrivals(NamedTuple):
    """The submissions of a league, with when each came and what became of each."""

    submissions: Sequence[Submission]
    sent: Mapping[int, str]  # by number, when the upload began
    valid: set[int]  # numbers
    barred: set[int]
    hosts: set[str]  # owners who take no place


def read_arrivals(book: Book) -> Arrivals:
    """Return what has come in so far."""
    submissions, begun = book.submissions(), dict[str, list[str]]()
    for upload in book.list_uploads():
        begun.setdefault(upload.owner, []).append(upload.at)
    sent = {one.number: find_sent(one, begun.get(one.owner, ())) for one in submissions}
    hosts = {token.owner for token in book.tokens() if token.role == "host"}
    return Arrivals(submissions, sent, book.list_valid(), book.list_barred(), hosts)


def find_sent(one: Submission, uploads: Iterable[str]) -> str:
    """Return when the upload of a submission began, of those of its owner: the last one before it was received."""
    return max((at for at in uploads if at <= one.received), default=one.received)


def list_candidates(
    arrivals: Arrivals, deadlines: Deadlines, frozen: Iterable[CountedVersion] = ()
) -> list[CountedVersion]:
    """Return the newest version of each bot that counts; `frozen` are those of the time when submissions ended.

    What was frozen as in time stays so if the same files are sent again.
    """
    in_time = {one.submission: one for one in frozen}
    newest: dict[tuple[str, str], CountedVersion] = {}
    for one in sorted(arrivals.submissions, key=lambda one: (arrivals.sent[one.number], one.number)):
        if one.owner in arrivals.hosts or one.number not in arrivals.valid - arrivals.barred:
            continue
        found = in_time.get(one.number) or _judge_time(one, arrivals, deadlines)
        if found is not None:
            newest[one.owner, one.bot] = found
    return sorted(newest.values(), key=lambda one: one.submission)


def _judge_time(one: Submission, arrivals: Arrivals, deadlines: Deadlines) -> CountedVersion | None:
    """Return a submission with its late days; None if it is too late."""
    at = arrivals.sent[one.number]
    late_days = deadlines.count_late_days(one.owner, datetime.fromisoformat(at))
    return None if late_days is None else CountedVersion(one.number, at, late_days)


def is_settled(arrivals: Arrivals, until: datetime) -> bool:
    """Whether no submission that was sent until a time waits for the validator."""
    return not any(
        one.state in WAITING and datetime.fromisoformat(arrivals.sent[one.number]) <= until
        for one in arrivals.submissions
    )


def has_arrivals(arrivals: Arrivals, until: datetime) -> bool:
    """Whether anything was sent until a time."""
    return any(datetime.fromisoformat(at) <= until for at in arrivals.sent.values())


def find_moment(store: Store) -> StoreMoment:
    """Return the moment of a store now."""
    numbers = sorted(store.game_ids())
    last = numbers[-1] if numbers else -1
    header = store.header
    return StoreMoment(
        at=utc_now(),
        games=len(numbers),
        last=last,
        gaps=sorted(set(range(last + 1)).difference(numbers)),
        rules=_digest_rules(header),
        seed=hashlib.sha256(header.seed.encode()).hexdigest(),
    )


def _digest_rules(header: Header) -> str:
    names = ("game", "game_version", "game_digest", "options", "seats", "clock", "score", "seating", "opponents")
    rules = {name: getattr(header, name) for name in names}
    return hashlib.sha256(msgspec.json.encode(rules, order="sorted")).hexdigest()


def draw_up_standings(
    store: Store | None,
    moment: StoreMoment,
    candidates: Sequence[CountedVersion],
    submissions: Sequence[Submission],
    placing_games: int,
    until: str = "",
    anchors: Sequence[int] | None = None,
) -> ClassStandings:
    """Return the standings of a class by the games that a store had at a moment; None: no game was ever planned.

    `anchors`: entries that may be beaten; by default the anchors of today.

    Raises:
        StoreError: the games cannot be read.
    """
    by_number = {one.number: one for one in submissions}
    known = [one for one in candidates if one.submission in by_number]
    if store is None:
        lines = list(_choose_lines(known, {}, by_number))
        return ClassStandings(moment=moment, until=until, lines=lines, placing_games=placing_games)
    gaps, counts = set(moment.gaps), Counts(store.header)
    counts.add_all(read_scored_results(store, is_wanted=lambda game: game <= moment.last and game not in gaps))
    rated = Findings(counts, anytime=True)
    entries = {(entry.name, entry.version): number for number, entry in enumerate(rated.entries)}
    names = {name: number for number, name in enumerate(rated.names)}
    rows = {names[row.name]: row for row in list_rated_rows(rated)} if moment.games else {}
    entry_of = {}
    for one in known:
        sent = by_number[one.submission]
        number = entries.get((sent.bot, sent.version))
        if number is not None and number in rows:
            entry_of[one.submission] = number
    chosen = list(_choose_lines(known, {one: rows[entry] for one, entry in entry_of.items()}, by_number))
    placed = [
        entry_of[line.submission]
        for line in chosen
        if line.submission in entry_of and not line.is_out and line.games >= placing_games
    ]
    placed = sort_by_rating(rated, [entry for entry in placed if rows[entry].blocks])
    meant = iter_anchors(rated.header) if anchors is None else anchors
    met = [entry for entry in meant if entry in rows and rows[entry].blocks]
    lines = _place_lines(chosen, entry_of, placed, rated)
    return ClassStandings(
        moment=moment,
        until=until,
        lines=[_tell_beaten(line, entry_of, met, rated) for line in lines],
        places=len(placed),
        placing_games=placing_games,
        anchors=met,
    )


def repeat_standings(store: Store | None, kept: ClassStandings, submissions: Sequence[Submission]) -> ClassStandings:
    """Return what the games in the store say today of the moment of some standings: the same, unless games changed.

    Raises:
        StoreError: the games cannot be read.
    """
    candidates = [CountedVersion(line.submission, line.sent, line.late_days) for line in kept.lines]
    if not kept.moment.rules:  # no game was planned yet
        store = None
    now = "" if store is None else _digest_rules(store.header)
    moment = replace(kept.moment, rules=now)
    return draw_up_standings(store, moment, candidates, submissions, kept.placing_games, kept.until, kept.anchors)


def _choose_lines(
    candidates: Sequence[CountedVersion], rows: Mapping[int, BotRow], by_number: Mapping[int, Submission]
) -> Iterator[ClassLine]:
    """Yield a line for each owner: of several bots for the one with the highest rating, without one for the newest."""
    best: dict[str, tuple[float, str, ClassLine]] = {}
    for one in candidates:
        row = rows.get(one.submission)
        rating = None if row is None or row.rating is None else row.rating.mean
        line = ClassLine(submission=one.submission, sent=one.sent, late_days=one.late_days)
        if row is not None:
            width = row.rating_comparison
            line = replace(line, games=row.games, rating=rating, half_width=width, is_out=row.is_out)
        ranked = (float("-inf") if rating is None or line.is_out else rating, one.sent, line)
        owner = by_number[one.submission].owner
        if owner not in best or ranked[:2] > best[owner][:2]:
            best[owner] = ranked
    for _, _, line in best.values():
        yield line


def _place_lines(
    lines: Sequence[ClassLine], entry_of: Mapping[int, int], placed: Sequence[int], rated: Findings
) -> list[ClassLine]:
    """Return the lines with places, the best first, and those without behind them."""
    of_entry = {entry_of[line.submission]: line for line in lines if line.submission in entry_of}
    confidence = RankConfidence(rated.meetings, rated.rate_bots(), placed, anytime=True) if placed else None
    found = []
    tier, first = 0, -1
    for place, entry in enumerate(placed, 1):
        assert confidence is not None
        if first < 0 or confidence.is_better(first, entry):
            tier, first = tier + 1, entry
        ranks = confidence.rank_range(entry)
        found.append(replace(of_entry[entry], place=place, best=ranks.best, worst=ranks.worst, tier=tier))
    known = {line.submission for line in found}
    return [*found, *(line for line in lines if line.submission not in known)]


def _tell_beaten(line: ClassLine, entry_of: Mapping[int, int], anchors: Sequence[int], rated: Findings) -> ClassLine:
    entry = entry_of.get(line.submission)
    if entry is None or not anchors:
        return line
    beaten = find_beaten(rated.meetings, rated.rate_bots(), entry, anchors)
    return replace(line, beats={rated.entries[one].name: sureness for one, sureness in beaten.items()})
