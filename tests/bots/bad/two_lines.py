"""Answers every decision twice, in one write."""

import json
import sys

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type":"ready"}', flush=True)
    elif message["type"] == "decide":
        answer = json.dumps({"type": "act", "id": message["id"], "choose": 0})
        sys.stdout.write(f"{answer}\n{answer}\n")
        sys.stdout.flush()
    elif message["type"] == "bye":
        break
