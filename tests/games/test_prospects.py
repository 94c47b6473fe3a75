"""What games say of how everybody stands in the middle of them, for players who look ahead."""

from __future__ import annotations

from typing import Final

import pytest

from pitboss import AnyState, PositionError, Random
from pitboss.game import Judged
from pitboss.options import checked, resolved
from pitboss.plugins import Registry

pytestmark = pytest.mark.once

GAMES: Final = {name: game for name, game in Registry().games.items() if name in ("lucky-maker", "racko", "ragamaru", "rummy")}


def ahead(name: str, position: dict[str, object], seats: int = 2, **given: object) -> float:
    """Return by how much seat 0 is ahead of seat 1."""
    state: AnyState = GAMES[name].setup(
        seats,
        resolved(GAMES[name], seats, given=given),
        checked(position, GAMES[name].Position, "position", PositionError),
        Random("p"),
    )
    assert isinstance(state, Judged)
    first, second, *_ = state.prospects()
    return first - second


GOOD: Final = [1, 5, 9, 14, 39, 28, 31, 36, 37, 40]
BAD: Final = [8, 3, 12, 2, 30, 19, 27, 33, 35, 38]


def test_racks() -> None:
    """A rack that lacks one card is better than one that lacks many, by less than the points of the round; both ways round the same."""
    rest: dict[str, object] = {"discard": [16], "turn": 0}
    margin = ahead("racko", {"racks": [GOOD, BAD], **rest})

    assert 20 < margin < 75
    assert ahead("racko", {"racks": [BAD, GOOD], **rest}) == pytest.approx(-margin)


def test_a_run_that_is_needed() -> None:
    """Where a RACK-O needs a run, the rack that has one is ahead of one that is as good otherwise; without the rule it is not."""
    racks = [[1, 5, 9, 14, 26, 27, 28, 34, 37, 40], [2, 6, 10, 13, 21, 24, 30, 33, 36, 39]]
    position: dict[str, object] = {"racks": racks, "discard": [16], "turn": 0, "phase": "draw"}

    assert ahead("racko", position, min_run=3, declare="choice") > 15
    assert abs(ahead("racko", position, declare="choice")) < 1


@pytest.mark.parametrize("scoring", ["winner", "chips", "penalty"])
def test_hands(scoring: str) -> None:
    """Whoever is about to go out against a hand full of court cards is ahead, whether points are won or charged."""
    hands = [["S5", "S6", "S7", "H5", "H6"], ["HK", "DQ", "CJ", "S10", "D8"]]

    assert ahead("rummy", {"hands": hands, "discard": ["D3"], "turn": 0}, scoring=scoring) > 10
    assert ahead("rummy", {"hands": hands[::-1], "discard": ["D3"], "turn": 0}, scoring=scoring) < -10


def test_a_trick_that_is_not_over() -> None:
    """The trick counts as it ends if the others play what is likely: here the last cards, red decides by two to none, and the ten wins nine points."""
    game = GAMES["lucky-maker"]
    position = {"hands": [["R1Y10"], ["G5Y6"], []], "master": "R2B9", "trick": ["R10G1"], "lead": 2}
    written = checked(position, game.Position, "position", PositionError)
    state = game.setup(3, resolved(game, 3, given={"games": 1}), written, Random("p"))

    assert isinstance(state, Judged)
    assert state.prospects() == pytest.approx([0, 0, 9])
