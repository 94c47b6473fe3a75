"""Print the table of mutants."""

from __future__ import annotations

import sys

from tests.core.mutants.table import main

sys.exit(main())
