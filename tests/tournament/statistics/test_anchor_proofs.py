"""Proofs that a bot beats an anchor: what is said of equal bots, and of better ones."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Final

from pitboss_tournament.statistics.anchor_proofs import MIN_SURENESS, find_beaten
from pitboss_tournament.statistics.blocks import score_block
from pitboss_tournament.statistics.head_to_head import HeadToHead
from pitboss_tournament.statistics.rankings import RankingCounts
from pitboss_tournament.statistics.ratings import rate_rankings
from tests.synthetic_tournaments import SyntheticTournament

ANCHORS: Final = range(4, 8)
LOOKS: Final = 8
SURE: Final = 0.95


def look_often(strength: float, rng: Random) -> Iterator[list[dict[int, float]]]:
    """Yield several times, while a ladder is played, how sure each of four bots of this strength beats anchors.

    The anchors have the strength 0.
    """
    world = SyntheticTournament(strengths=(strength,) * 4 + (0.0,) * 4, seats=2, card_share=0.4)
    games = list(world.play_format("ladder", {"rounds": 80, "placing": 4}, 1, rng))
    blocks = [games[first : first + 2] for first in range(0, len(games), 2)]
    meetings, rankings = HeadToHead(8), RankingCounts()
    for number, block in enumerate(blocks, 1):
        meetings.add(score_block(block))
        for game in block:
            rankings.add(game)
        if number % (len(blocks) // LOOKS) == 0:
            ratings = rate_rankings(rankings, world.names)
            found = [find_beaten(meetings, ratings, bot, ANCHORS) for bot in range(4)]
            assert all(MIN_SURENESS <= sure <= 1 for own in found for sure in own.values())
            yield found


def test_equal_bots_beat_no_anchor() -> None:
    """Of 40 bots that are as strong as four anchors, looked at again and again, few are ever said to beat one."""
    false = 0
    for number in range(10):
        looks = list(look_often(0.0, Random(f"equal {number}")))
        false += sum(any(sure >= SURE for look in looks for sure in look[bot].values()) for bot in range(4))

    assert false <= 4  # at most 2 are expected; 5 or more would come in 5 of 100 tries


def test_better_bots_beat_all_anchors() -> None:
    """Bots that win four games of five are proven to beat every anchor, also those that they met seldom."""
    *_, last = look_often(1.4, Random("better"))

    assert [{anchor for anchor, sure in own.items() if sure >= SURE} for own in last] == [set(ANCHORS)] * 4


def test_worse_bots_beat_none() -> None:
    """Of bots that lose four games of five nothing is told, at no time, not even with less sureness."""
    assert not any(own for look in look_often(-1.4, Random("worse")) for own in look)


def test_no_block_proves_nothing() -> None:
    """Bots that have not met anybody beat no anchor."""
    ratings = rate_rankings(RankingCounts(), ["one", "two", "anchor"])

    assert find_beaten(HeadToHead(3), ratings, 0, [2]) == {}


def test_more_anchors_need_more_proof() -> None:
    """The same games against an anchor say less where it is one of four than where it is the only one."""
    world = SyntheticTournament(strengths=(1.4,) * 4 + (0.0,) * 4, seats=2)
    meetings, rankings = HeadToHead(8), RankingCounts()
    games = list(world.play_format("ladder", {"rounds": 25, "placing": 4}, 1, Random("four")))
    for first in range(0, len(games), 2):
        meetings.add(score_block(games[first : first + 2]))
        for game in games[first : first + 2]:
            rankings.add(game)
    ratings = rate_rankings(rankings, world.names)

    among = find_beaten(meetings, ratings, 0, ANCHORS)

    assert among
    assert all(find_beaten(meetings, ratings, 0, [anchor])[anchor] > sure for anchor, sure in among.items())
