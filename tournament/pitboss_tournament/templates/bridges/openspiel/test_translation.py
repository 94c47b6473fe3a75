"""The bridge translates: `python3 -m unittest`."""

from __future__ import annotations

import unittest
from typing import Any

from translation import find_choice, list_actions

FACING_A_BET: list[dict[str, Any]] = [{"do": "fold"}, {"do": "call"}, {"do": "raise", "to": 4}]
FREE: list[dict[str, Any]] = [{"do": "check"}, {"do": "bet", "to": 4}]


class Translation(unittest.TestCase):
    """Views become actions of OpenSpiel, its actions become choices."""

    def test_leduc(self) -> None:
        """The cards, the actions, the board: the seat left of the button is player 0."""
        view = {"cards": ["SK"], "board": ["HJ"], "button": 1, "history": ["0b2 1r4 0c", "0k 1b4"]}

        self.assertEqual([4, 0, 2, 2, 1, 1, 1, 2], list_actions(view, 0, "leduc"))

    def test_kuhn(self) -> None:
        """To check and to fold are one action there, to bet and to call another."""
        view = {"cards": ["SJ"], "board": [], "button": 1, "history": ["0k 1b1"]}

        self.assertEqual([0, 1, 0, 1], list_actions(view, 0, "kuhn"))
        self.assertEqual([1, 0, 0, 1], list_actions(view, 1, "kuhn"))

    def test_answers(self) -> None:
        """Each number is the action that it means where it is legal."""
        self.assertEqual([0, 1, 2], [find_choice(action, FACING_A_BET, "leduc") for action in range(3)])
        self.assertEqual([0, 1], [find_choice(action, FREE, "leduc") for action in (1, 2)])
        self.assertEqual([0, 1], [find_choice(action, FREE, "kuhn") for action in range(2)])
        self.assertEqual([0, 1], [find_choice(action, FACING_A_BET[:2], "kuhn") for action in range(2)])


if __name__ == "__main__":
    unittest.main()
