"""`pitboss doctor`: what this machine can and cannot do, and how to mend it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import typer

from pitboss_tournament.cli.output import print_json, print_paragraph
from pitboss_tournament.cli.parameters import Json

if TYPE_CHECKING:
    from pitboss_tournament.doctor.machine import Finding


def doctor(as_json: Json = False) -> None:
    """Look at this machine: what it can do for a tournament, what it cannot, and how to mend that.

    The sandbox is not believed: small programs try in there what a bot must not do. The exit status is 1 if there is a problem.
    With --json: a list of objects with point, state (ok, note or problem), text and cure.
    """
    found = []
    for finding in _collect_findings():
        found.append(finding)
        if not as_json:
            _print_finding(finding)
    if as_json:
        print_json(found)
    else:
        _print_summary(found)
    if any(finding.state == "problem" for finding in found):
        raise typer.Exit(1)


def _collect_findings() -> Iterator[Finding]:
    from pitboss_tournament.doctor import machine, sandbox_promises
    from pitboss_tournament.doctor.languages import find_languages
    from pitboss_tournament.processes.sandbox import probe_bubblewrap

    yield from machine.check_machine()
    if not probe_bubblewrap().problem:
        yield from sandbox_promises.check_sandbox()
    else:
        yield machine.Finding("bots", "note", "what they could do here has not been tried: there is no sandbox")
    yield from _check_plugins()
    yield from find_languages()


def _check_plugins() -> Iterator[Finding]:
    from pitboss.plugins import Registry
    from pitboss_tournament.doctor.machine import Finding

    registry = Registry()
    games, bots, packs = sorted(registry.games), sorted(registry.bots), sorted(registry.packs)
    if games:
        yield Finding("games", "ok", ", ".join(games))
    else:
        yield Finding("games", "problem", "none is installed", "a game is a package: pip install pitboss-racko")
    yield Finding("bots by name", "ok", ", ".join(bots) or "none; bots are also folders and commands")
    if packs:
        yield Finding("packs", "ok", ", ".join(packs))
    for broken in registry.broken_plugins:
        yield Finding("plugin", "problem", " ".join(str(broken).split()), "mend it, or uninstall it")


def _print_finding(finding: Finding) -> None:

    print_paragraph(f"{finding.state:<8}{finding.point}: {finding.text}", hanging=8)
    print_paragraph(f"-> {finding.cure}" if finding.cure else "", indent=8, hanging=3)


def _print_summary(found: list[Finding]) -> None:
    from pitboss.text import format_count

    problems, notes = (sum(finding.state == state for finding in found) for state in ("problem", "note"))
    typer.echo(
        f"\n{format_count(len(found), 'point')}, {format_count(problems, 'problem')}, {format_count(notes, 'note')}."
    )
