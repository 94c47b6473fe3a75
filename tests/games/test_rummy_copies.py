"""Two packs, a reshuffle, and two other hands: worlds beside games that are really played, in which a seat observes the
same.
"""

from __future__ import annotations

from collections import Counter
from typing import Final, NamedTuple

import pytest

from pitboss import Random
from pitboss.table.turns import Turn
from pitboss_rummy.messages import Action, PlacedMeld, Position
from pitboss_rummy.state import RummyState
from tests.games.rummy_states import GAME, make_options

pytestmark = pytest.mark.once

RANKS: Final = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
OWN_HAND: Final = ("HA", "H3")
DISCARDS: Final = ("H5", "H2")
HIDDEN: Final = ("HA", "H2", "H3", "H4", "H4", "H5")  # two in each of the other hands, and two in the stock
MELDS: Final = [
    *[(suit, 0) for suit in "SSDDCC"],
    ("H", 5),
    ("H", 5),
]  # suit and first rank of a sequence up to the king
OPTIONS: Final = make_options(3, decks=2, hand_size=3, stock_out="reshuffle", max_turns=30)
GAMES: Final = 6_000
PLAYS_AFTER: Final = 4  # of others, after the reshuffle

World = tuple[tuple[str, ...], ...]


class Step(NamedTuple):
    """An action, and what seat 0 observed of it."""

    turn: Turn
    action: Action
    observed: str


def set_up(hidden: list[str], seed: str) -> RummyState:
    """Return a game in which these cards lie hidden; the seed decides how discards are shuffled."""
    melds = [PlacedMeld(0, [suit + rank for rank in RANKS[first:]]) for suit, first in MELDS]
    hands: list[list[str | None]] = [[*OWN_HAND], [*hidden[0:2]], [*hidden[2:4]]]
    position = Position(dealer=2, turn=0, hands=hands, stock=hidden[4:6], discard=list(DISCARDS), melds=melds)
    return GAME.setup(3, OPTIONS, position, Random(seed))


def goes_on(state: RummyState, action: Action) -> bool:
    """Tell whether the deal is not over after an action."""
    after = state.copy()
    after.play(action)
    return after.turn is not None and after.deal_no == state.deal_no


def play_step(state: RummyState, action: Action) -> Step:
    """Play an action; return it with what seat 0 observes."""
    turn, begin = state.require_turn(), len(state.table.log or ())
    state.play(action)
    return Step(turn, action, repr(state.table.events(0, begin)))


def play_past_a_reshuffle(number: int) -> tuple[RummyState, list[Step]]:
    """Return a game played at random until others have played some cards after a reshuffle."""
    rng, state = Random(f"script/{number}"), set_up(list(HIDDEN), f"deal/{number}")
    steps: list[Step] = []
    plays, has_reshuffled = 0, False
    while plays < PLAYS_AFTER:
        stock = len(state.faces(state.board.stock))
        steps.append(play_step(state, rng.choice([action for action in state.legal() if goes_on(state, action)])))
        has_reshuffled = has_reshuffled or len(state.faces(state.board.stock)) > stock
        plays += has_reshuffled and steps[-1].turn.seat != 0
    return state, steps


def read_world(state: RummyState) -> World:
    """Return what is hidden from seat 0: the other hands, and the stock in its order."""
    hands = [tuple(sorted(state.faces(hand))) for hand in state.board.hands[1:]]
    return (*hands, tuple(state.faces(state.board.stock)))


def play_like(steps: list[Step], hidden: list[str], seed: str) -> RummyState | None:
    """Play the same actions with other hidden cards; return None unless seat 0 observes the same of each."""
    state = set_up(hidden, seed)
    for step in steps:
        if state.turn != step.turn or step.action not in state.legal() or play_step(state, step.action) != step:
            return None
    return state


@pytest.mark.long
@pytest.mark.parametrize("number", [60, 38, 58, 68, 74])
def test_every_possible_world_is_sampled_and_no_other(number: int) -> None:
    """The possible worlds are those in which a game with other cards, or another shuffle, looks the same to
    the seat.
    """
    state, steps = play_past_a_reshuffle(number)
    rng, possible = Random(f"games/{number}"), Counter[World]()
    for game in range(GAMES):
        places = list(range(len(HIDDEN)))
        rng.shuffle(places)
        if played := play_like(steps, [HIDDEN[place] for place in places], f"game/{number}/{game}"):
            possible[read_world(played)] += 1

    sampled = Counter(read_world(state.imagine(0, rng)) for _ in range(400))

    assert len(possible) > 2
    assert set(sampled) == set(possible)
