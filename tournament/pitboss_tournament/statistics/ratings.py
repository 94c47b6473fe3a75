"""Ratings: how strong each bot is, from all games at once, in Elo-like points.

The model is that of Bradley and Terry on the pairs of each table, tied pairs left out (see `bradley_terry`). The
estimate is its most likely strengths under a weak prior. It depends on neither the order of the games nor the listing
of the bots, as the ratings of Elo, Glicko, TrueSkill and OpenSkill do.

**What the points mean.** A rating is 400 / ln 10 times a log strength, less that of the anchor, a bot of one's choice,
or else of the bot in the middle of those that can be compared (of an even number, the mean of the two in the middle).
The mean of all would be farther off the more hopeless one of them is. Between two bots that are 100 points apart the
odds of being placed ahead are 10^(100/400) = 1.78 to 1, ties aside: 64 % (200 points: 76 %, 400: 91 %), at any table
and whoever else sits there. If in addition the whole order of a table follows these odds (Plackett 1975, Luce 1959), a
bot that is d points above n - 1 equal others wins 10^(d/400) / (10^(d/400) + n - 1) of the games: with 100 points 64 %
of two, 47 % of three, 37 % of four, 26 % of six. Bots that were never placed ahead of each other, not even by way
of others, cannot be compared. How well the ratings fit is a result of its own (see `rating_fit`).

**Seats.** Where seats are unequal (`bradley_terry`), each has a strength too, which is estimated together with those
of the bots: a rating says what a bot is worth in any seat against others in equal ones.

**How sure they are.** Their covariance is the sandwich over blocks, with corrections for bots with few blocks and for
formats that pair by results (see `rating_covariance`). Student's t has k - 1 degrees of freedom for a bot that was in k
blocks, and for two bots those of Welch (1947), but less than the blocks that either was in (the effective number of
clusters is smaller: Carter, Schnepel and Steigerwald 2017, *Asymptotic behavior of a t-test robust to cluster
heterogeneity*). The interval of a rating is that of its difference from zero; to compare bots with each other, each has
a comparison interval. A bot that was never placed behind another has no upper bound, and
one that was never placed ahead has no lower one: any greater strength would explain the games better.
`tests.soak.calibration` measures how often the intervals contain the true value.

**Comparison intervals.** Two bots whose comparison intervals do not overlap differ at 95 %. Intervals of ratings around
a common zero overlap although bots differ, because they contain the error of the zero, and because the errors of two
bots are not added in a difference (Schenker and Gentleman 2001, *On judging the significance of differences by
examining the overlap between confidence intervals*). Here the half-widths of two bots add up to no less than the
half-width of their difference, and to little more (Gabriel 1978, *A simple method of multiple comparisons of means*;
least squares as for the quasi-variances of Firth and de Menezes 2004).

**One-sided bounds** are for bots that nobody was placed ahead of, or that were placed ahead of nobody. Any greater
strength would explain such games better, so there is no upper bound, and an interval of as many standard errors on both
sides is far too long (Hauck and Donner 1977). The lower bound is the strength with which all of its blocks would be won
with a chance of 2.5 %, the others being as strong as they are rated. Games of a block may be as good as copies of each
other: so each block counts as one game, against its strongest opponent alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from functools import cached_property
from math import exp, inf, log, log1p, sqrt
from typing import Final, Literal, NamedTuple, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from pitboss_tournament.statistics.arrays import Floats, np, pack_matrix, scale_matrix
from pitboss_tournament.statistics.block_chunks import BlockChunk, count_meetings, iter_comparisons
from pitboss_tournament.statistics.bradley_terry import PairModel, StrengthLink
from pitboss_tournament.statistics.difference_widths import (
    add_variances,
    compute_welch_freedom,
    count_clusters,
    measure_widths,
)
from pitboss_tournament.statistics.packed_matrix import PackedMatrix
from pitboss_tournament.statistics.pair_likelihood import LINK_FREEDOM
from pitboss_tournament.statistics.rankings import RankingCounts, Side, group_comparable
from pitboss_tournament.statistics.rating_covariance import estimate_covariance
from pitboss_tournament.statistics.rating_fit import RatingFit, measure_fit
from pitboss_tournament.statistics.running_moments import Estimate
from pitboss_tournament.statistics.student_t import CONFIDENCE, anytime_t_quantile, student_t_cdf, student_t_quantile

POINTS_PER_LOG_UNIT = 400 / log(10)  # to a unit of log strength
RATING_DECIMALS = 9  # of a rating after the point: equal bots are equal, however floats were rounded on the way

BoundKind: TypeAlias = Literal["at least", "at most"]

LOG_CHANCE: Final = log((1 - CONFIDENCE) / 2)
WIDEST: Final = 50.0  # of a log strength
BOUND_HALVINGS: Final = 60


class Rating(Struct, frozen=True, kw_only=True):
    """Rating of one bot."""

    name: str
    entrant: int
    games: int = 0
    blocks: int = 0
    points: Estimate = Estimate(None, None)  # above the zero of its group, which is sure: it has a half-width of 0
    comparison: float | None = None  # half-width: two bots whose comparison intervals do not overlap differ at 95 %
    bound: BoundKind | None = (
        None  # of a bot never placed behind another, or never ahead: its rating has one bound only
    )
    group: int | None = None  # only bots of one group can be compared; None: it has not met anybody

    @property
    def one_sided(self) -> float | None:
        """The bound of a bot that was never placed behind, or never ahead: the inner end of its comparison interval."""
        return find_one_sided(self.points.mean, self.comparison, self.bound)


def find_one_sided(mean: float | None, comparison: float | None, bound: BoundKind | None) -> float | None:
    """Return the inner end of the comparison interval of a rating that has one bound only; None of any other."""
    if bound is None or mean is None or comparison is None:
        return None
    return mean + (comparison if bound == "at most" else -comparison)


class VersionLink(Struct, frozen=True):
    """A version of a bot and the one before it, whose ratings are near each other."""

    version: int  # both are entrants
    predecessor: int
    sd: float  # in points: of the normal distribution that is, near 0, as the prior of their difference


class Ratings(Struct, frozen=True, dict=True):
    """Ratings of the bots, the strongest first."""

    lines: tuple[Rating, ...]
    entrants: tuple[int, ...]  # those that played, as in the covariance
    covariance: PackedMatrix  # of their ratings before the middle is taken off, in points²
    # in how many blocks two of them met; with itself: all of its blocks, and LINK_FREEDOM more for each of its links
    shared_blocks: PackedMatrix
    group_count: int  # more than 1: some bots that played cannot be compared, not even by way of others
    zeros: tuple[tuple[int, ...], ...]  # by group: the entrants whose mean rating is 0
    strengths: Mapping[int, float]  # log strengths by entrant, before zero is taken off
    bounds: Mapping[int, StrengthBound]  # of bots never placed behind, or never ahead
    # by seat, or by set of seats that play together: what it is worth, in points above their mean; none if not unequal
    seats: tuple[Estimate, ...] = ()
    fit: RatingFit | None = None  # how well they fit; with two bots they must
    pooled_freedom: int = 0  # degrees of freedom that the variance of a bot's rating owes to the other bots
    # sides that no game has separated: they are rated as one, by the first entrant, and all else is by that entrant
    partners: tuple[Side, ...] = ()

    def rating_of(self, entrant: int) -> Rating:
        """Return one bot's rating."""
        return self._lines_by_entrant[entrant]

    @cached_property
    def _lines_by_entrant(self) -> dict[int, Rating]:
        return {line.entrant: line for line in self.lines}

    @cached_property
    def _numbers(self) -> dict[int, int]:
        """The numbers of the entrants in the covariance."""
        numbers = {entrant: number for number, entrant in enumerate(self.entrants)}
        return numbers | {entrant: numbers[side[0]] for side in self.partners for entrant in side}

    def count_blocks(self, entrant: int) -> int:
        """Return how many blocks an entrant's interval is made from: those played, and LINK_FREEDOM for each link."""
        number = self._numbers.get(entrant)
        return 0 if number is None else int(self.shared_blocks[number][number])

    def difference(self, entrant: int, other: int) -> Estimate:
        """Return the difference of two ratings; unknown if they cannot be compared."""
        mean = self._mean_difference(entrant, other)
        if mean is None:
            return Estimate(None, None)
        freedom, error = self._standard_error(entrant, other, self.pooled_freedom)
        return Estimate(mean, student_t_quantile(freedom) * error if freedom else None)

    def chance_better(self, entrant: int, other: int) -> float | None:
        """Return the probability, by Student's t, that one bot is stronger than another; None if incomparable."""
        compared = self.compare(entrant, other)
        return None if compared is None else student_t_cdf(*compared)

    def compare(self, entrant: int, other: int) -> tuple[float, int] | None:
        """Return a difference in its standard errors, and their degrees of freedom; None if it is not known.

        What a variance owes to other bots does not count as freedom: a verdict rests on a bot's own blocks.
        """
        mean = self._mean_difference(entrant, other)
        if mean is None:
            return None
        freedom, error = self._standard_error(entrant, other)
        return (mean / error, freedom) if freedom else None

    def _mean_difference(self, entrant: int, other: int) -> float | None:
        one, two = self.rating_of(entrant), self.rating_of(other)
        if one.group is None or one.group != two.group or one.points.mean is None or two.points.mean is None:
            return None
        return one.points.mean - two.points.mean

    def _standard_error(self, entrant: int, other: int, pooled_freedom: int = 0) -> tuple[int, float]:
        """Return the degrees of freedom of a difference, 0 if there are too few blocks, and its standard error.

        A difference with one bound has the standard error that puts the end of the interval there.
        """
        a, b = self._numbers[entrant], self._numbers[other]
        one, two, both = (int(self.shared_blocks[c][d]) for c, d in ((a, a), (b, b), (a, b)))
        if a == b or min(one, two) < 2:
            return 0, 0.0
        variance = add_variances(self.covariance[a][a], self.covariance[b][b], self.covariance[a][b])
        freedom = int(min(count_clusters(one, two, both), compute_welch_freedom(one, two))) + pooled_freedom
        error = sqrt(max(0.0, variance))
        to_bound = self._distance_to_bound(entrant, other, both)
        return freedom, error if to_bound is None else to_bound / student_t_quantile(freedom)

    def _distance_to_bound(self, entrant: int, other: int, blocks: int) -> float | None:
        """Return how far a difference is from its only bound, in points; None if it has two or none.

        It has none if neither bot was ever placed behind, or neither ever ahead. `blocks`: in which the two met.
        """
        if self.strengths[entrant] < self.strengths[other]:
            entrant, other = other, entrant
        stronger, weaker = self.bounds.get(entrant), self.bounds.get(other)
        bounded_below = stronger is not None and stronger.kind == "at least"
        bounded_above = weaker is not None and weaker.kind == "at most"
        if not (bounded_below or bounded_above) or (stronger and weaker and stronger.kind == weaker.kind):
            return None
        least = (stronger.value if stronger else self.strengths[entrant]) - (
            weaker.value if weaker else self.strengths[other]
        )
        if stronger and weaker:
            least = max(least, head_to_head_bound(blocks))
        difference = self.strengths[entrant] - self.strengths[other]
        return POINTS_PER_LOG_UNIT * max(0.01, difference - least)


