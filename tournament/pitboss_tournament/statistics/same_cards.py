"""Results compared with those of the others who held the same cards, as IMPs and matchpoints do.

A side's value in a game is the mean of its comparisons with each other side that held the same seats with the same
cards: in the other games of the block, or of the deal where all tables are dealt the same. Places and shares of the win
follow from the values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from statistics import fmean
from typing import Final, TypeAlias

from msgspec.structs import replace

from pitboss.outcome import Outcome, Sides, competition_places, solo_sides, spread_over_sides
from pitboss_tournament.statistics.blocks import Block
from pitboss_tournament.statistics.scoring import GameResult

Converter: TypeAlias = Callable[[float], float]  # of a difference of points, more than 0 for who did better

PERCENT: Final = 100.0


def count_matchpoints(difference: float) -> float:
    """Return 100 for a better result than another, 50 for an equal one, 0 for a worse one."""
    return PERCENT * ((difference > 0) + (difference == 0) / 2)


def convert_results(
    results: Iterable[GameResult], convert: Converter, block_games: int, sides: Sides | None, *, by_deal: bool
) -> Iterator[GameResult]:
    """Yield results with converted points, places and wins, in another order.

    They are compared within their blocks, or `by_deal`: with all of the same deal, at whatever table; these are held in
    memory together. Games of incomplete blocks come last, and as they are: nothing is made of them.
    """
    blocks: dict[tuple[int, int], Block] = {}
    complete: dict[int, Block] = {}  # by deal
    for result in results:
        key = result.pairing, result.deal
        block = blocks.setdefault(key, [])
        block.append(result)
        if len(block) == block_games:
            if by_deal:
                complete.setdefault(result.deal, []).extend(blocks.pop(key))
            else:
                yield from convert_games(blocks.pop(key), convert, sides)
    for deal in sorted(complete):
        yield from convert_games(complete[deal], convert, sides)
    yield from chain.from_iterable(blocks.values())


def convert_games(games: Sequence[GameResult], convert: Converter, sides: Sides | None) -> list[GameResult]:
    """Return games of the same cards with the points that each side has by comparison with the others."""
    groups = solo_sides(len(games[0].seats)) if sides is None else sides
    sign = -1 if _is_lowest_best(games) else 1
    columns = [_compare_side(games, side, convert, sign) for side in groups]
    return [_replace_points(game, [column[number] for column in columns], groups) for number, game in enumerate(games)]


def _compare_side(games: Sequence[GameResult], side: Sequence[int], convert: Converter, sign: int) -> list[float]:
    """Return by game what the side in these seats has by comparison with the other sides there."""
    held = [(frozenset(game.seats[seat].entrant for seat in side), sign * game.seats[side[0]].points) for game in games]
    return [
        fmean([convert(points - other) for others, other in held if others != players] or [convert(0.0)])
        for players, points in held
    ]


def _replace_points(game: GameResult, values: Sequence[float], sides: Sides) -> GameResult:
    points = spread_over_sides(values, sides)
    if any(seat.fault for seat in game.seats):  # who forfeits is last, whatever the cards
        kept = [replace(seat, points=value) for seat, value in zip(game.seats, points, strict=True)]
        return replace(game, seats=tuple(kept))
    places = spread_over_sides(competition_places(values), sides)
    wins = Outcome(points, places, sides).win_shares()
    seats = [
        replace(seat, points=value, place=place, win=win)
        for seat, value, place, win in zip(game.seats, points, places, wins, strict=True)
    ]
    return replace(game, seats=tuple(seats))


def _is_lowest_best(games: Sequence[GameResult]) -> bool:
    """Return whether fewer points are better, by the games without forfeits."""
    more = 0
    for game in games:
        if not any(seat.fault for seat in game.seats):
            first, last = (choose(game.seats, key=lambda seat: seat.place) for choose in (min, max))
            more += (first.points > last.points) - (first.points < last.points)
    return more < 0
