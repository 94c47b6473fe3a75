"""Answers a question again and again, for ever."""

from polite import act, questions, say

for number in questions():
    while True:
        say("\n".join([act(number)] * 100))
