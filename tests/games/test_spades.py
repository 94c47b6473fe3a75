"""Spades: matches of several deals, hands nobody has seen, and open places of positions."""

from __future__ import annotations

import pytest

from pitboss import Random
from pitboss.game import resolve_options
from pitboss.simulation.random_play import choose_from, play_on
from pitboss.testing import stack_deal
from pitboss_spades.game import Spades
from pitboss_spades.messages import Bid, BlindNil, Look, Position, SpadesOptions
from pitboss_spades.scoring import PlayerResult, count_side
from pitboss_spades.state import SpadesState

GAME = Spades()
OPEN: list[str | None] = [None] * 13
BEHIND = Position(totals=[0, 120])


def set_up(position: Position, **given: object) -> SpadesState:
    """Return a state at a position."""
    return GAME.setup(4, resolve_options(GAME, 4, None, given), position, Random("position"))


def test_bags_are_kept_from_deal_to_deal() -> None:
    """Points and bags are added up, and the next seat bids first."""
    spades = " ".join(f"S{rank}" for rank in (2, 3, 4, 5, 6, 7, 8, 9, 10, "J", "Q", "K", "A"))
    state = stack_deal(GAME, 4, {"hand 0": spades}, options=SpadesOptions())
    for tricks in (4, 1, 3, 1):
        state.play(Bid(tricks))
    play_on(state, choose_from(Random("cards")), 52)

    assert state.totals == [76, -20, 76, -20]
    assert state.bags == [6, 0]
    assert (state.deal_no, state.turn) == (2, (1, "bid"))
    assert state.view(1).bids == [None] * 4


@pytest.mark.parametrize(
    ("totals", "is_over"),
    [([500, 499], True), ([499, 0], False), ([510, 510], False), ([-200, 0], True), ([-199, -199], False)],
)
def test_the_end_of_a_match(totals: list[int], is_over: bool) -> None:
    """The target ends it if the sides are not level; the floor ends it."""
    state = set_up(Position())
    state.totals = totals * 2

    assert state.is_match_over() == is_over


def test_a_hand_that_may_be_bid_on_blind() -> None:
    """Nobody has seen it; after a look its owner has, and nobody else."""
    state = set_up(BEHIND, blind_nil=True)
    assert state.legal() == [BlindNil(), Look()]
    assert state.view(0).hand == []
    assert len({tuple(sorted(state.imagine(0, Random(f"w/{n}")).faces(state.unseen_hands[0]))) for n in range(5)}) == 5

    state.play(Look())
    assert len(state.view(0).hand) == 13
    assert len(state.legal()) == 14
    assert None in state.table.faces_known_to(state.hands[0], 1)
    state.play(Bid(3))
    assert state.view(1).hand != []  # its side is ahead: it has looked
    state.play(Bid(3))
    assert state.view(2).hand == []
    state.play(BlindNil())
    assert (len(state.view(2).hand), state.blind) == (13, [False, False, True, False])


def test_what_a_position_leaves_open() -> None:
    """Open cards fit the plays: seat 1, who did not follow, has no spades, and seat 0, who led one, nothing else."""
    for number in range(10):
        plays = [(0, "S2"), (1, "H2")]
        state = GAME.setup(
            4, resolve_options(GAME, 4), Position(bids=[1, 1, 1, 1], plays=plays), Random(f"open/{number}")
        )

        assert {face[0] for face in state.faces(state.hands[0])} == {"S"}
        assert "S" not in {face[0] for face in state.faces(state.hands[1])}


def test_the_bounds_of_a_side_that_takes_thirteen_bags() -> None:
    """The lower bound counts a penalty for each bag of a deal."""
    options = resolve_options(GAME, 4, None, {"bag_limit": 1, "bag_penalty": 200})
    points, _ = count_side([PlayerResult(0, 13), PlayerResult(0, 0)], 0, options)

    bounds = GAME.bounds(4, options)

    assert bounds is not None and bounds.least <= options.floor + 1 + points
