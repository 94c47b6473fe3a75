"""Starts slowly and thinks for a while about its first question, within its clock: no fault."""

import time

from polite import answer, questions

time.sleep(0.3)
for number in questions():
    if number == 1:
        time.sleep(0.15)
    answer(number)
