"""The golden transcript of RAGAMARU: a whole game as text. Run this file to write it anew."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import msgspec

from pitboss import Random
from pitboss.game import resolve_options
from pitboss_ragamaru.game import Ragamaru, RagamaruState
from pitboss_ragamaru.messages import Action, Play

GOLDEN: Final = Path(__file__).with_name("ragamaru_transcript.txt")
COMMAND: Final = "python tests/games/ragamaru_transcript.py"
SEED: Final = "transcript/1"
SEATS: Final = 4


def write_transcript() -> str:
    """Return the game: all events with every card, then as everybody sees them, then as seat 0 does."""
    game = Ragamaru()
    state = game.deal(SEATS, resolve_options(game, SEATS, "advanced", {"teams": 2}), Random(SEED))
    while state.turn is not None:
        state.play(choose_action(state))
    return "\n".join(transcript_lines(state)) + "\n"


def transcript_lines(state: RagamaruState) -> Iterator[str]:
    """Yield the lines of a finished game."""
    yield f"{Ragamaru.title}, {SEATS} seats, seed {SEED!r}"
    for title, seat in (("every card", None), ("everybody", SEATS), ("seat 0", 0)):
        yield f"\nas seen by {title}"
        for event in state.table.events(seat):
            yield msgspec.json.encode(event).decode()
    yield f"\noutcome\n{msgspec.json.encode(state.outcome()).decode()}"


def choose_action(state: RagamaruState) -> Action:
    """Return what a simple player does: it keeps its numbers for the end, and names its hand's first colour."""
    legal = state.legal()
    plays = [action for action in legal if isinstance(action, Play)]
    others = [play for play in plays if "-" in play.cards[0] or play.cards[0].isalpha()]
    if plays:
        return (others or plays)[-1]
    if state.turn is not None and state.turn.phase in ("colour", "first_colour", "number", "discard"):
        return legal[state.turn_no % len(legal)]
    return legal[-1]


if __name__ == "__main__":
    GOLDEN.write_text(write_transcript(), encoding="utf-8")
