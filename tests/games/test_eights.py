"""Crazy Eights: who knows which cards, the stock, the first card, and the estimate."""

from __future__ import annotations

import pytest

from pitboss import Random
from pitboss.game import resolve_options
from pitboss.plugins.packs import STANDARD_PACK
from pitboss_eights.game import Eights
from pitboss_eights.messages import Draw, Pass, Play, Position
from pitboss_eights.state import EightsState

GAME = Eights()
SINGLE = resolve_options(GAME, 2, "single")


def set_up(position: Position, seats: int = 2, **given: object) -> EightsState:
    """Return a state at a position."""
    return GAME.setup(seats, resolve_options(GAME, seats, None, given), position, Random("position"))


def test_all_know_the_cards_of_a_stock_that_was_made_again() -> None:
    """In every world the stock holds the cards that were played, and a card that is drawn is one of them."""
    rest = ["S8", "H8", "D8", "C8"]
    plain = [face for face in map(str, STANDARD_PACK.faces) if face[1:] != "8"]
    suits = [[face for face in plain if face[0] == suit] for suit in "SHDC"]
    hands = [suits[0] + suits[1], suits[2] + suits[3][1:]]
    state = set_up(Position(hands=[[*hand] for hand in hands], played=[*rest[:3], "CA"], stock=["C8"]))
    state.play(Draw())
    state.play(Pass())
    state.play(Draw())

    assert state.view(0).stock == 2
    for number in range(10):
        world = state.imagine(0, Random(f"stock/{number}"))
        drawn = {*world.faces(world.hands[1])} - {*hands[1]}
        assert {*world.faces(world.stock), *drawn} == {*rest[:3]}


def test_what_is_drawn_is_seen_by_its_player_alone() -> None:
    """The player who draws two cards after a two knows the cards, and nobody else does."""
    state = set_up(Position(hands=[["H2", "C3", "C4"], ["SK"], ["SQ"]], played=["H5"]), seats=3, draw_two="2")
    state.play(Play("H2"))

    assert state.turn == (2, "play")
    assert [len(state.view(1).hand), state.view(2).counts[1]] == [3, 3]
    assert len({tuple(sorted(state.imagine(0, Random(str(number))).view(1).hand)) for number in range(9)}) > 5


def test_an_eight_is_not_turned_up() -> None:
    """An eight that is turned up is covered by another card; nobody has to name a suit."""
    seed = next(str(n) for n in range(99) if len(GAME.deal(2, SINGLE, Random(str(n))).view(0).played) > 1)
    state = GAME.deal(2, SINGLE, Random(seed))

    assert state.view(0).played[0][1:] == "8" and state.view(0).played[-1][1:] != "8"
    assert state.suit == state.view(0).played[-1][0]


def test_the_first_card_acts() -> None:
    """A skip that is turned up skips the first player, and a two makes it draw."""
    turns = set()
    options = resolve_options(GAME, 3, "actions", {"deals": 1})
    for number in range(120):
        state = GAME.deal(3, options, Random(f"first/{number}"))
        rank = state.view(0).played[-1][1:]
        turns.add((rank, state.turn) if rank in ("Q", "A", "2") else ("other", state.turn))

    assert turns == {("Q", (1, "play")), ("A", (1, "play")), ("2", (0, "due")), ("other", (0, "play"))}


@pytest.mark.parametrize("scoring", ["winner", "penalty"])
def test_the_estimate(scoring: str) -> None:
    """A seat with fewer cards is ahead, an eight counts less than a card, and at the end the estimate is the score."""
    state = set_up(Position(hands=[["H9", "C2"], ["S3", "S4", "S5", "S6"]], played=["H5"]), scoring=scoring, deals=1)
    with_eight = set_up(Position(hands=[["H9", "C8"], ["S3", "S4", "S5", "S6"]], played=["H5"]), scoring=scoring)
    first, second = state.evaluate()

    assert first > second + 5
    assert scoring == "penalty" or with_eight.evaluate()[0] > first
    while state.turn is not None:
        state.play(state.legal()[0])
    assert list(state.evaluate()) == [total * (1 if scoring == "winner" else -1) for total in state.totals]


def test_what_a_silent_player_does() -> None:
    """A silent player draws, and then passes."""
    state = set_up(Position(hands=[["H9", "C2"], ["S3"]], played=["H5"], stock=["H7"]))
    for action in (Draw(), Pass()):
        assert state.neutral() == action
        state.play(action)
