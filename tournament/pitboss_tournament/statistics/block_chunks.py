"""The games of many blocks at once, as columns of numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Final, NamedTuple

from pitboss_tournament.statistics.arrays import Flags, Floats, Whole, add_to, add_up, np
from pitboss_tournament.statistics.rankings import Ranking, RankingCounts

CHUNK_NUMBERS: Final = 1 << 20  # whole numbers of games that are handled at once: 8 MiB


class GameColumns(NamedTuple):
    """Games of as many contenders each, one a block or more."""

    blocks: Whole  # by game: the number of its block in the chunk
    ties: Whole  # by game: the bits of a `Ranking`
    contenders: list[Whole]  # the best of each game, the second of each game and so on


class BlockChunk(NamedTuple):
    """Some blocks."""

    size: int  # how many
    block_games: Whole  # by block: its games
    firsts: list[GameColumns]  # the first game of each block
    games: list[GameColumns]  # all of them


class Comparisons(NamedTuple):
    """Pairs of contenders of a game that do not tie."""

    blocks: Whole
    ahead: Whole
    behind: Whole


def iter_chunks(rankings: RankingCounts) -> Iterator[BlockChunk]:
    """Yield all blocks, some at once."""
    for packed, games, length in rankings.packed_blocks(CHUNK_NUMBERS):
        columns = _split_columns(packed, games * length)
        blocks = np.arange(len(packed) // (games * length))
        parts = [
            GameColumns(blocks, columns[start], columns[start + 1 : start + length])
            for start in range(0, games * length, length)
        ]
        yield BlockChunk(len(blocks), np.full(len(blocks), games), parts[:1], parts)
    loose = rankings.loose_blocks()
    for start in range(0, len(loose), CHUNK_NUMBERS):
        yield _join_blocks(loose[start : start + CHUNK_NUMBERS])


def iter_comparisons(games: GameColumns) -> Iterator[Comparisons]:
    """Yield the pairs of some games that do not tie: all of the first and second, of the first and third and so on."""
    have_ties = bool(games.ties.any())
    for one, two in combinations(range(len(games.contenders)), 2):
        pair = Comparisons(games.blocks, games.contenders[one], games.contenders[two])
        if have_ties:
            untied = _find_untied(games.ties, one, two)
            pair = Comparisons(*[column[untied] for column in pair])
        yield pair


def find_places(games: GameColumns) -> list[Whole]:
    """Return the places of the best contender of each game, of the second of each game and so on; ties share one."""
    places = [np.ones(len(games.blocks), dtype=np.int64)]
    for position in range(1, len(games.contenders)):
        places.append(np.where(_find_untied(games.ties, position - 1, position), position + 1, places[-1]))
    return places


def count_meetings(
    chunks: Iterator[BlockChunk], members: Sequence[Sequence[int]], size: int
) -> tuple[list[int], Floats]:
    """Return how many games each entrant has, and in how many blocks each two met; with itself, all of its blocks.

    `members`: by contender, the numbers of its entrants, of `size` entrants.
    """
    columns = pad_columns([[(member, 1.0) for member in own] for own in members])
    games, together = np.zeros(size), np.zeros((size, size))
    for chunk in chunks:
        for first in chunk.firsts:
            games_here = chunk.block_games[first.blocks]
            seated = [
                (places[contenders], is_seated[contenders])
                for contenders in first.contenders
                for places, is_seated in columns
            ]
            for place, own in seated:
                games += add_up(place, games_here * own, size)
                for other_place, other in seated:
                    add_to(together, place, other_place, own * other)
    return [round(count) for count in games.tolist()], together


def pad_columns(rows: Sequence[Sequence[tuple[int, float]]]) -> list[tuple[Whole, Floats]]:
    """Return the first entries of all rows as places and values, the second ones and so on; 0 and 0.0 where none is."""
    longest = max(map(len, rows), default=0)
    padded = [[*row, *[(0, 0.0)] * (longest - len(row))] for row in rows]
    return [
        (np.array([row[at][0] for row in padded]), np.array([row[at][1] for row in padded])) for at in range(longest)
    ]


def _join_blocks(blocks: Sequence[Sequence[Ranking]]) -> BlockChunk:
    """Return blocks of any sizes; in a damaged store even the games of a block may have different numbers of seats."""
    numbered = [(number, ranking) for number, block in enumerate(blocks) for ranking in block]
    firsts = [(number, block[0]) for number, block in enumerate(blocks)]
    sizes = np.array([len(block) for block in blocks])
    return BlockChunk(len(blocks), sizes, _group_games(firsts), _group_games(numbered))


def _group_games(numbered: Sequence[tuple[int, Ranking]]) -> list[GameColumns]:
    found = []
    for length in sorted({len(ranking) for _, ranking in numbered}):
        games = [(number, ranking) for number, ranking in numbered if len(ranking) == length]
        packed = [value for _, ranking in games for value in ranking]
        ties, *contenders = _split_columns(packed, length)
        found.append(GameColumns(np.array([number for number, _ in games]), ties, contenders))
    return found


def _split_columns(packed: Sequence[int], count: int) -> list[Whole]:
    """Return the columns of a table that is given row after row; each lies side by side in memory."""
    table = np.asarray(packed, dtype=np.int64).reshape(-1, count)
    return [np.ascontiguousarray(table[:, column]) for column in range(count)]


def _find_untied(ties: Whole, one: int, two: int) -> Flags:
    """Return whether two positions of each game do not tie: some of the bits from the one to the other are not set."""
    between = (1 << two) - (1 << one)
    untied: Flags = (ties & between) != between
    return untied
