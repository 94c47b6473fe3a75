"""Answers a decision with a line that is not JSON."""

import json
import sys

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type":"ready"}', flush=True)
    elif message["type"] == "decide":
        print("I should like to draw a card, please", flush=True)
    elif message["type"] == "bye":
        break
