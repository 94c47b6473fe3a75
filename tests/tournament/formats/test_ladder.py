"""The ladder: newcomers find their place, nobody is forgotten, no owner has more than its part."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, pairwise
from random import Random
from statistics import fmean

import pytest

from pitboss.plugins.formats import EntrantField, PlayedBlock, PlayedRound, PlayedTable, RoundGenerator
from pitboss_tournament.formats.ladder import Ladder, LadderOptions
from pitboss_tournament.statistics.blocks import score_block
from pitboss_tournament.statistics.ratings import rate_rankings
from tests.synthetic_tournaments import SyntheticTournament
from tests.tournament.statistics.sample_results import count_rankings

DEALS = 2


class PaperLadder:
    """A ladder whose blocks are drawn: bots are as strong as their numbers say, the first is the strongest."""

    def __init__(self, names: list[str], seats: int = 2, owner_mark: str = "", spread: float = 4.0) -> None:
        self.names = names
        self.tables: list[list[list[int]]] = []  # of each round
        self._spread = spread
        self._seats = seats
        self._chance = Random("ladder")
        field = EntrantField(names=tuple(names), seats=seats, deals=DEALS, games=seats)
        self._rounds: RoundGenerator = Ladder().rounds(field, LadderOptions(owner_mark=owner_mark))
        self._planned = next(self._rounds)

    def play(self, joined: tuple[str, ...] = (), left: frozenset[int] = frozenset()) -> list[list[int]]:
        """Play the open round; return its tables."""
        tables = [list(table) for table in self._planned.tables]
        self.tables.append(tables)
        numbers = tuple(range(len(self.names), len(self.names) + len(joined)))
        self.names += joined
        played = tuple(PlayedTable(tuple(sorted(table)), self._draw_blocks(table)) for table in tables)
        self._planned = self._rounds.send(PlayedRound(played, left, numbers, joined, left))
        return tables

    def count_tables(self, first: int = 0) -> Counter[int]:
        """Return how often each bot sat, from a round on."""
        return Counter(bot for tables in self.tables[first:] for table in tables for bot in table)

    def _draw_blocks(self, table: list[int]) -> tuple[PlayedBlock, ...]:
        strengths = tuple(-self._spread * bot / len(self.names) for bot in range(len(self.names)))
        world = SyntheticTournament(strengths=strengths, seats=self._seats)
        return tuple(
            score_block(world._make_block(0, deal, tuple(sorted(table)), self._chance)) for deal in range(DEALS)
        )


@pytest.mark.parametrize(("bots", "seats"), [(2, 2), (9, 2), (40, 2), (11, 3), (30, 4)])
def test_a_round_is_as_long_as_there_are_bots(bots: int, seats: int) -> None:
    """Tables have distinct bots, and the seats of a round are about as many as there are bots."""
    ladder = PaperLadder([f"b{number}" for number in range(bots)], seats)
    for _ in range(30):
        tables = ladder.play()
        assert all(len(set(table)) == seats for table in tables)
        assert len(tables) <= 1.25 * bots + 1
    seated = ladder.count_tables()

    assert set(seated) == set(range(bots))
    assert fmean(len(tables) for tables in ladder.tables[15:]) <= max(1, bots // seats) + 1


def test_a_newcomer_finds_its_place() -> None:
    """A newcomer plays more than the others until it has its place, at first with the middle and the quarters, then
    with its like.
    """
    ladder = PaperLadder([f"b{number}" for number in range(40)])
    for _ in range(40):
        ladder.play()
    ladder.play(joined=("new",))  # the weakest of all, as its number is the last
    for _ in range(5):
        ladder.play()
    seated = ladder.count_tables(41)
    its_own = [table for tables in ladder.tables[41:] for table in tables if 40 in table]
    met = [next(bot for bot in table if bot != 40) for table in its_own]

    assert seated[40] >= 1.8 * fmean(seated[bot] for bot in range(40))
    assert 15 <= met[0] <= 25
    assert fmean(met[-3:]) >= 30


def test_nobody_is_forgotten() -> None:
    """All bots of a ladder meet again and again in the long run, the first and the last too, long after they have
    proven their order.
    """
    ladder = PaperLadder([f"b{number}" for number in range(8)], spread=12.0)
    for _ in range(150):
        ladder.play()
    met = Counter(pair for tables in ladder.tables[75:] for table in tables for pair in combinations(sorted(table), 2))

    assert set(met) == set(combinations(range(8), 2))
    rounds = [number for number, tables in enumerate(ladder.tables) if any(0 in table for table in tables)]
    assert max(after - before for before, after in pairwise(rounds)) <= 10


def test_owners() -> None:
    """Bots of one owner do not meet, and an owner of many has no more than its part."""
    names = [f"many.{number}" for number in range(12)] + [f"one{number}.a" for number in range(12)]
    ladder = PaperLadder(names, owner_mark=".")
    for _ in range(40):
        tables = ladder.play()
        assert not any(all(bot < 12 for bot in table) for table in tables)
    seated = ladder.count_tables(20)

    share = sum(seated[bot] for bot in range(12)) / seated.total()
    assert share <= 0.5


def test_who_leaves_plays_no_more() -> None:
    """A bot that has left plays no more; one that comes back is where it was; the ladder is over when too
    few are left.
    """
    ladder = PaperLadder(["a", "b", "c", "d"])
    ladder.play(left=frozenset({1}))
    for _ in range(5):
        assert all(1 not in table for table in ladder.play(left=frozenset({1})))
    with pytest.raises(StopIteration):
        ladder.play(left=frozenset({0, 1, 2}))


def test_the_table_is_right() -> None:
    """The ladder's order by the fit of all games is that of the strengths, but for neighbours that are close."""
    strengths = tuple(-0.25 * number for number in range(24))
    world = SyntheticTournament(strengths=strengths, seats=2)
    games = list(world.play_format("ladder", {"rounds": 60}, DEALS, Random(1)))
    rated = rate_rankings(count_rankings(games), world.names, is_paired_by_results=True)
    places = {line.name: place for place, line in enumerate(rated.lines)}

    assert len(games) <= 60 * 24 * DEALS + 20 * 24
    assert fmean(abs(places[name] - number) for number, name in enumerate(world.names)) <= 1.0
