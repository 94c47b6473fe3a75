"""Says that it is ready, and never reads a line."""

import time

from polite import say

say('{"type":"ready"}')
time.sleep(3600)
