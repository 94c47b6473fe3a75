"""A bridge: a player of PyPokerEngine plays Hold'em at Pitboss's tables.

    python bridge.py MODULE CLASS     as player Caller, or examples.players.random_player RandomPlayer

The player hears of the start of games, hands and betting rounds when it is next asked. It does not hear of single
actions and ends of hands: the round state has all actions of a hand.
"""

from __future__ import annotations

import importlib
import random
import sys
from typing import Any

from pitboss_bot import Choice, Hello, Question, Start, run
from translation import build_round_state, build_valid_actions, describe_game, find_choice, write_card


class Table:
    """The player, and the hand and the betting round of which it has heard."""

    def __init__(self, player: Any) -> None:
        self.player = player
        self.hand = 0
        self.street = ""

    def require_game(self, hello: Hello) -> None:
        """End the program with a sentence if the game is another one."""
        if hello.game != "poker" or hello.options["cards"] != "holdem":
            sys.exit("players of PyPokerEngine play Hold'em: poker with the option cards = 'holdem'")

    def begin(self, hello: Hello, start: Start) -> None:
        """Let the player hear of the game, and draw the same numbers in each run of it."""
        random.seed(start.seed)
        self.hand, self.street = 0, ""
        self.player.set_uuid(str(start.seat))
        self.player.receive_game_start_message(describe_game(hello.options, start.players))

    def choose(self, question: Question) -> Choice:
        """Let the player hear of what has begun, and ask it."""
        view = question.view
        state = build_round_state(view, question.seat, question.start.players, question.hello.options["ante"])
        cards = [write_card(face) for face in view["cards"]]
        if self.hand != view["hand"]:
            self.hand, self.street = view["hand"], ""
            self.player.receive_round_start_message(self.hand, cards, state["seats"])
        if self.street != view["street"]:
            self.street = view["street"]
            self.player.receive_street_start_message(self.street, state)
        action, amount = self.player.declare_action(build_valid_actions(view), cards, state)
        return find_choice(action, amount, question.legal)


module, name = sys.argv[1:3]
table = Table(getattr(importlib.import_module(module), name)())
run(table.choose, on_hello=table.require_game, on_start=table.begin)
