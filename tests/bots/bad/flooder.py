"""Answers a decision with 10 MB and no newline."""

import json
import sys

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type":"ready"}', flush=True)
    elif message["type"] == "decide":
        for _ in range(160):
            print("x" * 65_536, end="", flush=True)
    elif message["type"] == "bye":
        break
