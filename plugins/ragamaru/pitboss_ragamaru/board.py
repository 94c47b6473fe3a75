"""The RAGAMARU table: its zones, and the actions and turns, made once and shared by all games with the same options."""

from __future__ import annotations

from functools import lru_cache
from typing import Final, get_args

from pitboss import Layout, Turn, Visibility, solo_sides
from pitboss_ragamaru.deck import BOX, COLOURS, HIGHEST
from pitboss_ragamaru.messages import Discard, Draw, NameColour, NameNumber, Pass, Phase, Sit, Stop, Take
from pitboss_ragamaru.plays import Playbook

DRAW: Final = Draw()
PASS: Final = Pass()
TAKE: Final = Take()
SIT: Final = Sit()
STOP: Final = Stop()
NAME_COLOUR: Final = tuple(NameColour(colour) for colour in COLOURS)
NAME_NUMBER: Final = tuple(NameNumber(number) for number in range(1, HIGHEST + 1))
DISCARDS: Final = {face: Discard(face) for face in BOX}


class RagamaruBoard:
    """The layout for a number of players and a deck, the turns of all seats and phases, and the sides."""

    def __init__(self, seats: int, teams: int, book: Playbook) -> None:
        self.seats = seats
        self.layout = Layout(book.deck, seats)
        self.stock = self.layout.add_pile("stock", Visibility.NOBODY)
        self.pile = self.layout.add_pile(
            "pile", Visibility.EVERYBODY
        )  # played cards; the top one is the field's card, if there is one
        self.discards = self.layout.add_pile("discards", Visibility.EVERYBODY)  # D28: they count as below the top
        self.box = self.layout.add_pile("box", Visibility.EVERYBODY)  # cards that a written position leaves out
        self.hands = self.layout.add_hands()
        self.turns: dict[str, tuple[Turn, ...]] = {
            phase: tuple(Turn(seat, phase) for seat in range(seats)) for phase in get_args(Phase)
        }
        self.to_play = self.turns["play"]
        self.team = [seat % teams for seat in range(seats)] if teams else None  # D36
        self.sides = tuple(tuple(range(team, seats, teams)) for team in range(teams)) if teams else solo_sides(seats)


board_for: Final = lru_cache(RagamaruBoard)
