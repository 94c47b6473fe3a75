"""Lets children compute for two seconds about each question, and the system forget their time: SIGCHLD is ignored."""

import os
import signal
import time

from polite import answer, questions

signal.signal(signal.SIGCHLD, signal.SIG_IGN)


def compute(seconds: float) -> None:
    """Compute, in a child."""
    if os.fork() == 0:
        while time.process_time() < seconds:
            pass
        os._exit(0)


for number in questions():
    outlet, inlet = os.pipe()
    for _ in range(10):
        compute(0.2)
    os.close(inlet)
    os.read(outlet, 1)  # until the last child has closed its end
    os.close(outlet)
    answer(number)
