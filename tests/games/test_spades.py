"""Spades: conformance, matches of several deals, hands nobody has seen, positions, the estimate and the picture."""

from __future__ import annotations

import pytest

from pitboss import PositionError, Random
from pitboss.game import resolve_options
from pitboss.parts.tricks import PlayCard
from pitboss.simulation.random_play import choose_from, play_on
from pitboss.testing import assert_conforms, stack_deal
from pitboss_spades.game import Spades
from pitboss_spades.messages import Bid, BlindNil, Look, Position, SpadesAction, SpadesOptions
from pitboss_spades.scoring import PlayerResult, count_side
from pitboss_spades.state import SpadesState
from tests.games.trick_games import assert_narrow_pictures, assert_position_again, correlate_estimate

GAME = Spades()
OPEN: list[str | None] = [None] * 13
BEHIND = Position(totals=[0, 120])


def set_up(position: Position, **given: object) -> SpadesState:
    """Return a state at a position."""
    return GAME.setup(4, resolve_options(GAME, 4, None, given), position, Random("position"))


def choose_keeping_spades(state: SpadesState, rng: Random) -> SpadesAction:
    """Bid nil or little, and play spades last: they are broken late, and hands of spades alone remain."""
    legal = list(state.legal())
    small = [action for action in legal if not isinstance(action, Bid) or action.tricks <= 3]
    plain = [action for action in small if not (isinstance(action, PlayCard) and action.card[0] == "S")]
    return rng.choice(plain or small)


@pytest.mark.once
def test_it_conforms() -> None:
    """A match in which some may bid blind keeps every promise."""
    assert_conforms(GAME, presets=["blind_nil"], games=1, player=choose_keeping_spades)


@pytest.mark.once
@pytest.mark.long
def test_it_conforms_with_every_preset() -> None:
    """Every preset and option does."""
    assert_conforms(GAME, games=2, player=choose_keeping_spades)


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


@pytest.mark.parametrize(
    ("position", "message"),
    [
        (Position(bids=[None, 3, None, None]), "seat 0 bids first"),
        (Position(bids=[9, 3, 5, None]), "seat 2 bids 5"),
        (Position(bids=[3, 3, 3, 3], plays=[(1, "H2")]), "play 1 of the deal is by seat 1; seat 0 plays then"),
        (Position(bids=[3, 3, None, None], plays=[(0, "H2")]), "cards are played, and bids are"),
        (Position(bids=[3, 3, 3, 3], plays=[(0, "S2")], hands=[["H2", *OPEN[2:]], OPEN, OPEN, OPEN]), "play 1"),
        (Position(hands=[OPEN[1:], OPEN, OPEN, OPEN]), "seat 0 holds 12 cards and has played 0"),
        (Position(bags=[10, 0]), "bags are"),
        (Position(deal_no=51), "the match has 50 deals"),
        (Position(blind=[True, False, False, False], bids=[0, None, None, None]), "blind, which it may not"),
        (Position(has_looked=True), "nobody on turn may bid blind"),
    ],
)
def test_positions_that_are_none(position: Position, message: str) -> None:
    """What cannot have come about is refused, with what is wrong."""
    with pytest.raises(PositionError, match=message):
        set_up(position)


def test_what_a_position_leaves_open() -> None:
    """It is dealt so that it fits: seat 1 did not follow, and seat 0 led a spade before one was played."""
    for number in range(10):
        plays = [(0, "S2"), (1, "H2")]
        state = GAME.setup(
            4, resolve_options(GAME, 4), Position(bids=[1, 1, 1, 1], plays=plays), Random(f"open/{number}")
        )

        assert {face[0] for face in state.faces(state.hands[0])} == {"S"}
        assert "S" not in {face[0] for face in state.faces(state.hands[1])}


@pytest.mark.parametrize("limit", [0, 2, 30, 56])
def test_a_position_is_written_and_set_up_again(limit: int) -> None:
    """Bids, tricks and points are the same, after the end too."""
    assert_position_again(GAME, resolve_options(GAME, 4, "single"), limit)


def deal_after_bids(seed: str) -> SpadesState:
    """Return a deal in which everybody has bid three tricks."""
    state = GAME.deal(4, resolve_options(GAME, 4, "single"), Random(seed))
    for _ in range(4):
        state.play(Bid(3))
    return state


def test_the_bounds_of_a_side_that_takes_thirteen_bags() -> None:
    """Each bag may cost a penalty: a deal takes a side further below the floor then."""
    options = resolve_options(GAME, 4, None, {"bag_limit": 1, "bag_penalty": 200})
    points, _ = count_side([PlayerResult(0, 13), PlayerResult(0, 0)], 0, options)

    bounds = GAME.bounds(4, options)

    assert bounds is not None and bounds.least <= options.floor + 1 + points


def test_the_estimate() -> None:
    """It agrees better and better with the points of the deal."""
    found = correlate_estimate(deal_after_bids, (4, 28, 48))

    assert found == sorted(found)
    assert found[0] > 0.3 and found[-1] > 0.9


def test_the_picture() -> None:
    """Bids and tricks stand beside the names, within 60 columns; who has not looked at its cards sees none."""
    state = GAME.deal(4, resolve_options(GAME, 4, "blind_nil"), Random("picture"))
    assert_narrow_pictures(state, lambda one: choose_keeping_spades(one, Random(str(len(one.table.log)))))

    jokers = GAME.deal(4, resolve_options(GAME, 4, "single", {"high_trumps": "jokers_deuces"}), Random("picture"))
    assert_narrow_pictures(jokers)

    blind = set_up(BEHIND, blind_nil=True)
    assert not any("S" in line.partition("0 a")[2] for line in blind.render(0, ["a", "b", "c", "d"]))
    blind.play(BlindNil())
    assert "blind" in next(line for line in blind.render(1, ["a", "b", "c", "d"]) if "0 a" in line)
