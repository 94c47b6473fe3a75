"""Makes one test of each `json case` block."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from tests.rules.case_blocks import CaseBlock, read_blocks
from tests.rules.case_runners import UnknownCaseGame, game_of_file, list_rule_books

CHOSEN = pytest.StashKey[list[CaseBlock]]()


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """With `--cases`, run the cases of those files and nothing else."""
    return True if config.getoption("--cases") and collection_path.name.startswith("test_case_") else None


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Give the test that asks for a `block` every block."""
    if "block" in metafunc.fixturenames:
        found = metafunc.config.stash.setdefault(CHOSEN, chosen_blocks(metafunc.config))
        seen = Counter(block.id for block in found)
        ids = [block.id if seen[block.id] == 1 else f"{block.file.stem}:{block.id}:{block.line}" for block in found]
        metafunc.parametrize("block", found, ids=ids)


def chosen_blocks(config: pytest.Config) -> list[CaseBlock]:
    """Return the blocks of the files named by `--cases`, or of our own rule books."""
    named = [config.invocation_params.dir / name for name in config.getoption("--cases")]
    found = []
    for file in named or list_rule_books():
        try:
            game_of_file(file)
            in_file = read_blocks(file)
        except (UnknownCaseGame, OSError, UnicodeDecodeError) as wrong:
            raise pytest.UsageError(f"--cases: {wrong}") from None
        if not in_file:
            raise pytest.UsageError(f"--cases: {str(file)!r} holds no `json case` block")
        found += in_file
    return found
