"""The bridge translates: `python3 -m unittest`."""

from __future__ import annotations

import unittest
from typing import Any

from translation import describe_hand, read_answer, write_actions

VIEW: dict[str, Any] = {"hand": 3, "cards": ["CA", "D9"], "board": [], "button": 1, "history": [" 1r200"]}


class Hands(unittest.TestCase):
    """Hands become what the API tells."""

    def test_a_question(self) -> None:
        """Position 0 is that of the big blind."""
        told = {"action": "b200", "client_pos": 0, "hole_cards": ["Ac", "9d"], "board": []}

        self.assertEqual(told, describe_hand(VIEW, 0))
        self.assertEqual(1, describe_hand(VIEW, 1)["client_pos"])

    def test_betting_rounds(self) -> None:
        """A slash follows each round that is over, and stands for each round without an action after an all-in."""
        self.assertEqual("b200c/kk/", write_actions({"history": ["1r200 0c", "0k 1k", ""]}))
        self.assertEqual("b20000c///", write_actions({"history": ["1r20000 0c", "", "", ""]}))

    def test_the_end_of_a_hand(self) -> None:
        """Winnings are the seat's own; the other one's cards are told if they were shown."""
        ended = {**VIEW, "shown": {1: ["SK", "C4"]}, "won": [-100, 100]}

        self.assertEqual(
            (-100, ["Ks", "4c"]), (describe_hand(ended, 0)["winnings"], describe_hand(ended, 0)["bot_hole_cards"])
        )
        self.assertNotIn("bot_hole_cards", describe_hand({**ended, "shown": {}}, 0))


class Answers(unittest.TestCase):
    """Answers become choices."""

    def test_answers(self) -> None:
        """Anything that is not legal is an error."""
        facing: list[dict[str, Any]] = [{"do": "fold"}, {"do": "call"}, {"do": "raise", "to": [400, 20000]}]

        self.assertEqual([0, 1, {"do": "raise", "to": 500}], [read_answer(word, facing) for word in ("f", "c", "b500")])
        for wrong in ("k", "b300", "b", "x", ""):
            self.assertRaises(ValueError, read_answer, wrong, facing)


if __name__ == "__main__":
    unittest.main()
