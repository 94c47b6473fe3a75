"""A bridge: a strategy or a bot of OpenSpiel plays Kuhn and Leduc poker at Pitboss's tables, for two players.

python bridge.py table|uniform|ismcts     table: what train.py has computed
"""

from __future__ import annotations

import json
import random
import sys
from pathlib import Path
from typing import Any
from zlib import crc32

import pyspiel
from pitboss_bot import Hello, Question, Start, run
from translation import find_choice, list_actions


class Player:
    """What plays here, of one of three kinds."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self.game: Any = None
        self.table: dict[str, list[tuple[int, float]]] = {}
        self.bot: Any = None

    def load(self, hello: Hello) -> None:
        """Load the game of the table and the strategy; end the program with a sentence if it is another game."""
        cards = hello.options.get("cards")
        if hello.game != "poker" or hello.seats != 2 or cards not in ("kuhn", "leduc"):
            sys.exit("this bridge plays Kuhn and Leduc poker for two players, by the presets kuhn and leduc")
        self.game = pyspiel.load_game(f"{cards}_poker")
        if self.kind == "table":
            self.table = json.loads(Path(__file__).with_name("build").joinpath(f"{cards}.json").read_text())

    def begin(self, hello: Hello, start: Start) -> None:
        """Draw the same numbers in each run of the same game."""
        random.seed(start.seed)
        if self.kind == "ismcts":
            seed = crc32(start.seed.encode()) >> 1
            rollout = pyspiel.RandomRolloutEvaluator(1, seed)
            final = pyspiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT
            self.bot = pyspiel.ISMCTSBot(seed, rollout, 5.0, 1000, -1, final, False, False)

    def choose(self, question: Question) -> int:
        """Play the hand again in OpenSpiel up to this moment, and choose there."""
        cards, state = question.hello.options["cards"], self.game.new_initial_state()
        for action in list_actions(question.view, question.seat, cards):
            state.apply_action(action)
        return find_choice(self.choose_action(state), question.legal, cards)

    def choose_action(self, state: Any) -> int:
        """Return an action of OpenSpiel. Ask your own bot here."""
        if self.kind == "ismcts":
            return self.bot.step(state)
        if self.kind == "uniform":
            return random.choice(state.legal_actions())
        actions, chances = zip(*self.table[state.information_state_string()], strict=True)
        return random.choices(actions, chances)[0]


player = Player(sys.argv[1])
run(player.choose, on_hello=player.load, on_start=player.begin)
