"""The bridge translates: `python3 -m unittest`."""

from __future__ import annotations

import unittest
from typing import Any

from translation import build_state, find_choice

FACING_A_BET: list[dict[str, Any]] = [{"do": "fold"}, {"do": "call"}, {"do": "raise", "to": 4}]
FREE: list[dict[str, Any]] = [{"do": "check"}, {"do": "bet", "to": 4}]


class Translation(unittest.TestCase):
    """Views become states of RLCard, its words become choices."""

    def test_leduc(self) -> None:
        """One card in the hand, one on the board, and what each player has paid."""
        view = {"cards": ["SK"], "board": ["HJ"], "paid": [3, 5], "history": ["0b2 1c", "0k 1b4"]}

        self.assertEqual(
            build_state(view, 0, FACING_A_BET),
            {
                "hand": "SK",
                "public_card": "HJ",
                "all_chips": [3, 5],
                "my_chips": 3,
                "legal_actions": ["call", "raise", "fold"],
            },
        )

    def test_limit_holdem(self) -> None:
        """Raises are counted in four rounds."""
        view = {"cards": ["S10", "DA"], "board": ["H2", "H3", "H4"], "paid": [20, 20], "history": ["1r20 0c", ""]}

        state = build_state(view, 1, FREE)

        self.assertEqual(["ST", "DA"], state["hand"])
        self.assertEqual(["H2", "H3", "H4"], state["public_cards"])
        self.assertEqual([1, 0, 0, 0], state["raise_nums"])
        self.assertEqual(["raise", "fold", "check"], state["legal_actions"])

    def test_answers(self) -> None:
        """A raise may be a bet here; who folds where one may check, checks."""
        self.assertEqual([0, 1, 2], [find_choice(word, FACING_A_BET) for word in ("fold", "call", "raise")])
        self.assertEqual([0, 0, 1], [find_choice(word, FREE) for word in ("fold", "check", "raise")])


if __name__ == "__main__":
    unittest.main()
