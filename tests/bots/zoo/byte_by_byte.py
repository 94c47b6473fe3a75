"""Writes each answer, of a hundred bytes, one byte at a time, in time: unusual, and no fault."""

import os

from polite import act, questions

for number in questions():
    for letter in act(number, "x" * 50) + "\n":
        os.write(1, letter.encode())
