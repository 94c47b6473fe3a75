"""Plays as it should, and notes how many microseconds it waited for its turn: the good bot that sees what the others
cost it.
"""

from time import monotonic_ns

from polite import answer, messages

since = 0
for kind, number in messages():
    if kind == "start":
        since = monotonic_ns()
    elif kind == "decide":
        answer(number, str((monotonic_ns() - since) // 1000))
        since = monotonic_ns()
