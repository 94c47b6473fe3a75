"""`pitboss doctor`: print the findings about this machine."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

import typer

from pitboss_tournament.cli.output import print_json, print_paragraph
from pitboss_tournament.cli.parameters import Json

if TYPE_CHECKING:
    from pitboss_tournament.doctor.machine import Finding


def doctor(as_json: Json = False) -> None:
    """Look at this machine: what it can do for a tournament, what it cannot, and how to mend that.

    The sandbox is not believed: small programs try in there what a bot must not do. The exit status is 1 if there is a
    problem. With --json: a list of objects with point, state (ok, note or problem), text and cure.
    """
    from pitboss_tournament.doctor.machine import check_machine, check_plugins, find_languages
    from pitboss_tournament.doctor.sandbox_promises import try_promises

    found = []
    for finding in chain(check_machine(), try_promises(), check_plugins(), find_languages()):
        found.append(finding)
        if not as_json:
            _print_finding(finding)
    if as_json:
        print_json(found)
    else:
        _print_summary(found)
    if any(finding.state == "problem" for finding in found):
        raise typer.Exit(1)


def _print_finding(finding: Finding) -> None:
    print_paragraph(f"{finding.state:<8}{finding.point}: {finding.text}", hanging=8)
    print_paragraph(f"-> {finding.cure}" if finding.cure else "", indent=8, hanging=3)


def _print_summary(found: list[Finding]) -> None:
    from pitboss.text import format_count

    problems, notes = (sum(finding.state == state for finding in found) for state in ("problem", "note"))
    typer.echo(
        f"\n{format_count(len(found), 'point')}, {format_count(problems, 'problem')}, {format_count(notes, 'note')}."
    )
