"""Standings and ratings of bots, computed from the results of games: no store is read."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable, Iterable, Sequence
from functools import cache, cached_property
from pathlib import Path
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from pitboss.errors import OptionError
from pitboss.game import PointUnit, find_point_unit
from pitboss.options import convert_value
from pitboss.plugins.formats import PlayedBlock
from pitboss.plugins.registry import load_namesake
from pitboss_tournament import statistics as statistics_code
from pitboss_tournament.counting.favours import Favour, find_favours
from pitboss_tournament.counting.scored_results import name_score
from pitboss_tournament.counting.tally import Standing, TallyState, make_tally, sort_standings
from pitboss_tournament.plan.plan import require_bot
from pitboss_tournament.statistics.blocks import Block, score_block
from pitboss_tournament.statistics.control_variate import MEASURES, LuckRemoval, SeatLuck
from pitboss_tournament.statistics.cycles import Cycle, compute_alpha_ranks, find_cycles
from pitboss_tournament.statistics.gifts import Gifts, RatedPairs, find_gifts, measure_pairs
from pitboss_tournament.statistics.head_to_head import HeadToHead, MeetingTotals
from pitboss_tournament.statistics.proven_ranks import RankRange
from pitboss_tournament.statistics.rank_confidence import RankConfidence, RankProofs
from pitboss_tournament.statistics.rankings import RankingCounts, RankingTotals
from pitboss_tournament.statistics.ratings import Ratings, VersionLink, rate_rankings, widen_intervals
from pitboss_tournament.statistics.running_moments import Estimate
from pitboss_tournament.statistics.scoring import GameResult
from pitboss_tournament.store.header import Header

VERSION_SD: Final = 200.0  # of the link from a version of a league's bot to the one before, in points
HELD_BLOCKS: Final = 100  # of a bot that has left, whose rating is a constant then


class KeptStandings(Struct, frozen=True):
    """What standings are computed from, and what takes long to find in it, as a store keeps it."""

    code_version: str  # of the code that has computed it
    tally: TallyState
    meetings: MeetingTotals
    ratings: Ratings  # by the header's anchor, with intervals for a number of games that was fixed
    cycles: list[Cycle]
    ranks: RankProofs
    anytime: bool  # by which tests the ranks are
    gifts: Gifts  # if the number of games was fixed
    gifts_anytime: Gifts


class StandingsState(Struct, frozen=True):
    """All that a `RatedStandings` has of its games, but for the parts of its rankings (`RankingCounts.pack_parts`)."""

    tally: TallyState
    open_blocks: list[Block]
    meetings: MeetingTotals
    rankings: RankingTotals
    held: dict[int, float]


class RatedStandings:
    """Standings and ratings of a tournament: games are added first, then each part is computed on first use."""

    def __init__(
        self,
        header: Header,
        anchor: str | None = None,
        luck: SeatLuck | None = None,
        *,
        anytime: bool = False,
        convert_block: Callable[[Block], Block] | None = None,
    ) -> None:
        """Begin with no games; the rating of `anchor` is 0, by default of the header's.

        `luck`, by game, is taken out of points and wins, and not out of ratings. `anytime`: intervals hold however
        often one looks, as the number of games was not fixed beforehand. `convert_block` scores the games of a block
        as soon as it is complete, where those that are added are not scored yet.

        Raises:
            ConfigError: no bot has this name.
        """
        zero = require_bot("anchor", anchor or header.anchor, header.bots)
        self.anchor = None if zero is None else header.labels[header.bots.index(zero)]
        self.names: Sequence[str] = header.labels
        self.entries = header.entries
        self.anytime = anytime
        self.is_paired_by_results = not header.format.may_grow  # a static format grows, any other follows the results
        self._convert_block = convert_block
        self.tally = make_tally(header, convert_block)
        self.luck_removal = None if luck is None else LuckRemoval(luck)
        self._sides = header.sides
        self.rankings = RankingCounts(header.sides, header.block_size)
        self.held: dict[int, float] = {}  # ratings that are constants, by bot, in points above any one zero
        self._header = header
        self._links = _link_versions(header)
        self._meetings = HeadToHead(len(header.bots))
        self._rated: tuple[int, Ratings] | None = None  # the number of games, and the ratings by them
        self._kept: KeptStandings | None = None  # in place of all games

    def add(self, result: GameResult) -> Block | None:
        """Add a game; return its block if it is complete now."""
        block = self.tally.add(result)
        if self._convert_block is None:
            self.rankings.add(result)
        elif block is not None:
            block = self._convert_block(block)
            for game in block:
                self.rankings.add(game)
        if block is not None:
            played = score_block(block, self._sides)
            self._meetings.add(played)
            if self.luck_removal is not None:
                self.luck_removal.add(block)
            self.take_block(block, played)
        return block

    def take_block(self, block: Block, played: PlayedBlock) -> None:
        """Take a block that is complete now; other statistics than these have more to do with it."""

    def add_all(self, results: Iterable[GameResult]) -> None:
        """Add games, in any order."""
        for result in results:
            self.add(result)

    def totals(self) -> KeptStandings:
        """Return what the standings of these games are computed from, as plain data."""
        return KeptStandings(
            code_version=compute_code_version(),
            tally=self.tally.totals(),
            meetings=self._meetings.totals(),
            ratings=self.rate_bots(),
            cycles=self.cycles,
            ranks=self.rank_confidence.totals(),
            anytime=self.anytime,
            gifts=self._find_gifts(anytime=False),
            gifts_anytime=self._find_gifts(anytime=True),
        )

    def state(self) -> StandingsState:
        """Return what there is of the games, to go on from."""
        tally, meetings = self.tally.totals(), self._meetings.totals()
        return StandingsState(tally, self.tally.open_blocks, meetings, self.rankings.totals(), self.held)

    def restore_state(self, state: StandingsState, parts: Iterable[bytes]) -> None:
        """Take the place of all games, from a state and the parts of its rankings. More games can be added.

        Raises:
            ValueError: they do not belong together.
        """
        self.tally.restore(state.tally, state.open_blocks)
        self._meetings.restore(state.meetings)
        self._meetings.make_room(len(self.names))
        self.rankings.restore(state.rankings, parts)
        self.held = state.held

    def change_header(self, header: Header) -> None:
        """Take in the bots that have joined."""
        self._header = header
        self.names, self.entries = header.labels, header.entries
        self.tally.make_room(header.labels)
        self._meetings.make_room(len(header.bots))
        self._links = _link_versions(header)
        self.forget_results()

    def forget_results(self) -> None:
        """Compute everything anew on its next use: games were added since."""
        self._rated = None
        for name in [name for name, kind in vars(RatedStandings).items() if isinstance(kind, cached_property)]:
            vars(self).pop(name, None)

    def hold_absent(self) -> None:
        """Make constants of the ratings of bots that have left, as far as they are well known."""
        rated = self.rate_bots()
        shift = 0.0  # from the zero of these ratings to that of those that are held
        for bot, points in self.held.items():
            if (known := _find_mean(rated, bot)) is not None:
                shift = points - known
                break
        for bot, entry in enumerate(self.entries):
            if entry.left is None:
                self.held.pop(bot, None)
            elif bot not in self.held and rated.rating_of(bot).blocks >= HELD_BLOCKS:
                mean = _find_mean(rated, bot)
                if mean is not None:
                    self.held[bot] = mean + shift

    def restore(self, kept: KeptStandings) -> None:
        """Take the place of all games, from what was kept of them. No game can be added then."""
        self.tally.restore(kept.tally)
        self._meetings.restore(kept.meetings)
        self._rated = kept.tally.games, kept.ratings
        self._kept = kept

    @cached_property
    def ratings(self) -> Ratings:
        """Ratings of the bots."""
        rated = self.rate_bots()
        return widen_intervals(rated) if self.anytime else rated

    def rate_bots(self) -> Ratings:
        """Return the ratings by the games added so far, with intervals for a number of games that was fixed."""
        if self._rated is None or self._rated[0] != self.tally.games:
            rated = self._rate(self.rankings)
            if self.is_cooperative:  # no bot is compared with another: nothing keeps them apart
                rated = replace(rated, group_count=1)
            self._rated = self.tally.games, rated
        return self._rated[1]

    def _rate(self, rankings: RankingCounts) -> Ratings:
        return rate_rankings(
            rankings,
            self.names,
            anchor=None if self.anchor is None else self.names.index(self.anchor),
            is_paired_by_results=self.is_paired_by_results,
            links=self._links,
            held=self.held,
        )

    @cached_property
    def point_unit(self) -> PointUnit | None:
        """What the players of the game count points in; None: in points, or it is not installed, or `score` says."""
        game = load_namesake(self._header.game) if self._header.score == "points" else None
        if game is None:
            return None
        try:
            options = convert_value(self._header.options, game.Options, game.name)
        except OptionError:  # they are those of another version of the game
            return None
        return find_point_unit(game, options)

    @cached_property
    def score_name(self) -> str:
        """What the points of a game are called, as a heading: "points", or "IMPs"."""
        return name_score(self._header)

    @property
    def is_cooperative(self) -> bool:
        """Whether all seats of the game are one side."""
        return self._header.is_cooperative

    @property
    def meetings(self) -> HeadToHead:
        """The differences of pairs of bots, by their numbers, over complete blocks."""
        return self._meetings

    @cached_property
    def seat_ratings(self) -> list[Estimate]:
        """What each seat is worth in rating points above their mean; empty if no seat differs from the others."""
        found = self.ratings.seats
        if self._sides is None or not found:
            return list(found)
        side_of = {seat: number for number, side in enumerate(self._sides) for seat in side}
        return [found[side_of[seat]] for seat in sorted(side_of)]

    @cached_property
    def favours(self) -> list[Favour]:
        """Bots that forfeited games with one opponent only."""
        return list(find_favours(self.tally, self._meetings))

    @cached_property
    def gifts(self) -> Gifts:
        """Bots that do better with another one at their table than the ratings explain."""
        if self._kept is not None:
            return self._kept.gifts_anytime if self.anytime else self._kept.gifts
        return self._find_gifts(anytime=self.anytime)

    def _find_gifts(self, *, anytime: bool) -> Gifts:
        return find_gifts(self.rankings, self._pairs, self._rate_pairs, anytime=anytime)

    @cached_property
    def _pairs(self) -> RatedPairs:
        return measure_pairs(self.rankings, self.rate_bots())

    def _rate_pairs(self, rankings: RankingCounts) -> RatedPairs:
        return measure_pairs(rankings, self._rate(rankings))

    @cached_property
    def cycles(self) -> list[Cycle]:
        """Each three bots that beat each other in turn, as far as that is proven."""
        return self._kept.cycles if self._kept else find_cycles(self._meetings, range(len(self.names)))

    @cached_property
    def alpha_ranks(self) -> dict[str, float]:
        """The alpha-rank of each bot by name where there is a cycle, else none."""
        if not self.cycles:
            return {}
        ranks = compute_alpha_ranks(self._meetings, range(len(self.names)))
        return {self.names[bot]: share for bot, share in ranks.items()}

    @cached_property
    def standings(self) -> list[Standing]:
        """Lines by points if ranks go by them, by rating if all bots that played can be compared, else by wins.

        Bots without games come last.
        """
        lines = self._lines_by_wins()
        if self._header.rank == "points":
            sign = 1 if self.tally.lowest_wins else -1
            return sorted(lines, key=lambda line: (line.points.mean is None, sign * (line.points.mean or 0), line.name))
        if self.ratings.group_count > 1:
            return lines
        by_name = {line.name: line for line in lines}
        return [by_name[rating.name] for rating in self.ratings.lines]

    def _lines_by_wins(self) -> list[Standing]:
        lines = self.tally.standings(anytime=self.anytime)
        if self.luck_removal is None:
            return lines
        points, wins = (self.luck_removal.estimates(name, anytime=self.anytime) for name in MEASURES)
        numbers = {name: number for number, name in enumerate(self.names)}
        return sort_standings(
            replace(line, points=points[number], wins=wins[number])
            if (number := numbers[line.name]) in points
            else line
            for line in lines
        )

    @cached_property
    def rank_confidence(self) -> RankConfidence:
        """The ranks that bots may have, of those that played and are not out."""
        numbers = {name: number for number, name in enumerate(self.names)}
        order = [numbers[line.name] for line in self.standings if line.blocks and not line.is_out]
        if self._header.rank == "points":
            points = [self.tally.point_moments(bot) for bot in order]
            lowest_wins = self.tally.lowest_wins
            return RankConfidence.by_points(
                self._meetings, self.rate_bots(), order, points, anytime=self.anytime, lowest_wins=lowest_wins
            )
        if self._kept and (self._kept.anytime, self._kept.ranks.order) == (self.anytime, order):
            return RankConfidence.restore(self._meetings, self._kept.ratings, self._kept.ranks, anytime=self.anytime)
        return RankConfidence(self._meetings, self.rate_bots(), order, anytime=self.anytime)

    @cached_property
    def rank_ranges(self) -> dict[str, RankRange]:
        """The ranks that bots may have, by name."""
        ranks = self.rank_confidence
        return {self.names[bot]: ranks.rank_range(bot) for bot in ranks.order}

    @cached_property
    def tier_ranges(self) -> dict[str, RankRange]:
        """The tiers of bots that cannot be told apart, by name."""
        return {self.names[bot]: tiers for bot, tiers in self.rank_confidence.tier_ranges().items()}


@cache
def compute_code_version() -> str:
    """Return a checksum of the code that computes standings: kept ones of another code are not used.

    Nor are those of a machine that writes the bytes of numbers in another order.
    """
    version = hashlib.blake2b(sys.byteorder.encode(), digest_size=16)
    own = Path(__file__)  # and what decides by which tests ranks are
    for file in sorted((*Path(statistics_code.__path__[0]).glob("*.py"), own, own.with_name("open_length.py"))):
        version.update(file.read_bytes())
    return version.hexdigest()


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
