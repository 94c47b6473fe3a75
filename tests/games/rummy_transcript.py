"""The golden transcript of Rummy: a whole game as text. Run this file to write it anew."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import msgspec

from pitboss import Random
from pitboss.game import resolve_options
from pitboss_rummy.game import Rummy, RummyState
from pitboss_rummy.messages import Action, Discard, Draw, Layoff, Meld, Take

GOLDEN: Final = Path(__file__).with_name("rummy_transcript.txt")
COMMAND: Final = "python tests/games/rummy_transcript.py"
SEED: Final = "transcript/1010"
SEATS: Final = 3


def write_transcript() -> str:
    """Return the game: all events with every card, then as everybody sees them, then as seat 0 does."""
    game = Rummy()
    state = game.deal(
        SEATS, resolve_options(game, SEATS, "basic", {"deals": 2, "hand_size": 14, "max_turns": 6}), Random(SEED)
    )
    while state.turn is not None:
        state.play(choose_action(state))
    return "\n".join(transcript_lines(state)) + "\n"


def transcript_lines(state: RummyState) -> Iterator[str]:
    """Yield the lines of a finished game."""
    yield f"{Rummy.title}, {SEATS} seats, seed {SEED!r}"
    for title, seat in (("every card", None), ("everybody", SEATS), ("seat 0", 0)):
        yield f"\nas seen by {title}"
        for event in state.table.events(seat):
            yield msgspec.json.encode(event).decode()
    yield f"\noutcome\n{msgspec.json.encode(state.outcome()).decode()}"


def choose_action(state: RummyState) -> Action:
    """Return what a simple player does.

    Collects ranks, lays down what there is, and discards the card of the rarest rank.
    """
    if state.turn is None:
        raise ValueError("the game is over")
    seat, phase = state.turn
    view, legal = state.view(seat), state.legal()
    ranks = Counter(card[1:] for card in view.hand)
    if phase == "draw":
        return Take() if ranks[view.discard[-1][1:]] >= 2 else Draw()
    laying = [action for action in legal if isinstance(action, Meld | Layoff)]
    discards = [action for action in legal if isinstance(action, Discard)]
    return laying[0] if laying else min(discards, key=lambda action: ranks[action.card[1:]])


if __name__ == "__main__":
    GOLDEN.write_text(write_transcript(), encoding="utf-8")
