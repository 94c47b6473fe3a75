"""`pitboss stop`: a tournament that runs elsewhere is stopped."""

from __future__ import annotations

from pathlib import Path

import typer

from pitboss.errors import ConfigError
from pitboss_tournament.store.store import Store
from pitboss_tournament.store.store_lock import StoreHolder, find_holder, is_locked


def stop(file: Path, after_running: bool) -> None:
    """Run `pitboss stop`."""
    Store(file)  # or a sentence that it is none
    holder = find_holder(file)
    if holder is not None:
        with holder:
            _stop_process(holder, file, after_running)
    elif is_locked(file):
        raise ConfigError(
            f"{file}: a run is playing it, but its process cannot be seen from here (another user's, "
            "another machine's or container's): press Ctrl-C where it runs"
        )
    what = "It has stopped." if holder else f"No run is playing {file}."
    typer.echo(f"{what} {Store(file).count_games():,} games are kept.")


def _stop_process(holder: StoreHolder, file: Path, after_running: bool) -> None:
    try:
        if after_running:
            typer.echo(
                f"Process {holder.pid} plays {file}; it is asked to stop when the games in progress have ended …"
            )
            holder.hold()
        else:
            holder.stop()
            typer.echo(f"Process {holder.pid} plays {file}; it has been asked to stop …")
    except PermissionError:
        raise ConfigError(
            f"{file}: process {holder.pid} of another user plays it; only that user can stop the run"
        ) from None
    holder.wait()
