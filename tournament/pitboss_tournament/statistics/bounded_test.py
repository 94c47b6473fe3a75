"""Sequential test of two bots against two bounds in rating points, from the games in which they sat at one table.

It is used as a sequential probability ratio test is in computer chess (Wald 1945; fastchess `-sprt elo0 elo1 alpha
beta`), but has no model of ties, of the others at the table, or of how games of a deal depend on each other. "better"
is proven when the difference is above the lower bound, "not better" when it is below the upper one. The two proofs are
bets (`sequential_test`), valid however often one looks: if the difference is at most the lower bound, "better" is ever
said with probability `alpha` at most; if it is at least the upper one, "not better" with probability `beta` at most. In
between either may be said, and both are true. As the bounds differ, one of the two is proven in the end.

**The bets.** A difference of d in log strength says that of the games in which the two do not tie a share of p = 1 / (1
+ e^-d) ends with the first ahead. So a stake that wins 1 - p where it is ahead, loses p where it is behind, and neither
where they tie, is worth nothing on average if the difference is d, and less if it is smaller, however often they tie
and whoever else sits there. In unequal seats p is that of the two seats of the game: d and the lead of one seat over
the other, as ratings estimate it, here from the games of the two bots alone. At a bound of 0 an error of that estimate
cancels out in a deal that is played in both orders.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from math import inf, log
from typing import Final, Literal, NamedTuple, Self, TypeAlias

from msgspec import Struct

from pitboss.plugins.formats import PlayedBlock
from pitboss_tournament.statistics.bradley_terry import PRIOR_SD, SEATS_SD
from pitboss_tournament.statistics.pair_likelihood import PairCounts, PairLikelihood, compute_chance
from pitboss_tournament.statistics.sequential_test import log_capital

BoundedVerdict: TypeAlias = Literal["better", "not better", "undecided"]
PairGame: TypeAlias = tuple[int, int, int]  # the seats of both, and 1 if the first was ahead, -1 behind, 0 tied
PairBlock: TypeAlias = tuple[PairGame, ...]  # the games of a block, in ascending order
SeatStrengths: TypeAlias = Mapping[int, float]  # by seat: what it is worth, in log strength

MOST: Final = 20.0  # of a difference in log strength that is looked at: 3,474 points
HALVINGS: Final = 20  # of an interval that is searched: its ends are exact to a hundredth of a point
_DIGITS: Final = 12


class Bounds(Struct, frozen=True, kw_only=True):
    """What is to be told apart: a difference in log strength of at most `low` from one of at least `high`."""

    low: float
    high: float
    alpha: float
    beta: float


class BoundedTestResult(Struct, frozen=True, kw_only=True):
    """What a test has found so far."""

    verdict: BoundedVerdict
    blocks: int
    proof_better: float  # share of the proof that there is, from 0 to 1, on the scale of its logarithm
    proof_not_better: float


class DifferenceInterval(NamedTuple):
    """A difference in log strength: the likeliest, and the ends of its confidence sequence; infinite where unbounded.

    Nothing is known of the likeliest one without a game in which the two did not tie.
    """

    likeliest: float | None
    low: float
    high: float


class PairedGames:
    """The games of two bots at one table, counted by block."""

    def __init__(self) -> None:
        self.blocks = Counter[PairBlock]()

    @classmethod
    def of_blocks(cls, blocks: Mapping[PairBlock, int]) -> Self:
        """Return blocks that are counted already."""
        games = cls()
        games.blocks.update(blocks)
        return games

    def add(self, block: PlayedBlock, one: int, other: int) -> None:
        """Add a block in which both sat."""
        games = []
        for seats in block.places:
            seat = {entrant: (number, place) for number, (entrant, place) in enumerate(seats)}
            (own, place), (beside, behind) = seat[one], seat[other]
            games.append((own, beside, (place < behind) - (place > behind)))
        self.blocks[tuple(sorted(games))] += 1

    def run_test(self, bounds: Bounds) -> BoundedTestResult:
        """Return what the test has found."""
        seats = self.estimate_seats()
        better = self._proof_above(bounds.low, seats, bounds.alpha)
        not_better = self._proof_below(bounds.high, seats, bounds.beta)
        return BoundedTestResult(
            verdict="better" if better >= 1 else "not better" if not_better >= 1 else "undecided",
            blocks=self.blocks.total(),
            proof_better=min(1.0, max(0.0, better)),
            proof_not_better=min(1.0, max(0.0, not_better)),
        )

    def compute_interval(self, bounds: Bounds) -> DifferenceInterval:
        """Return the difference, and the confidence sequence that says the same as the test.

        The true difference is ever below it with probability `alpha` at most, and ever above it with `beta` at most.
        """
        seats = self.estimate_seats()
        low = _find_end(lambda value: self._proof_above(value, seats, bounds.alpha) >= 1)
        high = _find_end(lambda value: self._proof_below(value, seats, bounds.beta) < 1)
        likeliest = None
        if any(ahead for block in self.blocks for _, _, ahead in block):
            likeliest = _find_end(lambda value: sum(won * count for won, count in self._bets(value, seats).items()) > 0)
        return DifferenceInterval(likeliest, low, high)

    def estimate_seats(self) -> dict[int, float]:
        """Return what each seat is worth, in log strength, by the games of the two alone."""
        counts = Counter[PairGame]()
        for block, count in self.blocks.items():
            for game in block:
                counts[game] += count
        seats = sorted({seat for one, two, _ in counts for seat in (one, two)})
        number = {seat: place for place, seat in enumerate(seats, 1)}
        pairs = sorted({(one, two) for one, two, _ in counts})
        likelihood = PairLikelihood(
            terms=[[(0, sign / 2), (number[seat], 1.0)] for sign in (1, -1) for seat in seats],
            pairs=PairCounts(
                one=[number[one] - 1 for one, _ in pairs],
                two=[len(seats) + number[two] - 1 for _, two in pairs],
                won=[counts[*pair, 1] for pair in pairs],
                lost=[counts[*pair, -1] for pair in pairs],
            ),
            precision=[PRIOR_SD**-2, *[SEATS_SD**-2] * len(seats)],
        )
        x = likelihood.fit().x
        return {seat: x[place] for seat, place in number.items()}

    def _proof_above(self, difference: float, seats: SeatStrengths, error: float) -> float:
        """Return the share of the proof that the difference is greater."""
        return log_capital(self._bets(difference, seats), 0.0) / -log(error) if self.blocks else 0.0

    def _proof_below(self, difference: float, seats: SeatStrengths, error: float) -> float:
        """Return the share of the proof that the difference is smaller."""
        return self._turn()._proof_above(-difference, seats, error)

    def _turn(self) -> PairedGames:
        """Return the games with the second bot as the first."""
        return PairedGames.of_blocks(
            {tuple(sorted((two, one, -ahead) for one, two, ahead in block)): n for block, n in self.blocks.items()}
        )

    def _bets(self, difference: float, seats: SeatStrengths) -> Counter[float]:
        """Return what a stake of 1 on "greater" wins in a block, at worst -1, with the number of blocks."""
        bets = Counter[float]()
        for block, count in self.blocks.items():
            won = worst = 0.0
            for one, two, ahead in block:
                chance = compute_chance(difference + seats[one] - seats[two])
                won += (1 - chance if ahead > 0 else -chance) if ahead else 0.0
                worst += chance
            bets[round(won / worst, _DIGITS)] += count
        return bets


def _find_end(is_above: Callable[[float], bool]) -> float:
    """Return the greatest difference for which something holds, as for all smaller ones; infinite beyond MOST."""
    low, high = -MOST, MOST
    if not is_above(low):
        return -inf
    if is_above(high):
        return inf
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if is_above(middle) else (low, middle)
    return (low + high) / 2
