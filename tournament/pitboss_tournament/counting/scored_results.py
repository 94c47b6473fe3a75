"""The results of a store as its tournament scores them: points, IMPs or matchpoints."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

from pitboss.errors import ConfigError, OptionError
from pitboss.game import DifferenceScale, find_difference_scale
from pitboss.options import convert_value
from pitboss.plugins.registry import load_namesake
from pitboss_tournament.statistics.blocks import Block
from pitboss_tournament.statistics.same_cards import convert_games, convert_results, count_matchpoints
from pitboss_tournament.statistics.scoring import GameResult
from pitboss_tournament.store.header import Header
from pitboss_tournament.store.store import Store

MATCHPOINTS = DifferenceScale("matchpoints %", count_matchpoints)


def find_score_scale(header: Header) -> DifferenceScale | None:
    """Return how a tournament compares results; None: it goes by the points of the game.

    Raises:
        ConfigError: the game that has the scale is not installed, or has none.
    """
    if header.score == "points":
        return None
    if header.score == "matchpoints":
        return MATCHPOINTS
    game = load_namesake(header.game)
    if game is None:
        raise ConfigError(f"score is {header.score!r}, and the game {header.game!r} is not installed")
    try:
        return find_difference_scale(game, convert_value(header.options, game.Options, game.name))
    except OptionError as error:
        raise ConfigError(f"score is {header.score!r}: {error}") from None


def name_score(header: Header) -> str:
    """Return what the points of a game are called, as a heading: "points", or "IMPs"."""
    scale = find_score_scale(header)
    return "points" if scale is None else scale.name


def find_block_conversion(header: Header) -> Callable[[Block], Block] | None:
    """Return what scores a block as its tournament does, within itself; None: the points of the game are the score.

    Raises:
        ConfigError: see `find_score_scale`.
    """
    scale = find_score_scale(header)
    return None if scale is None else partial(convert_games, convert=scale.convert, sides=header.sides)


def read_scored_results(
    store: Store, *, with_times: bool = True, is_wanted: Callable[[int], bool] | None = None
) -> Iterable[GameResult]:
    """Return the results of a store's games, with points as its tournament scores them.

    `is_wanted` says of the number of a game whether it is one of them; by default all are.

    Matchpoints compare all tables of a deal where these are dealt the same (`same_deals`), and one round has them all.

    Raises:
        ConfigError: see `find_score_scale`.
    """
    header = store.header
    results: Iterable[GameResult] = store.results(with_times=with_times)
    scale = find_score_scale(header)
    if is_wanted is not None:
        results = (one for one in results if is_wanted(one.game_id))
    if void := header.find_void(header.bots):
        results = (one for one in results if void.isdisjoint(seat.entrant for seat in one.seats))
    if scale is None:
        return results
    is_one_round = header.format.may_grow and len(header.rosters) == 1
    by_deal = header.score == "matchpoints" and header.same_deals and is_one_round
    return convert_results(results, scale.convert, header.block_size, header.sides, by_deal=by_deal)
