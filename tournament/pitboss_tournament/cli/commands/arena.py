"""The signatures of `pitboss arena init`, `arena run`, `arena round`, `arena report`, `arena audit`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from pitboss_tournament.cli import parameters
from pitboss_tournament.cli.number_args import whole_number
from pitboss_tournament.cli.parameters import Json

arena = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    help="An arena: coding agents, scripts or people write bots, in rounds of editing and play.",
)
ArenaRoot: TypeAlias = Annotated[
    Path, typer.Argument(metavar="FOLDER", help="The folder of the arena.", show_default=False)
]


@arena.command("init", short_help="Make the folder of an arena.")
def init(
    folder: ArenaRoot,
    game: Annotated[
        str,
        typer.Option("--game", metavar="GAME", help="The name of a game from `pitboss games`.", show_default=False),
    ],
    preset: parameters.Preset = None,
    rounds: Annotated[
        int, typer.Option("--rounds", help="Rounds of editing and play.", parser=whole_number(1, 1_000))
    ] = 10,
    entrants: Annotated[
        Path | None,
        typer.Option(
            "--entrants",
            metavar="FILE",
            help="A TOML file with [entrants.NAME] for each program that writes a bot. Default: none; add them to "
            "arena.toml.",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Make FOLDER with arena.toml, in which each key is explained. Nothing is overwritten.

    An entrant is a name and a command that edits a bot: a coding agent, a script, a person's editor.
    """


@arena.command("run", short_help="Play all rounds that are left.")
def run(folder: ArenaRoot) -> None:
    """Play the rounds of an arena that are left: all entrants edit at the same time, in the sandbox; their bots are
    copied, built, checked and played, on practice deals and on deals that nobody could know; each entrant gets its
    feedback.

    Whatever stops it, the same command carries on. After the last round the secret is told from which the seeds follow,
    and FOLDER/report.html shows the learning curves.
    """


@arena.command("round", short_help="Play one round.")
def play_round(folder: ArenaRoot) -> None:
    """Play the next round of an arena, or what is left of it."""


@arena.command("report", short_help="Show learning curves, over-fitting and cost.")
def report(
    folders: Annotated[
        list[Path],
        typer.Argument(
            metavar="FOLDER...", help="The folder of an arena; several make one table over games.", show_default=False
        ),
    ],
    output: Annotated[
        Path | None,
        typer.Option("--output", metavar="FILE", help="Also write a page for a browser.", show_default=False),
    ] = None,
    as_json: Json = False,
) -> None:
    """Show of each entrant its rating by round with intervals, its gain, what it has over-fitted to the practice deals,
    and its cost. Of several arenas: entrants as rows, over all of the games that they played.
    """


@arena.command("audit", short_help="Prove an arena from its files.")
def audit(
    folder: ArenaRoot,
    again: Annotated[
        int | None,
        typer.Option(
            "--again",
            metavar="ROUND",
            help="Also play a round again, from its seed and versions: deterministic bots play the same games.",
            parser=whole_number(1, 1_000),
            show_default=False,
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Check the chain of the journal, the seeds, the files of all versions, and each game by replay.

    The exit status is 1 if something is not as the journal says.
    """
