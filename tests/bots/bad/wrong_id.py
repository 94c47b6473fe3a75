"""Answers a question that was not asked."""

import json
import sys

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type":"ready"}', flush=True)
    elif message["type"] == "decide":
        print(json.dumps({"type": "act", "id": message["id"] + 1, "choose": 0}), flush=True)
    elif message["type"] == "bye":
        break
