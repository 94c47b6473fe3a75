"""Says two keys of its answers twice, first a wrong value and then the right one: unusual, and no fault."""

from polite import questions, say

for number in questions():
    say(f'{{"type":"act","id":{number + 7},"choose":999,"id":{number},"choose":0}}')
