"""Plays illegally, and says on standard error what the runner tells it of that."""

import json
import sys

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type":"ready"}', flush=True)
    elif message["type"] == "decide":
        print(json.dumps({"type": "act", "id": message["id"], "choose": 999}), flush=True)
    elif message["type"] == "fault":
        print("heard:", message["fault"]["message"], file=sys.stderr)
