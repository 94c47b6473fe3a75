"""Decisions a second of a game whose rules are a program, played at random: one game at a time, and many at once.

    python -m bench.process_engine ./high_card

plays the program of examples/engines that was built in the working directory. The processor time is that of Python
alone: on a busy machine the first figure is lower.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Sequence
from pathlib import Path
from time import perf_counter, process_time
from typing import Final

from pitboss import Random
from pitboss.foreign.engine_game import EngineGame
from pitboss.game import resolve_options
from pitboss_engines.process_engine import ProcessEngine, ProcessPosition

DECISIONS: Final = 20_000
AT_ONCE: Final = (1, 10, 100, 1000)


def play_batch(engine: ProcessEngine, positions: Sequence[ProcessPosition], luck: random.Random) -> int:
    """Play games at random to their ends; return the number of decisions."""
    decisions, open_positions = 0, list(positions)
    while open_positions:
        numbers = []
        for one in open_positions:
            if outcomes := one.list_outcomes():
                numbers.append(luck.choices([each.number for each in outcomes], [each.weight for each in outcomes]))
            else:
                numbers.append([luck.choice(one.list_moves(seat)).number for seat in one.list_turns()])
                decisions += 1
        engine.play_together(open_positions, numbers)
        open_positions = [one for one in open_positions if one.list_turns() or one.list_outcomes()]
    for one in positions:
        one.count_points()
    return decisions


def measure_batches(command: Sequence[str]) -> None:
    """Print a line for each number of games at once."""
    engine = ProcessEngine(command, folder=Path.cwd())
    options, luck = resolve_options(EngineGame(engine), 2), random.Random(1)
    for at_once in AT_ONCE:
        began, computed, decisions = perf_counter(), process_time(), 0
        while decisions < DECISIONS:
            rngs = [Random(f"{decisions}/{number}") for number in range(at_once)]
            decisions += play_batch(engine, engine.begin_together(2, options, rngs), luck)
        rates = decisions / (perf_counter() - began), decisions / (process_time() - computed)
        print(f"{at_once:5} games at once: {rates[0]:8,.0f} decisions a second, {rates[1]:8,.0f} a second of processor")


if __name__ == "__main__":
    measure_batches(sys.argv[1:])
