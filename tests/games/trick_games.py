"""What the tests of games of tricks have in common: positions written and set up again, the estimate, the picture."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from statistics import correlation
from typing import Any

from pitboss import Random, TableGame
from pitboss.parts.trick_match import TrickMatchState
from pitboss.simulation.random_play import choose_from, play_on


def assert_position_again(game: TableGame[Any, Any], options: object, limit: int) -> None:
    """Play some decisions, write the position and set it up: everything that anybody sees is the same."""
    state: TrickMatchState[Any, Any] = game.deal(4, options, Random("again"))
    play_on(state, choose_from(Random("again/choices")), limit)
    again = game.setup(4, options, state.position(), Random("other"))

    assert again.position() == state.position()
    assert [again.view(seat) for seat in range(5)] == [state.view(seat) for seat in range(5)]
    assert (again.turn, again.totals) == (state.turn, state.totals)


def correlate_estimate(deal: Callable[[str], Any], limits: Sequence[int], deals: int = 60) -> list[float]:
    """Return how well the estimate for seat 0 agrees with its points, after each of some numbers of decisions."""
    found = []
    for limit in limits:
        pairs = []
        for number in range(deals):
            state, choose = deal(f"deal/{number}"), choose_from(Random(f"choices/{number}"))
            play_on(state, choose, limit)
            estimate = state.evaluate()[0]
            play_on(state, choose)
            pairs.append((estimate, state.outcome().signed_points()[0]))
        found.append(correlation(*zip(*pairs, strict=True)))
    return found


def assert_narrow_pictures(state: Any, choose: Callable[[Any], object] = lambda state: state.legal()[-1]) -> None:  # noqa: ANN401
    """Play to the end; at every step the picture of every onlooker is at most 60 columns wide."""
    names = ["a-long-name" * 3] * state.seats
    while state.turn is not None:
        for seat in (None, *range(state.seats + 1)):
            assert all(len(line) <= 60 for line in state.render(seat, names))
        state.play(choose(state))
