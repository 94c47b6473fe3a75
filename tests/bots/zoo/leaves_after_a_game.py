"""Leaves at the end of each game as if it were the end of all: no fault, it is seated afresh."""

from polite import answer, messages

for kind, number in messages():
    if kind == "decide":
        answer(number)
    elif kind == "end":
        break
