"""A stacked deal: the faces that a test asks for come to the zones that it names, in every way to deal."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Annotated

import pytest
from msgspec import Meta, Struct

from pitboss import (
    Action,
    Deck,
    Options,
    Outcome,
    PositionError,
    Random,
    Secrets,
    TableGame,
    TableState,
    Turn,
    Visibility,
    Zone,
    Zones,
)
from pitboss.errors import OptionError
from pitboss.outcome import outcome_by_side
from pitboss.table.zone_fields import hand_each, pile, rack_each, secret_each, spread
from pitboss.testing import stack_deal
from tests.mistakes import each_mistake, read_json


class OddOptions(Options, frozen=True):
    """How the deal is odd."""

    cut: Annotated[bool, Meta(description="All cards are shuffled once before, to cut for the deal.")] = False
    no_joker: Annotated[bool, Meta(description="A joker that is turned up is shuffled into the stock.")] = False
    tax: Annotated[bool, Meta(description="A joker in a hand goes beneath the stock.")] = False


class Draw(Action, frozen=True):
    """Draw a card; the stock is shuffled after it."""


class OddView(Struct, frozen=True):
    """What a seat may know."""

    hand: list[str]


class OddState(TableState[OddOptions, Draw]):
    """A deal from a deck of letters with jokers."""

    deck = Deck([*"ABCDEFGHIJKLMNOPQRST", "*", "*", 7, 10])
    stock: Zone = pile(Visibility.NOBODY)
    up: Zone = spread()
    aside: Zone = pile()  # the last two cards of the deck, as they lie
    hands: Zones = hand_each()
    racks: Zones = rack_each((1, 2))
    dice: Secrets = secret_each()

    def start(self) -> None:
        """Deal."""
        table, stock = self.table, self.stock
        table.lay([22, 23], stock, self.aside)
        if self.options.cut:
            table.shuffle(stock)
        for die in self.dice:
            table.roll(die, ["low", 6], 2, weights=[5, 1])
        table.shuffle(stock)
        table.deal(stock, self.hands, 3)
        table.deal(stock, self.racks, 2, [0, 1])
        table.draw(stock, self.up)
        while self.options.no_joker and self.faces(self.up) == ["*"]:
            table.move(table.zones[self.up][0], self.up, stock)
            table.shuffle(stock)
            table.draw(stock, self.up)
        for hand in self.hands if self.options.tax else ():
            for card in [card for card in table.zones[hand] if self.deck.faces[card] == "*"]:
                table.move(card, hand, self.aside)
        self.turn = Turn(0, "draw")

    def legal(self) -> Sequence[Draw]:
        """Return the draw."""
        return [Draw()] if self.turn else []

    def apply(self, action: Draw) -> None:
        """Draw, and shuffle."""
        seat = self.require_turn().seat
        self.table.draw(self.stock, self.hands[seat])
        self.table.shuffle(self.stock)
        self.turn = Turn((seat + 1) % self.seats, "draw") if self.table.zones[self.stock] else None

    def view(self, seat: int) -> OddView:
        """Return the hand."""
        return OddView(self.faces(self.hands[seat]) if seat < self.seats else [])

    def outcome(self) -> Outcome:
        """Count cards."""
        return outcome_by_side([len(self.table.zones[hand]) for hand in self.hands])


class Odd(TableGame[OddOptions, OddState]):
    """The game."""

    state = OddState
    name = "odd"
    title = "Odd"
    seats = (2, 3)


def test_faces_by_zone() -> None:
    """Faces are stacked by zone: hands in any order, a pile from its top, slots and spreads from the first; the rest is
    dealt as ever.
    """
    asked = {"hand 0": "A * B", "hand 1": ["*"], "stock": "C D E", "up": "F", "rack 1": "G H"}
    state = stack_deal(Odd(), 2, asked)

    assert sorted(state.faces(state.hands[0])) == ["*", "A", "B"]
    assert "*" in state.faces(state.hands[1])
    assert state.faces(state.stock)[:-4:-1] == ["C", "D", "E"]
    assert (state.faces(state.up), state.faces(state.racks[1])) == (["F"], ["G", "H"])
    assert sorted(card for zone in state.table.zones for card in zone) == list(range(24))
    assert [entry.verb for entry in state.table.log or ()] == ["lay", "roll", "roll", "shuffle", "deal", "deal", "move"]
    assert state.table.faces_known_to(state.hands[0], 1) == [None] * 3


@pytest.mark.parametrize("letters", ["ABC", "CBA", "TSR", "*A*", "KLM"])
def test_every_seat_and_the_turned_up_card(letters: str) -> None:
    """The stacked faces come to their places whatever lay there before: faces that are asked for elsewhere too change
    places.
    """
    rest = [face for face in "ABCDEFGHIJKLMNOPQRST" if face not in letters]
    state = stack_deal(Odd(), 3, {"hand 2": list(letters), "hand 0": rest[:3], "up": rest[3:4], "rack 0": rest[-2:]})

    assert [state.faces(hand) for hand in state.hands[::2]] == [rest[:3], list(letters)]
    assert [state.faces(zone) for zone in (state.up, state.racks[0])] == [rest[3:4], rest[-2:]]


@pytest.mark.parametrize("seed", "afgj")
def test_two_equal_cards(seed: str) -> None:
    """Of cards that are equal a hand gets as many as were asked for."""
    state = stack_deal(Odd(), 2, {"hand 0": "* *"}, seed=seed)

    assert state.faces(state.hands[0]).count("*") == 2


def test_rolled_values() -> None:
    """Values are given by the name of the secret, the first ones if it has more."""
    state = stack_deal(Odd(), 2, {"dice 0": "6 6", "dice 1": ["low"], "hand 0": "A"})

    assert state.table.values(state.dice[0]) == (6, 6)
    assert state.table.values(state.dice[1])[0] == "low"
    assert "A" in state.faces(state.hands[0])


def test_what_comes_after_the_deal() -> None:
    """Later shuffles are those of an ordinary stream: by the seed, and other ones of copies that sample worlds."""

    def play(seed: str) -> list[str]:
        state = stack_deal(Odd(), 2, {"hand 0": "A B C"}, seed=seed)
        assert state.copy().imagine(0, Random("w")).faces(state.hands[0]) == ["A", "B", "C"]
        while state.turn is not None:
            state.play(Draw())
        return state.faces(state.hands[0])

    assert play("one") == play("one")
    assert len({tuple(play(seed)) for seed in ("one", "two", "three")}) == 3


@pytest.mark.parametrize("options", [OddOptions(cut=True), OddOptions(no_joker=True), OddOptions(cut=True, tax=True)])
@pytest.mark.parametrize("seed", ["a", "b", "c", "d", "e"])
def test_odd_ways_to_deal(options: OddOptions, seed: str) -> None:
    """Cards that are shuffled again, and cards that the deal looks at, do not matter where another deal avoids them."""
    asked = {"hand 0": "A B C", "hand 1": "D E F", "up": "G", "stock": "H I"}
    state = stack_deal(Odd(), 2, asked, options=options, seed=seed)

    assert state.options == options
    assert [sorted(state.faces(hand)) for hand in state.hands] == [["A", "B", "C"], ["D", "E", "F"]]
    assert (state.faces(state.up), state.faces(state.stock)[:-3:-1]) == (["G"], ["H", "I"])


@pytest.mark.parametrize("seed", ["12", "21", "24"])
def test_a_shuffle_that_lacks_the_card(seed: str) -> None:
    """By this seed a joker is turned up, and what is asked for in the stock is in a hand: another deal is taken."""
    dealt = {"stock": "H I", "hand 0": "A *"}
    state = stack_deal(Odd(), 2, dealt, options=OddOptions(no_joker=True), seed=seed)

    assert state.faces(state.stock)[:-3:-1] == ["H", "I"]


@each_mistake(__file__)
def test_what_cannot_be_dealt(written: str, said: str) -> None:
    """The error about a deal that cannot be names the game, the zone and what was asked for."""
    with pytest.raises(PositionError, match=f"^odd, 2 seats: .*{re.escape(said)}"):
        stack_deal(Odd(), 2, read_json(written), options=OddOptions(tax=True))


def test_a_table_that_there_is_not() -> None:
    """The number of seats and the options are checked as for any game."""
    with pytest.raises(OptionError, match="odd is played by 2 or 3 players, not by 4"):
        stack_deal(Odd(), 4, {})
