"""Balanced designs: any two bots meet equally often, or once more, for every allowed number of bots and seats."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from math import comb

import pytest

from pitboss_tournament.formats.balanced_design import choose_tables
from tests.marks import first_rows

pytestmark = pytest.mark.once


@first_rows(2)("bots", range(6, 31))
def test_pair_counts_differ_by_at_most_one(bots: int) -> None:
    """The counts of pairs differ by one at most, at 2 to 6 seats, from few tables to many. Each bot sits equally often,
    no set comes twice, and there are as many tables as were asked for or, where no design was found, some more.
    """
    for seats in range(2, 7):
        everything = comb(bots, seats)
        for wanted in (bots - 1, 3 * bots):
            tables = choose_tables(bots, seats, min(wanted, everything))
            meetings = Counter(pair for table in tables for pair in combinations(table, 2))
            counts = [meetings[pair] for pair in combinations(range(bots), 2)]

            assert max(counts) - min(counts) <= 1
            assert len({Counter(bot for table in tables for bot in table)[bot] for bot in range(bots)}) == 1
            assert len(set(tables)) == len(tables)
            assert all(len(set(table)) == seats and table == tuple(sorted(table)) for table in tables)
            assert min(wanted, everything) <= len(tables) <= everything
            assert len(tables) <= wanted + 4 * bots


def test_a_known_design_is_found() -> None:
    """Seven bots at tables of three: the plane of seven points, in which any two meet exactly once."""
    tables = choose_tables(7, 3, 7)

    assert len(tables) == 7
    assert set(Counter(pair for table in tables for pair in combinations(table, 2)).values()) == {1}


def test_the_same_tables_every_time() -> None:
    """The search draws from a stream of its own: nothing but the numbers decides."""
    first = choose_tables(12, 4, 24)
    choose_tables.cache_clear()

    assert choose_tables(12, 4, 24) == first


@pytest.mark.parametrize(("bots", "seats", "wanted", "found"), [(6, 4, 15, 15), (6, 6, 1, 1), (16, 6, 16, 32)])
def test_where_there_is_none(bots: int, seats: int, wanted: int, found: int) -> None:
    """The next multiple of the bots is taken where so many tables cannot be balanced, at last all sets."""
    assert len(choose_tables(bots, seats, wanted)) == found
