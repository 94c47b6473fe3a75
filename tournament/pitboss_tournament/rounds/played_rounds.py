"""The rounds of a tournament as they were played: who met whom, and how it went."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from msgspec import Struct

from pitboss_tournament.rounds.round_replay import number_rounds
from pitboss_tournament.statistics.blocks import complete_blocks, score_block
from pitboss_tournament.statistics.head_to_head import HeadToHead
from pitboss_tournament.statistics.scoring import GameResult
from pitboss_tournament.store.store import Store


class RoundBot(Struct, frozen=True):
    """A bot at a table of a round."""

    bot: str
    wins: float  # in the round; a first place of several counts in parts
    points: float  # in the round, the mean of its games
    score: float  # after the round: the share of the others that it was placed before, a tie half, over complete blocks
    opposition: float  # after the round: the mean score of those that it has met


class RoundTable(Struct, frozen=True):
    """Those who met in a round, the best first, and their games."""

    round: int
    games: int
    bots: list[RoundBot]


def list_rounds(store: Store) -> list[RoundTable]:
    """Return the tables of all rounds, by round; empty for a format that has one round, or is not installed here."""
    if store.header.format.may_grow:
        return []
    tables: list[RoundTable] = []
    results = HeadToHead(len(store.header.labels))
    rounds = number_rounds(store)
    played: list[GameResult] = []
    now = 1
    for number, result in zip(rounds, store.results(with_times=False), strict=False):
        if number is None:
            return []
        if number > now:
            tables += _close_round(store, now, played, results)
            played, now = [], number
        played.append(result)
    return [*tables, *_close_round(store, now, played, results)]


def _close_round(store: Store, number: int, played: list[GameResult], results: HeadToHead) -> Iterator[RoundTable]:
    """Yield the tables of a round; add its blocks to the results of all rounds."""
    header = store.header
    results.add_all(score_block(block, header.sides) for block in complete_blocks(played, header.block_size))
    tables: dict[frozenset[int], list[GameResult]] = {}
    for result in played:
        tables.setdefault(frozenset(seat.entrant for seat in result.seats), []).append(result)
    for games in tables.values():
        wins, points = defaultdict[int, float](float), defaultdict[int, float](float)
        for result in games:
            firsts = sum(seat.place == 1 for seat in result.seats)
            for seat in result.seats:
                wins[seat.entrant] += (seat.place == 1) / firsts
                points[seat.entrant] += seat.points
        bots = [
            RoundBot(
                bot=header.labels[entrant],
                wins=wins[entrant],
                points=points[entrant] / len(games),
                score=results.mean_score(entrant),
                opposition=results.opposition_score(entrant),
            )
            for entrant in sorted(points, key=lambda one: (-wins[one], -points[one], one))
        ]
        yield RoundTable(round=number, games=len(games), bots=bots)
