"""`pitboss doctor`: print the findings about this machine."""

from __future__ import annotations

from itertools import chain

import typer

from pitboss.text import format_count
from pitboss_tournament.cli.output import print_json, print_paragraph
from pitboss_tournament.doctor.machine import Finding, check_machine, check_plugins, find_languages
from pitboss_tournament.doctor.sandbox_promises import try_promises


def doctor(as_json: bool) -> None:
    """Run `pitboss doctor`."""
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
    problems, notes = (sum(finding.state == state for finding in found) for state in ("problem", "note"))
    typer.echo(
        f"\n{format_count(len(found), 'point')}, {format_count(problems, 'problem')}, {format_count(notes, 'note')}."
    )
