"""The signature of `pitboss doctor`."""

from __future__ import annotations

from pitboss_tournament.cli.parameters import Json


def doctor(as_json: Json = False) -> None:
    """Look at this machine: what it can do for a tournament, what it cannot, and how to mend that.

    The sandbox is not believed: small programs try in there what a bot must not do. The exit status is 1 if there is a
    problem. With --json: a list of objects with point, state (ok, note or problem), text and cure.
    """
