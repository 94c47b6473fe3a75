"""Endings: every game ends, and its outcome makes sense."""

# ruff: noqa: D401 - the docstring of a check is what a game promises

from __future__ import annotations

import math
from typing import Final

from pitboss.testing.framework.check_runner import CheckFailed
from pitboss.testing.framework.decision_point import DecisionPoint
from pitboss.testing.framework.game_setup import GameSetup
from pitboss.testing.framework.played_game import (
    ActionChooser,
    PlayedGame,
    choose_first,
    choose_last,
    choose_neutral,
    play_game,
)


def games_are_played_without_error(played_game: PlayedGame) -> None:
    """Playing legal actions never raises."""
    if played_game.error is not None:
        raise CheckFailed(played_game.error)


def games_end(played_game: PlayedGame) -> str | None:
    """Every game that is played at random ends."""
    if played_game.error is not None:
        return "a game was broken off by an error"
    _expect_end(played_game)
    return None


def games_end_if_nobody_answers(setup: GameSetup) -> None:
    """Every game in which all seats play the neutral action ends."""
    _expect_end(_play_with(setup, "by neutral actions", choose_neutral))


def games_end_if_all_choose_the_first(setup: GameSetup) -> None:
    """Every game between bots that answer `"choose": 0`, the smallest correct ones, ends."""
    _expect_end(_play_with(setup, "by first actions", choose_first))


def games_end_if_all_choose_the_last(setup: GameSetup) -> None:
    """Every game between bots that choose the last legal action ends."""
    _expect_end(_play_with(setup, "by last actions", choose_last))


def outcome_counts_every_seat(point: DecisionPoint) -> None:
    """An outcome has a place and finite points for every seat."""
    outcome, seats = point.state.outcome(), point.setup.seats
    if len(outcome.points) != seats or len(outcome.places) != seats:
        raise CheckFailed(
            f"{outcome!r} has {len(outcome.points)} points and {len(outcome.places)} places for {seats} seats"
        )
    if not all(math.isfinite(points) for points in outcome.points):
        raise CheckFailed(f"the points are {outcome.points!r}; expected finite numbers")


def sides_share_out_the_seats(point: DecisionPoint) -> None:
    """Every seat belongs to exactly one side, and the seats of a side have the same place."""
    outcome, seats = point.state.outcome(), point.setup.seats
    members = sorted(seat for side in outcome.sides for seat in side)
    if members != list(range(seats)) or not all(outcome.sides):
        raise CheckFailed(f"the sides are {outcome.sides!r}; expected each of the seats 0..{seats - 1} once")
    for side in outcome.sides:
        if len({outcome.places[seat] for seat in side}) > 1:
            raise CheckFailed(f"the seats {side!r} of one side have places {[outcome.places[seat] for seat in side]!r}")


def places_are_shared_fairly(point: DecisionPoint) -> None:
    """Places are 1 and one more for every side that is better ("1224")."""
    outcome = point.state.outcome()
    by_side = [outcome.places[side[0]] for side in outcome.sides if side]
    fair = [1 + sum(other < place for other in by_side) for place in by_side]
    if by_side != fair:
        raise CheckFailed(f"the sides {outcome.sides!r} have places {by_side!r}; expected {fair!r}")


def _play_with(setup: GameSetup, style: str, choose: ActionChooser) -> PlayedGame:
    return play_game(setup, setup.seed, style, choose)


def _expect_end(played_game: PlayedGame) -> None:
    if played_game.error is not None:
        raise CheckFailed(f"{played_game.style}: {played_game.error}; seed {played_game.seed!r}")
    if played_game.outcome is None:
        raise CheckFailed(
            f"{played_game.style}: after {len(played_game)} decisions the game is not over; seed {played_game.seed!r}"
        )


PLAYED_GAME_CHECKS: Final = (
    games_are_played_without_error,
    games_end,
)
SETUP_CHECKS: Final = (
    games_end_if_nobody_answers,
    games_end_if_all_choose_the_first,
    games_end_if_all_choose_the_last,
)
END_CHECKS: Final = (
    outcome_counts_every_seat,
    sides_share_out_the_seats,
    places_are_shared_fairly,
)
