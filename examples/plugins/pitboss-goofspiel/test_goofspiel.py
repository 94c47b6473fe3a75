"""Goofspiel: it keeps every promise of a game, and plays by its rules."""

from __future__ import annotations

import pytest

from goofspiel import Bid, Goofspiel, GoofspielOptions, GoofspielState
from pitboss import Random
from pitboss.testing import assert_conforms, check_game


def deal(options: GoofspielOptions, seats: int = 2) -> GoofspielState:
    """Return a game as it begins."""
    return Goofspiel().deal(seats, options, Random("deal"))


@pytest.mark.parametrize("preset", ["short", "order"])
def test_it_conforms(preset: str) -> None:
    """The conformance suite passes, with prizes that are shuffled and with some that lie in order."""
    assert_conforms(Goofspiel(), seats=[2], presets=[preset], games=1)


def test_hidden_bids_conform() -> None:
    """Worlds of bids that stay face down agree with who has won."""
    assert check_game(Goofspiel(), seats=[3], presets=["short"], options={"hidden": True}, games=1).failures == []


def test_the_highest_bid_takes_the_prize() -> None:
    """The prize counts for who bids most; if two do, for nobody."""
    state = deal(GoofspielOptions(cards=3, order="up"))
    for mine, other in (("2", "A"), ("A", "2"), ("3", "3")):
        state.play(Bid("S" + mine))
        state.play(Bid("H" + other))

    assert (state.turn, state.outcome().points) == (None, (1.0, 2.0))
    assert state.view(0).lost == ["D3"]


def test_prizes_in_order_are_no_chance() -> None:
    """Every seed gives the same game."""
    options = GoofspielOptions(order="down")

    assert not Goofspiel().has_chance(2, options)
    assert deal(options).view(2).prize == "DK"
