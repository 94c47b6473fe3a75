"""The signatures of `pitboss queue add`, `queue run`, `queue list`, `queue remove`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from pitboss_tournament.cli import parameters
from pitboss_tournament.cli.number_args import parse_duration, whole_number
from pitboss_tournament.cli.verdict_command import VerdictCommand

queue = typer.Typer(
    no_args_is_help=True, rich_markup_mode=None, help="Compare versions of bots one after another, as overnight."
)
QueueOption: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        "--queue",
        metavar="FOLDER",
        help="The folder of the queue. Default: .pitboss-queue at the top of the git repository, or here.",
        show_default=False,
    ),
]


@queue.command("add", short_help="Put a comparison into the queue.")
def add(
    game: parameters.GameName,
    old: parameters.OldBot,
    new: parameters.NewBotVersion,
    folder: QueueOption = None,
    bounds: parameters.Bounds = (0.0, 25.0),
    alpha: parameters.Alpha = 0.05,
    beta: parameters.Beta = 0.05,
    games: parameters.ComparedGames = 10_000,
    among: parameters.Among = None,
    seats: parameters.Seats = None,
    preset: parameters.Preset = None,
    option: parameters.OptionWords = None,
    seed: parameters.Seed = None,
    settings: parameters.Settings = None,
    workers: parameters.Workers = None,
    sandbox: parameters.Sandbox = None,
    fail_on_faults: parameters.FailOnFaults = False,
) -> None:
    """Put a comparison of OLD and NEW into the queue, which `pitboss queue run` plays as `pitboss compare` would.

    A bot may also be git:REV, the current folder in a commit (git:main, git:HEAD~3), or git:REV:FOLDER, a folder of the
    repository. The commit is resolved now, and exported; your work tree is not touched. A folder is copied now. So
    whatever you change afterwards, what is compared stays. What a command in quotes names is not copied.
    """


@queue.command("run", cls=VerdictCommand, short_help="Play what waits, one comparison after another.")
def run(
    folder: QueueOption = None,
    play_for: Annotated[
        float | None,
        typer.Option(
            "--for",
            metavar="DURATION",
            parser=parse_duration,
            help="Begin no game after this time: 8h, 90m; the same command carries on.",
        ),
    ] = None,
    keep_going: Annotated[
        bool,
        typer.Option(
            "--keep-going",
            help="Also go on after an error of the machine, such as a full disk; the comparison fails.",
        ),
    ] = False,
) -> None:
    """Play the comparisons that wait, in their order, until the queue is empty or the time of --for is up; print a line
    for each that ends.

    What was stopped or killed is carried on first, from its store. A comparison of which a bot cannot be built, does
    not start, or never played has failed; the next one goes on. What is added meanwhile is played too.

    The exit status is that of the worst comparison of this run, as `pitboss compare` would have ended: 0 if NEW is
    better in all of them (or nothing waited), 1 if in one it is not better, 2 if one is undecided, or waits because the
    time is up, 3 if one has failed, or after an error. After Ctrl-C it is 130, after SIGTERM 143: finished games are
    kept, and the same command carries on.
    """


@queue.command("list", short_help="Show the queue: what waits, what runs, and the verdicts.")
def list_queue(folder: QueueOption = None, as_json: parameters.Json = False) -> None:
    """Show the comparisons of the queue, each with its state: it waits, it runs, or its verdict and the difference in
    rating points with its interval. Below the table stands why comparisons have failed.

    With --json: a list of objects with number, added (in UTC), game, seed, old and new (spec, and of a copy: copy,
    digest, commit, subject), state ("waits", "runs", "stopped", "ended", "failed"), games, report (as `pitboss compare
    --json` prints it), why (lines) and store.
    """


@queue.command("remove", short_help="Take a comparison out of the queue, with its games.")
def remove(
    number: Annotated[
        int, typer.Argument(metavar="NUMBER", parser=whole_number(1), help="As `pitboss queue list` shows it.")
    ],
    folder: QueueOption = None,
) -> None:
    """Take a comparison out of the queue. Its games are deleted, and copies of bots that no other comparison has."""
