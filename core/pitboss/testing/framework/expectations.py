"""Expectations that several checks share; each raises `CheckFailed` if it does not hold."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import msgspec

from pitboss.game import AnyGame, AnyPositionedGame, AnyState, has_positions
from pitboss.table.zones import EMPTY
from pitboss.testing.framework.check import CheckFailed, NotApplicable
from pitboss.testing.framework.decision_point import DecisionPoint
from pitboss.testing.framework.snapshot import describe_difference, describe_first_difference, take_snapshot


@contextmanager
def expect_unchanged(state: AnyState, what: str) -> Iterator[None]:
    """Expect the block to leave everything observable about `state` as it is; `what` begins the failure's text."""
    before = take_snapshot(state)
    yield
    if changed := describe_difference(before, take_snapshot(state)):
        raise CheckFailed(f"{what} {changed}")


def require_positions(game: AnyGame) -> AnyPositionedGame:
    """Return a game with positions.

    Raises:
        NotApplicable: the game has none.
    """
    if not has_positions(game):
        raise NotApplicable("the game has no positions")
    return game


def expect_json_round_trip(value: object, kind: Any, what: str) -> None:  # noqa: ANN401 - any type
    """Expect a value, encoded as JSON and decoded as `kind`, to be the same value."""
    again = msgspec.json.decode(msgspec.json.encode(value), type=kind)
    if again != value:
        raise CheckFailed(f"{what} {value!r} comes back from JSON as {again!r}")


def expect_same_in_worlds(
    point: DecisionPoint, what: str, read: Callable[[AnyState, int], object], *, only_on_turn: bool = False
) -> None:
    """Expect `read` to return the same JSON for a seat in every world sampled from its information set."""
    for seat, world in point.worlds:
        if only_on_turn and (point.turn is None or seat != point.turn.seat):
            continue
        real, imagined = (msgspec.json.encode(read(state, seat)) for state in (point.state, world))
        if real != imagined:
            difference = describe_first_difference(real, imagined)
            raise CheckFailed(f"{what.format(seat)} tells something hidden: {difference} in a world it can imagine")


def expect_cards_conserved(state: AnyState) -> None:
    """Expect every card of the deck to lie in exactly one place."""
    table = state.table
    placed = sorted(card for zone in table.zones for card in zone if card != EMPTY)
    deck = list(range(len(table.layout.deck)))
    if placed == deck:
        return
    faces = table.layout.deck.faces
    missing = [faces[card] for card in deck if card not in placed]
    odd = [card for card in placed if not 0 <= card < len(deck)]
    several = sorted({card for card in placed if placed.count(card) > 1})
    twice = [card if card in odd else faces[card] for card in several]
    raise CheckFailed(
        f"of the deck {missing!r} lie nowhere, {twice!r} in more places than one, and {odd!r} are no cards"
    )