def rate_rankings(
    rankings: RankingCounts,
    names: Sequence[str],
    *,
    anchor: int | None = None,
    is_paired_by_results: bool = False,
    links: Sequence[VersionLink] = (),
    held: Mapping[int, float] | None = None,
) -> Ratings:
    """Return ratings from all games of a tournament, whose format may have paired bots by their results.

    Partners that no game has separated are rated as one, as nothing tells them apart.

    `anchor`: the entrant whose rating is 0; by default, and in groups without it, the one in the middle.
    `links`: versions of one bot, whose ratings are drawn together. `held`: entrants whose ratings are constants, in
    points above any one zero; they come out as far apart as they are given, with the errors that estimates would have.
    """
    partners, rankings = rankings.partners, rankings.join_partners()
    anchor = next((side[0] for side in partners if anchor in side), anchor)
    model = PairModel(
        rankings,
        links=[StrengthLink(link.version, link.predecessor, link.sd / POINTS_PER_LOG_UNIT) for link in links],
        held={entrant: points / POINTS_PER_LOG_UNIT for entrant, points in (held or {}).items()},
    )
    fit = model.likelihood.fit()
    members = [[model.numbers[entrant] for entrant in side] for side, _ in rankings.contenders]
    games, together = count_meetings(model.iter_chunks(), members, len(model.entrants))
    own_blocks = [round(count) for count in together.diagonal().tolist()]
    _count_links(model, together)
    counts = [round(count) for count in together.diagonal().tolist()]  # those of links among them
    estimated = estimate_covariance(model, fit, counts, is_paired_by_results=is_paired_by_results)
    covariance = scale_matrix(estimated.matrix, np.full(model.unknowns, POINTS_PER_LOG_UNIT))
    unknowns = fit.x
    del fit  # its matrices are large
    rows, x = pack_matrix(covariance, "d"), unknowns.tolist()
    strengths = dict(zip(model.entrants, x, strict=False))
    groups = group_comparable(_list_informed(model), model.entrants)
    bounds = find_bounds(model, strengths)
    lines = {entrant: Rating(name=name, entrant=entrant) for entrant, name in enumerate(names)}
    zeros = []
    for number, group in enumerate(groups):
        zero = [model.numbers[anchor]] if anchor in group else _find_middle([model.numbers[own] for own in group], x)
        zeros.append(tuple(model.entrants[member] for member in zero))
        for entrant in group:
            own = model.numbers[entrant]
            lines[entrant] = replace(lines[entrant], games=games[own], blocks=own_blocks[own])
            if len(group) > 1:
                freedom = min(counts[member] for member in (own, *zero)) - 1
                freedom += estimated.pooled_freedom if freedom else 0
                points = _subtract_zero(own, zero, x, rows, freedom)
                bound = bounds[entrant].kind if entrant in bounds else None
                lines[entrant] = replace(lines[entrant], group=number, points=points, bound=bound)
    rated = Ratings(
        lines=tuple(lines.values()),
        entrants=tuple(model.entrants),
        covariance=pack_matrix(covariance[: len(model.entrants), : len(model.entrants)], "d") if model.seats else rows,
        shared_blocks=pack_matrix(together, "I"),
        group_count=len(groups),
        zeros=tuple(zeros),
        strengths=strengths,
        bounds=bounds,
        seats=_estimate_seats(model, x, rows, rankings.block_count),
        fit=measure_fit(model, unknowns, together),
        pooled_freedom=estimated.pooled_freedom,
    )
    widths = {
        entrant: width
        for group in groups
        for entrant, width in _compare_all(rated, group, covariance, together).items()
    }
    compared = {line.entrant: _add_comparison(line, rated, widths.get(line.entrant)) for line in rated.lines}
    for first, *others in partners:
        compared |= {other: replace(compared[first], name=names[other], entrant=other) for other in others}
        strengths |= dict.fromkeys(others, strengths[first])
        bounds |= dict.fromkeys(others, bounds[first]) if first in bounds else {}
    return replace(rated, lines=tuple(sorted(compared.values(), key=_sort_key)), partners=tuple(partners))


