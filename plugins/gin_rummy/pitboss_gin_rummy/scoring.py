"""Scores of Gin Rummy: a deal, the games that are played at once, and the totals (section 4 of the rule book)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from pitboss_gin_rummy.messages import GameScore, GinRummyOptions

HOLLYWOOD_GAMES: Final = 3


class KnockCount(NamedTuple):
    """What a deal was worth, and how it was won."""

    is_knocker: bool  # whether the knocker has won it
    points: int
    way: str


def count_deal(loose: int, left: int, is_big: bool, options: GinRummyOptions) -> KnockCount:
    """G13 to G15: return who wins by how much; `loose` is the knocker's, `left` the other's after layoffs."""
    if is_big:
        return KnockCount(True, left + options.big_gin_bonus, "big gin")
    if loose == 0:
        return KnockCount(True, left + options.gin_bonus, "gin")
    if loose < left:
        return KnockCount(True, left - loose, "knock")
    return KnockCount(False, loose - left + options.undercut_bonus, "undercut")


def begin_games(seats: int, options: GinRummyOptions) -> tuple[GameScore, ...]:
    """Return the games of a match as it begins."""
    none = (0,) * seats
    return (GameScore(none, none),) * (HOLLYWOOD_GAMES if options.hollywood else 1)


def is_won(game: GameScore, options: GinRummyOptions) -> bool:
    """G17: return whether a player has the points."""
    return max(game.points) >= options.target


def enter_deal(games: Iterable[GameScore], seat: int, points: int, options: GinRummyOptions) -> tuple[GameScore, ...]:
    """G16: write a deal down for its winner, in each open game where it has a line, and in the first where it has none.

    Return all games.
    """
    entered, is_first = [], True
    for game in games:
        is_new = game.lines[seat] == 0
        if is_won(game, options) or (is_new and not is_first):
            entered.append(game)
            continue
        entered.append(GameScore(_add(game.points, seat, points), _add(game.lines, seat, 1)))
        is_first = is_first and not is_new
    return tuple(entered)


def count_totals(games: Sequence[GameScore], options: GinRummyOptions) -> list[int]:
    """G17, G18: return by seat the points of all games, with the bonuses for lines and for games that are won."""
    totals = [0] * len(games[0].points)
    for game in games:
        for seat, (points, lines) in enumerate(zip(game.points, game.lines, strict=True)):
            totals[seat] += points + lines * options.line_bonus
        if is_won(game, options):
            winner = game.points.index(max(game.points))
            is_shutout = sum(game.lines) == game.lines[winner]
            totals[winner] += options.game_bonus * (2 if is_shutout else 1)
    return totals


def _add(row: tuple[int, ...], seat: int, more: int) -> tuple[int, ...]:
    return (*row[:seat], row[seat] + more, *row[seat + 1 :])
