"""Answers each question before it is asked, as soon as the runner has read the answer before: numbers can be foreseen.

If there is a FIFO `foreseen` beside it, it says there that an answer lies in the pipe.
"""

import fcntl
import os
import termios

from polite import answer, questions


def is_read() -> bool:
    """Tell whether all that was written has been read."""
    return not any(fcntl.ioctl(1, termios.FIONREAD, bytes(4)))


for number in questions():
    if number == 1:
        answer(number)
    while not is_read():
        os.sched_yield()
    answer(number + 1)
    if os.path.exists("foreseen"):  # noqa: PTH110 - pathlib is slow to import
        with open("foreseen", "w") as told:  # noqa: PTH123
            told.write("!")
