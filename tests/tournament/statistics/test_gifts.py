"""Gifts: who gains by whom more than the ratings explain, how rarely that is said by chance, and ratings without."""

from __future__ import annotations

from itertools import combinations
from math import comb
from random import Random

import msgspec
import pytest
from msgspec.structs import replace

from pitboss.outcome import Sides
from pitboss_tournament.counting.counts import Counts
from pitboss_tournament.counting.findings import Findings, KeptFindings
from pitboss_tournament.results.standings_rows import list_bot_rows
from pitboss_tournament.results.verdict import gift_lines
from pitboss_tournament.statistics.gifts import Gifts, measure_pairs
from pitboss_tournament.statistics.pair_residuals import PairResidual
from pitboss_tournament.statistics.rankings import Contender, RankingCounts
from pitboss_tournament.statistics.ratings import rate_rankings
from pitboss_tournament.statistics.scoring import GameResult
from pitboss_tournament.store.header import Header
from tests.soak.gift_verdicts import FRIENDLY, HONEST, PALS, STAR, fold_to_star, judge_gifts, measure_gifts
from tests.synthetic_tournaments import game_result
from tests.tournament.restored_findings import restore_findings
from tests.tournament.statistics.sample_results import count_rankings

THREE_SEATS = FRIENDLY["two pals: 6 bots at tables of 3"]


def friendly_games(name: str = "two pals: 6 bots", deals: int = 40) -> list[GameResult]:
    """Return a tournament in which two pals fold to a star."""
    world = FRIENDLY[name]
    return list(fold_to_star(world.games(comb(len(world.strengths), world.seats) * deals, Random(1))))


def name_pairs(gifts: Gifts) -> set[tuple[int, int]]:
    """Return who gives to whom."""
    return {(one.giver, one.gainer) for one in gifts.found}


@pytest.mark.parametrize(("name", "deals"), [("two pals: 6 bots", 40), ("two pals: 6 bots at tables of 3", 20)])
def test_two_pals_that_fold_to_a_star(name: str, deals: int) -> None:
    """Both pals that fold to a star are found, and nobody else; without their games the star is no champion."""
    rated, fixed, anytime = judge_gifts(friendly_games(name, deals), FRIENDLY[name].names)

    assert rated.lines[0].entrant == STAR
    assert name_pairs(fixed) == name_pairs(anytime) == {(pal, STAR) for pal in PALS}
    assert all(one.gain.mean is not None and one.gain.mean > 0.1 for one in fixed.found)
    assert all(0.95 <= one.sureness <= 1 for one in fixed.found)
    before, after = rated.rating_of(STAR).points.mean, fixed.ratings[STAR].mean
    assert before is not None
    assert after is not None
    assert before > after + 50
    assert fixed.ratings.keys() == {STAR}


@pytest.mark.parametrize("name", ["they fit: 6 bots 250 points apart", "unequal seats: 6 bots at tables of 3"])
def test_false_alarms_are_rare(name: str) -> None:
    """A gift is told in at most 5 % of the tournaments in a world without gifts; `tests.soak.gift_verdicts`
    is longer.
    """
    _, false = measure_gifts(name, 10, 20)

    assert name in HONEST
    assert false.share <= 0.05 + 2 * false.error


def test_few_blocks_that_ended_alike_prove_little() -> None:
    """The variance of a few blocks that ended alike is at least that of the model: eight wins in eight deals are no
    gift.
    """
    games = []
    for pairing, (one, other) in enumerate(combinations(range(5), 2)):
        for deal in range(8):
            won = float(pairing == 0 or deal % 2)
            games += [game_result(pairing, deal, 0, (one, other), [won, 1 - won])]
            games += [game_result(pairing, deal, 1, (other, one), [1 - won, won])]
    rankings = count_rankings(games)
    residual = measure_pairs(rankings, rate_rankings(rankings, "abcde")).residual

    assert residual is not None
    assert (residual.gainer, residual.giver, residual.blocks) == (0, 1, 8)
    assert residual.compute_error(anytime=False) > 0.05


def test_many_pairs_and_small_gains() -> None:
    """The more pairs, the surer a gain has to be; one within the error of the ratings counts for nothing."""
    residual = PairResidual(gainer=0, giver=1, blocks=40, gain=0.3, error=0.05, freedom=39, tests=30)

    assert residual.compute_error(anytime=False) < residual.compute_error(anytime=True) < 0.05
    assert replace(residual, gain=0.05).compute_error(anytime=False) == 1
    assert replace(residual, tests=30_000).compute_error(anytime=True) > 0.05


def test_three_bots() -> None:
    """Three bots that beat each other in turn have no gifts: nobody can tell who gives to whom."""
    games = [game for game in friendly_games() if all(seat.entrant < 3 for seat in game.seats)]

    rankings = count_rankings(games)

    assert measure_pairs(rankings, rate_rankings(rankings, "abc")).residual is None


@pytest.mark.parametrize("sides", [None, ((0, 1, 2),)])
def test_nobody_beside_another(sides: Sides | None) -> None:
    """No bot gains by another where bots play alone, or all together."""
    games = friendly_games("two pals: 6 bots at tables of 3", 2)
    if sides is None:
        games = [game_result(bot, deal, 0, (bot,), [1.0]) for bot in range(6) for deal in range(9)]
    rankings = count_rankings(games, sides)
    rated = measure_pairs(rankings, rate_rankings(rankings, THREE_SEATS.names))

    assert rated.residual is None or rated.residual.compute_error(anytime=False) == 1


@pytest.mark.parametrize("block_games", [None, 3])
def test_blocks_without_a_pair(block_games: int | None) -> None:
    """The blocks in which a pair met are left out, packed or not; the other blocks stay as they are."""
    games = friendly_games("two pals: 6 bots at tables of 3", 2)
    rankings, expected = RankingCounts(None, block_games), RankingCounts(None, block_games)
    for game in games:
        rankings.add(game)
        seated = {seat.entrant for seat in game.seats}
        if not any(set(pair) <= seated for pair in combinations((STAR, *PALS), 2)):
            expected.add(game)

    kept = rankings.leave_out({frozenset(pair) for pair in combinations((STAR, *PALS), 2)})

    def list_blocks(counts: RankingCounts) -> list[list[list[Contender]]]:
        return [[[counts.contenders[own] for own in game[1:]] for game in block] for block in counts.blocks()]

    assert list_blocks(kept) == list_blocks(expected) != []
    assert kept.block_count < rankings.block_count == 40


def test_what_is_said_of_gifts(header: Header) -> None:
    """The lines on gifts tell which bot gains by which, how much, how surely, and its rating without; kept standings
    say the same.
    """
    six = replace(header, entries=[replace(header.entries[0], name=bot) for bot in ("star", "p", "q", "x", "y", "z")])
    counts = Counts(six)
    counts.add_all(replace(game, game_id=number) for number, game in enumerate(friendly_games()))

    rated = Findings(counts)
    lines = list(gift_lines(rated))
    dumped = msgspec.msgpack.decode(msgspec.msgpack.encode(rated.dump()), type=KeptFindings)

    assert len(lines) == 3
    assert "star gains by p: in their 40 blocks it beats " in " ".join(lines)
    assert "% more of its opponents than the ratings explain" in lines[0]
    assert lines[2].startswith("Without its games with ")
    assert list(gift_lines(restore_findings(six, dumped))) == lines
    assert name_pairs(restore_findings(six, dumped, anytime=True).gifts) == {(1, 0), (2, 0)}
    assert [row.name for row in list_bot_rows(rated) if row.rating_without_gifts is not None] == ["star"]
