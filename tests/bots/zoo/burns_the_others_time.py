"""Starts many children before it is ready, which compute for ever, and plays normally."""

import os

from polite import answer, questions

parent = os.getpid()
for _ in range(20):
    if os.fork() == 0:
        while os.getppid() == parent:
            pass
        os._exit(0)
for number in questions():
    answer(number)
