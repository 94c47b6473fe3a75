"""Blocks: games gathered by deal, and what each seat of a game is worth by several measures.

Statistics are made of complete blocks: there each bot has had every seat with the same cards.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import TypeAlias

from pitboss.errors import RecordError
from pitboss.outcome import Sides, spread_over_sides
from pitboss.plugins.formats import PlayedBlock
from pitboss_tournament.statistics.scoring import GameResult

Block: TypeAlias = list[GameResult]  # the games of one deal, by rotation
Measure: TypeAlias = Callable[[GameResult], Sequence[float]]  # what a game is worth, by seat


def complete_blocks(results: Iterable[GameResult], block_games: int | None = None) -> list[Block]:
    """Return the complete blocks, by pairing and deal, whatever the order of the games.

    A block has `block_games` games, by default as many as a table has seats.

    Raises:
        RecordError: see `check_block`.
    """
    blocks: dict[tuple[int, int], Block] = {}
    for result in results:
        blocks.setdefault((result.pairing, result.deal), []).append(result)
    full = [(key, block) for key, block in sorted(blocks.items()) if len(block) == (block_games or len(block[0].seats))]
    for _, block in full:
        check_block(block)
    return [sorted(block, key=lambda result: result.rotation) for _, block in full]


def iter_blocks(results: Iterable[GameResult], block_games: int | None = None) -> Iterator[Block]:
    """Yield the complete blocks as they are completed, each in the order of its rotations: see `complete_blocks`.

    Only blocks that lack games are held in memory.

    Raises:
        RecordError: see `check_block`.
    """
    blocks: dict[tuple[int, int], Block] = {}
    for result in results:
        key = result.pairing, result.deal
        block = blocks.setdefault(key, [])
        block.append(result)
        if len(block) == (block_games or len(result.seats)):
            check_block(block)
            yield sorted(blocks.pop(key), key=lambda one: one.rotation)


def check_block(block: Block) -> None:
    """Check that the games of a block have the same bots: all statistics count on that.

    Raises:
        RecordError: they do not, as in a store that somebody has edited.
    """
    first, *others = block
    bots = {seat.entrant for seat in first.seats}
    for other in others:
        if not bots.issuperset([seat.entrant for seat in other.seats]):
            raise RecordError(
                f"games {first.game_id} and {other.game_id} are of the same deal and pairing ({first.pairing}), but of "
                "different bots: a result is that of another table; `pitboss integrity` says which"
            )


def block_means(block: Block, measure: Measure) -> dict[int, float]:
    """Return the mean per game of a measure over a block, by entrant."""
    sums: dict[int, float] = {}
    for result in block:
        for seat, value in zip(result.seats, measure(result), strict=True):
            sums[seat.entrant] = sums.get(seat.entrant, 0.0) + value
    games = len(block)
    return {entrant: value / games for entrant, value in sums.items()}


def score_block(block: Block, sides: Sides | None = None) -> PlayedBlock:
    """Return the means of a complete block by entrant, as formats and tests of the ranking take them."""
    scores: dict[int, float] = {}
    scored: dict[int, float] = {}
    for result in block:
        for seat, score in zip(result.seats, place_scores(result, sides), strict=True):
            entrant = seat.entrant
            scores[entrant] = scores.get(entrant, 0.0) + score
            scored[entrant] = scored.get(entrant, 0.0) + seat.points
    games = len(block)
    return PlayedBlock(
        place_scores={entrant: score / games for entrant, score in scores.items()},
        points={entrant: value / games for entrant, value in scored.items()},
        places=tuple([tuple([(seat.entrant, seat.place) for seat in result.seats]) for result in block]),
    )


def points(result: GameResult) -> list[float]:
    """Return the points of each seat."""
    return [seat.points for seat in result.seats]


def margins(result: GameResult) -> list[float]:
    """Return the points minus the mean of the table, which removes what the deal gave to all seats."""
    scored = [seat.points for seat in result.seats]
    mean = sum(scored) / len(scored)
    return [value - mean for value in scored]


def wins(result: GameResult) -> list[float]:
    """Return the share of the win of each seat."""
    return [seat.win for seat in result.seats]


def place_scores(result: GameResult, sides: Sides | None = None) -> Sequence[float]:
    """Return the share of the opposing sides that finished behind, ties counting half.

    1 for a sole first place, 0 for a sole last place, 0.5 on average.
    """
    return _score_places(tuple([seat.place for seat in result.seats]), sides)


@lru_cache(10_000)
def _score_places(places: tuple[int, ...], sides: Sides | None) -> tuple[float, ...]:
    if sides is not None:
        return spread_over_sides(_score_places(tuple([places[side[0]] for side in sides]), None), sides)
    if len(places) < 2:
        return (0.5,) * len(places)
    return tuple(
        [(sum((own < other) + (own == other) / 2 for other in places) - 0.5) / (len(places) - 1) for own in places]
    )
