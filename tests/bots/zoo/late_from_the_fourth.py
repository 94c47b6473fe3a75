"""Is in time at its first three questions, and late from then on."""

import time

from polite import answer, questions

for number in questions():
    if number > 3:
        time.sleep(3)
    answer(number)
