"""Writes to standard error without end, from a child, and plays normally all the while."""

import os

from polite import answer, questions

if os.fork() == 0:
    while True:
        os.write(2, b"x" * 65_535 + b"\n")
for number in questions():
    answer(number)