def widen_intervals(ratings: Ratings) -> Ratings:
    """Return the ratings with intervals that hold however often one looks at them; those of differences do not."""
    lines = []
    for line in ratings.lines:
        blocks, pooled = ratings.count_blocks(line.entrant), 0 if line.bound else ratings.pooled_freedom
        points = Estimate(line.points.mean, _widen(line.points.half_width, blocks, pooled))
        lines.append(replace(line, points=points, comparison=_widen(line.comparison, blocks, pooled)))
    return replace(ratings, lines=tuple(lines))


def _widen(half_width: float | None, blocks: int, pooled_freedom: int) -> float | None:
    if not half_width:  # unknown, or that of the bot whose rating is 0
        return half_width
    freedom = blocks - 1
    half_width *= anytime_t_quantile(freedom, pooled_freedom) / student_t_quantile(freedom + pooled_freedom)
    return None if half_width == inf else half_width


def _add_comparison(line: Rating, rated: Ratings, width: float | None) -> Rating:
    """Return a rating with its comparison interval; above a zero that has one bound, or below, it has one too."""
    zero = rated.zeros[line.group] if line.group is not None else ()
    others = [entrant for entrant in zero if entrant != line.entrant]
    if width is None or not others or rated.bounds.keys().isdisjoint((line.entrant, *zero)):
        return replace(line, comparison=width)
    widths = [rated.difference(line.entrant, other).half_width or 0.0 for other in others]
    return replace(line, points=Estimate(line.points.mean, max(widths) * len(others) / len(zero)), comparison=width)


