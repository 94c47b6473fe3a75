"""Takes three seconds for each answer."""

import time

from polite import answer, questions

for number in questions():
    time.sleep(3)
    answer(number)
