"""Ends when it is asked, while a child holds its pipes open: nobody sees an end of file."""

import os
import time

from polite import questions

for _ in questions():
    if os.fork() == 0:
        os.setsid()
        time.sleep(60)
    os._exit(3)
