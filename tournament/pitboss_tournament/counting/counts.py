"""Counts: all that is accumulated over the games of a tournament. Each game is counted once.

What follows from counts is computed by `Findings`. Counts are dumped and loaded, so that a league goes on where its
last checkpoint was.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from pitboss.plugins.formats import PlayedBlock
from pitboss_tournament.counting.tally import TallyState, make_tally
from pitboss_tournament.plan.plan import require_bot
from pitboss_tournament.statistics.blocks import Block, score_block
from pitboss_tournament.statistics.control_variate import LuckRemoval, SeatLuck
from pitboss_tournament.statistics.head_to_head import HeadToHead, MeetingTotals
from pitboss_tournament.statistics.point_counts import PointCounts, PointTotals
from pitboss_tournament.statistics.rankings import RankingCounts, RankingTotals
from pitboss_tournament.statistics.ratings import Ratings, VersionLink, rate_rankings
from pitboss_tournament.statistics.scoring import GameResult
from pitboss_tournament.store.header import Header

VERSION_SD: Final = 200.0  # of the link from a version of a league's bot to the one before, in points
HELD_BLOCKS: Final = 100  # of a bot that has left, whose rating is a constant then


class CountsState(Struct, frozen=True):
    """All that `Counts` have of their games, without the parts of their rankings (`RankingCounts.pack_parts`)."""

    tally: TallyState
    open_blocks: list[Block]
    meetings: MeetingTotals
    points: PointTotals
    rankings: RankingTotals
    held: dict[int, float]


class Counts:
    """What is counted of the games of a tournament: tally, pairs, rankings; and the ratings by them."""

    def __init__(
        self,
        header: Header,
        anchor: str | None = None,
        luck: SeatLuck | None = None,
        *,
        convert_block: Callable[[Block], Block] | None = None,
    ) -> None:
        """Begin with no games; the rating of `anchor` is 0, by default of the header's.

        `luck`, by game, is taken out of points and wins, and not out of ratings. `convert_block` scores the games of a
        block as soon as it is complete, where those that are added are not scored yet.

        Raises:
            ConfigError: no bot has this name.
        """
        zero = require_bot("anchor", anchor or header.anchor, header.bots)
        self.anchor = None if zero is None else header.labels[header.bots.index(zero)]
        self.header = header
        self.tally = make_tally(header, convert_block)
        self.meetings = HeadToHead(len(header.bots))
        self.points = PointCounts()
        self.rankings = RankingCounts(header.sides, header.block_size)
        self.luck_removal = None if luck is None else LuckRemoval(luck)
        self.held: dict[int, float] = {}  # ratings that are constants, by bot, in points above any one zero
        self._has_scored_blocks = convert_block is not None
        self._sides = header.sides
        self._links = _link_versions(header)
        self._rated: tuple[int, Ratings] | None = None  # the number of games, and the ratings by them

    @property
    def names(self) -> Sequence[str]:
        """The labels of the bots."""
        return self.header.labels

    def add(self, result: GameResult) -> Block | None:
        """Add a game; return its block, as it is scored, if it is complete now."""
        block = self.tally.add(result)
        if not self._has_scored_blocks:
            self.rankings.add(result)
        else:
            for game in block or ():
                self.rankings.add(game)
        if block is not None:
            played = score_block(block, self._sides)
            self.meetings.add(played)
            self.points.add(played.points)
            if self.luck_removal is not None:
                self.luck_removal.add(block)
            self.add_block(block, played)
        return block

    def add_block(self, block: Block, played: PlayedBlock) -> None:
        """Count a block that is complete now; counts of more than these have more to do with it."""

    def add_all(self, results: Iterable[GameResult]) -> None:
        """Add games, in any order."""
        for result in results:
            self.add(result)

    def dump(self) -> CountsState:
        """Return what has been counted: shared, not copied. The parts of the rankings come on their own."""
        tally = self.tally.dump()
        meetings, points = self.meetings.totals(), self.points.totals()
        return CountsState(tally, self.tally.open_blocks, meetings, points, self.rankings.totals(), self.held)

    def load(self, state: CountsState, parts: Iterable[bytes]) -> None:
        """Load the counts of all games from a state and the parts of its rankings. More games can be added.

        Raises:
            ValueError: they do not belong together.
        """
        self.tally.load(state.tally, state.open_blocks)
        self.meetings.restore(state.meetings)
        self.meetings.make_room(len(self.names))
        self.points.restore(state.points)
        self.rankings.restore(state.rankings, parts)
        self.held = state.held
        self._rated = None

    def load_rated(self, tally: TallyState, meetings: MeetingTotals, points: PointTotals, ratings: Ratings) -> None:
        """Load the counts of all games without their rankings, which are rated already. Then no game can be added."""
        self.tally.load(tally)
        self.meetings.restore(meetings)
        self.points.restore(points)
        self._rated = tally.games, ratings

    def change_header(self, header: Header) -> None:
        """Take in the bots that have joined."""
        self.header = header
        self.tally.make_room(header.labels)
        self.meetings.make_room(len(header.bots))
        self._links = _link_versions(header)
        self._rated = None

    def rate_bots(self) -> Ratings:
        """Return the ratings by the games so far, with intervals for a number of games that was fixed."""
        if self._rated is None or self._rated[0] != self.tally.games:
            rated = self.rate_by(self.rankings)
            if self.header.is_cooperative:  # no bot is compared with another: nothing keeps them apart
                rated = replace(rated, group_count=1)
            self._rated = self.tally.games, rated
        return self._rated[1]

    def rate_by(self, rankings: RankingCounts) -> Ratings:
        """Return the ratings by some of the rankings."""
        return rate_rankings(
            rankings,
            self.names,
            anchor=None if self.anchor is None else self.names.index(self.anchor),
            is_paired_by_results=not self.header.format.may_grow,  # a static format grows, any other follows results
            links=self._links,
            held=self.held,
        )

    def hold_absent(self) -> None:
        """Make constants of the ratings of bots that have left, as far as they are well known."""
        rated = self.rate_bots()
        shift = 0.0  # from the zero of these ratings to that of those that are held
        for bot, points in self.held.items():
            if (known := _find_mean(rated, bot)) is not None:
                shift = points - known
                break
        for bot, entry in enumerate(self.header.entries):
            if entry.left is None:
                self.held.pop(bot, None)
            elif bot not in self.held and rated.rating_of(bot).blocks >= HELD_BLOCKS:
                mean = _find_mean(rated, bot)
                if mean is not None:
                    self.held[bot] = mean + shift
        self._rated = None


def _find_mean(rated: Ratings, bot: int) -> float | None:
    return rated.rating_of(bot).points.mean


def _link_versions(header: Header) -> list[VersionLink]:
    """Return the links from each version of a league's bots to the one before; elsewhere there are none."""
    latest: dict[str, int] = {}
    links = []
    for number in sorted(range(len(header.entries)), key=lambda number: header.entries[number].version):
        entry = header.entries[number]
        if entry.about.owner and entry.name in latest:
            links.append(VersionLink(number, latest[entry.name], VERSION_SD))
        latest[entry.name] = number
    return links
