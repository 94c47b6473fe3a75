"""The command line of this environment, for measurements that play real tournaments."""

from __future__ import annotations

import subprocess
import sys


def run_pitboss(*words: str) -> str:
    """Run `pitboss` and return its output.

    Raises:
        SystemExit: the command failed.
    """
    command = [sys.executable, "-m", "pitboss_tournament.cli", *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"pitboss {' '.join(words)}: {done.stderr.strip() or done.stdout[-300:]}")
    return done.stdout
