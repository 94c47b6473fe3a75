"""A noisy copy of `house:GAME`: `python bench/noisy_bot.py GAME PERCENT`.

In PERCENT of 100 decisions it plays any legal action, with other random numbers in each game.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from random import Random

from pitboss.bot import Choice, ChoiceFunction, Question, run
from pitboss.protocol.messages import Hello, Start


class NoisyBot:
    """A choice function that is replaced by a random choice in a share of the decisions."""

    def __init__(
        self, choose: ChoiceFunction, share: float, begin: Callable[[Hello, Start], None] | None = None
    ) -> None:
        self._choose, self._share, self._begin = choose, share, begin
        self._rng = Random(0)

    def begin_game(self, hello: Hello, start: Start) -> None:
        """Begin a game."""
        self._rng = Random(start.seed)
        if self._begin is not None:
            self._begin(hello, start)

    def choose(self, decision: Question) -> Choice:
        """Choose as the function does, or any legal action."""
        slip, which = self._rng.random(), self._rng.random()
        return int(which * len(decision.legal)) if slip < self._share else self._choose(decision)


if __name__ == "__main__":
    of_game, percent = import_module(f"pitboss_{sys.argv[1].replace('-', '_')}.bot"), float(sys.argv[2])
    bot = of_game.PokerBot() if sys.argv[1] == "poker" else None  # it remembers what the others did
    slips = NoisyBot((bot or of_game).choose, percent / 100, bot and bot.begin)
    run(slips.choose, on_start=slips.begin_game)
