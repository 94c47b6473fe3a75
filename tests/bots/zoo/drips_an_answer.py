"""Answers correctly, a byte a second: there is always something new, and never a line in time."""

import os
import time

from polite import act, questions

for number in questions():
    for letter in act(number) + "\n":
        os.write(1, letter.encode())
        time.sleep(1)
