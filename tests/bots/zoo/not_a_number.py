"""Chooses the action NaN."""

from polite import questions, say

for number in questions():
    say(f'{{"type":"act","id":{number},"choose":NaN}}')
