"""The way of a bot to its language model: a line on a socket, and a line back.

    model = ModelSocket()
    answer = model.ask([{"role": "user", "content": "…"}])
    if answer.outcome == "chosen":
        …

The runner adds what the tournament file says: the address, the model, the key. It judges the answer: `outcome` is what
it counts.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct

_VARIABLE = "PITBOSS_MODEL"  # has the number of the socket


class ModelReply(Struct, frozen=True, kw_only=True):
    """What the runner says to a question."""

    # chosen, illegal, unparsable, truncated, empty, refused, too_long, failed; budget: no more; error: of the bot;
    # of its memory: recalled, noted
    outcome: str
    text: str = ""  # of the model
    reason: str = ""  # why nothing is chosen
    choose: int | None = None  # what is chosen: an index into the legal list,
    action: Any = None  # or an action of a range there


class ModelSocket:
    """The socket of this process."""

    def __init__(self) -> None:
        """Raise RuntimeError if the runner gives this bot no model: its bot.toml needs [model]."""
        number = os.environ.get(_VARIABLE)
        if number is None:
            raise RuntimeError(f"there is no {_VARIABLE}: a bot.toml with [model] has the runner set it")
        with socket.socket(fileno=int(number)) as one:
            self._lines = one.makefile("rwb")

    def close(self) -> None:
        """Close the socket: the model cannot be asked any more."""
        self._lines.close()

    def ask(
        self,
        messages: Sequence[Mapping[str, str]],
        *,
        max_output: int | None = None,
        temperature: float | None = None,
        kind: str = "choice",
    ) -> ModelReply:
        """Ask the model, while the runner waits for a decision; by default as bot.toml says.

        `kind`: "choice" of an action; "recall", by which no model is asked, returns the memory of the model as JSON,
        its `notes` and how the `last` game ended; "notes" asks the model for new notes.

        Raises:
            EOFError: the runner has gone.
        """
        asked = {"messages": messages, "max_output": max_output, "temperature": temperature, "kind": kind}
        self._lines.write(msgspec.json.encode(asked) + b"\n")
        self._lines.flush()
        line = self._lines.readline()
        if not line:
            raise EOFError("the runner has closed the socket of the model")
        return msgspec.json.decode(line, type=ModelReply)
