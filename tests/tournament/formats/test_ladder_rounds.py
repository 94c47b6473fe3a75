"""The rounds of a ladder: owners, bots at many tables, rounds without a table, and what is known after a restart."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Mapping
from random import Random

import msgspec
import pytest

from pitboss.plugins.formats import EntrantField, PlannedRound, PlayedBlock, PlayedRound, PlayedTable, RoundGenerator
from pitboss_tournament.formats.ladder import (
    MAX_OPEN_TABLES,
    OWNER_SHARE,
    REUNION_SHARE,
    Ladder,
    LadderOptions,
    LadderState,
)
from pitboss_tournament.statistics.head_to_head import MeetingTotals

PRINT_ROUNDS = "from tests.tournament.formats.test_ladder_rounds import play_rounds; print(play_rounds())"


def make_field(owners: list[str], seats: int = 2) -> EntrantField:
    """Return a field of bots that belong to these."""
    names = tuple(f"b{number}" for number in range(len(owners)))
    return EntrantField(names=names, seats=seats, deals=1, games=seats, owners=tuple(owners))


def play_table(table: tuple[int, ...], rng: Random) -> PlayedTable:
    """Return a table at which the lower numbers are better, mostly."""
    best = sorted(table, key=lambda bot: bot + rng.gauss(0, 5), reverse=True)
    scores = {bot: place / (len(table) - 1) for place, bot in enumerate(best)}
    return PlayedTable(table, (PlayedBlock(scores, scores),))


class LadderPlay:
    """A ladder that is played at once, but for the tables of some bots."""

    def __init__(self, owners: list[str], seats: int = 2, **options: object) -> None:
        self.field, self.options = make_field(owners, seats), msgspec.convert(options, LadderOptions)
        self.rounds: RoundGenerator = Ladder().rounds(self.field, self.options)
        self.planned: PlannedRound = next(self.rounds)
        self.rng = Random(1)
        self.open: list[tuple[int, ...]] = []

    def play(self, slow: frozenset[int] = frozenset(), roster: Mapping[str, object] = {}) -> list[tuple[int, ...]]:
        """Return the tables of this round, and go on to the next; the tables of slow bots stay open."""
        tables = [tuple(sorted(table)) for table in self.planned.tables]
        self.open += [table for table in tables if not slow.isdisjoint(table)]
        played = tuple(play_table(table, self.rng) for table in tables if slow.isdisjoint(table))
        base = PlayedRound(played, frozenset(), open_tables=tuple(self.open))
        self.planned = self.rounds.send(msgspec.structs.replace(base, **roster))
        return tables


def play_rounds() -> list[list[tuple[int, ...]]]:
    """Return the tables of some rounds in which bots join and leave."""
    ladder = LadderPlay([f"o{number % 7}" for number in range(20)], seats=3, placing=3, overlapping=True)
    rounds = [ladder.play() for _ in range(6)]
    rounds.append(ladder.play(roster={"joined": (20, 21), "joined_names": ("x", "y"), "joined_owners": ("o1", "o9")}))
    away = {"disqualified": frozenset({3, 8, 21}), "left": frozenset({8, 21})}
    return rounds + [ladder.play(roster=away) for _ in range(6)]


@pytest.mark.once
def test_all_that_follows_from_the_results() -> None:
    """The tables are the same each time, whatever the seed by which Python hashes texts."""
    printed = [
        subprocess.run(
            [sys.executable, "-c", PRINT_ROUNDS],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            capture_output=True,
            check=True,
            text=True,
        ).stdout
        for seed in ("1", "2")
    ]
    assert [f"{play_rounds()}\n"] * 2 == printed


def test_rounds_in_which_all_are_placed() -> None:
    """Each bot has two tables, and not two more where others have chosen it, but for one that finds nobody else."""
    ladder = LadderPlay([f"o{number % 20}" for number in range(200)])
    for _ in range(10):
        seated = Counter(bot for table in ladder.play() for bot in table)
        assert 200 == len(seated)
        assert seated.total() <= 402
        assert {2, 3} >= set(seated.values())


@pytest.mark.parametrize(("owner_seats", "expected"), [(1, 1), (2, 2)])
def test_the_seats_of_an_owner_at_a_table(owner_seats: int, expected: int) -> None:
    """A table of three seats at most the allowed number of bots of one owner; the field tells the owners."""
    ladder = LadderPlay([f"o{number // 6}" for number in range(30)], seats=3, owner_seats=owner_seats)
    owners = ladder.field.owners
    most = [max(Counter(owners[bot] for bot in table).values()) for _ in range(20) for table in ladder.play()]
    assert expected == max(most)


def test_the_owner_of_who_joins() -> None:
    """A bot that joins has the owner that the roster tells, and bots of one owner do not meet."""
    ladder = LadderPlay(["ann", "bob", "cid", "dan"])
    joined = {"joined": (4, 5), "joined_names": ("x", "y"), "joined_owners": ("ann", "ann")}
    ladder.play(roster=joined)
    tables = [table for _ in range(30) for table in ladder.play()]
    assert not any(len({0, 4, 5}.intersection(table)) > 1 for table in tables)
    assert {0, 4, 5} <= {bot for table in tables for bot in table}


def test_the_part_of_an_owner() -> None:
    """In no round has an owner more seats than twice the mean, also where others have chosen its bots as opponents."""
    ladder = LadderPlay(["many"] * 30 + [f"o{number}" for number in range(30)], placing=3)
    most = OWNER_SHARE * 60 // 31
    for _ in range(40):
        seated = Counter(ladder.field.owners[bot] for table in ladder.play() for bot in table)
        assert 1 <= seated["many"] <= most
    seated_bots = Counter(bot for _ in range(60) for table in ladder.play() for bot in table if bot < 30)
    assert len(seated_bots) == 30, "each of its bots has a turn"


def test_a_bot_at_many_tables_sits_out() -> None:
    """A bot at `MAX_OPEN_TABLES` tables of earlier rounds sits out as long as it is at them."""
    ladder = LadderPlay([f"o{number}" for number in range(8)], overlapping=True)
    slow = frozenset({2})
    for _ in range(30):
        ladder.play(slow)
    assert MAX_OPEN_TABLES <= sum(2 in table for table in ladder.open) <= MAX_OPEN_TABLES + 1
    ladder.open.clear()
    ladder.play()
    assert any(2 in table for _ in range(4) for table in ladder.play())


def test_rounds_without_a_table() -> None:
    """Rounds that overlap have no table while too few bots are free, or there, and have one as soon as enough are."""
    ladder = LadderPlay(["ann", "bob", "cid"], overlapping=True)
    for _ in range(10):
        ladder.play(frozenset({0, 1}))
    assert ladder.play(frozenset({0, 1})) == []
    ladder.open.clear()
    away = {"disqualified": frozenset({0, 1}), "left": frozenset({0, 1})}
    ladder.play(roster=away)
    assert ladder.play(roster=away) == []
    out = {"disqualified": frozenset({0}), "left": frozenset({0})}
    ladder.play(roster={"joined": (1,), "joined_names": ("b1",), "joined_owners": ("bob",), **out})
    assert [(1, 2)] == sorted(set(ladder.play(roster=out)))


def test_reunions_in_turn() -> None:
    """The bot that has waited longest for a reunion has the next one: all have had one before any has two."""
    ladder = LadderPlay([f"o{number}" for number in range(32)], placing=1)
    turns = list[list[int]]()
    for _ in range(3 * 2 * REUNION_SHARE):
        ladder.play()
        turns.append(read_state(ladder.planned).reunions)
    last = turns[-1]
    assert max(last) - min(last) <= 2 * REUNION_SHARE
    assert all(count == 2 for number, count in Counter(last).items() if number > min(last))


def test_reunions_are_not_with_neighbours() -> None:
    """A bot also meets bots that it has never met however strong they are: many tables are of bots far apart."""
    ladder = LadderPlay([f"o{number}" for number in range(64)], placing=4)
    tables = [table for _ in range(40) for table in ladder.play()][-25 * 32 :]
    far = sum(other - one > 24 for one, other in tables)
    assert far > len(tables) / REUNION_SHARE / 4


def test_whom_a_bot_has_not_met_for_longest() -> None:
    """A ladder keeps the opponents of each bot by their last meeting, so that those whom it has not met for longest
    come first.
    """
    ladder = LadderPlay([f"o{number}" for number in range(6)], placing=1)
    latest: dict[tuple[int, int], int] = {}
    for number in range(40):
        met = read_state(ladder.planned).met
        tables = ladder.play()
        latest |= {pair: number for one, other in tables for pair in ((one, other), (other, one))}
        for bot, others in enumerate(met):
            assert {other for one, other in latest if one == bot} == set(others)
            assert sorted(others, key=lambda other: latest[bot, other]) == others


def test_going_on_from_a_state() -> None:
    """The rounds from any state are those that would have come, with who has joined and left since the first."""
    ladder = LadderPlay([f"o{number % 5}" for number in range(12)], placing=2, overlapping=True)
    for number in range(12):
        ladder.play(frozenset({number % 12}))
        ladder.open = ladder.open[-3:]
    ladder.play(roster={"joined": (12,), "joined_names": ("x",), "joined_owners": ("o1",)})
    assert ladder.planned.keep_state is not None
    again = LadderPlay(list(ladder.field.owners), placing=2, overlapping=True)
    again.rounds = Ladder().resume_rounds(ladder.field, ladder.options, ladder.planned.keep_state())
    first = next(again.rounds)
    assert [] == list(first.tables)
    assert first.keep_state is not None
    assert ladder.planned.keep_state() == first.keep_state()
    again.planned, again.open, again.rng = ladder.planned, ladder.open.copy(), Random()
    again.rng.setstate(ladder.rng.getstate())

    assert [ladder.play() for _ in range(10)] == [again.play() for _ in range(10)]


def read_state(planned: PlannedRound) -> LadderState[MeetingTotals]:
    """Return what a ladder has kept."""
    assert planned.keep_state is not None
    return msgspec.msgpack.decode(planned.keep_state(), type=LadderState[MeetingTotals])
