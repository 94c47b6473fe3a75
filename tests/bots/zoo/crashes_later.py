"""Dies of an exception at its tenth question."""

from polite import answer, questions

for number in questions():
    if number == 10:
        raise RuntimeError("the tenth decision was too much")
    answer(number)
