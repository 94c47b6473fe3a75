"""Writes two hundred million bytes to standard error before each answer."""

import sys

from polite import answer, questions

for number in questions():
    for _ in range(200):
        sys.stderr.write("x" * 999_999 + "\n")
    answer(number)
