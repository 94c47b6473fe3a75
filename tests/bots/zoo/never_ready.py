"""Starts, reads, and never says that it is ready."""

import sys

for _line in sys.stdin:
    pass
