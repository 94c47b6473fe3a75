"""Makes its pipes non-blocking and blocking, and its output as small as can be, again and again: no fault."""

import fcntl
import os

from polite import answer, questions

for number in questions():
    for descriptor in (0, 1, 2):
        os.set_blocking(descriptor, number % 2 == 0)
    fcntl.fcntl(1, fcntl.F_SETPIPE_SZ, 4096)
    answer(number)
    os.set_blocking(0, True)
