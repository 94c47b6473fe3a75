"""Answers with a note that is not UTF-8."""

import os

from polite import act, questions

for number in questions():
    os.write(1, act(number, "?").encode().replace(b"?", b"\xff\xfe\xc0\x80") + b"\n")
