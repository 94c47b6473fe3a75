"""Reads its input to the end before it says a word."""

import sys

from polite import say

for line in sys.stdin.read().splitlines():
    if '"type":"hello"' in line:
        say('{"type":"ready"}')
