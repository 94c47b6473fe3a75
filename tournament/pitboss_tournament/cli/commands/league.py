"""The signatures of `pitboss league init`, `league run`, `league status`, `league similar`."""

from __future__ import annotations

from typing import Annotated

import typer

from pitboss_tournament.cli import parameters
from pitboss_tournament.cli.number_args import whole_number
from pitboss_tournament.cli.parameters import Json, LeagueRoot

league = typer.Typer(
    no_args_is_help=True, rich_markup_mode=None, help="A league: people submit bots to it over HTTP, with tokens."
)


@league.command("init", short_help="Make the folder of a league.")
def init(
    folder: LeagueRoot,
    game: parameters.GameName,
) -> None:
    """Make FOLDER with league.toml, in which each key is explained, the store league.pitboss, bots/ and uploads/.

    Nothing is overwritten.
    """


@league.command("run", short_help="Serve a league, validate what is submitted, and play.")
def run(
    folder: LeagueRoot,
    settings: parameters.Settings = None,
    workers: parameters.Workers = None,
    on: parameters.On = None,
    host: Annotated[str, typer.Option(help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="The port; 0 takes a free one.", parser=whole_number(0, 65535))] = 8000,
    name: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="The host name of the server, such as league.example.org. Default: the address and the names of this "
            "machine.",
            show_default=False,
        ),
    ] = None,
    plays: Annotated[
        bool, typer.Option("--play/--no-play", help="Play games, or only show the games of the store.")
    ] = True,
    prefix: Annotated[
        str,
        typer.Option(
            metavar="/PATH",
            help="The path below which a proxy has the league, such as /racko. Default: none.",
            show_default=False,
        ),
    ] = "",
) -> None:
    """Serve the league over HTTP, validate what is submitted (build, checks, games with random players), and play.

    Tokens are sent in the clear: on other addresses than this machine's own let a proxy speak TLS. Ctrl-C ends it.
    After Ctrl-C or a crash, what was received and played is kept, and the next run carries on.

    If FOLDER is no league and holds leagues, all of them are served under one address, each below the name of its
    folder, with the same owners, tokens and groups.
    """


@league.command("status", short_help="Show versions, what waits, and what needs the host's eye.")
def status(folder: LeagueRoot, as_json: Json = False) -> None:
    """Show the submissions of a league with their states, what is queued, files that several owners have sent, bots
    that gain by others more than ratings explain, and the end of the audit trail.

    With --json: an object with name, game, seats, sandbox (as the league asks for it), run_levels (the level of each
    run so far), waiting (numbers in the order of the queue), submissions, gifts (as of `pitboss standings`), shared
    (lists of submissions with the same files, of several owners), owners, damaged (versions that do not play, as their
    files are not those that were submitted: number, why) and audit, the whole trail.
    """


@league.command("similar", short_help="Compare the bots of different owners, and show those that are alike.")
def similar(folder: LeagueRoot, as_json: Json = False) -> None:
    """Compare the newest versions that play, of different owners: by their sources, with names, texts, comments and
    layout left out, and by what they answer to questions of the league's games, in the sandbox. The page
    FOLDER/similar.html has the pairs that are more alike than is usual in the league, and what is alike in them.

    No pair is proven to be a copy: look, and ask. With --json: an object; `pitboss schema similarity` describes it.
    """
