"""The questions of a worker's bots to language models, which the parent answers."""

from __future__ import annotations

from itertools import count

import trio
from msgspec.structs import replace

from pitboss_tournament.models.calls import ModelAnswer, ModelCall
from pitboss_tournament.running.worker_protocol import LineWriter


class OpenCalls:
    """The calls that have no answer yet."""

    def __init__(self, writer: LineWriter) -> None:
        self._writer = writer
        self._numbers = count(1)
        self._calls: dict[int, tuple[trio.Event, list[ModelAnswer]]] = {}  # by number: the answer is there, and it

    async def ask(self, call: ModelCall) -> ModelAnswer:
        """Pass a call on to the parent, and return its answer."""
        number = next(self._numbers)
        there, answers = self._calls[number] = trio.Event(), []
        await self._writer.send(replace(call, number=number))
        await there.wait()
        return answers[0]

    def take_answer(self, answer: ModelAnswer) -> None:
        """Let the bot that asked have its answer."""
        if (call := self._calls.pop(answer.number, None)) is not None:
            call[1].append(answer)
            call[0].set()
