"""Chooses an action by a number of five thousand digits."""

from polite import questions, say

for number in questions():
    say(f'{{"type":"act","id":{number},"choose":{"9" * 5_000}}}')
