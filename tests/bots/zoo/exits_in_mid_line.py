"""Ends, content, in the middle of its second answer."""

import os

from polite import act, answer, questions

for number in questions():
    if number == 2:
        os.write(1, act(number)[:20].encode())
        break
    answer(number)
