"""Says ready and never reads again."""

import sys
import time

sys.stdin.readline()
print('{"type":"ready"}', flush=True)
time.sleep(3600)
