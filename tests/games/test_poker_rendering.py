"""Poker as people see it, and what it is worth for a search."""

from __future__ import annotations

import pytest

from pitboss import Random
from pitboss.game import render_state
from pitboss_poker.messages import Action, Call, Check, Fold, Position, Raise
from pitboss_poker.state import PokerState
from tests.games.poker_states import deal_poker

NAMES = ["Ann", "Bob", "Cy"]
HANDS: list[list[str | None]] = [["HA", "CA"], ["HK", "CK"], ["HQ", "CQ"]]
BOARD = ["H2", "D7", "C9", "S3", "D4"]


def test_side_pots() -> None:
    """The picture shows pots with who can win them, stacks, bets, the board, and the own cards alone."""
    state = deal_poker(3, position=Position(stacks=[300, 9000, 10_000], hands=HANDS, stock=[*BOARD]), hands=1)
    for action in (Raise(to=1000), Call()):
        state.play(action)

    assert render_state(state, 1, NAMES) == [
        "  hand 1 of 1, preflop, blinds 50/100",
        "  board  empty",
        "  pot    1,400",
        "         300 for 0, 1, 2",
        "         400 for 0, 2",
        "         700 for 2",
        "                         stack     bet  cards",
        "  0 Ann                      0     300  ?? ?? all in",
        "> 1 Bob                  8,900     100  HK CK",
        "  2 Cy             B     9,000   1,000  ?? ??",
    ]


def read_counts(state: PokerState) -> list[str]:
    """Return the counts of the table, and of each seat, as a page shows them."""
    counts = state.public_counts()
    return [", ".join(f"{count.name} {count.value}".strip() for count in one) for one in (counts.table, *counts.seats)]


def test_counts_of_a_hand() -> None:
    """Everybody is told the pots that two can win, and how each seat stands."""
    state = deal_poker(3, position=Position(stacks=[300, 9000, 10_000], hands=HANDS, stock=[*BOARD]), hands=1)
    for action in (Raise(to=1000), Call()):
        state.play(action)

    assert read_counts(state) == [
        "pot 1400, main pot 300, side pot 1 400, blinds 50/100, hand 1 of 1",
        "stack 0, bet 300, all in",
        "stack 8900, bet 100",
        "stack 9000, bet 1000, button",
    ]


def test_counts_after_a_hand() -> None:
    """In the second hand everybody is told the chips won in the first, unless the stacks tell."""
    by_stacks = {stacks: deal_poker(2, hands=2, stacks=stacks) for stacks in ("reset", "carry")}
    for state in by_stacks.values():
        state.play(Fold())

    assert read_counts(by_stacks["reset"])[0] == "pot 150, blinds 50/100, hand 2 of 2"
    assert ["net" in seat for seat in read_counts(by_stacks["reset"])] == [False, True, True]
    assert ["net" in seat for seat in read_counts(by_stacks["carry"])] == [False, False, False]


def test_end_of_the_game() -> None:
    """At the end the picture shows who won what with which hand, and the hands that were shown."""
    state = deal_poker(3, position=Position(hands=HANDS, stock=[*BOARD]), hands=1)
    state.play(Fold())
    while state.turn is not None:
        state.play(Call() if state.to_call else Check())

    assert render_state(state, 3, NAMES) == [
        "  hand 1 of 1, river, blinds 50/100",
        "  it ended: 200 to 0 Ann: pair, A",
        "  board  H2 D7 C9 S3 D4",
        "  pot    0",
        "                         stack     bet  cards",
        "  0 Ann                 10,100          HA CA",
        "  1 Bob                  9,900          mucked",
        "  2 Cy             B    10,000          folded",
    ]


@pytest.mark.parametrize("seats", [2, 10])
def test_width(seats: int) -> None:
    """The picture is at most 60 columns wide."""
    state = deal_poker(seats, "tournament")
    rng = Random("width")
    while state.turn is not None:
        lines = render_state(state, None, ["a very long name of a bot"] * seats)
        assert max(map(len, lines)) <= 60
        legal = state.legal()
        action: Action = state.neutral() if rng.randbelow(2) else next(one for one in legal if isinstance(one, Action))
        state.play(action)


def test_evaluation() -> None:
    """A world is worth what each seat would win if nobody bet any more."""
    state = deal_poker(3, position=Position(stacks=[300, 9000, 10_000], hands=HANDS, stock=[*BOARD]), hands=1)
    for action in (Raise(to=1000), Call()):
        state.play(action)

    assert [700 - 300, -100, 700 - 1000] == list(state.evaluate())
