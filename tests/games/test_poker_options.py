"""Options of poker that do not go together, and what the others become."""

from __future__ import annotations

import pytest

from pitboss import OptionError
from tests.games.poker_states import deal_poker


@pytest.mark.parametrize(
    ("options", "wrong"),
    [
        ({"small_blind": 200}, "small_blind is 200, more than the big_blind, 100"),
        ({"small_blind": 0, "big_blind": 0}, "nothing to play for"),
        ({"stack": 50}, "stack is 50, less than big_blind and ante, 100"),
        ({"first_button": 3}, "with 3 players it is 0 to 2"),
        ({"level_hands": 3}, "levels need stacks that carry"),
        ({"stacks": "carry"}, "it needs hands or level_hands"),
        ({"bets": [1, 1, 1, 1]}, "fixed bets need betting 'limit'"),
        ({"betting": "limit", "bets": [1, 2]}, "holdem has 4 rounds"),
        ({"betting": "limit", "small_blind": 0, "big_blind": 0, "ante": 1}, "bets must be given"),
    ],
    ids=str,
)
def test_refused(options: dict[str, object], wrong: str) -> None:
    """The error names the option, its value and the reason."""
    with pytest.raises(OptionError) as refused:
        deal_poker(3, None, None, **options)

    assert wrong in str(refused.value)


def test_first_button() -> None:
    """The option names the seat with the button of the first hand."""
    assert deal_poker(4, first_button=1).view(0).button == 1
