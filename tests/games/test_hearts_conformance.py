"""The example Hearts is put through the conformance suite at the tables that its own tests leave out."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest

from pitboss.testing import check_game

HEARTS = Path(__file__).resolve().parents[2] / "examples/plugins/pitboss-hearts"


@pytest.mark.once
@pytest.mark.long
@pytest.mark.parametrize("seats", [3, 5])
def test_it_conforms(seats: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where some cards are left out every promise is kept."""
    monkeypatch.syspath_prepend(str(HEARTS))
    assert check_game(importlib.import_module("hearts").Hearts(), seats=[seats], games=1).failures == []
