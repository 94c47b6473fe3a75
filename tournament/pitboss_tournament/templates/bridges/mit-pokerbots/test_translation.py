"""The bridge translates: `python3 -m unittest`."""

from __future__ import annotations

import unittest
from typing import Any

from poker_hands import list_ended_hands
from translation import begin_hand, end_hand, list_actions, read_answer

VIEW: dict[str, Any] = {"hand": 3, "cards": ["SA", "H10"], "board": [], "button": 1, "history": [""]}


class Clauses(unittest.TestCase):
    """Hands become clauses."""

    def test_a_new_hand(self) -> None:
        """The button has the small blind, and position 0."""
        self.assertEqual([["P1", "HAs,Th"], ["P0", "HAs,Th"]], [begin_hand(VIEW, seat) for seat in (0, 1)])

    def test_actions_and_boards(self) -> None:
        """A board has all cards until then, and comes before the first action of its round."""
        view = {**VIEW, "board": ["C2", "C3", "C4", "D5"], "history": ["1c 0k", "0b4 1r12 0c", ""]}

        self.assertEqual(["C", "K", "B2c,3c,4c", "R4", "R12", "C", "B2c,3c,4c,5d"], list_actions(view))

    def test_the_end_of_a_hand(self) -> None:
        """Where both are all in there are checks for the rest; a hand that was not shown is not told."""
        events: list[dict[str, Any]] = [
            {"verb": "tell", "event": "call", "facts": {"seat": 0, "chips": 398}},
            {"verb": "reveal", "event": "show", "seat": 1, "cards": ["D9", "D8"]},
            {"verb": "deal", "event": "flop", "cards": {"board": ["C2", "C3", "C4"]}},
            {"verb": "deal", "event": "turn", "cards": {"board": ["D5"]}},
            {"verb": "deal", "event": "river", "cards": {"board": ["D6"]}},
            {"verb": "tell", "event": "hand_end", "facts": {"won": [-400, 400]}},
        ]

        [ended] = list_ended_hands({**VIEW, "history": [" 1r400"]}, events)

        checks = ["B2c,3c,4c", "K", "K", "B2c,3c,4c,5d", "K", "K", "B2c,3c,4c,5d,6d", "K", "K"]
        self.assertEqual(["R400", "C", *checks], list_actions(ended))
        self.assertEqual(["O9d,8d", "D-400"], [*end_hand(ended, 0)])
        self.assertEqual(["D400"], [*end_hand(ended, 1)])

    def test_a_hand_without_a_question(self) -> None:
        """A hand that ends before the bot is asked has all clauses, from the deal to the result."""
        events: list[dict[str, Any]] = [
            {"verb": "tell", "event": "hand", "facts": {"hand": 4, "button": 0}},
            {"verb": "deal", "event": "deal", "cards": {"hand 0": [None, None], "hand 1": ["SK", "C4"]}},
            {"verb": "lay", "event": "fold", "seat": 0},
            {"verb": "tell", "event": "hand_end", "facts": {"won": [-1, 1]}},
        ]

        [ended] = list_ended_hands(None, events)

        self.assertEqual(
            ["P1", "HKs,4c", "F", "D1"], [*begin_hand(ended, 1), *list_actions(ended), *end_hand(ended, 1)]
        )


class Answers(unittest.TestCase):
    """Answers become choices."""

    def test_answers(self) -> None:
        """What is not legal is a check, or else a fold, as in that engine."""
        facing: list[dict[str, Any]] = [{"do": "fold"}, {"do": "call"}, {"do": "raise", "to": [8, 400]}]
        free: list[dict[str, Any]] = [{"do": "check"}, {"do": "bet", "to": [2, 400]}]

        self.assertEqual([0, 1, 0], [read_answer(word, facing) for word in ("F", "C", "K")])
        self.assertEqual([{"do": "raise", "to": 8}, 0], [read_answer(word, facing) for word in ("R8", "R7")])
        self.assertEqual([0, 0, {"do": "bet", "to": 2}], [read_answer(word, free) for word in ("F", "C", "R2")])
        self.assertRaises(ValueError, read_answer, "A5", free)


if __name__ == "__main__":
    unittest.main()
