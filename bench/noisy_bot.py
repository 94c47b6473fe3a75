"""A noisy copy of `house:GAME`: `python bench/noisy_bot.py GAME PERCENT`.

In PERCENT of 100 decisions it plays any legal action, with other random numbers in each game.
"""

from __future__ import annotations

import sys
from importlib import import_module
from random import Random

from pitboss.bot import Choice, ChoiceFunction, Question, run
from pitboss.protocol.messages import Hello, Start


class NoisyBot:
    """A choice function that is replaced by a random choice in a share of the decisions."""

    def __init__(self, choose: ChoiceFunction, share: float) -> None:
        self._choose, self._share = choose, share
        self._rng = Random(0)

    def begin_game(self, _: Hello, start: Start) -> None:
        """Begin a game."""
        self._rng = Random(start.seed)

    def choose(self, decision: Question) -> Choice:
        """Choose as the function does, or any legal action."""
        slip, which = self._rng.random(), self._rng.random()
        return int(which * len(decision.legal)) if slip < self._share else self._choose(decision)


if __name__ == "__main__":
    slips = NoisyBot(import_module(f"pitboss_{sys.argv[1].replace('-', '_')}.bot").choose, float(sys.argv[2]) / 100)
    run(slips.choose, on_start=slips.begin_game)
