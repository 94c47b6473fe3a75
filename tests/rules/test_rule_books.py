"""Every golden case of the rule books."""

from __future__ import annotations

import pytest

from tests.rules.case_blocks import CaseBlock
from tests.rules.case_runners import RUNNERS, game_of_file


def test_case(block: CaseBlock) -> None:
    """The game does what the rule book says."""
    wrong = [block.problem] if block.problem else RUNNERS[game_of_file(block.file)](block.case)

    if wrong:
        pytest.fail("\n".join([f"{block.where}: case {block.id}", *wrong]), pytrace=False)
