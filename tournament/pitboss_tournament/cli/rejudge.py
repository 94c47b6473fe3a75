"""`pitboss rejudge`: the games of a store, judged again by the rules as they are now."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import typer

from pitboss.game import AnyGame
from pitboss_tournament.audit.rejudging import OBJECTIONS, Rejudgement, rejudge_store
from pitboss_tournament.cli.output import print_json, progress_line
from pitboss_tournament.cli.registry import load_registry
from pitboss_tournament.store.store import Store


def rejudge(file: Path, dry_run: bool, as_json: bool) -> None:
    """Run `pitboss rejudge`."""
    with closing(Store(file)) as store:
        game = load_registry().find_game(store.header.game)
    print_rejudgement(rejudge_store(file, game, dry_run, progress_line), game, "the store", dry_run, as_json)


def print_rejudgement(found: Rejudgement | None, game: AnyGame, what: str, is_dry: bool, as_json: bool) -> None:
    """Print what was found in `what`; None: its games are of the installed game."""
    if as_json:
        none = {"game": game.name, "old_version": game.version, "new_version": game.version, "kept": None, "void": 0}
        print_json({**({**none, "causes": {}} if found is None else found._asdict()), "is_dry_run": is_dry})
    elif found is None:
        typer.echo(f"The games of {what} are of {game.name} {game.version}: nothing to judge again.")
    else:
        typer.echo(f"{found}{' (nothing is changed)' if is_dry else ''}")
        for cause, count in found.causes.items():
            typer.echo(f"  {cause} ({count:,}): {OBJECTIONS[cause]}")
