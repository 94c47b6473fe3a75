"""The dialect of a server: which parts of a request it refuses, so that it is asked without them. No I/O.

A refusal may be an accident: a server that does not know a schema and one that failed to keep to it this once answer
alike. So what is left out is tried again, after ever more requests, and what is learned is told.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from pitboss_tournament.models.chat import ChatMessage, ChatRequest, make_body
from pitboss_tournament.models.completion import find_complaint

OLD_LIMIT_NAME: Final = "max_tokens"
NEW_LIMIT_NAME: Final = "max_completion_tokens"  # as newer models of OpenAI call the tokens of an answer
MAX_SKIPPED: Final = 64  # requests without a part, before the part is tried again

Part: TypeAlias = Literal["schema", "temperature", "effort", "system"]

_LEFT_OUT: Final[dict[Part, str]] = {
    "schema": "a response format: it is asked for JSON in words alone",
    "temperature": "a temperature: its own is used",
    "effort": "a reasoning effort: its own is used",
    "system": "a system message: the message stands before the first question",
}


class RequestForm(Struct, frozen=True, kw_only=True):
    """How a request is written: which parts it has, and how the bound of an answer is called."""

    schema: dict[str, Any] | None
    limit_name: str
    left_out: frozenset[Part] = frozenset()
    is_accident: bool = False  # the schema is left out this once

    def write(self, model: str, request: ChatRequest) -> dict[str, Any]:
        """Return the body of a request."""
        if "system" in self.left_out:
            request = replace(request, messages=merge_system(request.messages))
        if "temperature" in self.left_out:
            request = replace(request, temperature=None)
        if "effort" in self.left_out:
            request = replace(request, effort=None)
        return make_body(model, request, None if "schema" in self.left_out else self.schema, self.limit_name)

    def has_part(self, part: Part, request: ChatRequest) -> bool:
        """Tell whether a request is sent with a part."""
        if part in self.left_out:
            return False
        if part == "schema":
            return self.schema is not None
        if part == "temperature":
            return request.temperature is not None
        if part == "effort":
            return request.effort is not None
        return any(message.role == "system" for message in request.messages)

    def simplify(self, words: str, request: ChatRequest) -> RequestForm | None:
        """Return the form in which to ask again after a refusal in these words; None: there is nothing to leave out."""
        complaint = find_complaint(words)
        if complaint == "limit" and self.limit_name == OLD_LIMIT_NAME:
            return replace(self, limit_name=NEW_LIMIT_NAME)
        if complaint in ("temperature", "effort", "system") and self.has_part(complaint, request):
            return replace(self, left_out=self.left_out | {complaint})
        if complaint != "overflow" and self.has_part("schema", request):
            return replace(self, left_out=self.left_out | {"schema"}, is_accident=complaint == "generation")
        return None


class Dialect:
    """What a server takes in the requests of one bot: what one of them is refused for tells nothing of the others."""

    def __init__(self) -> None:
        self._limit_name = OLD_LIMIT_NAME
        self._skips: dict[Part, int] = {}  # how many requests to ask without a part, by part
        self._left: dict[Part, int] = {}  # how many of these are left
        self.news: list[str] = []  # what was learned and is to be told

    def make_form(self, schema: dict[str, Any] | None) -> RequestForm:
        """Return how to write the next request."""
        left_out = frozenset(part for part, left in self._left.items() if left)
        return RequestForm(schema=schema, limit_name=self._limit_name, left_out=left_out)

    def learn(self, first: RequestForm, answered: RequestForm, request: ChatRequest, said: Mapping[Part, str]) -> None:
        """Learn from the form in which a request was first sent, and the form that was answered.

        `said`: the words in which a part was refused between them.
        """
        self._limit_name = answered.limit_name
        for part in _LEFT_OUT:
            if part in first.left_out:
                self._left[part] -= 1
            elif part in answered.left_out:
                if not (part == "schema" and answered.is_accident):
                    self._leave_out(part, said.get(part, ""))
            elif answered.has_part(part, request):
                self._skips.pop(part, None)

    def _leave_out(self, part: Part, words: str) -> None:
        """Leave a part out of the next requests: of none after the first refusal, then of 1, 2, 4 and so on."""
        if part not in self._skips:
            self.news.append(f"it refuses {_LEFT_OUT[part]}. It says: {words}")
        skip = self._skips.get(part, 0)
        self._left[part] = skip
        self._skips[part] = min(MAX_SKIPPED, 2 * skip or 1)


def merge_system(messages: list[ChatMessage]) -> list[ChatMessage]:
    """Return messages in which those of the system stand at the head of the first one of the user."""
    system = [message.content for message in messages if message.role == "system"]
    others = [message for message in messages if message.role != "system"]
    if others and others[0].role == "user":
        system.append(others.pop(0).content)
    return [ChatMessage("user", "\n\n".join(system)), *others]
