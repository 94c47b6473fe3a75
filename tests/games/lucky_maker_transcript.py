"""The golden transcript of Lucky Maker: a whole series as text. Run this file to write it anew."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import msgspec

from pitboss import Random
from pitboss.game import resolve_options
from pitboss_lucky_maker.deck import CARD_BY_FACE, SUIT_NUMBERS
from pitboss_lucky_maker.game import LuckyMaker, LuckyMakerState
from pitboss_lucky_maker.messages import Play

GOLDEN: Final = Path(__file__).with_name("lucky_maker_transcript.txt")
COMMAND: Final = "python tests/games/lucky_maker_transcript.py"
SEED: Final = "transcript/1"
SEATS: Final = 5


def write_transcript() -> str:
    """Return the series: all events with every card, then as everybody sees them, then as seat 0 does."""
    game = LuckyMaker()
    state = game.deal(SEATS, resolve_options(game, SEATS, None, {"games": 2}), Random(SEED))
    while state.turn is not None:
        state.play(choose_action(state))
    return "\n".join(transcript_lines(state)) + "\n"


def transcript_lines(state: LuckyMakerState) -> Iterator[str]:
    """Yield the lines of a finished series."""
    yield f"{LuckyMaker.title}, {SEATS} seats, seed {SEED!r}"
    for title, seat in (("every card", None), ("everybody", SEATS), ("seat 0", 0)):
        yield f"\nas seen by {title}"
        for event in state.table.events(seat):
            yield msgspec.json.encode(event).decode()
    yield f"\nlast view of seat 0\n{msgspec.json.encode(state.view(0)).decode()}"
    yield f"\noutcome\n{msgspec.json.encode(state.outcome()).decode()}"


def choose_action(state: LuckyMakerState) -> Play:
    """Return what a simple player does.

    The highest card in the suit in which the master is low, as such a trick is worth most.
    """
    if state.turn is None:
        raise ValueError("the game is over")
    master = CARD_BY_FACE[state.view(state.turn.seat).master or ""]
    numbers = min((suited for suited in SUIT_NUMBERS.values() if suited[master]), key=lambda suited: suited[master])
    return max(state.legal(), key=lambda play: numbers[CARD_BY_FACE[play.card]])


if __name__ == "__main__":
    GOLDEN.write_text(write_transcript(), encoding="utf-8")
