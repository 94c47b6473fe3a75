"""Leaves, content, at the first question of its second game, as one that was slow to notice the end of the first: no
fault.
"""

from polite import answer, messages

games = 0
for kind, number in messages():
    games += kind == "start"
    if kind == "decide":
        if games > 1:
            break
        answer(number)
