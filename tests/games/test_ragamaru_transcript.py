"""A whole game of RAGAMARU against its golden transcript."""

from __future__ import annotations

import pytest

from tests.games.ragamaru_transcript import COMMAND, GOLDEN, write_transcript


def test_game_that_was_written_down() -> None:
    """The same seed and choices give the same events: with every card seen, for the spectator, and for a seat."""
    written, played = GOLDEN.read_text(encoding="utf-8").splitlines(), write_transcript().splitlines()

    for number, (expected, found) in enumerate(zip(written, played, strict=False), 1):
        if expected != found:
            pytest.fail(
                f"{GOLDEN.name}:{number}: {expected}\nplayed: {found}\nif that is meant: {COMMAND}", pytrace=False
            )
    assert len(written) == len(played), f"the transcript has another length; if that is meant: {COMMAND}"
