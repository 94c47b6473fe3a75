"""Plays the first legal action, as it should: the good bot among the bad ones."""

import json
import sys

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type":"ready"}', flush=True)
    elif message["type"] == "decide":
        print(json.dumps({"type": "act", "id": message["id"], "choose": 0}), flush=True)
    elif message["type"] == "bye":
        break
