"""A whole game of each kind against its golden transcript."""

from __future__ import annotations

import pytest

from tests.games.transcripts import COMMAND, TRANSCRIPTS, Transcript


@pytest.mark.parametrize("golden", TRANSCRIPTS, ids=lambda golden: golden.name)
def test_game_that_was_written_down(golden: Transcript) -> None:
    """The same seed and choices give the same events: with every card seen, for the spectator, and for a seat."""
    written, played = golden.file.read_text(encoding="utf-8").splitlines(), golden.write().splitlines()

    for number, (expected, found) in enumerate(zip(written, played, strict=False), 1):
        if expected != found:
            pytest.fail(
                f"{golden.file.name}:{number}: {expected}\nplayed: {found}\nif that is meant: {COMMAND}", pytrace=False
            )
    assert len(written) == len(played), f"the transcript has another length; if that is meant: {COMMAND}"
