"""Computes for two seconds about each question, in a child that it waits for: its own processor time stays small."""

import os
import time

from polite import answer, questions

for number in questions():
    if (child := os.fork()) == 0:
        while time.process_time() < 2:
            pass
        os._exit(0)
    os.waitpid(child, 0)
    answer(number)
