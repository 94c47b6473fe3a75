"""`pitboss stop`: a tournament that runs elsewhere is stopped."""

from __future__ import annotations

from pathlib import Path

import typer

from pitboss.errors import ConfigError
from pitboss_tournament.league.league_folder import LEAGUE_STORE, LeagueFolder
from pitboss_tournament.league.stored_ladder import has_tournament
from pitboss_tournament.store.store import Store
from pitboss_tournament.store.store_lock import StoreHolder, find_holder, is_locked


def stop(file: Path, after_running: bool) -> None:
    """Run `pitboss stop`."""
    league = _find_league(file)
    if league is None or has_tournament(file):
        Store(file)  # or a sentence that it is none
    holder = find_holder(file)
    if holder is not None:
        with holder:
            _stop_process(holder, file, after_running)
    elif is_locked(file):
        raise ConfigError(_tell_unseen(file, "a run is playing it"))
    has_stopped = holder is not None or (league is not None and _stop_serving(league))
    what = "It has stopped." if has_stopped else f"No run is playing {file}."
    games = 0 if league is not None and not has_tournament(file) else Store(file).count_games()
    typer.echo(f"{what} {games:,} games are kept.")


def _find_league(file: Path) -> LeagueFolder | None:
    """Return the league whose store a file is; None if it is no league's."""
    folder = LeagueFolder(file.absolute().parent)
    is_league = file.name == LEAGUE_STORE and file.is_file() and folder.file.is_file() and folder.uploads.is_dir()
    return folder if is_league else None


def _stop_serving(league: LeagueFolder) -> bool:
    """Stop a league that plays no games; return whether one was served."""
    holder = find_holder(league.uploads)
    if holder is None:
        if is_locked(league.uploads):
            raise ConfigError(_tell_unseen(league.root, "a process serves it"))
        return False
    with holder:
        if not holder.is_listening():
            raise ConfigError(
                f"{league.root}: process {holder.pid} begins or changes this league; wait for its end, or try it again"
            )
        typer.echo(f"Process {holder.pid} serves {league.root}, and plays no game; it has been asked to stop …")
        try:
            holder.stop()
        except PermissionError:
            raise ConfigError(
                f"{league.root}: process {holder.pid} of another user serves it; only that user can stop it"
            ) from None
        holder.wait()
    return True


def _tell_unseen(place: Path, what: str) -> str:
    return (
        f"{place}: {what}, but its process cannot be seen from here (another user's, another machine's or "
        "container's): press Ctrl-C where it runs"
    )


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
