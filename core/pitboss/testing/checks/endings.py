"""Endings: every game ends, and its outcome makes sense."""

from __future__ import annotations

import math
from typing import Final

from pitboss.action_range import sample_actions
from pitboss.game import Evaluable, Sided, find_game_bounds
from pitboss.testing.framework.check import CheckFailed, CheckNote, NotApplicable, check
from pitboss.testing.framework.checked_setup import CheckedSetup
from pitboss.testing.framework.choosers import list_stubborn_choosers
from pitboss.testing.framework.decision_point import DecisionPoint
from pitboss.testing.framework.played_game import PlayedGame, play_game

MIN_SCORED_GAMES: Final = 4


@check("play-out", "played game")
def games_are_played_without_error(played_game: PlayedGame) -> None:
    """Playing legal actions never raises."""
    if played_game.error is not None:
        raise CheckFailed(played_game.error)


@check("play-out", "played game")
def games_end(played_game: PlayedGame) -> None:
    """Every game that is played at random ends."""
    if played_game.error is not None:
        raise NotApplicable("a game was broken off by an error")
    _expect_end(played_game)


@check("play-out", "played game")
def games_stay_within_their_bounds(played_game: PlayedGame) -> None:
    """If the game says its bounds, no game has more decisions, and no seat fewer or more points."""
    setup, outcome = played_game.setup, played_game.outcome
    bounds = find_game_bounds(setup.game, setup.seats, setup.options)
    if bounds is None or outcome is None:
        raise NotApplicable("the game does not say its bounds, or has not ended")
    if bounds.decisions is not None and len(played_game) > bounds.decisions:
        raise CheckFailed(f"the game has {len(played_game)} decisions; by `bounds` it has {bounds.decisions} at most")
    if not all(bounds.least <= points <= bounds.most for points in outcome.points):
        raise CheckFailed(f"points are {outcome.points!r}; by `bounds` they are {bounds.least} to {bounds.most}")
    if bounds.total is not None and not math.isclose(sum(outcome.points), bounds.total, abs_tol=1e-6):
        raise CheckFailed(f"points are {outcome.points!r}; by `bounds` they add up to {bounds.total}")


@check("play-out", "played game")
def matches_have_their_deals(played_game: PlayedGame) -> None:
    """A match has at most as many deals as its bounds say, or as its option `deals` is."""
    setup = played_game.setup
    bounds = find_game_bounds(setup.game, setup.seats, setup.options)
    limit = bounds.deals if bounds is not None and bounds.deals is not None else getattr(setup.options, "deals", None)
    if not isinstance(limit, int) or played_game.deals is None:
        raise NotApplicable("neither bounds nor an option `deals` say how many deals a match has")
    if played_game.deals > limit:
        raise CheckFailed(f"the match has {played_game.deals} deals; it is to have {limit} at most")


@check("setup")
def games_end_if_nobody_answers(setup: CheckedSetup) -> None:
    """Every game in which all seats play the neutral action ends."""
    _expect_end(play_game(setup, setup.seed, "by neutral actions", lambda state, _: state.neutral()))


@check("setup")
def games_end_if_all_choose_the_first(setup: CheckedSetup) -> None:
    """Every game between bots that answer `"choose": 0`, the smallest correct ones, ends."""
    _expect_end(play_game(setup, setup.seed, "by first actions", lambda state, _: sample_actions(state.legal())[0]))


@check("setup")
def games_end_if_all_choose_the_last(setup: CheckedSetup) -> None:
    """Every game between bots that choose the last legal action ends."""
    _expect_end(play_game(setup, setup.seed, "by last actions", lambda state, _: sample_actions(state.legal())[-1]))


@check("setup")
def games_end_if_players_are_stubborn(setup: CheckedSetup) -> None:
    """Every game ends in which all seats always do the same kind of thing in a phase: take, and never knock."""
    for number, chooser in enumerate(list_stubborn_choosers(setup.met_kinds)):
        game = play_game(setup, f"{setup.seed}/stubborn/{number}", "stubbornly", chooser)
        if game.is_endless:
            kinds = {turn.phase: type(action).__name__ for turn, action in zip(game.turns, game.actions, strict=True)}
            habits = ", ".join(f"{kind} in phase {phase!r}" for phase, kind in sorted(kinds.items()))
            raise CheckFailed(
                f"{game.style} ({habits}): after {len(game)} decisions the game is not over; seed {game.seed!r}; the "
                "rules need an end for players that never end the game",
                subject=game,
            )
        _expect_end(game)


