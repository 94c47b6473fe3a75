"""Other deals: a game dealt again with one lot or shuffle changed, and played with the same actions.

Nothing that the game says about worlds is used, only its own play: a deal that gives a seat the same events is one
that the seat cannot tell from the real one, whatever `imagine` says.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

import msgspec

from pitboss.game import AnyState
from pitboss.open_actions import is_playable
from pitboss.table.randomness import Random
from pitboss.table.turns import Turn
from pitboss.testing.framework.played_game import PlayedGame
from pitboss.testing.framework.snapshot import faces_by_zone
from pitboss.testing.framework.varied_random import DrawChange, DrawVariation, RandomDraw, VariedRandom

OTHER_DEALS: Final = 16  # of each game
LAST_CHANGED_DECISION: Final = 300  # the last decision whose draws are changed
COMPARED_DECISIONS: Final = 40  # decisions that two deals are compared after the changed draw


class AlikeDeals(NamedTuple):
    """A game and another of its deals, at a decision up to which `seat` has observed the same events in both."""

    seat: int
    number: int  # of the decision
    change: DrawChange
    state: AnyState
    other: AnyState

    @property
    def is_another_deal(self) -> bool:
        """Whether the deals differ at all: exchanged cards may have equal faces."""
        return self.change.draw.kind != "shuffle" or faces_by_zone(self.state) != faces_by_zone(self.other)

    def describe_change(self) -> str:
        """Return which draw was changed, and how."""
        (kind, size, seed, draws), one, other = self.change
        return f"{kind} {draws} of stream {seed!r} changed by {one} and {other} of {size}"


class _TimedDraw(NamedTuple):
    draw: RandomDraw
    decision: int  # the first decision after it


def find_alike_deals(played_game: PlayedGame) -> Iterator[AlikeDeals]:
    """Yield, for other deals of a game, each decision and seat up to which the seat cannot tell the two deals apart.

    It cannot if its events are equal as JSON, and both deals ask it to decide or both do not. The states go on changing
    between yields. A deal is left when every seat can tell it apart, or when the real action is not legal there.
    """
    for change, decision in _choose_changes(played_game):
        yield from _compare_deals(played_game, change, decision)


def _choose_changes(played_game: PlayedGame) -> Iterator[tuple[DrawChange, int]]:
    """Yield changes of random draws, and the first decision after each; every second one is a change of the deal."""
    draws = [timed for timed in _list_draws(played_game) if timed.draw.size > 1]
    at_the_deal = [timed for timed in draws if timed.decision == 0] or draws
    rng = Random(f"{played_game.seed}/other deals")
    for number in range(OTHER_DEALS if draws else 0):
        draw, decision = rng.choice(draws if number % 2 else at_the_deal)
        one = rng.randbelow(draw.size)
        yield DrawChange(draw, one, (one + 1 + rng.randbelow(draw.size - 1)) % draw.size), decision


def _list_draws(played_game: PlayedGame) -> list[_TimedDraw]:
    """Return the draws up to `LAST_CHANGED_DECISION`, in their order."""
    variation = DrawVariation()
    state = _deal(played_game, variation)
    timed = [_TimedDraw(draw, 0) for draw in variation.made]
    for number, action in enumerate(played_game.actions[:LAST_CHANGED_DECISION], 1):
        variation.made.clear()
        state.play(action)
        timed += [_TimedDraw(draw, number) for draw in variation.made]
    return timed


def _deal(played_game: PlayedGame, variation: DrawVariation) -> AnyState:
    setup = played_game.setup
    return setup.game.deal(setup.seats, setup.options, VariedRandom(played_game.seed, variation))


def _compare_deals(played_game: PlayedGame, change: DrawChange, decision: int) -> Iterator[AlikeDeals]:
    states = state, other = tuple(_deal(played_game, DrawVariation(changed)) for changed in (None, change))
    compared = [0, 0]  # entries of each log
    deceived = list(played_game.setup.observers)
    for number in range(min(decision + COMPARED_DECISIONS, len(played_game) + 1)):
        if number >= decision:
            deceived = [seat for seat in deceived if _are_events_equal(seat, states, compared)]
            for seat in deceived:
                if _turn_of(seat, state) == _turn_of(seat, other):
                    yield AlikeDeals(seat, number, change, state, other)
        if number == len(played_game) or not deceived or state.turn != other.turn:
            return
        action = played_game.actions[number]
        if not is_playable(action, other):
            return
        compared = [len(one.table.log or ()) for one in states]
        for one in states:
            one.play(action)


def _are_events_equal(seat: int, states: Sequence[AnyState], since: Sequence[int]) -> bool:
    one, other = (
        msgspec.json.encode(state.table.events(seat, start)) for state, start in zip(states, since, strict=True)
    )
    return one == other


def _turn_of(seat: int, state: AnyState) -> Turn | None:
    """Return the turn if the seat itself has to decide."""
    return state.turn if state.turn is not None and state.turn.seat == seat else None
