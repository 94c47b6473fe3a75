"""Answers with JSON that is nested thirty thousand deep."""

from polite import questions, say

for number in questions():
    say(f'{{"type":"act","id":{number},"action":{"[" * 30_000}{"]" * 30_000}}}')
