"""The base of states: which fields a copy copies."""

from __future__ import annotations

from dataclasses import field

from pitboss import Random
from pitboss.game import resolve_options
from pitboss_magpie.magpie import Magpie, MagpieState


class CountingState(MagpieState):
    """A state with fields of several kinds."""

    tally: list[int] = field(default_factory=list)
    by_name: dict[str, list[int]] = field(default_factory=dict)
    seen: set[int] = field(default_factory=set)
    bare: list = field(default_factory=list)  # type: ignore[type-arg]  # as games have it that no type checker has seen
    shared: tuple[int, ...] = ()
    left_open: list[int] | None = None


def test_a_copy_has_its_own_lists_dicts_and_sets() -> None:
    """What is declared as one of them is copied; all else is shared, None where a list may be left out too."""
    game = Magpie(CountingState)
    state = game.deal(3, resolve_options(game, 3), Random("x"))
    assert isinstance(state, CountingState)

    twin = state.copy()
    twin.tally.append(2)
    twin.by_name["a"] = [3]
    twin.seen.add(4)
    twin.bare.append(5)

    assert (state.tally, state.by_name, state.seen, state.bare) == ([], {}, set(), [])
    assert twin.left_open is None and twin.shared is state.shared and twin.table is not state.table
