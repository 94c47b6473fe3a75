"""Options of poker: buttons, bets by round, and who begins."""

from __future__ import annotations

import pytest

from pitboss import IllegalAction
from pitboss.game import resolve_options
from pitboss_poker.game import Poker
from pitboss_poker.messages import Call, Check, Fold, Raise
from pitboss_poker.state import PokerState
from tests.games.poker_states import deal_poker


def test_first_button() -> None:
    """The option names the seat with the button of the first hand."""
    assert deal_poker(4, first_button=1).view(0).button == 1


def test_bets_by_round() -> None:
    """Leduc allows three bets in the first round, with the big blind among them, and two in the second."""
    state = deal_poker(2, "rlcard-leduc", may_fold=False)
    raises = []
    for _ in range(2):
        count = 0
        while state.min_to:
            state.play(state.legal()[-1])  # type: ignore[arg-type]
            count += 1
        raises.append(count)
        state.play(Call())

    assert raises == [2, 2]


def test_who_can_check_may_fold_if_that_is_allowed() -> None:
    """A player who can check may fold if the option allows; the neutral action stays the check."""
    state = deal_poker(2, "leduc", may_fold=True)

    assert state.legal()[:2] == [Fold(), Check()]
    assert state.neutral() == Check()
    state.play(Fold())
    assert state.net == [-1, 1] or state.net == [1, -1]
    with pytest.raises(IllegalAction):
        deal_poker(2, "leduc").play(Fold())


@pytest.mark.parametrize(
    ("seats", "first", "turns"),
    [
        (2, None, [1, 0]),
        (2, [2, 1, 1, 1], [1, 0]),  # the ACPC's game files, with reversed blinds
        (2, [1, 2, 2, 2], [0, 1]),
        (3, None, [2, 0]),
        (3, [3, 1, 1, 1], [2, 0]),
        (3, [2, 3, 1, 1], [1, 2]),
        (2, "after-last", [1, 1]),  # the big blind checked last
        (3, "after-last", [2, 2]),
    ],
)
def test_who_begins(seats: int, first: object, turns: list[int]) -> None:
    """Places count from the left of the button, which the last seat has."""
    state = deal_poker(seats, "limit", first_players=first)
    seen = [state.turn.seat if state.turn else None]
    while not state.street:
        state.play(Call() if state.to_call else Check())
    seen.append(state.turn.seat if state.turn else None)

    assert seen == turns


def test_after_a_fold_the_next_that_can_act_begins() -> None:
    """After a fold of the last player to act, the next player with cards and chips begins the round."""
    state = deal_poker(4, "limit", first_players="after-last")
    for action in (Call(), Fold(), Call(), Raise(200), Fold(), Call()):
        state.play(action)

    assert (state.street, state.turn and state.turn.seat) == (1, 1)
    assert state.view(0).history == ["2c 3f 0c 1r200 2f 0c", ""]


@pytest.mark.parametrize(
    ("preset", "lost", "decisions"),
    [
        ("kuhn", 2, 3),
        ("leduc", 1 + 4 + 8, 8),
        ("limit", 4 * (100 + 100 + 200 + 200), 4 * (2 + 4)),
        ("no-limit", 10_000, 4 * (2 + 10_000) + 1),
    ],
)
def test_the_bounds_of_a_hand_are_those_of_its_bets(preset: str, lost: int, decisions: int) -> None:
    """A hand with fixed bets costs at most the bets of all rounds and the ante; a hand without costs a stack."""
    options = resolve_options(Poker(), 2, preset, {"hands": 1})
    bounds = Poker.bounds(2, options)

    assert bounds is not None
    assert (bounds.least, bounds.most, bounds.decisions) == (-lost, lost, decisions)


@pytest.mark.parametrize("preset", ["kuhn", "leduc"])
def test_a_hand_reaches_its_bounds(preset: str) -> None:
    """The longest line of Kuhn and Leduc poker is as long, and its pot as large, as the bounds say."""
    bounds = Poker.bounds(2, deal_poker(2, preset, hands=1).options)
    lines = [walk_longest_line(deal_poker(2, preset, hands=1, seed=f"deal {number}")) for number in range(20)]

    assert bounds is not None
    assert {decisions for decisions, _ in lines} == {bounds.decisions}
    assert max(won for _, won in lines) == bounds.most


def walk_longest_line(state: PokerState) -> tuple[int, float]:
    """Check first in each round, then bet as often as possible, and call; return the decisions and the win."""
    decisions, street = 0, -1
    while state.turn is not None:
        is_bet = state.street == street and state.min_to > 0
        street = state.street
        legal = state.legal()
        state.play(legal[-1] if is_bet else next(one for one in legal if isinstance(one, Check | Call)))  # type: ignore[arg-type]
        decisions += 1
    return decisions, max(state.outcome().points)
