"""Events in a few words, as the last move of a seat: no more than the event tells."""

from __future__ import annotations

import pytest

from pitboss.table.events import AnyEvent, Deal, Lay, Move, Reveal, Shuffle, Swap, Tell
from pitboss_tournament.text.event_text import EventDescriber

DESCRIBER = EventDescriber(["ann", "bob"], [], faces={"SA": "♠A", "H10": "♥10"})


@pytest.mark.parametrize(
    ("event", "told"),
    [
        (Move(event="draw", seat=0, card=None, source="stock", target="hand 0"), "draw"),
        (Move(event="discard", seat=0, card="H10", source="hand 0", target="discard"), "discard ♥10"),
        (Lay(event="meld", seat=0, cards=["SA", "H10"], source="hand 0", target="meld 1"), "meld ♠A ♥10"),
        (Lay(event="pass", seat=0, cards=[None, None], source="hand 0", target="passed 0"), "pass 2 cards"),
        (
            Swap(event="take", seat=0, slot=25, card=26, discarded=4, source="discard", target="discard"),
            "take 26 into slot 25",
        ),
        (
            Swap(event="swap", seat=0, slot=5, card=None, discarded=4, source="hand 0", target="discard"),
            "swap into slot 5",
        ),
        (Reveal(event="show", seat=0, zone="hand 0", cards=["SA"]), "show ♠A"),
        (Tell(event="raise", facts={"seat": 0, "to": 600}), "raise to 600"),
        (Tell(event="call", facts={"seat": 0, "chips": 100}), "call 100"),
        (Tell(event="out", facts={"seat": 0, "rummy": True}), "out rummy"),
        (Tell(event="out", facts={"seat": 0, "rummy": False}), "out"),
        (Deal(event="deal", source="stock", cards={"hand 0": ["SA"]}), ""),
        (Shuffle(event="shuffle", zone="stock", size=9), ""),
    ],
)
def test_a_move_in_a_few_words(event: AnyEvent, told: str) -> None:
    """An event in a few words leaves out what no player does, and has no word for a face that it hides."""
    assert DESCRIBER.describe_briefly(event) == told
