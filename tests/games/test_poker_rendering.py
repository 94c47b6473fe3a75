"""The counts of a poker table, as a page shows them, and what a position is worth for a search."""

from __future__ import annotations

from pitboss_poker.messages import Call, Fold, Position, Raise
from pitboss_poker.state import PokerState
from tests.games.poker_states import deal_poker

NAMES = ["Ann", "Bob", "Cy"]
HANDS: list[list[str | None]] = [["HA", "CA"], ["HK", "CK"], ["HQ", "CQ"]]
BOARD = ["H2", "D7", "C9", "S3", "D4"]


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


def test_evaluation() -> None:
    """A world is worth what each seat would win if nobody bet any more."""
    state = deal_poker(3, position=Position(stacks=[300, 9000, 10_000], hands=HANDS, stock=[*BOARD]), hands=1)
    for action in (Raise(to=1000), Call()):
        state.play(action)

    assert [700 - 300, -100, 700 - 1000] == list(state.evaluate())