def _find_middle(members: Sequence[int], x: Sequence[float]) -> list[int]:
    """Return the member in the middle, or the two if their number is even.

    Those that are equal up to rounding are taken by number, so that a rounding error moves nobody's interval.
    """
    ordered = sorted(members, key=lambda member: (round(x[member], 9), member))
    return ordered[(len(ordered) - 1) // 2 : len(ordered) // 2 + 1]


def _subtract_zero(
    own: int, zero: Sequence[int], x: Sequence[float], covariance: PackedMatrix, freedom: int
) -> Estimate:
    """Return how far a bot is above the mean of those whose rating is 0."""
    mean = POINTS_PER_LOG_UNIT * (x[own] - sum(x[other] for other in zero) / len(zero))
    with_zero = sum(covariance[own][other] for other in zero) / len(zero)
    of_zero = sum(covariance[one][other] for one in zero for other in zero) / len(zero) ** 2
    error = sqrt(max(0.0, covariance[own][own] - 2 * with_zero + of_zero))
    return Estimate(
        round(mean, RATING_DECIMALS) + 0.0,  # never -0
        student_t_quantile(freedom) * error if freedom > 0 else None,
    )


def _estimate_seats(
    model: PairModel, x: Sequence[float], covariance: PackedMatrix, blocks: int
) -> tuple[Estimate, ...]:
    """Return what each seat is worth above their mean, in points."""
    seats = range(model.unknowns - len(model.seats), model.unknowns)
    return tuple(_subtract_zero(seat, seats, x, covariance, blocks - 1) for seat in seats)


def _count_links(model: PairModel, together: Floats) -> None:
    """Add links to the numbers of blocks of entrants: each counts as LINK_FREEDOM blocks."""
    ends = [model.numbers[end] for link in model.links for end in (link.version, link.predecessor)]
    for end in ends:
        together[end, end] += LINK_FREEDOM


def _list_informed(model: PairModel) -> Iterator[tuple[Side, Side]]:
    """Yield the pairs of sides of whose difference something is known, by games or by links."""
    yield from model.opposing_sides()
    for link in model.links:
        yield (link.version,), (link.predecessor,)


def _compare_all(rated: Ratings, group: Sequence[int], covariance: Floats, together: Floats) -> dict[int, float]:
    """Return the half-widths of the comparison intervals of a group, where there are two blocks or more."""
    numbers = {entrant: number for number, entrant in enumerate(rated.entrants)}
    members = [entrant for entrant in group if together[numbers[entrant], numbers[entrant]] > 1]
    if len(members) < 2:
        return {}
    places = [numbers[entrant] for entrant in members]
    square = np.ix_(places, places)
    between = measure_widths(covariance[square], together[square], rated.pooled_freedom)
    for one, entrant in enumerate(members):
        for other, row in enumerate(between) if entrant in rated.bounds else ():
            if one != other:
                row[one] = between[one][other] = rated.difference(entrant, members[other]).half_width or 0.0
    return split_half_widths(members, between)


def _sort_key(line: Rating) -> tuple[bool, float, str]:
    """Return the ratings by strength, ties (to a millionth of a point) by name, bots without a rating last."""
    return line.points.mean is None, -round(line.points.mean or 0.0, 6), line.name


def split_half_widths(members: Sequence[int], between: Sequence[Floats]) -> dict[int, float]:
    """Return a half-width for each of two members or more; none of none.

    `between`: by member a row with the half-widths of its differences from all; 0 from itself. The sum of two
    half-widths is never less than that of their difference; for two members it is the same, and each has one half.
    """
    if not members:
        return {}
    own = _fit_least_squares(between)
    own *= max(1.0, *(_compare_sums(row, own, at) for at, row in enumerate(between)))
    widths = own.tolist()
    for at in sorted(range(len(members)), key=lambda at: (-widths[at], members[at])):
        own[at] = (between[at] - own).max(initial=0.0)
    return dict(zip(members, own.tolist(), strict=True))


def _compare_sums(row: Floats, own: Floats, at: int) -> float:
    """Return by how much the half-widths of differences from one member exceed the sums of two, at most."""
    return float((row / np.maximum(own[at] + own, 1e-9)).max())


def _fit_least_squares(between: Sequence[Floats]) -> Floats:
    """Return the half-widths, none below 0, whose sums are closest to those of the differences."""
    count = len(between)
    sums: Floats = np.sum(between, axis=1)
    if count == 2:
        return sums / 2
    whole = float(sums.sum()) / 2 / (count - 1)
    return np.maximum((sums - whole) / (count - 2), 0.0)


class StrengthBound(NamedTuple):
    """The only bound of a bot's log strength."""

    kind: BoundKind
    value: float


def find_bounds(model: PairModel, strengths: Mapping[int, float]) -> dict[int, StrengthBound]:
    """Return the bounds of the bots that were never placed behind another, or never ahead of one, but tied with all.

    Blocks in which a bot only ties do not count. There are no bounds where seats win and lose together.
    """
    if model.rankings.has_sides:
        return {}
    kinds = _find_kinds(model)
    opponents: dict[int, Counter[float]] = {entrant: Counter() for entrant in kinds}
    for chunk in model.iter_chunks() if kinds else ():
        for (_, entrant), others in _list_opponents(model, chunk, kinds.keys()).items():
            toughest = max if kinds[entrant] == "at least" else min
            opponents[entrant][toughest(strengths[other] for other in others)] += 1
    return {entrant: StrengthBound(kind, _solve_bound(kind, opponents[entrant])) for entrant, kind in kinds.items()}


def head_to_head_bound(blocks: int) -> float:
    """Return the least difference of the log strengths of two bots, one of which won all of their blocks."""
    if not blocks:
        return -inf
    chance = exp(LOG_CHANCE / blocks)
    return log(chance / (1 - chance))


def _find_kinds(model: PairModel) -> dict[int, BoundKind]:
    pairs, sides = model.likelihood.pairs, model.sides
    has_won, has_lost = set[int](), set[int]()
    for contenders, ahead, behind in ((pairs.one, pairs.won, pairs.lost), (pairs.two, pairs.lost, pairs.won)):
        for counts, found in ((ahead, has_won), (behind, has_lost)):
            found.update(sides[contender][0] for contender in set(contenders[counts > 0].tolist()))
    kinds: dict[int, BoundKind] = dict.fromkeys(has_won - has_lost, "at least")
    return kinds | dict.fromkeys(has_lost - has_won, "at most")


def _list_opponents(model: PairModel, chunk: BlockChunk, entrants: Set[int]) -> dict[tuple[int, int], set[int]]:
    """Return for each block and each of these entrants, which are ahead of all or behind all, whom it did not tie with.

    The entrants' blocks are few among all.
    """
    contenders = model.rankings.contenders
    is_asked = np.array([side[0] in entrants for side, _ in contenders], dtype=np.bool_)
    opponents: dict[tuple[int, int], set[int]] = {}
    for games in chunk.games:
        for compared in iter_comparisons(games):
            some = is_asked[compared.ahead] | is_asked[compared.behind]
            columns = [column[some].tolist() for column in compared]
            for block, *pair in zip(*columns, strict=True):
                one, two = (contenders[contender][0][0] for contender in pair)
                for entrant, other in ((one, two), (two, one)):
                    if entrant in entrants:
                        opponents.setdefault((block, entrant), set()).add(other)
    return opponents


def _solve_bound(kind: BoundKind, opponents: Counter[float]) -> float:
    """Return the log strength at which the chance of all blocks is that of LOG_CHANCE, by bisection."""
    sign = 1 if kind == "at least" else -1
    low, high = -WIDEST, WIDEST  # of the bot's advantage in its own direction
    for _ in range(BOUND_HALVINGS):
        middle = (low + high) / 2
        chance = -sum(count * log1p(exp(sign * strength - middle)) for strength, count in opponents.items())
        low, high = (middle, high) if chance < LOG_CHANCE else (low, middle)
    return sign * low
