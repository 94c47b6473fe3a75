"""Leaves a temporary file for each game, and notes how many of earlier games it finds there."""

import os

from polite import answer, messages

FOLDER = os.environ["TMPDIR"]
found = 0
for number, (kind, question) in enumerate(messages()):
    if kind == "start":
        found = sum(file.name.startswith("left-by-") for file in os.scandir(FOLDER))
        os.close(os.open(f"{FOLDER}/left-by-{number}", os.O_CREAT))
    elif kind == "decide":
        answer(question, f"{found} earlier")
