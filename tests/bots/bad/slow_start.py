"""Takes half a second to say ready, then plays normally."""

import json
import sys
import time

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        time.sleep(0.5)
        print('{"type":"ready"}', flush=True)
    elif message["type"] == "decide":
        print(json.dumps({"type": "act", "id": message["id"], "choose": 0}), flush=True)
    elif message["type"] == "bye":
        break
