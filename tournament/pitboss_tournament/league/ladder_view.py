"""What everybody may know of a league's ladder: its versions with their ratings, who met whom, cycles.

A value that is built from the standings of the games and from the book. Numbers of versions are those of their
submissions; versions that were refused or wait for the validator are not in it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, Literal, TypeAlias

import msgspec
from msgspec import Struct
from msgspec.structs import asdict, replace

from pitboss_tournament.counting.findings import Findings
from pitboss_tournament.league.anchors import iter_anchors
from pitboss_tournament.league.book import HistoryPoint
from pitboss_tournament.league.submission import ACTIVE, WAITING, Submission
from pitboss_tournament.results.reversals import find_reversals
from pitboss_tournament.results.standings_rows import BotRow, list_rated_rows, make_idle_row
from pitboss_tournament.statistics.anchor_proofs import find_beaten
from pitboss_tournament.statistics.cycles import find_cycles
from pitboss_tournament.statistics.rank_confidence import RankConfidence
from pitboss_tournament.statistics.running_moments import Estimate
from pitboss_tournament.statistics.sequential_test import TEST_ERROR
from pitboss_tournament.statistics.time_histogram import TimeHistogram
from pitboss_tournament.store.header import Entry

PUBLIC_STATES: Final = (*ACTIVE, "retired")  # of versions that everybody may know of
TREND_POINTS: Final = 8  # a trend is from the first to the last of this number of points
UNKNOWN_ESTIMATE: Final = Estimate(None, None)
LINE_GROUPS: Final = ("ranked", "newcomers", "out", "retired", "anchors")  # of a `LadderView`
SUBMISSION_FIELDS: Final = ("number", "bot", "version", "state", "received")  # that everybody may know
ROW_FIELDS: Final = {  # by key of the JSON of a ladder
    **{
        key: key
        for key in (
            *("games", "blocks", "rating", "rating_without_gifts", "wins", "points", "faults", "substituted"),
            *("think_p50_ms", "think_p99_ms", "is_out", "left"),
        )
    },
    "ranks": "rank",
    "comparison": "rating_comparison",
    "bound": "rating_bound",
}

PairVerdict: TypeAlias = Literal["better", "worse", "open"]


class LadderLine(Struct, frozen=True, kw_only=True):
    """A version on the ladder: what was submitted, and its row of the standings."""

    submission: Submission
    row: BotRow  # whose rank is among those that have found their place; without a tier
    versions_tried: int = 1  # of this bot, those that were valid
    place: int | None = None  # among those that have found their place, by rating
    tier: int | None = None  # 1 is the best: nobody in it is proven worse than its first
    first_faults: dict[str, int] = {}  # by kind: the first game with it
    history: Sequence[HistoryPoint] = ()
    by: str = ""  # how its owner is called before everybody
    beats: Mapping[str, float] = {}  # anchors, with the sureness that it is better; all anchors tested together

    @property
    def number(self) -> int:
        """The number of its submission."""
        return self.submission.number

    @property
    def label(self) -> str:
        """Its name and version."""
        return self.submission.label

    @property
    def rating(self) -> Estimate:
        """Its rating; not known before it has met anybody."""
        return self.row.rating or UNKNOWN_ESTIMATE

    @property
    def is_active(self) -> bool:
        """Whether it plays."""
        return self.submission.state in ACTIVE and not self.row.is_out

    @property
    def is_anchor(self) -> bool:
        """Whether it is a bot of the house that takes no place: see `anchors`."""
        return self.number < 0

    def has_beaten(self, anchor: str) -> bool:
        """Whether it is proven to beat an anchor."""
        return self.beats.get(anchor, 0.0) >= 1 - TEST_ERROR

    @property
    def is_newcomer(self) -> bool:
        """Whether the version plays and its place is still uncertain."""
        return self.is_active and self.place is None and not self.is_anchor

    @property
    def trend(self) -> float | None:
        """By how much its rating has changed lately; None if that is not known."""
        recent = self.history[-TREND_POINTS:]
        return recent[-1].rating - recent[0].rating if len(recent) > 1 else None


class MetPair(Struct, frozen=True, array_like=True):
    """Two versions that sat at one table, at least one of which plays."""

    one: int
    other: int
    blocks: int
    score: float  # by how much of the others at a table the first is ahead of the second, -1 to 1, on average
    verdict: PairVerdict  # on the first, against the field of those that have found their place, all tested together
    is_reversed: bool = False  # head to head, in their own blocks, the contrary of the verdict is proven


class LadderGift(Struct, frozen=True):
    """A version that does better with another one at its table than the ratings explain."""

    giver: int  # both are numbers of submissions
    gainer: int
    blocks: int  # in which both sat at the table
    gain: Estimate  # of the share of beaten opponents
    sureness: float  # of all pairs together


class LadderView(Struct, frozen=True, kw_only=True):
    """A ladder, as everybody may see it."""

    stamp: str  # another one: something has changed
    games: int = 0
    waiting: int = 0  # submissions that wait for the validator
    ranked: Sequence[LadderLine] = ()  # who plays and has found its place, the best first
    newcomers: Sequence[LadderLine] = ()  # who plays and has not
    out: Sequence[LadderLine] = ()  # who was disqualified
    retired: Sequence[LadderLine] = ()  # the last one first; they keep their ratings
    anchors: Sequence[LadderLine] = ()  # bots of the house that play along, the best first
    pairs: Sequence[MetPair] = ()
    cycles: Sequence[tuple[int, int, int]] = ()  # each is proven better than the next, and the last than the first
    gifts: Sequence[LadderGift] = ()
    think: Mapping[int, TimeHistogram] = {}  # thinking times of decisions, by version
    is_rated: bool = False  # whether any game has been played

    @property
    def lines(self) -> Iterator[LadderLine]:
        """All versions."""
        for group in LINE_GROUPS:
            yield from getattr(self, group)

    def find_line(self, number: int) -> LadderLine | None:
        """Return a version by the number of its submission; None if the version is hidden, or there is none."""
        return next((line for line in self.lines if line.number == number), None)

    def list_versions(self, bot: str) -> list[LadderLine]:
        """Return the versions of a bot, the latest first."""
        lines = (line for line in self.lines if line.submission.bot == bot)
        return sorted(lines, key=lambda line: -line.submission.version)


def build_ladder_view(
    stamp: str,
    rated: Findings | None,
    submissions: Sequence[Submission],
    history: Mapping[int, Sequence[HistoryPoint]] = {},
    public_names: Mapping[str, str] = {},
) -> LadderView:
    """Return the ladder by the standings of all games; `rated` is None if none has been played.

    `history` has the ratings of versions at earlier times, the oldest first, by the numbers of their submissions;
    `public_names` how owners are called before everybody.
    """
    known = [one for one in submissions if one.state in PUBLIC_STATES]
    tried = Counter(one.bot for one in known)
    idle = {
        one.number: replace(
            make_idle_line(one),
            versions_tried=tried[one.bot],
            history=history.get(one.number, ()),
            by=public_names.get(one.owner, ""),
        )
        for one in known
    }
    waiting = sum(one.state in WAITING for one in submissions)
    if rated is None:
        lines = list(idle.values())
        return LadderView(
            stamp=stamp,
            waiting=waiting,
            newcomers=[line for line in lines if line.is_active],
            retired=_list_retired(lines),
        )
    return replace(_LadderBuilder(rated, idle).build(stamp), waiting=waiting)


def make_anchor_submission(number: int, entry: Entry) -> Submission:
    """Return an anchor, an entry of this number, as if somebody had submitted it; its own number is below 0."""
    return Submission(
        number=-1 - number,
        owner="",
        bot=entry.name,
        version=entry.version,
        digest="",
        bytes=0,
        upload="",
        state="playing",
        tries=0,
        received=entry.joined,
        changed=entry.joined,
    )


def make_idle_line(submission: Submission) -> LadderLine:
    """Return a version without games, the only one of its bot."""
    return LadderLine(submission=submission, row=make_idle_row(submission.label))


class _LadderBuilder:
    """Joins the versions in the book with the entries of the standings."""

    def __init__(self, rated: Findings, idle: Mapping[int, LadderLine]) -> None:
        """`idle`: the versions as if they had no games, by the numbers of their submissions."""
        self._rated = rated
        self._anchors = list(iter_anchors(rated.header))
        anchors = [make_anchor_submission(number, rated.entries[number]) for number in self._anchors]
        self._idle = {**idle, **{one.number: make_idle_line(one) for one in anchors}}
        numbers = {(line.submission.bot, line.submission.version): number for number, line in self._idle.items()}
        found = ((entry, numbers.get((one.name, one.version))) for entry, one in enumerate(rated.entries))
        self._number_of = {entry: number for entry, number in found if number is not None}

    def build(self, stamp: str) -> LadderView:
        rated = self._rated
        entries = {name: entry for entry, name in enumerate(rated.names)}
        rows = {entries[row.name]: row for row in list_rated_rows(rated)}
        lines = {entry: self._fill_line(entry, row) for entry, row in rows.items() if entry in self._number_of}
        anchors = [entry for entry in self._anchors if entry in lines and lines[entry].row.blocks]
        ratings = rated.rate_bots()
        for entry, line in lines.items():
            beaten = {} if line.is_anchor else find_beaten(rated.meetings, ratings, entry, anchors)
            lines[entry] = replace(line, beats={rated.entries[one].name: sure for one, sure in beaten.items()})
        playing = [entry for entry, line in lines.items() if line.is_active and not line.is_anchor]
        placed = [one for one in playing if lines[one].submission.state == "playing" and lines[one].row.blocks]
        placed = sort_by_rating(rated, placed)
        confidence = RankConfidence(rated.meetings, rated.rate_bots(), placed, anytime=rated.anytime)
        known = set(self._number_of.values())
        unplayed = [line for number, line in self._idle.items() if number not in known and not line.is_anchor]
        rest = [line for entry, line in lines.items() if entry not in placed and not line.is_anchor]
        rest += unplayed
        return LadderView(
            stamp=stamp,
            games=rated.tally.games,
            ranked=_rank_lines(placed, lines, confidence),
            newcomers=[line for line in rest if line.is_active],
            out=[line for line in rest if line.submission.state in ACTIVE and line.row.is_out],
            retired=_list_retired(rest),
            anchors=[lines[entry] for entry in sort_by_rating(rated, anchors)],
            pairs=list(self._list_pairs(playing, confidence, lines)),
            cycles=self._find_cycles(playing),
            gifts=list(self._list_gifts()),
            think={self._number_of[entry]: rated.tally.think(entry) for entry in lines},
            is_rated=rated.tally.games > 0,
        )

    def _fill_line(self, entry: int, row: BotRow) -> LadderLine:
        first = self._rated.tally.first_faults.get(entry, {})
        return replace(
            self._idle[self._number_of[entry]],
            row=row,
            first_faults={kind: game for kind, (game, _) in first.items()},
        )

    def _list_pairs(
        self, playing: Sequence[int], confidence: RankConfidence, lines: Mapping[int, LadderLine]
    ) -> Iterator[MetPair]:
        """Yield the pairs of playing versions that met each other."""
        meetings, ranked, first = self._rated.meetings, set(confidence.order), set(playing)
        reversed_pairs = {frozenset((it.in_field, it.in_pair)) for it in find_reversals(confidence, meetings)}
        others = [*playing, *(entry for entry in self._number_of if entry not in first)]
        for position, one in enumerate(playing):
            for other in others[position + 1 :]:
                if differences := meetings.count_differences(one, other):
                    blocks = differences.total()
                    score = sum(value * count for value, count in differences.items()) / blocks
                    verdict: PairVerdict = "open"
                    if one in ranked and other in ranked:
                        verdict = _judge_pair(confidence, one, other)
                    elif lines[one].has_beaten(self._rated.entries[other].name):
                        verdict = "better"
                    numbers = self._number_of[one], self._number_of[other]
                    yield MetPair(*numbers, blocks, score, verdict, frozenset((one, other)) in reversed_pairs)

    def _list_gifts(self) -> Iterator[LadderGift]:
        """Yield the gifts between versions that everybody may know of."""
        numbers = self._number_of
        for gift in self._rated.gifts.found:
            if gift.giver in numbers and gift.gainer in numbers:
                yield LadderGift(numbers[gift.giver], numbers[gift.gainer], gift.blocks, gift.gain, gift.sureness)

    def _find_cycles(self, playing: Sequence[int]) -> list[tuple[int, int, int]]:
        found = find_cycles(self._rated.meetings, sorted(playing))
        return [(self._number_of[one], self._number_of[two], self._number_of[three]) for one, two, three in found]


def sort_by_rating(rated: Findings, entries: Sequence[int]) -> list[int]:
    """Return entries, which have played, by rating if they can be compared; else in the order that they have.

    The standings go by the shares of wins as soon as any bot, even a disqualified one, cannot be compared. Where
    neighbours meet, all bots win about half of their games.
    """
    ratings = {entry: rated.ratings.rating_of(entry) for entry in entries}
    if len({rating.group for rating in ratings.values()}) > 1:
        return list(entries)
    return sorted(entries, key=lambda entry: -(ratings[entry].points.mean or 0.0))


def _judge_pair(confidence: RankConfidence, one: int, other: int) -> PairVerdict:
    if confidence.is_better(one, other):
        return "better"
    return "worse" if confidence.is_better(other, one) else "open"


def _rank_lines(placed: Sequence[int], lines: Mapping[int, LadderLine], confidence: RankConfidence) -> list[LadderLine]:
    """Return the lines in their order with places and tiers; a tier ends where one is proven worse than its first."""
    ranked: list[LadderLine] = []
    tier, first = 0, -1
    for place, entry in enumerate(placed, 1):
        if first < 0 or confidence.is_better(first, entry):
            tier, first = tier + 1, entry
        row = replace(lines[entry].row, rank=confidence.rank_range(entry))
        ranked.append(replace(lines[entry], row=row, place=place, tier=tier))
    return ranked


def _list_retired(lines: Sequence[LadderLine]) -> list[LadderLine]:
    retired = [line for line in lines if line.submission.state == "retired"]
    return sorted(retired, key=lambda line: (line.submission.received, line.number), reverse=True)


def encode_ladder(view: LadderView) -> bytes:
    """Return a ladder as JSON; a line is one object with the keys of the submission, of the row, and its own."""
    groups = {group: [_flatten_line(line) for line in getattr(view, group)] for group in LINE_GROUPS}
    found = {**asdict(view), **groups}
    if not view.anchors:
        del found["anchors"]
    return msgspec.json.encode(found)


def _flatten_line(line: LadderLine) -> dict[str, object]:
    own = {key: value for key, value in asdict(line).items() if key not in ("submission", "row", "by", "beats")}
    if line.is_anchor:
        own["is_anchor"] = True
    if line.beats:
        own["beats"] = line.beats
    row = {key: getattr(line.row, field) for key, field in ROW_FIELDS.items()}
    return {**{key: getattr(line.submission, key) for key in SUBMISSION_FIELDS}, "owner": line.by, **row, **own}
