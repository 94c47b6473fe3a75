"""A bot that is nearly as good as `house:GAME`: `python bench/slips.py GAME PERCENT` plays as that does, but in so many of 100 decisions any legal action, with other luck in each game."""

from __future__ import annotations

import sys
from importlib import import_module
from random import Random

from pitboss.bot import Choice, Choose, Decision, run
from pitboss.wire import Hello, Start


class Slips:
    """A way to choose, with slips."""

    def __init__(self, choose: Choose, share: float) -> None:
        self._choose, self._share = choose, share
        self._rng = Random(0)

    def start(self, _: Hello, start: Start) -> None:
        """Begin a game."""
        self._rng = Random(start.seed)

    def choose(self, decision: Decision) -> Choice:
        """Choose as that does, or any action."""
        slip, which = self._rng.random(), self._rng.random()
        return int(which * len(decision.legal)) if slip < self._share else self._choose(decision)


if __name__ == "__main__":
    slips = Slips(import_module(f"pitboss_{sys.argv[1].replace('-', '_')}.bot").choose, float(sys.argv[2]) / 100)
    run(slips.choose, on_start=slips.start)
