"""The base of states: which fields a copy copies."""

from __future__ import annotations

from pitboss import Options, Random, TableState
from tests.core.small_table import SmallTable


class CountingState(TableState[Options, int]):
    """A state with fields of several kinds."""

    tally: list[int]
    by_name: dict[str, list[int]]
    seen: set[int]
    bare: list  # type: ignore[type-arg]  # as games have it that no type checker has seen
    shared: tuple[int, ...] = ()
    left_open: list[int] | None = None


def test_a_copy_has_its_own_lists_dicts_and_sets() -> None:
    """What is declared as one of them is copied; all else is shared, None where a list may be left out too."""
    state = CountingState(
        options=Options(), table=SmallTable().table, rng=Random("x"), tally=[1], by_name={}, seen=set(), bare=[]
    )

    twin = state.copy()
    twin.tally.append(2)
    twin.by_name["a"] = [3]
    twin.seen.add(4)
    twin.bare.append(5)

    assert (state.tally, state.by_name, state.seen, state.bare) == ([1], {}, set(), [])
    assert twin.left_open is None and twin.shared is state.shared and twin.table is not state.table
