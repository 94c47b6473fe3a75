"""`pitboss integrity`: whether a store is whole."""

from __future__ import annotations

from pathlib import Path

import typer

from pitboss_tournament.audit.store_audit import find_other_files, find_problems
from pitboss_tournament.cli.output import print_json, print_note
from pitboss_tournament.cli.registry import load_registry
from pitboss_tournament.store.game_code import digest_game
from pitboss_tournament.store.store import Store
from pitboss_tournament.store.store_lock import is_locked
from pitboss_tournament.text.terminal_text import escape_line


def integrity(file: Path, with_replay: bool, as_json: bool) -> None:
    """Run `pitboss integrity`."""
    store = Store(file)
    game = load_registry().find_game(store.header.game) if with_replay else None
    if game is not None and game.version != store.header.game_version:
        played = f"played by version {store.header.game_version} of {game.name}"
        print_note(f"the games are not replayed: they were {played}, and version {game.version} is installed")
        game = None
    elif game is not None and store.header.game_digest not in ("", digest_game(game)):
        print_note(
            f"the installed {game.name} has other files than when these games were played: they are replayed by the "
            "rules as they are now"
        )
    found = []
    for problem in find_problems(store, game):
        found.append(problem)
        if not as_json:
            typer.echo(escape_line(str(problem)))
    games = None if store.find_damage() else store.count_games()
    unended = None if games is None or (run := store.unended_run()) is None else run.began
    others = list(find_other_files(store.header, file.resolve().parent))
    store.close()
    if as_json:
        print_json(
            {
                "games": games,
                "replayed": game is not None,
                "unended_run": unended,
                "problems": found,
                "other_files": others,
            }
        )
        others = []
    elif found:
        typer.echo(f"{file}: {len(found):,} problem{'' if len(found) == 1 else 's'}")
    else:
        replayed = ", and replays as it was recorded" if game is not None else ""
        typer.echo(
            f"{file} is whole: each of {games:,} games can be read, its result is what its record says{replayed}"
        )
        if unended and not is_locked(file):
            typer.echo(
                f"The run that began at {unended} has not ended: it was killed, or this is a copy that was made while "
                f"it went on. Such a copy lacks games if {file.name}-wal was not copied with it."
            )
    for other in others:
        typer.echo(escape_line(str(other)))
    if found:
        raise typer.Exit(1)
