"""Computes for 20 milliseconds about each question, and plays as it should."""

import time

from polite import answer, questions

for number in questions():
    until = time.process_time() + 0.02
    while time.process_time() < until:
        pass
    answer(number)
