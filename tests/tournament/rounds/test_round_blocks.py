"""The blocks of a round of two tables, 0 against 1 and 2 against 3: two deals, each in two orders.

Its games are 0 and 1 (deal 0, first table), 2 and 3 (deal 0, second table), 4 and 5, 6 and 7 (deal 1).
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from pitboss.plugins.formats import PlayedBlock
from pitboss_tournament.plan.seating import find_design
from pitboss_tournament.rounds.open_rounds import OpenRound, OpenRounds, TablePlace
from pitboss_tournament.rounds.round_blocks import RoundBlocks
from pitboss_tournament.statistics.blocks import Block
from tests.tournament.random_results import draw_result


class PaperRound:
    """A round that is played on paper, and its blocks."""

    def __init__(self, *, converts: bool = False, forgets: bool = False) -> None:
        self.rounds = OpenRounds(find_design("rotations", 2), 0, 1, by_deals=True, has_tiles=False)
        self.rounds.add(0, OpenRound(0, ((0, 1), (2, 3)), (), 2, 2))
        self.blocks = RoundBlocks(self.rounds, 2, None, double_points if converts else None, forgets=forgets)
        self.blocks.begin()

    def play(self, games: Iterable[int]) -> None:
        """Add games."""
        for game in games:
            place = self.rounds.find_place(game)
            self.blocks.add(place, draw_result(self.rounds.build_game(place)))

    def take_all(self, gone: Iterable[int] = ()) -> list[PlayedBlock]:
        """Return the blocks that can be taken."""
        return list(iter(lambda: self.blocks.take_next(frozenset(gone)), None))


def double_points(block: Block) -> Block:
    """Return a block in which each game counts twice as many points."""
    return [replace(game, seats=tuple(replace(seat, points=2 * seat.points) for seat in game.seats)) for game in block]


def list_entrants(blocks: Iterable[PlayedBlock]) -> list[tuple[int, ...]]:
    """Return who played each block."""
    return [tuple(sorted(block.points)) for block in blocks]


def test_blocks_come_in_the_order_of_the_schedule() -> None:
    """Blocks come in the order of the schedule, each once, whatever order games end in."""
    paper = PaperRound()
    paper.play([6, 7, 5, 4, 1])
    assert paper.take_all() == []  # the first one is open
    paper.play([0])
    assert list_entrants(paper.take_all()) == [(0, 1)]
    paper.play([2, 3])

    assert list_entrants(paper.take_all()) == [(2, 3), (0, 1), (2, 3)]
    assert paper.take_all() == []


def test_a_table_whose_bot_plays_no_more() -> None:
    """A table whose bot plays no more has no more blocks from the one on that lacks games, as later ones would be
    chosen by how games ended.
    """
    paper = PaperRound()
    paper.play([0, 1, 2, 6, 7])

    assert list_entrants(paper.take_all(gone=[3])) == [(0, 1)]
    paper.play([4, 5])
    assert list_entrants(paper.take_all(gone=[3])) == [(0, 1)]
    assert paper.take_all(gone=[3]) == []


def test_a_table_is_closed() -> None:
    """A closed table returns its complete blocks, taken or not, and keeps no games."""
    paper = PaperRound()
    paper.play([0, 1, 2, 4, 6, 7])
    taken = paper.take_all()

    assert paper.blocks.is_complete(TablePlace(0, 0)) is paper.blocks.is_complete(TablePlace(0, 1)) is False
    assert paper.blocks.close_table(TablePlace(0, 0)) == tuple(taken)
    assert paper.blocks.list_games() == [2, 6, 7]
    assert list_entrants(paper.blocks.close_table(TablePlace(0, 1))) == [(2, 3)]
    assert paper.blocks.list_games() == []


def test_blocks_that_are_forgotten_once_taken() -> None:
    """A block that is not complete, or not next, is kept."""
    paper = PaperRound(forgets=True)
    paper.play([0, 1, 2, 4, 5])

    assert list_entrants(paper.take_all()) == [(0, 1)]
    assert paper.blocks.list_games() == [2, 4, 5]


def test_blocks_are_taken_as_they_are_converted() -> None:
    """A table is closed with the games as they were."""
    paper = PaperRound(converts=True)
    paper.play(range(8))
    taken = paper.take_all()
    closed = [block for table in (0, 1) for block in paper.blocks.close_table(TablePlace(0, table))]

    assert [block.points for block in (taken[0], taken[2], taken[1], taken[3])] == [
        {bot: 2 * points for bot, points in block.points.items()} for block in closed
    ]
