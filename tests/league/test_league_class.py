"""A small class at a league: the soak command in a short form, with one kill."""

from __future__ import annotations

import pytest

from tests.soak import league_class

pytestmark = [pytest.mark.once, pytest.mark.long]


def test_a_class(capsys: pytest.CaptureFixture[str]) -> None:
    """Good, broken and hostile bots come, the league is killed once, and all of its promises are kept."""
    status = league_class.main(
        ["--bots", "12", "--minutes", "0.2", "--kills", "1", "--game", "magpie", "--placing", "12"]
    )

    assert status == 0, capsys.readouterr().out
