"""Closes its input after its second answer, and lives on."""

import os
import time

from polite import answer, questions

for number in questions():
    if number == 2:
        os.close(0)
        answer(number)
        time.sleep(3600)
    answer(number)
