"""How Poker looks and speaks: words for people, by the names of the messages."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from pitboss.parts.betting.game import BETTING_PRESENTATION, BOARD_ZONES
from pitboss.rendering.presentation import Presentation

PRESENTATION: Final[Presentation] = replace(
    BETTING_PRESENTATION,
    zones=BOARD_ZONES,
    phases={
        "preflop": "bet before the flop",
        "flop": "bet on the flop",
        "turn": "bet on the turn",
        "river": "bet on the river",
    },
)

DRAW_PRESENTATION: Final[Presentation] = replace(
    BETTING_PRESENTATION,
    phases={"first": "bet before the draw", "draw": "exchange cards", "second": "bet after the draw"},
)
STUD_PRESENTATION: Final[Presentation] = replace(
    BETTING_PRESENTATION,
    phases={street: f"bet on {street} street" for street in ("third", "fourth", "fifth", "sixth", "seventh")},
)
