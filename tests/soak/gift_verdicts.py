"""How often a bot is said to gain by another: in worlds without gifts, and where two pals fold to a friend."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import comb
from random import Random
from typing import Final, NamedTuple

from pitboss_tournament.statistics.gifts import FALSE_ALARMS, Gifts, RatedPairs, find_gifts, measure_pairs
from pitboss_tournament.statistics.rankings import RankingCounts
from pitboss_tournament.statistics.ratings import Ratings, rate_rankings
from pitboss_tournament.statistics.scoring import GameResult
from tests.soak.fit_verdicts import FITTING
from tests.soak.running_share import RunningShare, is_kept
from tests.synthetic_tournaments import SyntheticTournament, game_result
from tests.tournament.statistics.sample_results import count_rankings

TRIALS: Final = 100
DEALS: Final = (3, 10, 40)  # of each table
MIN_FOUND: Final = 0.6  # of the tournaments with most deals, where two pals fold
STAR: Final = 0
PALS: Final = (1, 2)

HONEST: Final = {
    **FITTING,
    "unequal seats: 6 bots at tables of 3": SyntheticTournament(
        strengths=(0.8, 0.5, 0.2, -0.2, -0.5, -0.8), seats=3, card_share=0.4, advantage=(0.5, 0.0, -0.5)
    ),
    "half of the games tie: 8 bots": SyntheticTournament(
        strengths=tuple(0.2 * bot for bot in range(8)), seats=2, affinity=0.5, draw_share=0.5
    ),
}
FRIENDLY: Final = {
    "two pals: 6 bots": SyntheticTournament(strengths=(-0.2, -0.3, -0.3, 0.2, 0.1, 0.0), seats=2, card_share=0.5),
    "two pals: 6 bots at tables of 3": SyntheticTournament(
        strengths=(0.0, -0.3, -0.3, 0.2, 0.1, 0.0), seats=3, card_share=0.5
    ),
    "two pals: 8 bots at tables of 4": SyntheticTournament(
        strengths=(0.0, -0.3, -0.3, 0.2, 0.1, 0.0, 0.3, -0.1), seats=4, card_share=0.5
    ),
}


class FoundGifts(NamedTuple):
    """The ratings of a tournament, and its gifts if the number of games was fixed, and at any time."""

    ratings: Ratings
    fixed: Gifts
    anytime: Gifts


def fold_to_star(games: Iterable[GameResult], points: float = 15) -> Iterator[GameResult]:
    """Yield games in which the pals come last where the star is at the table, which gets some of their points."""
    for game in games:
        seated = tuple(seat.entrant for seat in game.seats)
        if STAR in seated and set(seated) & set(PALS):
            own = [seat.points for seat in game.seats]
            least = min(own) - points
            own = [
                least if bot in PALS else value + points * (bot == STAR) for bot, value in zip(seated, own, strict=True)
            ]
            yield game_result(game.pairing, game.deal, game.rotation, seated, own)
        else:
            yield game


def judge_gifts(games: Iterable[GameResult], names: list[str]) -> FoundGifts:
    """Return the gifts of a tournament."""

    def rate(counts: RankingCounts) -> RatedPairs:
        return measure_pairs(counts, rate_rankings(counts, names))

    rankings = count_rankings(games)
    rated = rate(rankings)
    fixed, anytime = (find_gifts(rankings, rated, rate, anytime=own) for own in (False, True))
    return FoundGifts(rated.ratings, fixed, anytime)


def measure_gifts(name: str, deals: int, trials: int) -> tuple[RunningShare, RunningShare]:
    """Return the share of tournaments in which all gifts are told, and of those in which one is told that is none."""
    world = HONEST.get(name) or FRIENDLY[name]
    true = {(pal, STAR) for pal in PALS} if name in FRIENDLY else set()
    told, false = RunningShare(), RunningShare()
    for number in range(trials):
        games = world.games(comb(len(world.strengths), world.seats) * deals, Random(f"gifts/{deals}/{number}"))
        found = judge_gifts(fold_to_star(games) if true else games, world.names)
        pairs = [{(one.giver, one.gainer) for one in gifts.found} for gifts in (found.fixed, found.anytime)]
        told.add([pairs[0] >= true])
        false.add([not pairs[0] | pairs[1] <= true])
    return told, false


def print_gift_verdicts(name: str, trials: int) -> bool:
    """Print how often gifts are told and falsely told, by deals; return whether that is as promised."""
    shares = [measure_gifts(name, deals, trials) for deals in DEALS]
    cells = "".join(
        f"{f'{100 * told.share:.0f}' if name in FRIENDLY else '-':>8}"
        f"{f'{100 * false.share:.1f} ± {200 * false.error:.1f}':>14}"
        for told, false in shares
    )
    print(f"{name:50}{trials:5}  {cells}", flush=True)
    is_quiet = all(is_kept(false, 0.0, FALSE_ALARMS) for _, false in shares)
    return is_quiet and (name in HONEST or is_kept(shares[-1][0], MIN_FOUND, 1.0))
