"""The signature of `pitboss doctor`."""

from __future__ import annotations

from pitboss_tournament.cli.parameters import Json


def doctor(as_json: Json = False) -> None:
    """Show what this machine can and cannot do for a tournament, and how to mend it.

    Small programs test the sandbox by trying what a bot must not do. The exit status is 1 if there is a problem.
    With --json: a list of objects with point, state (ok, note or problem), text and cure.
    """
