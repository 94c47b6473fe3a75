"""The chance events of an action: each outcome once, with its probability."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import pytest
from msgspec import Struct

from pitboss import (
    Action,
    Deck,
    IllegalAction,
    Options,
    Outcome,
    Random,
    Secret,
    TableGame,
    TableState,
    Turn,
    Visibility,
    Zone,
)
from pitboss.errors import TableError
from pitboss.outcome import outcome_by_side
from pitboss.simulation.chance import OpenDraw, enumerate_outcomes, play_by_draws
from pitboss.table.zone_fields import pile, secret


class Spin(Action, frozen=True):
    """Let chance decide."""

    by: str


class SpinView(Struct, frozen=True):
    """Nothing to see."""


class SpinState(TableState[Options, Spin]):
    """One decision; what follows is chance."""

    deck = Deck("ABCD")
    box: Zone = pile(Visibility.NOBODY)
    wheel: Secret = secret()
    result: tuple[object, ...] = ()

    def start(self) -> None:
        """Let seat 0 decide."""
        self.turn = Turn(0, "spin")

    def legal(self) -> Sequence[Spin]:
        """Return all ways of chance."""
        return [Spin(by) for by in ("none", "lot", "dice", "weights", "cards", "next deal", "words", "two")]

    def apply(self, action: Spin) -> None:
        """Draw."""
        table = self.table
        self.turn = None
        match action.by:
            case "lot":
                self.result = (table.draw_lot(4),)
            case "dice":
                self.result = table.roll(self.wheel, range(1, 7), 2)
            case "weights":
                self.result = table.roll(self.wheel, "abc", 2, weights=[3, 0, 1])
            case "cards":
                table.shuffle(self.box)
                self.result = tuple(table.zones[self.box])
            case "next deal":
                self.collect_and_shuffle(self.box, "deal 2")
                self.result = tuple(table.zones[self.box])
            case "words":
                table.rng.draw_words(2)
            case "two":  # the second draw depends on the first
                first = table.draw_lot(3)
                self.result = (first, table.draw_lot(first + 1))

    def view(self, seat: int) -> SpinView:
        """Return nothing."""
        return SpinView()

    def outcome(self) -> Outcome:
        """Return a tie."""
        return outcome_by_side([0.0, 0.0])


class SpinGame(TableGame[Options, SpinState]):
    """The game."""

    state = SpinState
    name = "spin"
    title = "Spin"
    seats = (2,)


def spin_outcomes(by: str) -> dict[tuple[object, ...], Fraction]:
    """Return the probability of each result."""
    state = SpinGame().deal(2, Options(), Random("spin"))
    probabilities: dict[tuple[object, ...], Fraction] = {}
    for probability, after in enumerate_outcomes(state, Spin(by)):
        assert isinstance(after, SpinState) and after.turn is None
        probabilities[after.result] = probabilities.get(after.result, Fraction()) + probability
    assert sum(probabilities.values()) == 1
    assert state.turn == Turn(0, "spin")
    return probabilities


@pytest.mark.parametrize(
    ("by", "results", "least"),
    [
        ("none", 1, Fraction(1)),
        ("lot", 4, Fraction(1, 4)),
        ("dice", 36, Fraction(1, 36)),
        ("weights", 4, Fraction(1, 16)),
        ("cards", 24, Fraction(1, 24)),
        ("next deal", 24, Fraction(1, 24)),
        ("two", 6, Fraction(1, 9)),
    ],
)
def test_each_outcome_with_its_probability(by: str, results: int, least: Fraction) -> None:
    """The enumeration has all results, no other, and their probabilities."""
    found = spin_outcomes(by)

    assert (len(found), min(found.values())) == (results, least)
    if by == "weights":
        assert found[("a", "a")] == Fraction(9, 16)
    if by == "two":
        assert found[(1, 0)] == found[(1, 1)] == Fraction(1, 6)


def walk_outcomes(by: str) -> dict[tuple[object, ...], Fraction]:
    """Return the probability of each result, by a walk from draw to draw."""
    state = SpinGame().deal(2, Options(), Random("spin"))
    probabilities: dict[tuple[object, ...], Fraction] = {}
    open_walks: list[tuple[tuple[int, ...], Fraction]] = [((), Fraction(1))]
    while open_walks:
        draws, probability = open_walks.pop()
        reached = play_by_draws(state, Spin(by), draws)
        if isinstance(reached, OpenDraw):
            assert len(reached.probabilities) > 1
            open_walks += [((*draws, at), probability * share) for at, share in enumerate(reached.probabilities)]
        else:
            assert isinstance(reached, SpinState)
            assert reached.table.log is not None
            probabilities[reached.result] = probabilities.get(reached.result, Fraction()) + probability
    return probabilities


@pytest.mark.parametrize("by", ["none", "lot", "dice", "weights", "cards", "next deal", "two"])
def test_draws_from_outside_lead_to_the_same_outcomes(by: str) -> None:
    """A walk from draw to draw finds the results that are enumerated, with the same probabilities."""
    assert walk_outcomes(by) == spin_outcomes(by)


def test_what_cannot_be_enumerated() -> None:
    """Too many outcomes, random words and illegal actions cannot be enumerated."""
    state = SpinGame().deal(2, Options(), Random("spin"))

    with pytest.raises(TableError, match="has more than 20 outcomes of chance"):
        enumerate_outcomes(state, Spin("dice"), limit=20)
    with pytest.raises(TableError, match="random words have too many values"):
        enumerate_outcomes(state, Spin("words"))
    with pytest.raises(IllegalAction):
        enumerate_outcomes(state, Spin("nothing"))


def test_an_outcome_goes_on_by_itself() -> None:
    """Each outcome has a future of its own, like that of any copy."""
    state = SpinGame().deal(2, Options(), Random("spin"))
    futures = {after.table.rng.copy().draw_words(1) for _, after in enumerate_outcomes(state, Spin("lot"))}

    assert len(futures) == 4
