"""A bridge: an agent of RLCard plays Leduc or limit Hold'em at Pitboss's tables, for two players.

    python bridge.py MODEL        a model that RLCard has, as leduc-holdem-cfr or limit-holdem-rule-v1

Its rules differ there: blinds in Leduc, another order after the flop, and one may fold where one may check. An agent
that folds so checks here.
"""

from __future__ import annotations

import sys
from typing import Any
from zlib import crc32

import numpy as np
import rlcard
from pitboss_bot import Hello, Question, Start, run
from rlcard import models
from translation import build_state, find_choice


class Observation(np.ndarray):
    """An observation with `tostring`, which RLCard 1.2 calls and NumPy has had no more since 2.3."""

    def tostring(self) -> bytes:
        """Return the bytes."""
        return self.tobytes()


def load_agent(model: str) -> Any:
    """Return the agent: an object with `eval_step`. Load your own one here."""
    return models.load(model).agents[0]


MODEL = sys.argv[1]
CARDS = "leduc" if MODEL.startswith("leduc") else "holdem"
ENV = rlcard.make("leduc-holdem" if CARDS == "leduc" else "limit-holdem")
AGENT = load_agent(MODEL)


def require_game(hello: Hello) -> None:
    """End the program with a sentence if the agent does not know the game."""
    options = hello.options
    if hello.game != "poker" or hello.seats != 2 or (options["cards"], options["betting"]) != (CARDS, "limit"):
        sys.exit(f"{MODEL} plays poker for two players with the options cards = {CARDS!r} and betting = 'limit'")


def seed_agent(hello: Hello, start: Start) -> None:
    """Let the agent draw the same numbers in each run of the same game."""
    np.random.seed(crc32(start.seed.encode()))


def choose(question: Question) -> int:
    """Ask the agent."""
    state = ENV._extract_state(build_state(question.view, question.seat, question.legal))
    state["obs"] = state["obs"].view(Observation)
    action, _ = AGENT.eval_step(state)
    return find_choice(action if isinstance(action, str) else ENV.actions[action], question.legal)


run(choose, on_hello=require_game, on_start=seed_agent)
