"""Print the table of mutants."""

from __future__ import annotations

import sys

from tests.core.mutants.catch_table import main

sys.exit(main())
