"""Every golden case of the rule books."""

from __future__ import annotations

import pytest

from .blocks import Block
from .games import RUNNERS, game_of


def test_case(block: Block) -> None:
    """The game does what the rule book says."""
    wrong = [block.problem] if block.problem else RUNNERS[game_of(block.file)](block.case)

    if wrong:
        pytest.fail("\n".join([f"{block.where}: case {block.id}", *wrong]), pytrace=False)
