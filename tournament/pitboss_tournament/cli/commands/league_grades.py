"""The signatures of `pitboss league grades`, `league extend`, `league group`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pitboss_tournament.cli.commands.league import league
from pitboss_tournament.cli.parameters import Json, LeagueRoot


@league.command("grades", short_help="Give the grades of a class, as CSV for Canvas, Moodle or a spreadsheet.")
def grades(
    folders: Annotated[
        list[Path],
        typer.Argument(
            metavar="FOLDER...",
            help="The folder of the league; of several leagues, or a folder of them, each is an assignment.",
            show_default=False,
        ),
    ],
    roster: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="The class: a name a line, or an export of Canvas or Moodle, whose columns are kept. Default: all "
            "owners of the league, and the members of groups.",
            show_default=False,
        ),
    ] = None,
    points_only: Annotated[
        bool,
        typer.Option(
            "--points-only", help="Leave out the columns of details, which Canvas would take for assignments."
        ),
    ] = False,
    address: Annotated[
        str,
        typer.Option(
            metavar="URL",
            help="The address of the league, for the links to its pages. Default: links begin with /.",
            show_default=False,
        ),
    ] = "",
    as_json: Json = False,
) -> None:
    """Print a line of CSV for each student: points by [grades] of league.toml, and what they rest on: the bot and its
    version, tier, the places that it may have, the anchors that it is proven to beat, days late, links.

    The columns of the roster stay as they are, so that the file can be read by Canvas or Moodle again. Points of a
    league stand under its name. Of several leagues there are a column each and a total.

    After the end of submissions a league that runs freezes which versions count, and later the standings: then grades
    are final, and the same whenever they are printed. Before that a note says what is missing.

    With --json: an object; `pitboss schema grades` describes it.
    """


@league.command("extend", short_help="Let the submissions of one owner end later.")
def extend(
    folder: LeagueRoot,
    student: Annotated[
        str, typer.Argument(metavar="STUDENT", help="The owner, or a member of a group.", show_default=False)
    ],
    until: Annotated[
        str,
        typer.Option(
            metavar="TIME",
            help="When their submissions end: 2027-02-08T18:00:00+01:00, or without its offset by the clocks of "
            "[grades] zone.",
            show_default=False,
        ),
    ],
    as_json: Json = False,
) -> None:
    """Let the submissions of one owner end at another time than those of all: late days count from then on.

    A league that is running takes it up at once. The audit trail tells it.

    With --json: an object with owner, until, and last (when late submissions end).
    """


@league.command("group", short_help="Say who submits together, or list the groups.")
def group(
    folder: LeagueRoot,
    owner: Annotated[
        str | None,
        typer.Argument(metavar="[OWNER]", help="The group, which is the owner of its bots.", show_default=False),
    ] = None,
    persons: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[PERSON...]", help="All who are in it, by their names in the roster.", show_default=False
        ),
    ] = None,
    nobody: Annotated[bool, typer.Option("--nobody", help="Nobody is in it any more.")] = False,
    again: Annotated[
        bool, typer.Option("--again", help="Let grades that are final go by the groups of now, all of them.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Say who is in a group: these, and nobody else. Each of them gets the grade of the group, which has one token,
    made by `pitboss token new FOLDER --owner OWNER`. Without OWNER: list the groups.

    A roster with the column Team makes groups by `pitboss token new FOLDER --csv FILE`. Grades that are final go by the
    groups of their freeze, until --again.

    With --json: an object with the members of each group.
    """
