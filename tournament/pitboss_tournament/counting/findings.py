"""Findings: what the games of a tournament show, computed from counts, each part on its first use."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from pitboss.errors import OptionError
from pitboss.game import PointUnit, find_game_bounds, find_point_unit
from pitboss.options import convert_value
from pitboss.plugins.registry import load_namesake
from pitboss_tournament.counting.counts import Counts
from pitboss_tournament.counting.favours import Favour, find_favours
from pitboss_tournament.counting.scored_results import name_score
from pitboss_tournament.counting.tally import Standing, Tally, TallyState, sort_standings
from pitboss_tournament.statistics.control_variate import MEASURES
from pitboss_tournament.statistics.cycles import Cycle, compute_alpha_ranks, find_cycles
from pitboss_tournament.statistics.gifts import Gifts, RatedPairs, find_gifts, measure_pairs
from pitboss_tournament.statistics.head_to_head import HeadToHead, MeetingTotals
from pitboss_tournament.statistics.point_counts import PointCounts, PointTotals
from pitboss_tournament.statistics.point_differences import PointDifferences, fit_points
from pitboss_tournament.statistics.proven_ranks import RankRange
from pitboss_tournament.statistics.rank_confidence import RankConfidence, RankProofs
from pitboss_tournament.statistics.rankings import RankingCounts
from pitboss_tournament.statistics.ratings import Ratings, widen_intervals
from pitboss_tournament.statistics.running_moments import Estimate
from pitboss_tournament.store.header import Header

_DIGITS: Final = 9  # of points: smaller differences are rounding errors


class KeptFindings(Struct, frozen=True):
    """What findings are computed from, and the parts that take long, as a store keeps them."""

    tally: TallyState
    meetings: MeetingTotals
    points: PointTotals
    ratings: Ratings  # by the header's anchor, with intervals for a number of games that was fixed
    cycles: list[Cycle]
    ranks: RankProofs
    anytime: bool  # by which tests the ranks are
    gifts: Gifts  # if the number of games was fixed
    gifts_anytime: Gifts

    def fits(self, header: Header) -> bool:
        """Whether these can be findings of a tournament with this header."""
        tally, bots = self.tally, len(header.bots)
        by_bot = (
            tally.faults,
            tally.substituted,
            tally.games_of,
            tally.points,
            tally.wins,
            tally.decisions,
            tally.think_us,
            tally.think,
        )
        return (
            all(len(one) == bots for one in by_bot)
            and self.meetings.fits(bots)
            and self.points.fits(bots)
            and self.ranks.fits(bots)
            and all(bot in range(bots) for cycle in self.cycles for bot in cycle)
            and all(bot in range(bots) for bot in tally.first_faults)
            and all(
                {one.giver, one.gainer} <= {*range(bots)} and one.gainer in gifts.ratings
                for gifts in (self.gifts, self.gifts_anytime)
                for one in gifts.found
            )
            and {line.name for line in self.ratings.lines} <= set(header.labels)
            and all(
                one.is_whole and one.size == len(self.ratings.entrants)
                for one in (self.ratings.covariance, self.ratings.shared_blocks)
            )
        )


class Findings:
    """What counts show at one moment. Counts to which games are added have other findings: these refuse to answer."""

    def __init__(self, counts: Counts, *, anytime: bool = False, kept: KeptFindings | None = None) -> None:
        """`anytime`: intervals hold however often one looks, as the number of games was not fixed beforehand.

        `kept`: the parts that take long, of the same games; then the counts need no rankings.
        """
        header = counts.header
        self.header = header
        self.names: Sequence[str] = header.labels
        self.entries = header.entries
        self.anchor = counts.anchor
        self.anytime = anytime
        self.is_paired_by_results = not header.format.may_grow  # a static format grows, any other follows the results
        self.luck_removal = counts.luck_removal
        self._all_counts = counts
        self._games = counts.tally.games
        self._kept = kept

    @property
    def _counts(self) -> Counts:
        if self._all_counts.tally.games != self._games or self._all_counts.header is not self.header:
            raise ValueError(f"these are findings of {self._games} games; games or bots have been added since")
        return self._all_counts

    @property
    def tally(self) -> Tally:
        """What is counted of each bot."""
        return self._counts.tally

    @property
    def meetings(self) -> HeadToHead:
        """The differences of pairs of bots, by their numbers, over complete blocks."""
        return self._counts.meetings

    @property
    def rankings(self) -> RankingCounts:
        """The rankings of complete blocks, partners that were never separated as one; none where findings were kept."""
        return self._counts.rankings.join_partners()

    def dump(self) -> KeptFindings:
        """Return what the findings of these games are computed from, as plain data."""
        return KeptFindings(
            tally=self.tally.dump(),
            meetings=self.meetings.totals(),
            points=self._counts.points.totals(),
            ratings=self.rate_bots(),
            cycles=self.cycles,
            ranks=self.rank_confidence.totals(),
            anytime=self.anytime,
            gifts=self._find_gifts(anytime=False),
            gifts_anytime=self._find_gifts(anytime=True),
        )

    @cached_property
    def ratings(self) -> Ratings:
        """Ratings of the bots."""
        rated = self.rate_bots()
        return widen_intervals(rated) if self.anytime else rated

    def rate_bots(self) -> Ratings:
        """Return the ratings with intervals for a number of games that was fixed."""
        return self._counts.rate_bots()

    @cached_property
    def point_unit(self) -> PointUnit | None:
        """What the players of the game count points in; None: in points, or it is not installed, or `score` says."""
        found = self._game_with_options
        return None if found is None else find_point_unit(*found)

    @cached_property
    def worst_loss(self) -> float | None:
        """The most points that a seat can lose in a game with stakes in a unit, as chips; None if that is unknown."""
        found = self._game_with_options
        if found is None or self.point_unit is None or self.tally.lowest_wins:
            return None
        bounds = find_game_bounds(found[0], self.header.seats, found[1])
        return -bounds.least if bounds is not None and bounds.least < 0 else None

    @cached_property
    def _game_with_options(self) -> tuple[object, object] | None:
        """The game and its options, if results count its points; None also where this version is not installed."""
        game = load_namesake(self.header.game) if self.header.score == "points" else None
        if game is None:
            return None
        try:
            return game, convert_value(self.header.options, game.Options, game.name)
        except OptionError:  # they are those of another version of the game
            return None

    @cached_property
    def score_name(self) -> str:
        """What the points of a game are called, as a heading: "points", or "IMPs"."""
        return name_score(self.header)

    @property
    def is_cooperative(self) -> bool:
        """Whether all seats of the game are one side."""
        return self.header.is_cooperative

    @cached_property
    def seat_ratings(self) -> list[Estimate]:
        """What each seat is worth in rating points above their mean; empty if no seat differs from the others."""
        found = self.ratings.seats
        if self.header.sides is None or not found:
            return list(found)
        side_of = {seat: number for number, side in enumerate(self.header.sides) for seat in side}
        return [found[side_of[seat]] for seat in sorted(side_of)]

    @cached_property
    def first_partners(self) -> dict[int, int]:
        """By bot the first of its side, for the sides that no game has separated: they are ranked as one."""
        return {bot: side[0] for side in self.rate_bots().partners for bot in side}

    @cached_property
    def ranked_names(self) -> dict[int, str]:
        """What those that are ranked are called: bots, and sides that no game has separated by their first bot."""
        found: dict[int, str] = {}
        for bot, name in enumerate(self.names):
            first = self.first_partners.get(bot, bot)
            found[first] = f"{found[first]} + {name}" if first in found else name
        return found

    @cached_property
    def favours(self) -> list[Favour]:
        """Bots that forfeited games with one opponent only."""
        return list(find_favours(self.tally, self.meetings))

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
        return measure_pairs(rankings, self._counts.rate_by(rankings))

    @cached_property
    def cycles(self) -> list[Cycle]:
        """Each three bots that beat each other in turn, as far as that is proven."""
        return self._kept.cycles if self._kept else find_cycles(self.meetings, range(len(self.names)))

    @cached_property
    def alpha_ranks(self) -> dict[str, float]:
        """The alpha-rank of each bot by name where there is a cycle, else none."""
        if not self.cycles:
            return {}
        ranks = compute_alpha_ranks(self.meetings, range(len(self.names)))
        return {self.names[bot]: share for bot, share in ranks.items()}

    @cached_property
    def unplaced(self) -> frozenset[int]:
        """The bots that take no place: yardsticks, and those that the organizer has taken out."""
        bots = enumerate(zip(self.header.bots, self.entries, strict=True))
        return frozenset(
            number for number, (bot, entry) in bots if entry.about.yardstick or self.header.find_out(bot) is not None
        )

    @cached_property
    def standings(self) -> list[Standing]:
        """The lines of bots: by points if ranks go by points, by rating if all bots can be compared, otherwise by wins.

        Bots without games come last, behind them those that take no place.
        """
        unplaced = {self.names[bot] for bot in self.unplaced}
        return sorted(self._sort_lines(), key=lambda line: line.name in unplaced)

    def _sort_lines(self) -> list[Standing]:
        lines = self._lines_by_wins()
        if self.header.rank == "points":
            return self._sort_by_points(lines)
        if self.ratings.group_count > 1:
            return lines
        by_name = {line.name: line for line in lines}
        return [by_name[rating.name] for rating in self.ratings.lines]

    def _sort_by_points(self, lines: Sequence[Standing]) -> list[Standing]:
        """Sort by how far bots are ahead with the same cards and opponents; if not all can be compared, by means."""
        points, sign = self.point_differences, 1 if self.tally.lowest_wins else -1
        means = {line.name: line.points.mean for line in lines}
        if points.is_connected:
            means |= {name: points.lead(number) for number, name in enumerate(self.names)}

        def place(line: Standing) -> tuple[bool, float, str]:
            mean = means[line.name]
            return mean is None, sign * round(mean or 0.0, _DIGITS), line.name

        return sorted(lines, key=place)

    @cached_property
    def point_differences(self) -> PointDifferences:
        """How many points a game bots are apart, without luck if that is removed."""
        counts = self._counts.points
        if self.luck_removal is not None:
            counts = PointCounts()
            counts.add_all(self.luck_removal.subtract_luck("points"))
        return PointDifferences(fit_points(counts, is_paired_by_results=self.is_paired_by_results))

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
        """The ranks that bots may have, of those that played and are not out; a side of `first_partners` is one."""
        numbers = {name: number for number, name in enumerate(self.names)}
        placed = [line for line in self.standings if line.blocks and not line.is_out]
        found = [numbers[line.name] for line in placed if numbers[line.name] not in self.unplaced]
        order = [*dict.fromkeys(self.first_partners.get(bot, bot) for bot in found)]
        points = self.point_differences if self.header.rank == "points" else None
        if self._kept and (self._kept.anytime, self._kept.ranks.order) == (self.anytime, order):
            proofs = self._kept.ranks
            return RankConfidence.restore(
                self.meetings, self._kept.ratings, proofs, anytime=self.anytime, points=points
            )
        if points is not None:
            return RankConfidence.by_points(
                *(self.meetings, self.rate_bots(), order, points),
                anytime=self.anytime,
                lowest_wins=self.tally.lowest_wins,
            )
        return RankConfidence(self.meetings, self.rate_bots(), order, anytime=self.anytime)

    @cached_property
    def rank_ranges(self) -> dict[str, RankRange]:
        """The ranks that bots may have, by name."""
        ranks = self.rank_confidence
        return self._name_each({bot: ranks.rank_range(bot) for bot in ranks.order})

    @cached_property
    def tier_ranges(self) -> dict[str, RankRange]:
        """The tiers of bots without a proven difference, by name."""
        return self._name_each(self.rank_confidence.tier_ranges())

    def _name_each(self, ranges: Mapping[int, RankRange]) -> dict[str, RankRange]:
        """Return what holds of those that are ranked by the names of all bots: each partner has what its side has."""
        ranked = {bot: self.first_partners.get(bot, bot) for bot in range(len(self.names))}
        return {self.names[bot]: ranges[first] for bot, first in ranked.items() if first in ranges}
