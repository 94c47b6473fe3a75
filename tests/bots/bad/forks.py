"""Leaves behind a child in a session of its own, deaf to polite signals, that holds the pipes open; then plays normally.

The child's process id is the `version` that the bot says, so that a test can look for it. It ends by itself after a minute.
"""

import json
import os
import signal
import sys
import time

told, tell = os.pipe()
child = os.fork()
if child == 0:
    os.setsid()
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    os.write(tell, b"!")
    time.sleep(60)
    os._exit(0)
os.read(told, 1)  # by now nothing but SIGKILL ends the child

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({"type": "ready", "version": str(child)}), flush=True)
    elif message["type"] == "decide":
        print(json.dumps({"type": "act", "id": message["id"], "choose": 0}), flush=True)
    elif message["type"] == "bye":
        break
