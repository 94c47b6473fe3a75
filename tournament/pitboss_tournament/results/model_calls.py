"""Calls of language models as lines of text: what was asked at a decision, and what was answered."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from pitboss_tournament.models.calls import CallRow
from pitboss_tournament.text.terminal_text import escape_lines, set_behind_margin

SHORT_CHARACTERS: Final = 400  # of an answer beside a decision: its end


def call_title(call: CallRow) -> str:
    """Say of a call where it belongs to, and what it came to."""
    verdict, reply = call.verdict, call.reply
    again = f", ask {call.place.ask}" if call.place.ask > 1 else ""
    tries = f" in {call.tries} tries" if call.tries > 1 else ""
    reason = f": {verdict.reason}" if verdict.reason else ""
    return (
        f"question {call.place.decision}{again}: {call.model} {verdict.outcome}{reason} [{call.ms:,} ms{tries}, "
        f"{reply.tokens_in:,} + {reply.tokens_out:,} tokens, ${call.usd:,.4f}]"
    )


def list_asks(calls: Iterable[CallRow], seat: int, question: int) -> list[CallRow]:
    """Return the calls of a decision, by the number of the question to its seat."""
    return [call for call in calls if call.place[1:3] == (seat, question)]


def model_answer_lines(calls: Iterable[CallRow], width: int | None) -> Iterator[str]:
    """Yield what the asks of a decision came to, with the ends of the answers."""
    for call in calls:
        text = " ".join(call.reply.text.split())
        cut = f"…{text[-SHORT_CHARACTERS:]}" if len(text) > SHORT_CHARACTERS else text
        yield from set_behind_margin(f"{call_title(call)} {cut}", "       | ", width, first="   model: ")


def conversation_lines(call: CallRow, width: int | None) -> Iterator[str]:
    """Yield a call in full: each message, and the answer."""
    said = [(message.role, message.content) for message in call.request.messages]
    for role, text in [*said, ("answer", call.reply.text or call.reply.refusal)]:
        yield f"    {role}:"
        for line in escape_lines(text):
            yield from set_behind_margin(line, "    | ", width)
