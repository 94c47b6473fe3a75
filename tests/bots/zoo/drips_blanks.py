"""Writes a blank a millisecond instead of an answer, while a grandchild in another session holds its pipes."""

import os
import time

from polite import answer, questions

for number in questions():
    if number == 2:
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                time.sleep(60)
            os._exit(0)
        while True:
            os.write(1, b" ")
            time.sleep(0.001)
    answer(number)
