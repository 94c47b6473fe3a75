"""How the command line ends: the exit statuses, and standard output flushed."""

from __future__ import annotations

import os
import sys
from typing import Final

NOT_BETTER: Final = 1  # of `compare`, which ends with 0 if the new bot is better
UNDECIDED: Final = 2  # of `compare`
NO_VERDICT: Final = 3  # of `compare`: after an error
BOT_FAULTS: Final = 3  # a bot never played; or a bot committed a fault, and --fail-on-faults was given
GAMES_REFUSED: Final = 4  # of `import`: some games were read, and others refused
INTERRUPTED: Final = 130  # the exit status that shells give to Ctrl-C


def signal_status(number: int) -> int:
    """Return the exit status that shells give to a signal: 130 to Ctrl-C, 143 to SIGTERM."""
    return 128 + number


def flush_output() -> None:
    """Flush standard output."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # or the interpreter would try again at its end
        raise
