"""RAGAMARU is put through the conformance suite."""

from __future__ import annotations

import pytest

from pitboss import Random
from pitboss.testing import check_game
from pitboss_ragamaru.game import Ragamaru
from pitboss_ragamaru.messages import Action, Draw, Pass, Play
from pitboss_ragamaru.state import RagamaruState

pytestmark = pytest.mark.once


def choose_eagerly(state: RagamaruState, rng: Random) -> Action:
    """Play whenever there is a play, as many cards as possible, mostly: games are short, and end with somebody out."""
    legal = state.legal()
    plays = [action for action in legal if isinstance(action, Play)]
    return plays[-1] if plays and rng.randbelow(8) else rng.choice(legal)


def choose_passing(state: RagamaruState, rng: Random) -> Action:
    """Pass as often as that is allowed: with `decline` = `free` everybody then knows something of the hands."""
    legal = state.legal()
    passing = [action for action in legal if isinstance(action, Pass)]
    others = [action for action in legal if not isinstance(action, Draw)]
    return passing[0] if passing and rng.randbelow(3) else rng.choice(others or legal)


@pytest.mark.parametrize("seats", [2, *(pytest.param(seats, marks=pytest.mark.long) for seats in (3, 4, 6, 10))])
def test_played_eagerly(seats: int) -> None:
    """At small and large tables every promise is kept."""
    assert (
        check_game(
            Ragamaru(), seats=[seats], presets=[], options={"max_turns": 100}, games=1, player=choose_eagerly
        ).failures
        == []
    )


@pytest.mark.long
@pytest.mark.parametrize("preset", sorted(Ragamaru().presets))
def test_played_at_random(preset: str) -> None:
    """Every preset keeps every promise; the games are shorter than usual, with several reshuffles."""
    assert check_game(Ragamaru(), seats=[3], presets=[preset], options={"max_turns": 100}, games=1).failures == []


@pytest.mark.long
@pytest.mark.parametrize(
    ("seats", "options"),
    [
        (4, {"teams": 2, "loop": False}),
        (6, {"teams": 3, "first_colour": "random", "hand_size": 3}),
        (2, {"max_same": 4, "advantage": "wild", "scoring": "margin"}),
        (3, {"after_draw": "drawn", "max_same": 3, "scoring": "win"}),
    ],
    ids=str,
)
def test_played_with_other_options(seats: int, options: dict[str, object]) -> None:
    """Option sets that no preset has keep every promise."""
    assert (
        check_game(Ragamaru(), seats=[seats], presets=[], options=options, games=1, player=choose_eagerly).failures
        == []
    )


@pytest.mark.long
@pytest.mark.parametrize(
    "options",
    [
        {"decline": "free", "max_turns": 100},
        pytest.param({"decline": "free"}, marks=pytest.mark.long),
        pytest.param({"decline": "free", "after_draw": "drawn"}, marks=pytest.mark.long),
    ],
    ids=str,
)
def test_played_by_the_reluctant(options: dict[str, object]) -> None:
    """D9: worlds forget what a pass told once a card leaves the hand. So in some that pass was not allowed; all else is
    kept.
    """
    failures = check_game(Ragamaru(), seats=[3], presets=[], options=options, games=1, player=choose_passing).failures
    assert [failure.name for failure in failures] == ["past-is-legal-in-worlds"]
