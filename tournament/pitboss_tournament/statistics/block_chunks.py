"""The games of many blocks at once, as columns of numbers: what an algebra takes games in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from pitboss_tournament.statistics.linear_algebra import Algebra, Numbers, SquareMatrix
from pitboss_tournament.statistics.rankings import Ranking, RankingCounts


class GameColumns(NamedTuple):
    """Games of as many contenders each, one a block or more."""

    blocks: Numbers  # by game: the number of its block in the chunk
    ties: Numbers  # by game: the bits of a `Ranking`
    contenders: list[Numbers]  # the best of each game, the second of each game and so on


class BlockChunk(NamedTuple):
    """Some blocks."""

    size: int  # how many
    block_games: Numbers  # by block: its games
    firsts: list[GameColumns]  # the first game of each block
    games: list[GameColumns]  # all of them


class Comparisons(NamedTuple):
    """Pairs of contenders of a game that do not tie."""

    blocks: Numbers
    ahead: Numbers
    behind: Numbers


def iter_chunks(rankings: RankingCounts, algebra: Algebra) -> Iterator[BlockChunk]:
    """Yield all blocks, some at once."""
    for packed, games, length in rankings.packed_blocks(algebra.chunk_size):
        columns = algebra.split_columns(packed, games * length)
        blocks = algebra.whole(range(len(packed) // (games * length)))
        parts = [
            GameColumns(blocks, columns[start], columns[start + 1 : start + length])
            for start in range(0, games * length, length)
        ]
        yield BlockChunk(len(blocks), algebra.fill(games, len(blocks)), parts[:1], parts)
    loose = rankings.loose_blocks()
    for start in range(0, len(loose), algebra.chunk_size):
        yield _join_blocks(loose[start : start + algebra.chunk_size], algebra)


def iter_comparisons(games: GameColumns, algebra: Algebra) -> Iterator[Comparisons]:
    """Yield the pairs of some games that do not tie: all of the first and second, of the first and third and so on."""
    have_ties = algebra.largest(games.ties) > 0
    for one, two in combinations(range(len(games.contenders)), 2):
        pair = Comparisons(games.blocks, games.contenders[one], games.contenders[two])
        if have_ties:
            untied = _find_untied(games.ties, one, two, algebra)
            pair = Comparisons(*[algebra.keep(column, untied) for column in pair])
        yield pair


def find_places(games: GameColumns, algebra: Algebra) -> list[Numbers]:
    """Return the places of the best contender of each game, of the second of each game and so on; ties share one."""
    places = [algebra.fill(1, len(games.blocks))]
    for position in range(1, len(games.contenders)):
        own = algebra.fill(position + 1, len(games.blocks))
        places.append(algebra.select(_find_untied(games.ties, position - 1, position, algebra), own, places[-1]))
    return places


def count_meetings(
    chunks: Iterator[BlockChunk], members: Sequence[Sequence[int]], size: int, algebra: Algebra
) -> tuple[list[int], SquareMatrix]:
    """Return how many games each entrant has, and in how many blocks each two met; with itself, all of its blocks.

    `members`: by contender, the numbers of its entrants, of `size` entrants.
    """
    columns = pad_columns([[(member, 1.0) for member in own] for own in members], algebra)
    games, together = algebra.add_up(algebra.whole([]), algebra.vector([]), size), algebra.zeros(size)
    for chunk in chunks:
        for first in chunk.firsts:
            games_here = algebra.take(chunk.block_games, first.blocks)
            seated = [
                (algebra.take(places, contenders), algebra.take(is_seated, contenders))
                for contenders in first.contenders
                for places, is_seated in columns
            ]
            for place, own in seated:
                counted = algebra.add_up(place, algebra.apply(_multiply, games_here, own), size)
                games = algebra.apply(_add, games, counted)
                for other_place, other in seated:
                    algebra.add_to(together, place, other_place, algebra.apply(_multiply, own, other))
    return [round(count) for count in algebra.to_list(games)], together


def pad_columns(rows: Sequence[Sequence[tuple[int, float]]], algebra: Algebra) -> list[tuple[Numbers, Numbers]]:
    """Return the first entries of all rows as places and values, the second ones and so on; 0 and 0.0 where none is."""
    longest = max(map(len, rows), default=0)
    padded = [[*row, *[(0, 0.0)] * (longest - len(row))] for row in rows]
    return [
        (algebra.whole([row[at][0] for row in padded]), algebra.vector([row[at][1] for row in padded]))
        for at in range(longest)
    ]


def _join_blocks(blocks: Sequence[Sequence[Ranking]], algebra: Algebra) -> BlockChunk:
    """Return blocks of any sizes; in a damaged store even the games of a block may have different numbers of seats."""
    numbered = [(number, ranking) for number, block in enumerate(blocks) for ranking in block]
    firsts = [(number, block[0]) for number, block in enumerate(blocks)]
    sizes = algebra.whole([len(block) for block in blocks])
    return BlockChunk(len(blocks), sizes, _group_games(firsts, algebra), _group_games(numbered, algebra))


def _group_games(numbered: Sequence[tuple[int, Ranking]], algebra: Algebra) -> list[GameColumns]:
    found = []
    for length in sorted({len(ranking) for _, ranking in numbered}):
        games = [(number, ranking) for number, ranking in numbered if len(ranking) == length]
        packed = [value for _, ranking in games for value in ranking]
        ties, *contenders = algebra.split_columns(packed, length)
        found.append(GameColumns(algebra.whole([number for number, _ in games]), ties, contenders))
    return found


def _find_untied(ties: Numbers, one: int, two: int, algebra: Algebra) -> Numbers:
    """Return whether two positions of each game do not tie: some of the bits from the one to the other are not set."""
    between = (1 << two) - (1 << one)
    return algebra.apply(lambda bits: (bits & between) != between, ties)


def _add(one: float, other: float) -> float:
    return one + other


def _multiply(one: float, other: float) -> float:
    return one * other
