"""The signature of `pitboss integrity`."""

from __future__ import annotations

from typing import Annotated

import typer

from pitboss_tournament.cli.parameters import Json, StoreFile


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
    status is 1. A game, or a bot, whose files are no longer those that played is named; that is no problem of the
    store.

    With --json: an object with games, replayed (whether they were), unended_run (when the last run began, if it has not
    ended), problems: a list of game_id (null: of none) and what, and other_files: a list of bot, digest (of the files
    that played), folder and files (that were changed, added or removed; none: the folder is gone).
    """
