"""Dies by SIGSEGV at the first decision, as a crashing C program does."""

import json
import os
import signal
import sys

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type":"ready"}', flush=True)
    elif message["type"] == "decide":
        os.kill(os.getpid(), signal.SIGSEGV)
    elif message["type"] == "bye":
        break
