"""Chooses an action that is not in the list."""

from polite import questions, say

for number in questions():
    say(f'{{"type":"act","id":{number},"choose":999}}')
