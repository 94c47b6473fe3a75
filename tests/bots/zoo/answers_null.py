"""Answers each question with null."""

from polite import questions, say

for _ in questions():
    say("null")
