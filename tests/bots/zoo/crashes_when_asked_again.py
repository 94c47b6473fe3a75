"""Ends with status 3 at the first question of its second game."""

import sys

from polite import answer, messages

games = 0
for kind, number in messages():
    games += kind == "start"
    if kind == "decide":
        if games > 1:
            sys.exit(3)
        answer(number)
