"""Writes 50 MB to standard error at its first decision, and plays normally all the while."""

import json
import sys

flooded = False
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type":"ready"}', flush=True)
    elif message["type"] == "decide":
        for _ in range(0 if flooded else 800):
            print("x" * 65_535, file=sys.stderr)
        flooded = True
        print(json.dumps({"type": "act", "id": message["id"], "choose": 0}), flush=True)
    elif message["type"] == "bye":
        break
