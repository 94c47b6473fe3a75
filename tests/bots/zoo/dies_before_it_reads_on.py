"""Takes its time to die after a game, until the next one has been announced, which it does not read: no fault."""

import select
import sys

from polite import answer, messages

for kind, number in messages():
    if kind == "decide":
        answer(number)
    elif kind == "end":
        select.select([0], [], [])
        sys.exit(3)
