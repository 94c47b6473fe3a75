"""`pitboss integrity`: whether a store is whole."""

from __future__ import annotations

from typing import Annotated

import typer

from pitboss_tournament.cli.output import print_json, print_note
from pitboss_tournament.cli.parameters import Json, StoreFile
from pitboss_tournament.cli.registry import load_registry


def integrity(
    file: StoreFile,
    with_replay: Annotated[bool, typer.Option("--replay", help="Also replay every game by the rules.")] = False,
    as_json: Json = False,
) -> None:
    """Check that a store is whole: the file in SQLite's eyes, that there are as many games as the last run left, that
    every result and record is what was written and belongs to this tournament, that each result is what its record
    says, that each log is of a game, and that calls of language models can be read and are of who sat there.

    With --replay every game is also replayed by its rules, and has to end as it was recorded; if another version of the
    game has played them, a sentence says that they are not replayed. What is wrong is said of each game; then the exit
    status is 1. Of bots whose files are no longer those that played, that is said; it is no
    problem of the store.

    With --json: an object with games, replayed (whether they were), unended_run (when the last run began, if it has not
    ended), problems: a list of game_id (null: of none) and what, and other_files: a list of bot, digest (of the files
    that played), folder and files (that were changed, added or removed; none: the folder is gone).
    """
    from pitboss_tournament.audit.store_audit import find_other_files, find_problems
    from pitboss_tournament.store.store import Store
    from pitboss_tournament.store.store_lock import is_locked
    from pitboss_tournament.text.terminal_text import escape_line

    store = Store(file)
    game = load_registry().find_game(store.header.game) if with_replay else None
    if game is not None and game.version != store.header.game_version:
        played = f"played by version {store.header.game_version} of {game.name}"
        print_note(f"the games are not replayed: they were {played}, and version {game.version} is installed")
        game = None
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
