"""Answers with a word where a number should be."""

from polite import questions, say

for number in questions():
    say(f'{{"type":"act","id":{number},"choose":"0"}}')
