"""Never answers its second question."""

import time

from polite import answer, questions

for number in questions():
    if number == 2:
        time.sleep(3600)
    answer(number)
