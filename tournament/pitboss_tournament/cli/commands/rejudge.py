"""The signature of `pitboss rejudge`."""

from __future__ import annotations

from typing import Annotated

import typer

from pitboss_tournament.cli.parameters import Json, StoreFile


def rejudge(
    file: StoreFile,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only count; change nothing.")] = False,
    as_json: Json = False,
) -> None:
    """Replay all games of a store by the installed game, when that has another version or other files.

    Games that end as they did are kept. The others (other points or places, a decision that is illegal now, another
    length) are void, and the command that played them plays them again. Until then that command is refused, so that no
    store mixes games by different rules. Nobody may be playing into the store, except for --dry-run. A kill leaves the
    store as it was, or as it is to be. `pitboss league rejudge` does the same for a league.

    With --json: an object with game, old_version, new_version, kept (null: the game has not changed), void, causes
    (numbers of void games by cause: deal, decision, length, outcome) and is_dry_run.
    """
