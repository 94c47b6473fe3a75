"""Ranges of actions: their wire form, what is in them, and that every part that plays games knows them."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from pitboss import Action, ActionRange, IllegalAction, Random
from pitboss.action_range import (
    RangedEntry,
    count_actions,
    explain_beyond,
    find_entry,
    is_within,
    locate_ranges,
    lowest_action,
    sample_actions,
)
from pitboss.simulation.random_play import choose_from, choose_from_words, play_on
from pitboss.testing import check_game
from tests.core.betting_game import load_betting_module
from tests.core.tracked_games import is_tracked_correctly, track_game

betting = load_betting_module()
Healthy: type[Any] = betting.NewGameState
GAME = betting.NewGame()


class StandPat(Action, frozen=True):
    """Do nothing."""


class Overcall(Action, frozen=True):
    """Overcall for a suit."""

    suit: str
    amount: int
    closed: bool = False


SPADES = ActionRange.make(Overcall, suit="S", amount=(10, 500))
LEGAL = [StandPat(), SPADES]


class Offer(Action, frozen=True, kw_only=True):
    """Offer an amount, which has to be named."""

    amount: int


def test_fields_that_have_to_be_named() -> None:
    """An action whose fields have names only is made like any other."""
    offers = ActionRange.make(Offer, amount=(1, 3))

    assert sample_actions([offers]) == [Offer(amount=1), Offer(amount=2), Offer(amount=3)]


def test_the_wire_form() -> None:
    """A range looks like its action, with both bounds in place of the number."""
    assert msgspec.json.encode(LEGAL) == (
        b'[{"do":"standpat"},{"do":"overcall","suit":"S","amount":[10,500],"closed":false}]'
    )
    assert locate_ranges(LEGAL) == [RangedEntry(1, "amount")]


def test_what_is_in_it() -> None:
    """A range holds the numbers from the lowest to the highest, if the other fields are the same."""
    inside = [Overcall("S", 10), Overcall("S", 11), Overcall("S", 500)]
    outside = [Overcall("S", 9), Overcall("S", 501), Overcall("H", 10), Overcall("S", 10, closed=True), StandPat()]

    assert [find_entry(one, LEGAL) for one in inside] == [1, 1, 1]
    assert [one in SPADES for one in outside] == [False] * 5
    assert find_entry(StandPat(), LEGAL) == 0
    assert find_entry(Overcall("S", 501), LEGAL) is None
    assert lowest_action(SPADES) == Overcall("S", 10)
    assert lowest_action(StandPat()) == StandPat()
    assert count_actions(LEGAL) == 492
    assert ActionRange.make(Overcall, suit="S", amount=(10, 500)) == SPADES


@pytest.mark.parametrize(
    ("number", "is_inside"),
    [(10, True), (500, True), (9, False), (501, False), (10.0, False), (True, False), ("10", False)],
)
def test_plain_data(number: object, is_inside: bool) -> None:
    """A range holds a whole number within its bounds as plain data; the sentence about another value says what was
    allowed.
    """
    action = {"do": "overcall", "suit": "S", "amount": number, "closed": False}
    entry = msgspec.to_builtins(SPADES)

    assert is_within(action, entry, "amount") is is_inside
    assert explain_beyond(action, LEGAL) == f"'amount' may be any whole number from 10 to 500, not {number!r}"
    assert explain_beyond({**action, "suit": "H"}, LEGAL) is None
    assert not is_within("nonsense", entry, "amount")


def test_sampled_numbers() -> None:
    """The sampled numbers of a range are both bounds, and steps that grow with the number; all where there are few; and
    those that are asked for.
    """
    assert SPADES.sample_numbers(5) == [10, 27, 71, 188, 500]
    assert ActionRange.make(Overcall, suit="S", amount=(0, 3)).sample_numbers(5) == [0, 1, 2, 3]
    assert ActionRange.make(Overcall, suit="S", amount=(7, 7)).sample_numbers(2) == [7]
    assert sample_actions(LEGAL, 2) == [StandPat(), Overcall("S", 10), Overcall("S", 500)]
    assert sample_actions(LEGAL, 2, more=(9, 77)) == [
        StandPat(),
        Overcall("S", 10),
        Overcall("S", 77),
        Overcall("S", 500),
    ]


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ({"suit": "S", "amount": (5, 4)}, "there is no number from 5 to 4"),
        ({"suit": "S", "amount": 5}, r"a range has bounds in one field, not in \[\]"),
    ],
)
def test_ranges_that_are_none(values: dict[str, Any], told: str) -> None:
    """The error about an invalid range names what was given."""
    with pytest.raises(ValueError, match=told):
        ActionRange.make(Overcall, **values)


def test_random_play_draws_from_a_range() -> None:
    """Random play draws every number of a range; the same seed plays the same."""
    drawn = set()
    for number in range(200):
        for chooser in (choose_from(Random(str(number))), choose_from_words(str(number))):
            actions = play_on(GAME.deal(2, GAME.Options(), Random("deal")), chooser)
            drawn |= {action.chips for action in actions if isinstance(action, betting.Bet)}
    again = [play_on(GAME.deal(2, GAME.Options(), Random("deal")), choose_from_words("7")) for _ in range(2)]

    assert drawn == set(range(1, 11))
    assert again[0] == again[1]


def test_the_number_decides_what_is_legal() -> None:
    """An action of the range is played; the numbers next to its bounds are refused, and nothing changes."""
    state = GAME.deal(2, GAME.Options(), Random("deal"))
    for chips in (0, 11):
        with pytest.raises(IllegalAction):
            state.play(betting.Bet(chips))
    state.play(betting.Bet(10))

    assert state.paid == [11, 1]


def test_a_game_with_ranges_is_tracked() -> None:
    """From its events a bot knows the state, whatever number was chosen."""
    decisions = [
        (is_tracked_correctly(one), one.decision.legal)
        for number in range(9)
        for one in track_game(GAME, 3, GAME.Options(), f"game {number}", number % 3)
    ]

    assert all(is_correct for is_correct, _ in decisions)
    assert sum({"do": "fold"} in legal for _, legal in decisions) > 2  # after a bet


class RefusesTheHighest(Healthy):  # type: ignore[misc]
    """Its range holds a number that cannot be played."""

    def apply(self, action: Any) -> None:  # noqa: ANN401
        """Refuse it."""
        if action == betting.Bet(10):
            self.refuse(action)
        super().apply(action)


class TakesMore(Healthy):  # type: ignore[misc]
    """It plays a number beyond its range."""

    def play(self, action: Any) -> None:  # noqa: ANN401
        """Play it."""
        if action == betting.Bet(11) and not any(isinstance(one, betting.Fold) for one in self.legal()):
            self.apply(action)
        else:
            super().play(action)


@pytest.mark.parametrize(
    ("state", "check"),
    [
        (Healthy, None),
        (RefusesTheHighest, "legal-actions-can-be-played"),
        (TakesMore, "other-actions-are-refused"),
    ],
)
def test_the_conformance_suite_knows_ranges(state: type[Any], check: str | None) -> None:
    """A healthy game passes; one whose range holds too much or too little fails."""
    game = type("Broken", (betting.NewGame,), {"state": state})()

    report = check_game(game, seats=[3], games=1)

    failed = [one.name for one in report.checks if one.outcome == "failed"]
    assert failed == [] if check is None else check in failed
