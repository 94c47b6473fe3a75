"""What players of poker may know: shown hands, and no others."""

from __future__ import annotations

import msgspec

from pitboss import Random
from pitboss.parts.betting.high_hands import rank_hand
from pitboss_poker.messages import Action, Call, Check, Fold, Position, Raise
from pitboss_poker.state import PokerState
from tests.games.poker_states import deal_poker

BOARD = ["H2", "D7", "C9", "S3", "D4"]


def check_down(hands: list[list[str | None]]) -> PokerState:
    """Return a game of one hand that three players have checked down."""
    state = deal_poker(3, position=Position(hands=hands, stock=[*BOARD]), hands=1)
    while state.turn is not None:
        state.play(Call() if state.to_call else Check())
    return state


def events_of(state: PokerState, seat: int) -> str:
    """Return all events that a seat was told, as JSON."""
    return msgspec.json.encode(state.table.events(seat)).decode()


def test_mucked_hand() -> None:
    """A hand that cannot win is seen by its owner alone."""
    state = check_down([["HA", "CA"], ["SQ", "CJ"], ["SK", "CK"]])

    assert "SQ" in events_of(state, 1)
    for other in (0, 2, 3):
        assert "SQ" not in events_of(state, other)
        assert "CJ" not in msgspec.json.encode(state.view(other)).decode()


def test_worlds_after_a_mucked_hand() -> None:
    """In each world a mucked hand is weaker than the hand shown before it, and worlds differ."""
    state = check_down([["S9", "D3"], ["SQ", "CJ"], ["SK", "CK"]])
    keys, zones = state.variant.card_keys, state.table.zones
    board = [keys[card] for card in zones[state.board]]
    shown = rank_hand([*board, *[keys[card] for card in zones[state.hands[0]]]])

    mucked = set()
    for number in range(200):
        world = state.imagine(0, Random(f"world/{number}")).table.zones[state.mucks[1]]
        mucked.add(tuple(world))
        assert rank_hand([*board, *[keys[card] for card in world]]) < shown

    assert len(mucked) > 100


def test_winner_without_a_showdown() -> None:
    """A player who wins because all others fold does not show any card."""
    state = deal_poker(2, position=Position(hands=[["SA", "SK"], ["H7", "C2"]]), hands=1)
    for action in (Raise(to=500), Fold()):
        state.play(action)

    assert state.turn is None
    assert "C2" not in events_of(state, 0)
    assert "SA" not in events_of(state, 1)


def test_all_in_hands_are_shown_before_the_board() -> None:
    """When nobody can bet any more hands lie open before the next card of the board is dealt."""
    state = deal_poker(2, hands=1)
    actions: list[Action] = [Raise(to=10_000), Call()]
    for action in actions:
        state.play(action)

    events = [entry.event for entry in state.table.log or ()]
    assert ["show", "show", "flop", "turn", "river"] == [
        event for event in events if event in ("show", "flop", "turn", "river")
    ]
