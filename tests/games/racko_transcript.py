"""The golden transcript of Rack-O: a whole game as text. Run this file to write it anew."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import msgspec

from pitboss import Random
from pitboss.game import resolve_options
from pitboss_racko.game import Racko, RackoState
from pitboss_racko.messages import Action, Declare, Discard, Draw, Swap, Take, Wait

GOLDEN: Final = Path(__file__).with_name("racko_transcript.txt")
COMMAND: Final = "python tests/games/racko_transcript.py"
SEED: Final = "transcript/2"
SEATS: Final = 3


def write_transcript() -> str:
    """Return the game: all events with every card, then as everybody sees them, then as seat 0 does."""
    game = Racko()
    options = resolve_options(game, SEATS, "bonus", {"max_rounds": 2, "max_turns": 12, "deck_size": 40})
    state = game.deal(SEATS, options, Random(SEED))
    while state.turn is not None:
        state.play(choose_action(state))
    return "\n".join(transcript_lines(state)) + "\n"


def transcript_lines(state: RackoState) -> Iterator[str]:
    """Yield the lines of a finished game."""
    yield f"{Racko.title}, {SEATS} seats, seed {SEED!r}"
    for title, seat in (("every card", None), ("everybody", SEATS), ("seat 0", 0)):
        yield f"\nas seen by {title}"
        for event in state.table.events(seat):
            yield msgspec.json.encode(event).decode()
    yield f"\noutcome\n{msgspec.json.encode(state.outcome()).decode()}"


def choose_action(state: RackoState) -> Action:
    """Return what a simple player does: each card has a slot by its height; the better card for a slot stays in it.

    A complete rack is kept for a run in the first turns of the round.
    """
    if state.turn is None:
        raise ValueError("the game is over")
    seat, phase = state.turn
    view = state.view(seat)
    if phase == "declare":
        return Wait() if view.turns_done < 24 else Declare()
    card = view.discard[-1] if phase == "draw" else view.drawn or 0
    slot = (card - 1) // 4
    fits_better = slot_distance(card, slot) < slot_distance(view.rack[slot], slot)
    if phase == "draw":
        return Take(5 * slot + 5) if fits_better else Draw()
    return Swap(5 * slot + 5) if fits_better else Discard()


def slot_distance(card: int, slot: int) -> int:
    """Return twice how far a card is from the middle of the four that belong in a slot (of 40 cards)."""
    return abs(2 * card - (8 * slot + 5))


if __name__ == "__main__":
    GOLDEN.write_text(write_transcript(), encoding="utf-8")
