"""Answers correctly, a byte every 50 ms: there is always something new, and never a line in time."""

import json
import sys
import time

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type":"ready"}', flush=True)
    elif message["type"] == "decide":
        note = "so it goes, " * 40
        for letter in json.dumps({"type": "act", "id": message["id"], "choose": 0, "note": note}):
            print(letter, end="", flush=True)
            time.sleep(0.05)
        print(flush=True)
    elif message["type"] == "bye":
        break
