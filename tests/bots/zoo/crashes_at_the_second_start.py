"""Crashes when it is told of its second game."""

import sys

from polite import answer, messages

games = 0
for kind, number in messages():
    games += kind == "start"
    if games > 1:
        sys.exit(3)
    if kind == "decide":
        answer(number)
