"""How a game of RAGAMARU ends and counts: section 3 of the rule book, D33, D35 and D36."""

from __future__ import annotations

import pytest

from pitboss_ragamaru.messages import Play
from pitboss_ragamaru.rules import DRAW, PASS
from tests.games.ragamaru_states import deal_game, set_up_game
from tests.games.random_play import play_randomly


def score_finished_game(
    left: list[int], result: str = "out", scoring: str = "places", teams: int = 0
) -> tuple[tuple[int, ...], tuple[float, ...]]:
    """Return places and points of a finished game with so many cards left."""
    hands = [[None] * count for count in left]
    outcome = set_up_game({"result": result, "hands": hands}, len(left), scoring=scoring, teams=teams).outcome()
    return outcome.places, outcome.points


@pytest.mark.parametrize(
    ("left", "scoring", "places", "points"),
    [
        ([0, 3, 6, 3], "places", (1, 2, 4, 2), (3.0, 1.5, 0.0, 1.5)),
        ([0, 3, 6, 3], "win", (1, 2, 4, 2), (1.0, 0.0, 0.0, 0.0)),
        ([0, 3, 6, 3], "margin", (1, 2, 4, 2), (4.0, 0.0, -4.0, 0.0)),
        ([5, 0], "margin", (2, 1), (-5.0, 5.0)),
    ],
)
def test_somebody_is_out(left: list[int], scoring: str, places: tuple[int, ...], points: tuple[float, ...]) -> None:
    """D35: places by cards left, equal numbers share them; `places` gives the winner of N the score N - 1."""
    assert score_finished_game(left, scoring=scoring) == (places, points)


@pytest.mark.parametrize(
    ("scoring", "points"), [("places", (1.5, 1.5, 0.0)), ("win", (0.5, 0.5, 0.0)), ("margin", (1.5, 1.5, -3.0))]
)
@pytest.mark.parametrize("result", ["blocked", "limit"])
def test_nobody_is_out(result: str, scoring: str, points: tuple[float, ...]) -> None:
    """D33: blocked and limited games are ranked by cards left; a first place is shared."""
    assert score_finished_game([2, 2, 5], result, scoring=scoring) == ((1, 1, 3), points)


@pytest.mark.parametrize(
    ("left", "teams", "places", "points"),
    [
        ([0, 1, 9, 1], 2, (1, 2, 1, 2), (1.0, 0.0, 1.0, 0.0)),  # the winner's team is first, whatever the partner holds
        ([0, 4, 2, 9, 3, 5], 3, (1, 2, 2, 1, 2, 2), (2.0, 0.5, 0.5, 2.0, 0.5, 0.5)),  # 7 cards each
    ],
)
def test_teams(left: list[int], teams: int, places: tuple[int, ...], points: tuple[float, ...]) -> None:
    """D36: a team wins when one member goes out; the others are ranked by the sum of their cards."""
    assert score_finished_game(left, teams=teams) == (places, points)


def test_teams_without_a_winner() -> None:
    """D36: in a limited game the sum alone counts, and equal sums share the place."""
    assert score_finished_game([3, 2, 1, 2], "limit", teams=2) == ((1, 1, 1, 1), (0.5, 0.5, 0.5, 0.5))


def test_sides_of_an_outcome() -> None:
    """Seat s plays in team s modulo the teams."""
    *_, state = play_randomly(deal_game("sides", 6, teams=3), "sides")

    assert state.outcome().sides == ((0, 3), (1, 4), (2, 5))


def test_everybody_has_passed() -> None:
    """D33: with nothing to draw, the game is blocked when all have passed."""
    state = set_up_game({"hands": [["R1", "R2", "B9"], ["K1", "K2"]], "stock": [], "field": {"card": "R5"}})

    state.play(PASS)
    state.play(PASS)
    assert state.result == "blocked"


def test_play_between_two_passes() -> None:
    """D33: any play empties the set of those who have passed; what is beneath the top card can then be drawn."""
    state = set_up_game({"hands": [["B1", "B9"], ["R2", "K2"]], "stock": [], "field": {"card": "R5"}})

    state.play(PASS)
    state.play(Play(("R2",)))

    assert state.result is None
    assert state.passed_seats == 0
    assert [type(action).__name__ for action in state.legal()][-1] == "Draw"


def test_last_turn() -> None:
    """D33: the turn whose number is `max_turns` is still played."""
    state = set_up_game({"hands": [["R1", "R2"], ["K2"]], "field": {"card": "R5"}, "turn_no": 99}, max_turns=100)

    state.play(Play(("R1",)))

    assert (state.turn, state.turn_no) == ((1, "play"), 100)


def test_card_drawn_after_a_pass() -> None:
    """D33: a card that is drawn empties the set of those who have passed."""
    state = set_up_game({"hands": [["R1", "R2"], ["K2"]], "field": {"card": "R5"}, "passed": [1]})

    state.play(DRAW)

    assert state.passed_seats == 0


def test_turn_after_the_last() -> None:
    """D33: the game ends when the turn counter exceeds `max_turns`, before anything happens to the player landed on."""
    given: dict[str, object] = {
        "hands": [["R-TRY", "R2"], ["K2"]],
        "field": {"card": "R5"},
        "sin": [0, 1],
        "turn_no": 100,
    }
    state = set_up_game(given, max_turns=100)

    state.play(Play(("R-TRY",)))

    assert (state.result, state.turn_no, state.rests_left) == ("limit", 101, (0, 1))
    assert state.view(0).counts == [1, 1]
