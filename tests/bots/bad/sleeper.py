"""Says ready, and never answers a decision."""

import json
import sys
import time

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type":"ready"}', flush=True)
    elif message["type"] == "decide":
        time.sleep(3600)
    elif message["type"] == "bye":
        break
