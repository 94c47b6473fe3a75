"""Prints a line for its author before each answer, on the wire."""

from polite import answer, questions, say

for number in questions():
    say("debug: I think I shall take the first one")
    answer(number)
