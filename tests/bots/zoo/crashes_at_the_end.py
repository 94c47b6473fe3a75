"""Dies with a traceback at the end of each game, as one that was written for a single game: no fault, it is seated
afresh.
"""

from polite import answer, messages

for kind, number in messages():
    if kind == "decide":
        answer(number)
    elif kind == "end":
        raise ValueError("no such place")
