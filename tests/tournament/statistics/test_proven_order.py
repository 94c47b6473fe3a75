"""The order of proofs, against its definition pair by pair."""

from __future__ import annotations

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from pitboss_tournament.statistics.proven_ranks import close_proofs, iter_positions

BOTS = 6
PAIRS = st.lists(st.tuples(st.integers(0, BOTS - 1), st.integers(0, BOTS - 1)).filter(lambda pair: pair[0] != pair[1]))


def reach(proofs: list[tuple[int, int]], start: int) -> set[int]:
    """Return whom a bot is better than, by way of others too."""
    found: set[int] = set()
    waiting = [start]
    while waiting:
        bot = waiting.pop()
        new = {worse for better, worse in proofs if better == bot} - found
        found |= new
        waiting += new
    return found


@given(proofs=PAIRS)
def test_what_follows_from_proofs(proofs: list[tuple[int, int]]) -> None:
    """A bot is better than all that it reaches, but for those that reach it too; directly, if nobody is in between."""
    behind = {bot: reach(proofs, bot) for bot in range(BOTS)}
    worse = {bot: {other for other in behind[bot] if bot not in behind[other]} for bot in range(BOTS)}

    order = close_proofs(BOTS, proofs)

    assert worse == {bot: set(iter_positions(order.worse[bot])) for bot in range(BOTS)}
    assert worse == {bot: {other for other in range(BOTS) if order.better[other] >> bot & 1} for bot in range(BOTS)}
    for bot in range(BOTS):
        direct = {other for other in worse[bot] if not any(other in worse[between] for between in worse[bot])}
        assert direct == set(iter_positions(order.next_worse(bot)))


@given(proofs=PAIRS, contrary=PAIRS)
def test_what_does_not_follow(proofs: list[tuple[int, int]], contrary: list[tuple[int, int]]) -> None:
    """Contrary pairs take away what follows by way of others alone, and nobody joins or leaves a cycle by them."""
    order, whole = close_proofs(BOTS, proofs, contrary), close_proofs(BOTS, proofs)
    taken = {(bot, other) for bot in range(BOTS) for other in iter_positions(whole.worse[bot] & ~order.worse[bot])}

    assert taken == {pair for pair in set(contrary) - set(proofs) if whole.worse[pair[0]] >> pair[1] & 1}
    assert all(not own & ~other for own, other in zip(order.worse, whole.worse, strict=True))
    assert order.in_cycles == whole.in_cycles
    assert set(iter_positions(order.in_cycles)) == {bot for bot in range(BOTS) if bot in reach(proofs, bot)}


@given(proofs=PAIRS)
def test_tiers(proofs: list[tuple[int, int]]) -> None:
    """The tiers are the longest runs of bots without a pair that is proven apart."""
    order = close_proofs(BOTS, proofs)
    apart = {frozenset((bot, other)) for bot in range(BOTS) for other in iter_positions(order.worse[bot])}
    runs = [range(first, end) for first in range(BOTS) for end in range(first + 1, BOTS + 1)]
    alike = [run for run in runs if not any(frozenset(pair) in apart for pair in combinations(run, 2))]

    longest = [run for run in alike if not any(set(run) < set(other) for other in alike)]

    assert longest == order.tiers()


def test_nobody() -> None:
    """A field without a bot has no tier."""
    assert [] == close_proofs(0, []).tiers()
