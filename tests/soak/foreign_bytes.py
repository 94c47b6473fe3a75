"""Files that others have made or damaged, as new ones each time: `python -m tests.soak.foreign_bytes`.

The properties are those of `tests/tournament/store/test_foreign_bytes.py`, with other examples in every run, and twenty
times as many. What pytest finds wrong it prints with the example. The exit status is pytest's.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

import pytest

from tests import ROOT

TESTS = ROOT / "tests" / "tournament" / "store" / "test_foreign_bytes.py"


def main(words: Sequence[str] | None = None) -> int:
    """Run the properties; the words go to pytest. Return the exit status."""
    given = sys.argv[1:] if words is None else list(words)
    return int(pytest.main([str(TESTS), "--quiet", "--hypothesis-profile=fresh", *given]))


if __name__ == "__main__":
    sys.exit(main())
