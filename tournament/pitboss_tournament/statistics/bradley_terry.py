"""Bradley–Terry on the pairs of each table: the likelihood of the order of places, and its maximum.

The model: of two sides that do not tie, one is placed ahead with odds of its strength to the other's (Bradley and Terry
1952). A ranking is broken into all of its pairs, and pairs that tie are left out (full rank breaking: Azari Soufiani,
Chen, Parkes and Xia 2013, *Generalized method-of-moments for rank aggregation*). So strengths mean the odds of being
placed ahead, ties aside, whatever makes places tie: one winner and many last, one loser, rounded points. Models of a
whole ranking, as that of Plackett and Luce with a parameter for ties, need ties to come about in one way, and are far
off where they do not. What rank breaking costs where nothing ties: 2 to 6 % more games at four seats, 15 % at eight.

The pairs of a game depend on each other: the value here is no likelihood of games, and its curvature no measure of how
sure the strengths are. That is the sandwich over blocks (see `rating_covariance`).

A side is as strong as the geometric mean of its members: groups compared by the mean of their logarithms (Huang, Lin
and Weng 2008, *Ranking individuals by group comparisons*, take the sum, which for sides of equal size differs only by
the unit; with the mean, a rating means the same alone or in a side, and a larger side is not stronger for its size).

The logarithms have a weak normal prior, which keeps them finite for a bot that always wins. A version may be linked to
its predecessor: the difference of the two has a prior too, which counts as one observation of 0 (as in the
dynamic models of Glickman 1993, *Paired comparison models with time-varying parameters*). It is Student's t: most
versions are about as good as the one before, and a few are far better or worse.

Some seats have a strength of their own in the model. Where a seat is worth much, games from a good seat are won whoever
sits there: a model without seats takes that for bots that differ little, and puts them closer together than they are.
Seats that differ little are left out: they would change no rating by a noticeable part of its interval, and their
estimates from few blocks are mostly luck of the cards.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from pitboss_tournament.statistics.arrays import Floats, Whole, add_up, join_arrays, logistic, np
from pitboss_tournament.statistics.block_chunks import BlockChunk, find_places, iter_chunks, iter_comparisons
from pitboss_tournament.statistics.pair_likelihood import PairCounts, PairLikelihood, SparseVector, UnknownLink
from pitboss_tournament.statistics.rankings import Contender, RankingCounts, Side, list_untied
from pitboss_tournament.statistics.running_moments import RunningMoments

PRIOR_SD = 4.0  # of a log strength: 695 points; two bots' difference has 983
SEATS_SD = 2.0  # of the log strength of a seat: 347 points


class StrengthLink(NamedTuple):
    """A version of a bot and the one before it, whose log strengths are near each other."""

    version: int
    predecessor: int
    sd: float  # of the normal distribution that is, near 0, as the prior of their difference


class PairModel:
    """The likelihood of the order of places.

    Its unknowns: the log strength of each entrant that played, and, where seats are unequal, the log strength of each
    seat, or of each set of seats that play together. The strengths of the seats add up to 0, and those of the entrants
    too: the prior pulls them there. `held`: entrants whose log strengths are constants. Links and constants of entrants
    that have not played do not count.
    """

    def __init__(
        self,
        rankings: RankingCounts,
        *,
        links: Sequence[StrengthLink] = (),
        held: Mapping[int, float] | None = None,
    ) -> None:
        self.rankings = rankings
        self.entrants = sorted({entrant for side, _ in rankings.contenders for entrant in side})
        self.numbers = {entrant: number for number, entrant in enumerate(self.entrants)}  # of the unknowns
        self.links = [link for link in links if {link.version, link.predecessor} <= self.numbers.keys()]
        self.seats = find_unequal_seats(rankings)
        self.unknowns = len(self.entrants) + len(self.seats)
        own = [(side, seat if self.seats else 0) for side, seat in rankings.contenders]
        self._contenders: list[Contender] = sorted(set(own))
        numbers = {contender: number for number, contender in enumerate(self._contenders)}
        self._numbers = np.array(
            [numbers[contender] for contender in own], dtype=np.int64
        )  # by contender of the rankings
        pairs, self.redundancy = self._count_wins()
        self.likelihood = PairLikelihood(
            terms=self._list_terms(),
            pairs=pairs,
            precision=[PRIOR_SD**-2] * len(self.entrants) + [SEATS_SD**-2] * len(self.seats),
            links=[
                UnknownLink(self.numbers[link.version], self.numbers[link.predecessor], link.sd**-2)
                for link in self.links
            ],
            held={self.numbers[entrant]: value for entrant, value in (held or {}).items() if entrant in self.numbers},
        )

    @property
    def sides(self) -> list[Side]:
        """The sides of the contenders."""
        return [side for side, _ in self._contenders]

    def iter_chunks(self) -> Iterator[BlockChunk]:
        """Yield the blocks of all games."""
        return iter_chunks(self.rankings)

    def score_blocks(self, chunk: BlockChunk, strengths: Floats) -> BlockScores:
        """Return the scores of blocks where the contenders have these log strengths."""
        blocks, unknowns, values = [], [], []
        for games in chunk.games:
            for compared in iter_comparisons(games):
                ahead, behind = self._numbers[compared.ahead], self._numbers[compared.behind]
                chances = logistic(strengths[behind] - strengths[ahead])  # of the one that was behind
                for contenders, own in ((ahead, chances), (behind, -chances)):
                    for places, weights in self.likelihood.term_columns:
                        blocks.append(compared.blocks)
                        unknowns.append(places[contenders])
                        values.append(own * weights[contenders])
        return BlockScores(join_arrays(blocks), join_arrays(unknowns), join_arrays(values))

    def opposing_sides(self) -> Iterator[tuple[Side, Side]]:
        """Yield the pairs of sides of which one was placed ahead of the other, some more than once."""
        sides, pairs = self.sides, self.likelihood.pairs
        for one, two in zip(pairs.one.tolist(), pairs.two.tolist(), strict=True):
            yield sides[one], sides[two]

    def _count_wins(self) -> tuple[PairCounts, float]:
        """Return how often one contender was placed ahead of another, and the redundancy of the pairs of a game.

        The redundancy is the variance of a game's score with even chances, in multiples of what it would be if pairs
        did not depend on each other: (n + 1) / 3 at a table of n without ties, n / 2 where all tie but the winner.
        """
        found = [(np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64))]
        ties = Counter[tuple[int, int]]()  # games by the bits of their ties and the number of contenders
        for chunk in self.iter_chunks():
            keys = []
            for games in chunk.games:
                ties.update(_count_ties(games.ties, len(games.contenders)))
                for compared in iter_comparisons(games):
                    ahead, behind = self._numbers[compared.ahead], self._numbers[compared.behind]
                    keys.append(ahead * len(self._contenders) + behind)
            found.append(np.unique(join_arrays(keys), return_counts=True))
        wins, counts = map(join_arrays, zip(*found, strict=True))
        squares = pairs = 0.0
        for (bits, contenders), number in ties.items():
            untied = list_untied(bits, contenders)
            squares += number * untied.squares
            pairs += number * len(untied.pairs)
        return self._pair_wins(wins, counts), 2 * squares / pairs if pairs else 1.0

    def _pair_wins(self, wins: Whole, counts: Whole) -> PairCounts:
        """Return the counts of both of two contenders beside each other; keys are those of `_count_wins`."""
        count = len(self._contenders)
        ahead, behind = np.divmod(wins, count)
        is_first = ahead < behind
        keys, places = np.unique(np.where(is_first, wins, behind * count + ahead), return_inverse=True)
        one, two = np.divmod(keys, count)
        won, lost = (add_up(places, counts * is_own, len(keys)) for is_own in (is_first, ~is_first))
        return PairCounts(one, two, won, lost)

    def _list_terms(self) -> list[SparseVector]:
        """Return for each contender the unknowns that add up to its log strength, with their weights."""
        seat_number = {seat: number for number, seat in enumerate(self.seats, start=len(self.entrants))}
        return [
            [(self.numbers[entrant], 1 / len(side)) for entrant in side]
            + ([(seat_number[seat], 1.0)] if self.seats else [])
            for side, seat in self._contenders
        ]


class BlockScores(NamedTuple):
    """Scores (gradients of the log likelihood) of blocks: observed minus expected, in parts to be added up."""

    blocks: Whole  # the numbers of the blocks in their chunk
    unknowns: Whole
    values: Floats


def _count_ties(ties: Whole, contenders: int) -> dict[tuple[int, int], int]:
    distinct, counts = np.unique(ties, return_counts=True)
    return {(bits, contenders): count for bits, count in zip(distinct.tolist(), counts.tolist(), strict=True)}


def find_unequal_seats(rankings: RankingCounts) -> list[int]:
    """Return the seats, or the numbers of the sets of seats that play together, if they are unequal; else none.

    They are unequal if one has places that differ from the mean of the table at 95 %, each whole block being an
    observation. Each entrant must have had several seats, to separate the bot from its seat.
    """
    return _list_seats(rankings) if _are_places_unequal(rankings) and _have_entrants_moved(rankings) else []


def _list_seats(rankings: RankingCounts) -> list[int]:
    return sorted({seat for _, seat in rankings.contenders})


def _have_entrants_moved(rankings: RankingCounts) -> bool:
    """Whether each entrant has had more than one seat."""
    seats: dict[int, set[int]] = {}
    for side, seat in rankings.contenders:
        for entrant in side:
            seats.setdefault(entrant, set()).add(seat)
    return all(len(own) > 1 for own in seats.values())


def _are_places_unequal(rankings: RankingCounts) -> bool:
    """Whether the mean places of the seats differ. In a whole block each bot has each seat equally often."""
    seats, whole = len({seat for _, seat in rankings.contenders}), rankings.most_games
    above = [Counter[int]() for _ in range(seats)]  # by seat: its places less the mean of the table, times the seats
    for chunk in iter_chunks(rankings):
        by_seat = _add_places(rankings, chunk, seats)[chunk.block_games == whole]
        less = by_seat * seats - by_seat.sum(axis=1, keepdims=True)
        for counts, own in zip(above, less.T, strict=True):
            _count_values(own, counts)
    return any(_is_clear_of_zero(_collect_moments(counts, seats)) for counts in above)


def _add_places(rankings: RankingCounts, chunk: BlockChunk, seats: int) -> Floats:
    """Return by block a row of sums: by seat, of the places that it had."""
    seat_of = np.array([seat for _, seat in rankings.contenders])
    sums = np.zeros(chunk.size * seats)
    for games in chunk.games:
        for contenders, places in zip(games.contenders, find_places(games), strict=True):
            sums += add_up(games.blocks * seats + seat_of[contenders], places, len(sums))
    return sums.reshape(-1, seats)


def _count_values(values: Floats, counts: Counter[int]) -> None:
    """Add how often each value is there, which is a whole number."""
    distinct, often = np.unique(values, return_counts=True)
    for value, count in zip(distinct.tolist(), often.tolist(), strict=True):
        counts[round(value)] += count


def _collect_moments(counts: Mapping[int, int], unit: int) -> RunningMoments:
    moments = RunningMoments()
    for value, count in sorted(counts.items()):
        moments.add_equal(value / unit, count)
    return moments


def _is_clear_of_zero(moments: RunningMoments) -> bool:
    if moments.count < 2 or moments.is_constant:
        return moments.count > 1 and abs(moments.mean) > 0
    return abs(moments.mean) > moments.half_width(moments.count)
