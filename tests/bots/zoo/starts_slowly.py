"""Loads for four seconds before it is ready."""

import time

from polite import answer, questions

time.sleep(4)
for number in questions():
    answer(number)
