"""Plays the first legal action, as it should: the good bot among the bad ones."""

from polite import answer, questions

for number in questions():
    answer(number)
