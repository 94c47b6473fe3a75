"""Answers with one line of 10 MB, which ends as a line should."""

import sys

from polite import act, questions

for number in questions():
    print(act(number, "x" * 10_000_000))
    sys.stdout.flush()
