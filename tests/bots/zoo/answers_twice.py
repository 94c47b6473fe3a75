"""Answers its second question twice, in one write."""

from polite import act, questions, say

for number in questions():
    say(act(number) if number != 2 else f"{act(number)}\n{act(number)}")
