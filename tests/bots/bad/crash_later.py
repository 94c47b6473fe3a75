"""Plays normally and dies of an exception at its 20th decision."""

import json
import sys

decisions = 0
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type":"ready"}', flush=True)
    elif message["type"] == "decide":
        decisions += 1
        if decisions == 20:
            raise RuntimeError("the 20th decision was too much")
        print(json.dumps({"type": "act", "id": message["id"], "choose": 0}), flush=True)
    elif message["type"] == "bye":
        break
