"""The trial of bots on a machine: each is asked for its first decision, in a process of its own.

The game's code runs in that process, as it does in a worker: a game that brings its process down does not take a node
or a tournament with it. The process is `python -m pitboss_tournament.cluster.bot_trial PARENT`. It reads a plan and the
bots, pickled, and writes a `TrialResult` as JSON.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections.abc import Sequence

import msgspec
from msgspec import Struct

from pitboss.plugins.registry import Registry
from pitboss_tournament.bot_checks.admission import find_unable
from pitboss_tournament.plan.plan import Entrant, Plan
from pitboss_tournament.processes.start_errors import MachineError
from pitboss_tournament.running.worker import bind_to_relatives, claim_stdio


class TrialResult(Struct, frozen=True):
    """What the process has found."""

    unable: dict[str, str]  # why bots cannot play here, by name
    trouble: str = ""  # why nothing can be said: the machine cannot start a bot


def try_bots(plan: Plan, entrants: Sequence[Entrant]) -> dict[str, str]:
    """Return why bots cannot play on this machine, by name; none if the trial's process was brought down.

    Raises:
        OSError: the machine cannot start a process, or a bot.
    """
    done = subprocess.run(
        [sys.executable, "-P", "-m", __name__, str(os.getpid())],
        input=pickle.dumps((plan, tuple(entrants))),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        check=False,
    )
    if done.returncode:
        return {}  # by the game, which workers survive; what they cannot play is found there
    result = msgspec.json.decode(done.stdout, type=TrialResult)
    if result.trouble:
        raise OSError(result.trouble)
    return result.unable


def main() -> None:
    """Try the bots that standard input names."""
    bind_to_relatives(int(sys.argv[1]))
    descriptor_in, descriptor_out = claim_stdio()
    with open(descriptor_in, "rb") as asked, open(descriptor_out, "wb") as out:  # noqa: PTH123 - descriptors
        plan, entrants = pickle.load(asked)
        try:
            result = TrialResult(find_unable(plan, Registry().find_game(plan.game), entrants))
        except* MachineError as errors:
            result = TrialResult({}, str(errors.exceptions[0]))
        out.write(msgspec.json.encode(result))


if __name__ == "__main__":
    main()
