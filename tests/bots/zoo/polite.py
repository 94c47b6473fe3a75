"""The manners that the zoo's bots in Python have before they lose them: greet, take the first legal action, repeat on
standard error what they did wrong.

No import that costs time: a bot of the zoo starts in a few milliseconds, under `python -S`, from its own folder.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


def say(line: str) -> None:
    """Write a line at once."""
    os.write(1, f"{line}\n".encode())


def act(number: int, note: str = "") -> str:
    """Return the answer to a question."""
    return f'{{"type":"act","id":{number},"choose":0,"note":"{note}"}}'


def answer(number: int, note: str = "") -> None:
    """Answer a question as one should."""
    say(act(number, note))


def messages() -> Iterator[tuple[str, int]]:
    """Yield the type of each message, and the number if it is a question; greet on the way; stop after `bye` or at the
    end.
    """
    for line in iter(sys.stdin.buffer.readline, b""):
        kind = line[9:].partition(b'"')[0].decode()
        if kind == "hello":
            say('{"type":"ready"}')
        elif kind == "fault":
            print("heard:", line.partition(b'"message":"')[2].partition(b'"')[0].decode(), file=sys.stderr)
        yield kind, int(line.partition(b'"id":')[2].partition(b",")[0]) if kind == "decide" else 0
        if kind == "bye":
            return


def questions() -> Iterator[int]:
    """Yield the number of each question."""
    return (number for kind, number in messages() if kind == "decide")
