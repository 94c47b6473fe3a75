"""Ends with status 3 and a message on standard error at the first decision."""

import json
import sys

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type":"ready"}', flush=True)
    elif message["type"] == "decide":
        print("I have lost my cards", file=sys.stderr)
        sys.exit(3)
    elif message["type"] == "bye":
        break
