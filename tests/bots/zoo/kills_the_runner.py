"""Kills its parent, then sits and waits."""

import os
import signal
import time

from polite import answer, questions

for number in questions():
    if number == 2:
        os.kill(os.getppid(), signal.SIGKILL)
        time.sleep(3600)
    answer(number)
