"""The memory of a bot's model: notes that it writes after games, of a bounded length, and how the last game ended.

What a bot was told of its memory at the beginning of a game is in the record of calls, so that the same game can be
played again without a model. Games that are played at the same time begin with the same notes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec
from msgspec import Struct

from pitboss_tournament.models.chat import ChatReply, ChatRequest
from pitboss_tournament.models.choice import Verdict

RECALL_DIGEST: Final = "recall"  # in place of that of a request
TOLD_CHARACTERS: Final = 8_000  # of the last question of a game


class RecalledMemory(Struct, frozen=True, omit_defaults=True):
    """What a bot is told at the beginning of a game, as JSON in the text of an answer."""

    notes: str = ""  # that its model has written
    last: str = ""  # how the game before ended, and what the model was asked last; "": it has noted that


class RememberedEnd(Struct, frozen=True):
    """How a game ended for a seat."""

    seat: int
    places: Sequence[int]  # by seat
    points: Sequence[float]

    def __str__(self) -> str:
        """Say it: "You were in seat 1 and came in place 2. Points by seat: 3, -3"."""
        points = ", ".join(f"{one:g}" for one in self.points)
        return f"You were in seat {self.seat} and came in place {self.places[self.seat]}. Points by seat: {points}"


class ModelMemory:
    """The memory of one bot during a run."""

    def __init__(self, size: int, notes: str = "") -> None:
        """Begin with the answer that had the latest notes of earlier runs; `size`: bytes that are kept of it."""
        self._size = size
        self._notes = cut_notes(notes, size)
        self._last = ""
        self._asked: dict[int, ChatRequest] = {}  # the last question of each game in progress

    def note_question(self, game_id: int, request: ChatRequest) -> None:
        """Remember what the model was asked last in a game."""
        self._asked[game_id] = request

    def end_game(self, game_id: int, end: RememberedEnd) -> None:
        """Remember how a game ended, in which the model was asked."""
        request = self._asked.pop(game_id, None)
        if request is not None:
            question = next((one.content for one in request.messages if one.role == "user"), "")
            self._last = f"{end}\n\nThe last question in it was:\n{question[:TOLD_CHARACTERS]}"

    def recall(self) -> RecalledMemory:
        """Return what a bot is told; the end of the last game only once."""
        last, self._last = self._last, ""
        return RecalledMemory(self._notes, last)

    def keep_notes(self, reply: ChatReply) -> None:
        """Keep what the model has noted."""
        self._notes = cut_notes(reply.text, self._size)


def cut_notes(text: str, size: int) -> str:
    """Return the beginning of a text that has no more than `size` bytes, in whole characters."""
    return text.strip().encode()[:size].decode(errors="ignore")


def judge_notes(reply: ChatReply) -> Verdict:
    """Return what the answer of a model that was asked for notes comes to: any text is noted."""
    if reply.refusal:
        return Verdict("refused", reply.refusal)
    return Verdict("noted") if reply.text.strip() else Verdict("empty", "the answer was empty")


def encode_memory(memory: RecalledMemory) -> str:
    """Return what a bot is told as JSON."""
    return msgspec.json.encode(memory).decode()
