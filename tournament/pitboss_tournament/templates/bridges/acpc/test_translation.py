"""The bridge translates: `python3 -m unittest`."""

from __future__ import annotations

import tempfile
import unittest
from pathlib import Path
from typing import Any

from game_file import GameFile, UnknownGame, read_game_file
from poker_hands import list_ended_hands
from translation import find_choice, list_states

LIMIT = Path(__file__).with_name("limit.game").read_text(encoding="utf-8")
NO_LIMIT = """GAMEDEF
nolimit
numPlayers = 3
numRounds = 4
stack = 20000 20000 20000
blind = 50 100 0
firstPlayer = 3 1 1 1
numSuits = 4
numRanks = 13
numHoleCards = 2
numBoardCards = 0 3 1 1
END GAMEDEF
"""
LEDUC = """GAMEDEF
limit
numPlayers = 2
numRounds = 2
blind = 1 1
raiseSize = 2 4
firstPlayer = 1 1
maxRaises = 2 2
numSuits = 2
numRanks = 3
numHoleCards = 1
numBoardCards = 0 1
END GAMEDEF
"""


def read_text(text: str) -> GameFile:
    """Return the game of a text."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "some.game")
        file.write_text(text, encoding="utf-8")
        return read_game_file(file)


def make_view(**changed: Any) -> dict[str, Any]:
    """Return a view of a hand with some values."""
    return {"cards": ["SA", "H10"], "board": [], "button": 1, "paid": [10, 5], "bets": [10, 5], **changed}


class GameFiles(unittest.TestCase):
    """Game files become options."""

    def test_limit(self) -> None:
        """The big blind is one of the bets; of two players the button has the small blind."""
        game = read_text(LIMIT)

        self.assertEqual(
            {
                "cards": "holdem",
                "betting": "limit",
                "small_blind": 5,
                "big_blind": 10,
                "ante": 0,
                "bets": [10, 10, 20, 20],
                "max_bets": 4,
            },
            game.options,
        )
        self.assertEqual([0, 1], [game.find_position(seat, 1) for seat in range(2)])

    def test_raises_by_round(self) -> None:
        """Where rounds differ each has its own number."""
        self.assertEqual([4, 3, 4, 4], read_text(LIMIT.replace("3 4 4 4", "3 3 4 4")).options["max_bets"])

    def test_the_dealer_may_be_position_0(self) -> None:
        """Where position 0 has the small blind and acts first, it has the button."""
        game = read_text(LIMIT.replace("10 5\n", "5 10\n", 1).replace("2 1 1 1", "1 2 2 2"))

        self.assertEqual([1, 0], [game.find_position(seat, 1) for seat in range(2)])

    def test_no_limit(self) -> None:
        """Stacks count, sizes do not; of three players position 0 is left of the button."""
        game = read_text(NO_LIMIT)

        self.assertEqual(("no-limit", 20_000), (game.options["betting"], game.options["stack"]))
        self.assertEqual([1, 2, 0], [game.find_position(seat, 1) for seat in range(3)])

    def test_leduc(self) -> None:
        """Equal blinds are antes."""
        options = read_text(LEDUC).options

        self.assertEqual(("leduc", 1, 0, 2), tuple(options[one] for one in ("cards", "ante", "big_blind", "max_bets")))

    def test_what_pitboss_does_not_have(self) -> None:
        """The message says what it is."""
        for changed in (
            LIMIT.replace("numHoleCards = 2", "numHoleCards = 4"),
            LIMIT.replace("2 1 1 1", "2 2 2 2"),
            LIMIT.replace("numRanks = 13", ""),
        ):
            self.assertRaises(UnknownGame, read_text, changed)


class Translation(unittest.TestCase):
    """Views become lines, answers become choices."""

    def test_a_state_for_each_action(self) -> None:
        """The first is before any action; the one that ends a round has the next cards of the board."""
        view = make_view(board=["C2", "C3", "C4"], history=["1r20 0c", ""])

        self.assertEqual(
            ["MATCHSTATE:0:7::AsTh|", "MATCHSTATE:0:7:r:AsTh|"],
            list_states(make_view(history=["1r20"]), 0, 7, read_text(LIMIT)),
        )
        self.assertEqual(["MATCHSTATE:0:7:rc/:AsTh|/2c3c4c"], list_states(view, 0, 7, read_text(LIMIT)))

    def test_only_what_came_since_the_last_action(self) -> None:
        """What the player has answered before is not said again: it would answer again."""
        view = make_view(board=["C2", "C3", "C4"], history=["1r20 0c", "0k"])

        self.assertEqual(
            ["MATCHSTATE:1:7:r:|AsTh", "MATCHSTATE:1:7:rc/:|AsTh/2c3c4c", "MATCHSTATE:1:7:rc/c:|AsTh/2c3c4c"],
            list_states(view, 1, 7, read_text(LIMIT)),
        )

    def test_the_end_of_a_hand(self) -> None:
        """It has the actions and cards that came after the last question, and the hands that were shown."""
        view = make_view(board=["C2", "C3", "C4"], history=["1r20 0c", "0k"])
        events: list[dict[str, Any]] = [
            {"verb": "tell", "event": "check", "facts": {"seat": 1}},
            {"verb": "deal", "event": "turn", "cards": {"board": ["C5"]}},
            {"verb": "tell", "event": "bet", "facts": {"seat": 0, "to": 20}},
            {"verb": "lay", "event": "fold", "seat": 1},
            {"verb": "reveal", "event": "show", "seat": 0, "cards": ["D9", "D8"]},
            {"verb": "tell", "event": "hand_end", "facts": {"won": [20, -20]}},
            {"verb": "lay", "event": "fold", "seat": 0},
        ]

        [ended] = list_ended_hands(view, events)

        self.assertEqual([], [*list_ended_hands(view, events[:-2])])
        self.assertEqual(["MATCHSTATE:1:7:rc/cc/rf:9d8d|AsTh/2c3c4c/5c"], list_states(ended, 1, 7, read_text(LIMIT)))

    def test_sizes_without_limit(self) -> None:
        """A number is all that the player has put into the hand."""
        history = ["2r300 0c 1c", "0k 1b500"]
        view = make_view(board=["C2", "C3", "C4"], button=2, history=history)

        last = list_states(view, 2, 0, read_text(NO_LIMIT))[-1]

        self.assertEqual("MATCHSTATE:2:0:r300cc/cr800:||AsTh/2c3c4c", last)

    def test_a_small_deck(self) -> None:
        """Its highest card is the ace there."""
        view = make_view(cards=["SK"], board=["HJ"], history=["0k 1k", ""])

        self.assertEqual("MATCHSTATE:0:0:cc/:As|/Qh", list_states(view, 0, 0, read_text(LEDUC))[-1])

    def test_answers(self) -> None:
        """Sizes count from the hand's beginning, the nearest is taken; what cannot be done is the nearest action."""
        view = make_view(paid=[300, 800], bets=[0, 500])
        facing: list[dict[str, Any]] = [{"do": "fold"}, {"do": "call"}, {"do": "raise", "to": [1000, 9700]}]
        free: list[dict[str, Any]] = [{"do": "check"}, {"do": "bet", "to": 10}]

        self.assertEqual({"do": "raise", "to": 1200}, find_choice("r1500", view, 0, facing))
        self.assertEqual({"do": "raise", "to": 1000}, find_choice("r900", view, 0, facing))
        self.assertEqual([0, 1, 1], [find_choice(word, view, 0, facing[:2]) for word in ("f", "c", "r900")])
        self.assertEqual([0, 0, 1], [find_choice(word, view, 0, free) for word in ("f", "c", "r")])
        self.assertRaises(ValueError, find_choice, "x", view, 0, free)


if __name__ == "__main__":
    unittest.main()
