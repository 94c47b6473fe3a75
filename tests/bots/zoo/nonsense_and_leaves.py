"""Answers with a line that is no message, and is gone."""

from polite import questions, say

for _ in questions():
    say("I should like to draw a card, please")
    break
