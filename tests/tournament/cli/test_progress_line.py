"""The progress of a command whose standard error is no terminal."""

from __future__ import annotations

import pytest

from pitboss_tournament.cli import output


@pytest.mark.parametrize(("seconds", "said"), [(0.0, "1 of 2: first\n2 of 2: second\n"), (1e9, "")])
def test_progress_in_a_pipe(
    seconds: float, said: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Progress in a pipe is a line of its own for a step, if some time has passed since the last one."""
    monkeypatch.setattr(output, "SECONDS_BETWEEN_LINES", seconds)
    with output.progress_line(2) as show:
        show(": first")
        show(": second")

    assert capsys.readouterr().err == said
