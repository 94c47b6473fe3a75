"""Leaves behind a child in a session of its own, deaf to polite signals, that holds the pipes open; plays and leaves
normally.

The child ends by itself after a minute.
"""

import os
import signal
import time

from polite import answer, questions

told, tell = os.pipe()
if os.fork() == 0:
    os.setsid()
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    os.write(tell, b"!")
    time.sleep(60)
    os._exit(0)
os.read(told, 1)  # by now nothing but SIGKILL ends the child

for number in questions():
    answer(number)
