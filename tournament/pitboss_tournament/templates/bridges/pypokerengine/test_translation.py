"""The bridge translates: `python3 -m unittest`."""

from __future__ import annotations

import unittest
from typing import Any

from translation import build_round_state, build_valid_actions, find_choice

VIEW: dict[str, Any] = {
    "hand": 3,
    "street": "flop",
    "cards": ["H10", "CA"],
    "board": ["S2", "S3", "D10"],
    "pot": 1100,
    "pots": [],
    "stacks": [9700, 9700, 9500],
    "bets": [0, 0, 200],
    "paid": [300, 300, 500],
    "button": 2,
    "small_blind": 0,
    "big_blind": 1,
    "blinds": [50, 100],
    "folded": [],
    "all_in": [],
    "out": [],
    "min_raise": 400,
    "max_raise": 9700,
    "history": ["2r300 0c 1c", "0k 1k 2b200"],
}
FREE: list[dict[str, Any]] = [{"do": "check"}, {"do": "bet", "to": [100, 9000]}]
FACING_A_BET: list[dict[str, Any]] = [{"do": "fold"}, {"do": "call"}, {"do": "raise", "to": [400, 9700]}]


class Translation(unittest.TestCase):
    """Views become round states, answers become choices."""

    def test_the_histories(self) -> None:
        """Blinds stand first, and amounts are all that a player has put in in the round."""
        histories = build_round_state(VIEW, 0, ["ann", "bob", "cy"], 0)["action_histories"]

        self.assertEqual(["preflop", "flop"], list(histories))
        self.assertEqual(
            [
                {"action": "SMALLBLIND", "amount": 50, "add_amount": 50, "uuid": "0"},
                {"action": "BIGBLIND", "amount": 100, "add_amount": 50, "uuid": "1"},
                {"action": "RAISE", "amount": 300, "paid": 300, "uuid": "2", "add_amount": 200},
                {"action": "CALL", "amount": 300, "paid": 250, "uuid": "0"},
                {"action": "CALL", "amount": 300, "paid": 200, "uuid": "1"},
            ],
            histories["preflop"],
        )
        self.assertEqual(
            {"action": "RAISE", "amount": 200, "paid": 200, "uuid": "2", "add_amount": 200}, histories["flop"][-1]
        )

    def test_the_table(self) -> None:
        """Cards, seats and the pot are as PyPokerEngine writes them."""
        state = build_round_state({**VIEW, "folded": [1]}, 0, ["ann", "bob", "cy"], 0)

        self.assertEqual(["S2", "S3", "DT"], state["community_card"])
        self.assertEqual(["participating", "folded", "participating"], [seat["state"] for seat in state["seats"]])
        self.assertEqual({"main": {"amount": 1100}, "side": []}, state["pot"])

    def test_what_is_valid(self) -> None:
        """To call is to match the highest bet; where nobody may raise the bounds are -1."""
        self.assertEqual([0, 200, {"min": 400, "max": 9700}], [one["amount"] for one in build_valid_actions(VIEW)])
        none = build_valid_actions({**VIEW, "min_raise": None, "max_raise": None})
        self.assertEqual({"min": -1, "max": -1}, none[2]["amount"])

    def test_answers(self) -> None:
        """A raise has its size; one that is not allowed is a fold; a fold where one may check is a check."""
        self.assertEqual({"do": "raise", "to": 500}, find_choice("raise", 500, FACING_A_BET))
        self.assertEqual({"do": "bet", "to": 100}, find_choice("raise", 100, FREE))
        self.assertEqual([0, 1, 0], [find_choice(word, 399, FACING_A_BET) for word in ("fold", "call", "raise")])
        self.assertEqual([0, 0, 0], [find_choice(word, -1, FREE) for word in ("fold", "call", "raise")])


if __name__ == "__main__":
    unittest.main()
