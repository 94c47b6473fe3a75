"""Real tournaments for measurements, played by the command line of this environment."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

from pitboss_tournament.store.store import Store


@contextmanager
def play_stored_match(game: str, bots: Sequence[str], deals: int, seed: str, *words: str) -> Iterator[Store]:
    """Play `pitboss match`, and yield its store, which is gone afterwards.

    Raises:
        SystemExit: the command failed.
    """
    with tempfile.TemporaryDirectory(prefix="pitboss-bench-") as folder:
        path = Path(folder) / "games.pitboss"
        words = ("match", game, *bots, "--deals", str(deals), "--seed", seed, "--store", str(path), *words)
        command = [sys.executable, "-m", "pitboss_tournament.cli", *words]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            sys.exit(f"pitboss {' '.join(words)}: {done.stderr.strip() or done.stdout[-300:]}")
        with closing(Store(path)) as store:
            yield store
