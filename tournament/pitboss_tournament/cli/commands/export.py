"""The signatures of `pitboss export`, `report`, `merge`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

import typer

from pitboss_tournament.cli.parameters import Anchor, ReduceOption, StoreFiles

KINDS: Final = ("records", "events", "incidents", "logs", "notation", "csv", "parquet", "decisions")


def export(
    files: StoreFiles,
    what: Annotated[
        str,
        typer.Option(
            "--what",
            "-w",
            metavar="|".join(KINDS),
            help="Records, event logs, incidents or logs as JSON lines; games in notation; results as CSV or Parquet; "
            "decisions as numbers for machine learning; or a format of the game, such as phh of poker.",
            autocompletion=lambda: KINDS,
        ),
    ] = "records",
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="A file to write. Default: standard output.")
    ] = None,
    times: Annotated[
        bool,
        typer.Option(
            help="Include thinking times, and with each fault the lines exchanged before it. "
            "Without them, two runs of a tournament export the same bytes."
        ),
    ] = True,
) -> None:
    """Export all games of a tournament, in the order of their numbers; of several stores as `pitboss merge` has them.

    Records hold everything that is needed to rebuild a game, and its incidents: the faults of bots, with the
    evidence. Events are the full log of the table, hidden cards included, rebuilt from the records. Incidents are those
    of the records, a line for each, with the bot's name. Logs are what was said and what was written to standard error,
    of the games whose logs are kept. Notation has a line for each decision, to read, to mail and to compare; `pitboss
    import` turns it into records again. A game may have formats of its own, which its tools read: poker has phh.

    CSV and Parquet have a line for each seat of each game: round (of the format), points and place with forfeits
    considered, fault (the kind by which it forfeited), substituted (for how many decisions the neutral action was
    played, the game going on), decisions (its own), think_ms (all of them together), think_p50_ms and think_p99_ms
    (half, and 99 of 100, took no longer, to within 5 %), and lag_p99_ms of the game: by how much the runner was late to
    read answers, for which nobody is billed.

    Decisions have a row for each letter that a player chose: what its seat knew and what was legal, as numbers, and
    the result. The file is one of numpy (.npz) or of Parquet (.parquet), by its name: docs/learning.md.
    """


def report(
    files: StoreFiles,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            help="The file to write; required for the page of several stores. Default: the store's name with .html.",
            show_default=False,
        ),
    ] = None,
    anchor: Anchor = None,
    date: Annotated[
        str | None, typer.Option(help="The date to print on the page. Default: none.", show_default=False)
    ] = None,
    reduce: ReduceOption = None,
    replays: Annotated[
        bool,
        typer.Option(
            "--replays",
            help="Also write pages of the notable games and of one game of each bot, in a folder beside the report.",
        ),
    ] = False,
    markdown: Annotated[
        bool,
        typer.Option(
            "--markdown",
            help="Write the verdict and the standings as Markdown instead, to standard output or to --output.",
        ),
    ] = False,
    certificates: Annotated[
        bool,
        typer.Option(
            "--certificates",
            help="Write certificates to print instead: a page for each bot that has a place.",
        ),
    ] = False,
    as_json: Annotated[
        bool,
        typer.Option(
            "--json",
            help="Print the table of entrants and games as JSON instead; a page is written with --output only.",
        ),
    ] = False,
) -> None:
    """Write the report of a tournament, finished or not: one page that opens in any browser, without a network.

    It shows which bots are better and how sure that is, which bot beats which, how long bots thought and games were,
    what the seat is worth, what went wrong with the evidence, what duplicate deals saved, which games are worth a look,
    and everything that the tournament was played with.

    Stores of several games make one table: entrants as rows, games as columns, with places and ratings by game and over
    games, what language models cost, and the records behind it. Stores of one game, with the same options and clock,
    are one column. `pitboss schema report` describes the output of --json.
    """


def merge(
    files: StoreFiles,
    output: Annotated[Path, typer.Option("--output", "-o", help="The store to write.", show_default=False)],
) -> None:
    """Write the games of several stores into one, of one game, with the same options and clock.

    Each version of a bot stays one by itself: `alice` of one store and `alice` of another are the same if their files
    are. Games get new numbers, and the deals of a table follow those of the stores before. The new store has no
    schedule: it can be shown, replayed and exported, and nothing is played into it. Calls of language models go with
    their games, and so does what was spent on games that were broken off.
    """
