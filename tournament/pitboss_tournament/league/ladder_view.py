"""What everybody may know of a league's ladder: its versions with their ratings, who met whom, cycles.

A value that is built from the standings of the games and from the book. Numbers of versions are those of their
submissions; versions that were refused or wait for the validator are not in it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Final, Literal, TypeAlias

from msgspec import Meta, Struct
from msgspec.structs import replace

from pitboss_tournament.counting.findings import RatedStandings
from pitboss_tournament.counting.tally import Standing
from pitboss_tournament.league.history_point import HistoryPoint
from pitboss_tournament.league.submission import ACTIVE, WAITING, Submission, SubmissionState
from pitboss_tournament.results.standings_rows import BotRow
from pitboss_tournament.statistics.cycles import find_cycles
from pitboss_tournament.statistics.proven_ranks import RankRange
from pitboss_tournament.statistics.rank_confidence import RankConfidence
from pitboss_tournament.statistics.rating_bounds import BoundKind
from pitboss_tournament.statistics.running_moments import Estimate
from pitboss_tournament.statistics.time_histogram import TimeHistogram

PUBLIC_STATES: Final = (*ACTIVE, "retired")  # of versions that everybody may know of
TREND_POINTS: Final = 8  # a trend is from the first to the last of so many
UNKNOWN_ESTIMATE: Final = Estimate(None, None)

PairVerdict: TypeAlias = Literal["better", "worse", "open"]


class VersionLine(Struct, frozen=True, kw_only=True):
    """A version on the ladder."""

    number: Annotated[int, Meta(description="Of its submission.")]
    bot: str
    version: int
    owner: str
    state: SubmissionState
    received: str
    versions_tried: Annotated[int, Meta(description="Of this bot, those that were valid.")]
    games: int = 0
    blocks: Annotated[int, Meta(description="Complete ones.")] = 0
    place: Annotated[int | None, Meta(description="Among those that have found their place, by rating.")] = None
    ranks: Annotated[RankRange | None, Meta(description="Those that it may have.")] = None
    tier: Annotated[int | None, Meta(description="1 is the best: nobody in it is proven worse than its first.")] = None
    rating: Estimate = UNKNOWN_ESTIMATE
    comparison: Annotated[
        float | None, Meta(description="A half-width: two whose comparison intervals do not overlap differ at 95 %.")
    ] = None
    bound: BoundKind | None = None
    rating_without_gifts: Annotated[
        Estimate | None, Meta(description="Without the games with those by whom it gains; null: there are none.")
    ] = None
    wins: Annotated[Estimate, Meta(description="Share of the wins, 0 to 1.")] = UNKNOWN_ESTIMATE
    points: Annotated[Estimate, Meta(description="A game.")] = UNKNOWN_ESTIMATE
    faults: Annotated[dict[str, int], Meta(description="Games forfeited, by kind.")] = {}
    substituted: Annotated[dict[str, int], Meta(description="Decisions, by kind of fault.")] = {}
    first_faults: Annotated[dict[str, int], Meta(description="By kind: the first game with it.")] = {}
    think_p50_ms: float | None = None
    think_p99_ms: float | None = None
    is_out: Annotated[bool, Meta(description="Whether it was disqualified.")] = False
    left: Annotated[str | None, Meta(description="Why it plays no more.")] = None
    history: Sequence[HistoryPoint] = ()

    @property
    def label(self) -> str:
        """Its name and version."""
        return f"{self.bot}@{self.version}"

    @property
    def is_newcomer(self) -> bool:
        """Whether it plays and has not found its place."""
        return self.state in ACTIVE and not self.is_out and self.place is None

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
    verdict: PairVerdict  # on the first; among those that have found their place, all their pairs tested together


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
    ranked: Sequence[VersionLine] = ()  # who plays and has found its place, the best first
    newcomers: Sequence[VersionLine] = ()  # who plays and has not
    out: Sequence[VersionLine] = ()  # who was disqualified
    retired: Sequence[VersionLine] = ()  # the last one first; they keep their ratings
    pairs: Sequence[MetPair] = ()
    cycles: Sequence[tuple[int, int, int]] = ()  # each is proven better than the next, and the last than the first
    gifts: Sequence[LadderGift] = ()
    think: Mapping[int, TimeHistogram] = {}  # thinking times of decisions, by version
    is_rated: bool = False  # whether any game has been played

    @property
    def lines(self) -> Iterator[VersionLine]:
        """All versions."""
        for group in (self.ranked, self.newcomers, self.out, self.retired):
            yield from group

    def find_line(self, number: int) -> VersionLine | None:
        """Return a version by the number of its submission; None if nobody may know of it, or there is none."""
        return next((line for line in self.lines if line.number == number), None)

    def list_versions(self, bot: str) -> list[VersionLine]:
        """Return the versions of a bot, the latest first."""
        return sorted((line for line in self.lines if line.bot == bot), key=lambda line: -line.version)


def build_ladder_view(
    stamp: str,
    rated: RatedStandings | None,
    submissions: Sequence[Submission],
    history: Mapping[int, Sequence[HistoryPoint]] = {},
) -> LadderView:
    """Return the ladder by the standings of all games; `rated` is None if none has been played.

    `history` has the ratings of versions at earlier times, the oldest first, by the numbers of their submissions.
    """
    known = [one for one in submissions if one.state in PUBLIC_STATES]
    tried = Counter(one.bot for one in known)
    bare = {
        one.number: VersionLine(
            number=one.number,
            bot=one.bot,
            version=one.version,
            owner=one.owner,
            state=one.state,
            received=one.received,
            versions_tried=tried[one.bot],
            history=history.get(one.number, ()),
        )
        for one in known
    }
    waiting = sum(one.state in WAITING for one in submissions)
    if rated is None:
        lines = list(bare.values())
        return LadderView(
            stamp=stamp,
            waiting=waiting,
            newcomers=[line for line in lines if line.state in ACTIVE],
            retired=_list_retired(lines),
        )
    return replace(_LadderBuilder(rated, bare).build(stamp), waiting=waiting)


class _LadderBuilder:
    """Joins the versions in the book with the entries of the standings."""

    def __init__(self, rated: RatedStandings, bare: Mapping[int, VersionLine]) -> None:
        self._rated = rated
        self._bare = bare
        numbers = {(line.bot, line.version): line.number for line in bare.values()}
        found = ((entry, numbers.get((one.name, one.version))) for entry, one in enumerate(rated.entries))
        self._number_of = {entry: number for entry, number in found if number is not None}
        self._entry_of = {number: entry for entry, number in self._number_of.items()}

    def build(self, stamp: str) -> LadderView:
        rated = self._rated
        entries = {name: entry for entry, name in enumerate(rated.names)}
        order = [entries[standing.name] for standing in rated.standings]
        standings = {entries[standing.name]: standing for standing in rated.standings}
        lines = {entry: self._fill_line(entry, standings[entry]) for entry in order if entry in self._number_of}
        playing = [entry for entry, line in lines.items() if line.state in ACTIVE and not line.is_out]
        placed = [one for one in playing if lines[one].state == "playing" and lines[one].blocks]
        placed = sort_by_rating(rated, placed)
        confidence = RankConfidence(rated.meetings, rated.rate_bots(), placed, anytime=rated.anytime)
        unplayed = [line for number, line in self._bare.items() if number not in self._entry_of]
        rest = [*(line for entry, line in lines.items() if entry not in placed), *unplayed]
        return LadderView(
            stamp=stamp,
            games=rated.tally.games,
            ranked=_rank_lines(placed, lines, confidence),
            newcomers=[line for line in rest if line.state in ACTIVE and not line.is_out],
            out=[line for line in rest if line.state in ACTIVE and line.is_out],
            retired=_list_retired(rest),
            pairs=list(self._list_pairs(playing, confidence)),
            cycles=self._find_cycles(playing),
            gifts=list(self._list_gifts()),
            think={self._number_of[entry]: rated.tally.think(entry) for entry in lines},
            is_rated=rated.tally.games > 0,
        )

    def _fill_line(self, entry: int, standing: Standing) -> VersionLine:
        rating = self._rated.ratings.rating_of(entry)
        return replace(
            self._bare[self._number_of[entry]],
            games=standing.games,
            blocks=standing.blocks,
            rating=rating.points,
            comparison=rating.comparison,
            bound=rating.bound,
            rating_without_gifts=self._rated.gifts.ratings.get(entry),
            wins=standing.wins,
            points=standing.points,
            faults=standing.faults,
            substituted=standing.substituted,
            first_faults={kind: game for kind, (game, _) in self._rated.tally.first_faults.get(entry, {}).items()},
            think_p50_ms=standing.think_p50_ms,
            think_p99_ms=standing.think_p99_ms,
            is_out=standing.is_out,
            left=self._rated.entries[entry].why,
        )

    def _list_pairs(self, playing: Sequence[int], confidence: RankConfidence) -> Iterator[MetPair]:
        """Yield the pairs that met, of those who play with all others."""
        meetings, ranked, first = self._rated.meetings, set(confidence.order), set(playing)
        others = [*playing, *(entry for entry in self._number_of if entry not in first)]
        for position, one in enumerate(playing):
            for other in others[position + 1 :]:
                if differences := meetings.count_differences(one, other):
                    blocks = differences.total()
                    score = sum(value * count for value, count in differences.items()) / blocks
                    verdict: PairVerdict = "open"
                    if one in ranked and other in ranked:
                        verdict = _judge_pair(confidence, one, other)
                    yield MetPair(self._number_of[one], self._number_of[other], blocks, score, verdict)

    def _list_gifts(self) -> Iterator[LadderGift]:
        """Yield the gifts between versions that everybody may know of."""
        numbers = self._number_of
        for gift in self._rated.gifts.found:
            if gift.giver in numbers and gift.gainer in numbers:
                yield LadderGift(numbers[gift.giver], numbers[gift.gainer], gift.blocks, gift.gain, gift.sureness)

    def _find_cycles(self, playing: Sequence[int]) -> list[tuple[int, int, int]]:
        found = find_cycles(self._rated.meetings, sorted(playing))
        return [(self._number_of[one], self._number_of[two], self._number_of[three]) for one, two, three in found]


def sort_by_rating(rated: RatedStandings, entries: Sequence[int]) -> list[int]:
    """Return entries, which have played, by rating if they can be compared; else in the order that they have.

    The standings go by the shares of wins as soon as anybody cannot be compared, be it one who was disqualified. Where
    neighbours meet, all win about half of their games.
    """
    ratings = {entry: rated.ratings.rating_of(entry) for entry in entries}
    if len({rating.group for rating in ratings.values()}) > 1:
        return list(entries)
    return sorted(entries, key=lambda entry: -(ratings[entry].points.mean or 0.0))


def _judge_pair(confidence: RankConfidence, one: int, other: int) -> PairVerdict:
    if confidence.is_better(one, other):
        return "better"
    return "worse" if confidence.is_better(other, one) else "open"


def _rank_lines(
    placed: Sequence[int], lines: Mapping[int, VersionLine], confidence: RankConfidence
) -> list[VersionLine]:
    """Return the lines in their order with places and tiers; a tier ends where one is proven worse than its first."""
    ranked: list[VersionLine] = []
    tier, first = 0, -1
    for place, entry in enumerate(placed, 1):
        if first < 0 or confidence.is_better(first, entry):
            tier, first = tier + 1, entry
        ranked.append(replace(lines[entry], place=place, ranks=confidence.rank_range(entry), tier=tier))
    return ranked


def _list_retired(lines: Sequence[VersionLine]) -> list[VersionLine]:
    return sorted((line for line in lines if line.state == "retired"), key=lambda line: (line.received, line.number))[
        ::-1
    ]


def make_bot_row(line: VersionLine) -> BotRow:
    """Return a version as the row of a table of standings, whose columns write its numbers."""
    return BotRow(
        name=line.label,
        games=line.games,
        blocks=line.blocks,
        points=line.points,
        wins=line.wins,
        faults=line.faults,
        substituted=line.substituted,
        think_ms=None,
        think_p50_ms=line.think_p50_ms,
        think_p99_ms=line.think_p99_ms,
        is_out=line.is_out,
        rating=line.rating,
        rating_comparison=line.comparison,
        rating_bound=line.bound,
        rating_without_gifts=line.rating_without_gifts,
        group=None if line.rating.mean is None else 0,
        rank=line.ranks,
    )
