"""Computes in a thread and in two children, also while it is not asked, and plays normally."""

import os
import threading

from polite import answer, questions


def burn() -> None:
    """Compute for ever."""
    while True:
        pass


for _ in range(2):
    if os.fork() == 0:
        burn()
threading.Thread(target=burn, daemon=True).start()
for number in questions():
    answer(number)
