"""Try a game of OpenSpiel with some parameters in a process of its own: native code may end the process that calls it.

    python -m pitboss_from_openspiel.probe hex '{"board_size": 9}'

ends with status 0 if a random game could be played; else with an error as the last line of standard error.
"""

from __future__ import annotations

import json
import random
import signal
import subprocess
import sys
from collections.abc import Mapping
from itertools import takewhile
from typing import Final

import pyspiel

from pitboss.foreign_input import read_json

TIME_LIMIT_S: Final = 20.0
MOVES: Final = 60


def find_fault(name: str, given: Mapping[str, object]) -> str:
    """Return what goes wrong with these parameters, as the end of a sentence; "" if a random game can be played."""
    command = [sys.executable, "-m", __name__, name, json.dumps(given)]
    try:
        done = subprocess.run(command, capture_output=True, timeout=TIME_LIMIT_S, check=False)
    except subprocess.TimeoutExpired:
        return f"a random game of {MOVES} moves takes longer than {TIME_LIMIT_S:.0f} s"
    except OSError:
        return ""  # a sandbox allows no process: what is played there was looked at outside
    if done.returncode < 0:
        return f"OpenSpiel's own code crashes ({signal.Signals(-done.returncode).name})"
    if not done.returncode:
        return ""
    lines = done.stderr.decode(errors="replace").strip().splitlines()
    said = [*takewhile(lambda line: not line.startswith(" "), reversed(lines))]  # the exception, after its traceback
    return " ".join(" ".join(reversed(said)).split())


def play_at_random(name: str, given: Mapping[str, object]) -> None:
    """Play some moves of a game, and write down all that is asked for at a table."""
    rng = random.Random(1)
    state = pyspiel.load_game(name, dict(given)).new_initial_state()
    for _ in range(MOVES):
        if state.is_terminal():
            state.returns()
            return
        if state.is_chance_node():
            state.apply_action(rng.choice(state.chance_outcomes())[0])
            continue
        str(state)
        if state.is_simultaneous_node():
            chosen = [state.legal_actions(seat) or [0] for seat in range(state.num_players())]
            state.apply_actions([rng.choice(actions) for actions in chosen])
            continue
        actions = state.legal_actions()
        for action in actions:
            state.action_to_string(state.current_player(), action)
        state.apply_action(rng.choice(actions))


if __name__ == "__main__":
    play_at_random(sys.argv[1], read_json(sys.argv[2], dict[str, object]))
