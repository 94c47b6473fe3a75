"""Ranks: what is told apart is true, holds however often one looks, and more games are planned for the rest."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations, product
from math import ceil
from random import Random

import pytest
from msgspec.structs import replace

from pitboss_tournament.statistics.blocks import complete_blocks, score_block
from pitboss_tournament.statistics.cycles import find_cycles
from pitboss_tournament.statistics.head_to_head import HeadToHead
from pitboss_tournament.statistics.proven_ranks import RankRange
from pitboss_tournament.statistics.rank_confidence import Outlook, RankConfidence
from pitboss_tournament.statistics.ratings import rate_rankings
from pitboss_tournament.statistics.scoring import GameResult
from pitboss_tournament.statistics.sequential_test import count_blocks_to_proof, judge_differences
from tests.synthetic_tournaments import SyntheticTournament, game_result
from tests.tournament.statistics.ranked_blocks import meet, rank_direct_results
from tests.tournament.statistics.sample_results import count_rankings


def find_ranks(games: Iterable[GameResult], bots: int, *, anytime: bool = True) -> RankConfidence:
    """Return the ranks of bots that may be told apart by these games."""
    games = list(games)
    meetings = HeadToHead(bots)
    meetings.add_all(map(score_block, complete_blocks(games)))
    rated = rate_rankings(count_rankings(games), [f"bot{number}" for number in range(bots)])
    return RankConfidence(meetings, rated, [line.entrant for line in rated.lines], anytime=anytime)


@pytest.mark.parametrize("count", [4, 5, 6, 7, 8])
def test_two_bots(count: int) -> None:
    """The ranks distinguish two bots exactly where the sequential test says better, and are as sure."""
    ranks = rank_direct_results(2, [((0, 1), count)])
    is_proven = judge_differences({1.0: count}) == "better"

    assert ranks.is_better(0, 1) == is_proven
    assert ranks.rank_range(1) == (RankRange(2, 2) if is_proven else RankRange(1, 2))
    assert ranks.groups() == ([] if is_proven else [range(2)])
    assert (ranks.sureness is not None) == is_proven
    assert ranks.sureness is None or ranks.sureness >= 0.95
    more = count_blocks_to_proof({1.0: count})
    assert more is not None
    assert ranks.more_games(0, 1) == more / count


def test_more_pairs_need_more_proof() -> None:
    """The proof that suffices for two bots does not suffice where six could be mistaken for each other, but a little
    more does.
    """
    enough = next(count for count in range(1, 99) if rank_direct_results(2, [((0, 1), count)]).is_better(0, 1))

    assert not rank_direct_results(6, [((0, 1), enough)]).is_better(0, 1)
    assert rank_direct_results(6, [((0, 1), 2 * enough)]).is_better(0, 1)


def test_what_follows_is_told_too() -> None:
    """The order tells what follows: of a, b and c, who beat the next one each, a is better than c although they have
    not met; d has met nobody.
    """
    ranks = rank_direct_results(4, [((0, 1), 30), ((1, 2), 30)])

    assert ranks.is_better(0, 2)
    assert [ranks.rank_range(bot) for bot in range(4)] == [
        RankRange(1, 2),
        RankRange(2, 3),
        RankRange(3, 4),
        RankRange(1, 4),
    ]
    assert ranks.next_worse(0) == [1]
    assert ranks.best_bots() == [0, 3]
    assert ranks.more_games(0, 3) is None


def test_bots_that_beat_each_other_in_a_circle() -> None:
    """No bot of a circle is better than another: each is also worse."""
    ranks = rank_direct_results(3, [((0, 1), 30), ((1, 2), 30), ((2, 0), 30)])

    assert [ranks.rank_range(bot) for bot in range(3)] == [RankRange(1, 3)] * 3
    assert ranks.groups() == [range(3)]
    assert ranks.outlook == Outlook(None, None, has_cycle=True)
    assert {ranks.more_games(*pair) for pair in combinations(range(3), 2)} == {None}


def test_a_cycle_of_four() -> None:
    """A cycle of four has no number of games planned, although no three of them beat each other in a cycle."""
    blocks = [((one, (one + 1) % 4), 30) for one in range(4)]
    ranks = rank_direct_results(4, blocks)

    assert find_cycles(meet(4, blocks), range(4)) == []
    assert ranks.groups() == [range(4)]
    assert ranks.outlook == Outlook(None, None, has_cycle=True)


@pytest.mark.parametrize("anytime", [True, False])
def test_a_cycle_that_is_no_proof_of_ranks_yet(*, anytime: bool) -> None:
    """A cycle is proven with a greater error than ranks are, as three bots have three pairs: no games are
    planned then.
    """
    count = count_until_cycle()
    games = [
        game_result(one, deal, rotation, entrants, [float(winner == one) for winner in entrants])
        for one, deal in product(range(3), range(count))
        for rotation, entrants in enumerate(((one, (one + 1) % 3), ((one + 1) % 3, one)))
    ]
    ranks = find_ranks(games, 3, anytime=anytime)

    assert ranks.groups() == [[0, 1, 2]]
    assert ranks.outlook == Outlook(None, None, has_cycle=True)


def count_until_cycle() -> int:
    """Return how many blocks each of three bots has to win against the next one until a cycle is proven."""
    for count in range(1, 99):
        if find_cycles(meet(3, [((one, (one + 1) % 3), count) for one in range(3)]), range(3)):
            return count
    raise AssertionError


def test_what_would_follow_against_their_own_games() -> None:
    """The order tells nothing against a pair's own games: of a, b and c, who beat the next one each, a is not said to
    be better than c, to whom it mostly lost.
    """
    ranks = rank_direct_results(3, [((0, 1), 30), ((1, 2), 30), ((2, 0), 3), ((0, 2), 2)])

    assert ranks.is_better(0, 1)
    assert ranks.is_better(1, 2)
    assert not ranks.is_better(0, 2)
    assert [ranks.rank_range(bot) for bot in range(3)] == [RankRange(1, 2), RankRange(2, 2), RankRange(2, 3)]
    assert rank_direct_results(3, [((0, 1), 30), ((1, 2), 30), ((2, 0), 2), ((0, 2), 2)]).is_better(0, 2)


def test_groups_that_overlap() -> None:
    """Bots 0 and 2 are told apart, each of them and bot 1 are not."""
    ranks = rank_direct_results(3, [((0, 2), 30), ((0, 1), 2), ((1, 2), 2)])

    assert ranks.groups() == [range(2), range(1, 3)]
    assert [ranks.rank_range(bot) for bot in range(3)] == [RankRange(1, 2), RankRange(1, 3), RankRange(2, 3)]


def test_others_tell_something_too() -> None:
    """The blocks with other bots distinguish two bots, at tables of two, that have met too seldom to be distinguished
    by those alone.
    """
    world = SyntheticTournament(strengths=(1.2, 1.0, 0.8, 0.2, 0.0, -0.2), seats=2)
    ranks = find_ranks(world.games(15 * 12, Random("others")), 6)

    assert ranks.is_better(0, 5)
    assert ranks.next_worse(0) != []
    assert all(ranks.is_better(one, other) <= (one < other) for one in range(6) for other in range(6))


def test_planned_games_are_enough() -> None:
    """Two bots would be told apart if all that was played came again as often as planned; with half of it they would
    not.
    """
    world = SyntheticTournament(strengths=(0.4, 0.0, 0.0, -0.3), seats=2)
    games = list(world.games(60, Random("plan")))
    more = find_ranks(games, 4).more_games(0, 2)

    assert more is not None and more > 1
    assert find_ranks(repeat_games(games, 1 + ceil(more)), 4).is_better(0, 2)
    assert not find_ranks(repeat_games(games, 1 + int(more / 2)), 4).is_better(0, 2)


def repeat_games(games: Sequence[GameResult], times: int) -> list[GameResult]:
    """Return the games so many times, as deals of their own."""
    return [replace(game, deal=game.deal + 1000 * number) for number in range(times) for game in games]


def test_a_settled_tournament() -> None:
    """A tournament of the format `settle` that ends because the ranking is settled has no open rank."""
    world = SyntheticTournament(strengths=(1.5, 0.8, 0.0, -0.7), seats=2)
    games = list(world.play_format("settle", {"games": 4000}, 10, Random("settled")))

    assert len(games) < 4000
    assert not any(find_ranks(games, 4).rank_range(bot).is_open for bot in range(4))


def test_clones_looked_at_all_the_time() -> None:
    """None of four equal bots at tables of two is better than another, whenever one looks."""
    world = SyntheticTournament(strengths=(0.0,) * 4, seats=2)
    games = list(world.games(240, Random("clones")))

    for until in range(12, len(games), 48):
        assert find_ranks(games[:until], 4).sureness is None


def test_a_fixed_number_of_games() -> None:
    """A fixed number of games lets Holm's test tell more pairs apart: nearly all of four bots 70 points apart, of which
    few are told at any time. Of equal bots at most 5 % of the tournaments tell any apart.
    """
    world = SyntheticTournament(strengths=(0.6, 0.2, -0.2, -0.6), seats=4, card_share=0.5)
    clones = SyntheticTournament(strengths=(0.0,) * 4, seats=4, card_share=0.5)
    told, wrong = {True: 0, False: 0}, 0
    for number in range(40):
        games = list(world.games(30, Random(f"fixed/{number}")))
        for anytime in told:
            ranks = find_ranks(games, 4, anytime=anytime)
            told[anytime] += sum(ranks.is_better(one, other) for one in range(4) for other in range(one + 1, 4))
        wrong += find_ranks(clones.games(30, Random(f"clones/{number}")), 4, anytime=False).sureness is not None

    assert told[False] > 0.75 * 40 * 6
    assert told[True] < 0.5 * 40 * 6
    assert wrong <= 4


def test_tiers() -> None:
    """Each bot is in one tier or more; who is told apart from all others has one of their own."""
    ranks = rank_direct_results(4, [((0, 2), 30), ((0, 1), 2), ((1, 2), 2), ((0, 3), 30), ((1, 3), 30), ((2, 3), 30)])

    assert [list(tier) for tier in ranks.tiers()] == [[0, 1], [1, 2], [3]]
    assert ranks.tier_ranges() == {0: RankRange(1, 1), 1: RankRange(1, 2), 2: RankRange(2, 2), 3: RankRange(3, 3)}
    assert [list(group) for group in ranks.groups()] == [[0, 1], [1, 2]]