@check("all games", advice="Give the state `evaluate`, an estimate of the points to come: a few lines will do.")
def random_play_scores(played_games: list[PlayedGame]) -> None:
    """Random games end with different points, or the state has an estimate: a search needs one of them."""
    ended = [game for game in played_games if game.style == "at random" and game.outcome is not None]
    points = {point for game in ended if game.outcome for point in game.outcome.points}
    if len(ended) < MIN_SCORED_GAMES:
        raise NotApplicable(f"fewer than {MIN_SCORED_GAMES} games were played at random to their end")
    if len(points) == 1 and not isinstance(ended[0].setup.deal(ended[0].seed), Evaluable):
        raise CheckNote(
            f"everybody had {points.pop():g} points in {len(ended)} games that were played at random; a search, which "
            "plays so to the end, is blind here: the state has no estimate"
        )


@check("end of play-out", "end")
def outcome_counts_every_seat(point: DecisionPoint) -> None:
    """An outcome has a place and finite points for every seat."""
    outcome, seats = point.state.outcome(), point.setup.seats
    points, places = len(outcome.points), len(outcome.places)
    if points != seats or places != seats:
        raise CheckFailed(f"{outcome!r} has {points} points and {places} places for {seats} seats")
    if not all(map(math.isfinite, outcome.points)):
        raise CheckFailed(f"the points are {outcome.points!r}; expected finite numbers")


@check("end of play-out", "end")
def sides_share_out_the_seats(point: DecisionPoint) -> None:
    """Every seat belongs to exactly one side, and the seats of a side have the same place and points."""
    outcome, seats = point.state.outcome(), point.setup.seats
    members = sorted(seat for side in outcome.sides for seat in side)
    if members != list(range(seats)) or not all(outcome.sides):
        raise CheckFailed(f"the sides are {outcome.sides!r}; expected each of the seats 0..{seats - 1} once")
    for side in outcome.sides:
        places = [outcome.places[seat] for seat in side]
        if len(set(places)) > 1:
            raise CheckFailed(f"the seats {side!r} of one side have places {places!r}")
        points = [outcome.points[seat] for seat in side if seat < len(outcome.points)]
        if len(set(points)) > 1 and all(map(math.isfinite, points)):
            raise CheckFailed(f"the seats {side!r} of one side have points {points!r}")


@check("end of play-out", "end")
def sides_are_those_of_the_game(point: DecisionPoint) -> None:
    """The sides of an outcome are those that the game has with these seats and options, whatever was played."""
    found, expected = point.state.outcome().sides, point.setup.sides
    if found != expected:
        says = "its method `sides` says" if isinstance(point.setup.game, Sided) else "it has no method `sides`, so"
        raise CheckFailed(f"the sides of the outcome are {found!r}; of the game {says} {expected!r}")


@check("end of play-out", "end")
def places_are_shared_fairly(point: DecisionPoint) -> None:
    """The place of a side is 1 plus the number of better sides ("1224")."""
    outcome = point.state.outcome()
    by_side = [outcome.places[side[0]] for side in outcome.sides if side]
    fair = [1 + sum(other < place for other in by_side) for place in by_side]
    if by_side != fair:
        raise CheckFailed(f"the sides {outcome.sides!r} have places {by_side!r}; expected {fair!r}")


def _expect_end(played_game: PlayedGame) -> None:
    if played_game.error is not None:
        text = f"{played_game.style}: {played_game.error}; seed {played_game.seed!r}"
        raise CheckFailed(text, subject=played_game)
    if played_game.outcome is None:
        raise CheckFailed(
            f"{played_game.style}: after {len(played_game)} decisions the game is not over; seed {played_game.seed!r}",
            subject=played_game,
        )
