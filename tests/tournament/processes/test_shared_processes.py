"""Batches of several tables: a process of a bot serves its seat at all of them, and meets no deal twice."""

from __future__ import annotations

import json
import sys
from collections import Counter, defaultdict
from pathlib import Path
from typing import Final

import pytest
import trio
from msgspec.structs import replace

from pitboss.protocol.messages import Clock, Start
from pitboss_tournament.counting.tally import Tally
from pitboss_tournament.formats.table_sets import TableSets, find_tile, tile_tables
from pitboss_tournament.match.bot_seat import BotSeat
from pitboss_tournament.plan.limits import Limits
from pitboss_tournament.plan.plan import Entrant, Plan, StopRules
from pitboss_tournament.plan.seating import Seating
from pitboss_tournament.processes.supervisor import BotSupervisor, open_supervisor
from pitboss_tournament.reask.recorded_game import load_recorded_game
from pitboss_tournament.rounds.game_numbers import GameNumbers
from pitboss_tournament.rounds.open_rounds import BATCH_DEALS, MAX_TILE_GAMES
from pitboss_tournament.rounds.round_progress import begin_rounds
from pitboss_tournament.rounds.schedule import GameBatch, deal_seed, greet_entrant, seed_games
from pitboss_tournament.running.dispatcher import Dispatcher
from pitboss_tournament.running.seated_bots import SeatedBots
from pitboss_tournament.running.worker_protocol import PlayBatch
from tests.tournament.random_results import make_random_plan
from tests.tournament.small_tournaments import load_magpie, make_plan, play_tournament

NOTING_BOT: Final = """
import json, os, sys
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        hello = message["seed"]
        os.write(1, b'{"type":"ready"}\\n')
    elif message["type"] == "decide":
        note = json.dumps([os.getpid(), hello])
        os.write(1, json.dumps({"type": "act", "id": message["id"], "choose": 0, "note": note}).encode() + b"\\n")
"""


def list_batches(plan: Plan) -> list[GameBatch]:
    """Return all batches of a tournament in which no round follows from results."""
    return list(begin_rounds(plan).batches())


def count_starts(batches: list[GameBatch]) -> int:
    """Return how many processes these batches start."""
    return sum(len({key for game in batch for key in enumerate(game.entrants)}) for batch in batches)


# ---- tiles


@pytest.mark.parametrize(
    ("bots", "size", "heads", "width"),
    [(10, 2, (), 3), (7, 3, (), 2), (9, 2, (9, 10, 11), 2), (5, 2, (), 9), (6, 4, (7,), 2), (3, 2, (), 1)],
)
def test_tiles_have_each_table_once(bots: int, size: int, heads: tuple[int, ...], width: int) -> None:
    """The tiles have each table once, computed as listed; the tile of a table is found again. The bots of a tile are
    few.
    """
    tables = TableSets(range(bots), size, heads)
    for each in (tables, list(tables)):
        tiles = list(tile_tables(each, width))

        assert sorted(number for tile in tiles for number in tile) == list(range(len(tables)))
        assert all(find_tile(each, width, number) == tile for tile in tiles for number in tile)
        assert all(len({bot for number in tile for bot in each[number]}) <= size * width for tile in tiles)


def test_tables_of_the_same_bots_are_tiles_of_their_own() -> None:
    """Where no processes are shared, a table is by itself, also if its bots have another one in the round."""
    tables = [(0, 1), (2, 3), (0, 1)]

    assert [list(tile) for tile in tile_tables(tables, 1)] == [[0], [1], [2]]
    assert list(find_tile(tables, 1, 2)) == [2]


# ---- the schedule


@pytest.mark.parametrize(
    ("name", "bots", "seats", "deals", "seating"),
    [
        ("round-robin", 40, 2, 1, "rotations"),
        ("round-robin", 12, 4, 3, "rotations"),
        ("round-robin", 12, 4, 3, "balanced"),
        ("round-robin", 30, 2, 27, "rotations"),
        ("round-robin", 4, 4, 90, "balanced"),
        ("gauntlet", 60, 3, 2, "rotations"),
        ("gauntlet", 60, 3, 2, "balanced"),
    ],
)
def test_no_process_meets_a_deal_twice(name: str, bots: int, seats: int, deals: int, seating: Seating) -> None:
    """A batch has each bot in each seat at most once with a deal, all games are in one batch, and no batch is large."""
    options = {"challengers": ["b3"]} if name == "gauntlet" else {}
    plan = make_random_plan(name, bots, seats, deals, options, seating)
    batches = list_batches(plan)

    for batch in batches:
        met = Counter((deal_seed(plan, game), key) for game in batch for key in enumerate(game.entrants))
        assert max(met.values()) == 1
        assert len(batch) <= MAX_TILE_GAMES
    games = [game.game_id for batch in batches for game in batch]
    assert sorted(games) == list(range(begin_rounds(plan).total_games))


@pytest.mark.parametrize(
    ("bots", "seats", "deals", "seating"),
    [
        (100, 2, 1, "rotations"),
        pytest.param(400, 2, 1, "rotations", marks=pytest.mark.long),
        (100, 2, 5, "rotations"),
        (25, 4, 1, "rotations"),
        (25, 4, 1, "balanced"),
        (4, 4, 200, "balanced"),
        (6, 6, 100, "balanced"),
    ],
)
def test_large_fields_start_few_processes(bots: int, seats: int, deals: int, seating: Seating) -> None:
    """A large field starts less than twice as many processes for a game as a long match, whose processes play twenty
    games each.
    """
    plan = make_random_plan("round-robin", bots, seats, deals, seating=seating)
    batches = list_batches(plan)

    assert count_starts(batches) < 2 * seats / BATCH_DEALS * begin_rounds(plan).total_games


def test_greetings_are_those_of_the_first_game_in_a_seat() -> None:
    """Each process is greeted with the seed of the first game that it plays."""
    plan = make_random_plan("round-robin", 8, 3, 2)
    for one in (plan, replace(plan, seating="balanced"), replace(plan, seating="balanced", deals=9, ponder=True)):
        progress = begin_rounds(one)
        for batch in progress.batches():
            first: dict[tuple[int, int], int] = {}
            for game in batch:
                for key in enumerate(game.entrants):
                    first.setdefault(key, game.game_id)
                assert progress.find_greetings(game.game_id) == [first[key] for key in enumerate(game.entrants)]


def test_bots_that_may_compute_while_they_wait_have_no_game_to_wait_for() -> None:
    """Where circles change, a bot has a process for each seat; with `ponder` they are not there at the same time."""
    plan = replace(make_random_plan("round-robin", 4, 4, 40, seating="balanced"), ponder=True)
    batches = list_batches(plan)

    assert all(len({game.entrants for game in batch}) == 1 for batch in batches)
    assert sum(map(len, batches)) == 160


def test_where_processes_are_not_shared() -> None:
    """Processes are not shared by tables with the same deals, which would be shown twice, where a test may stop at each
    block, or by bots that may compute while they wait, which would disturb the others for longer.
    """
    plan = make_random_plan("round-robin", 40, 2, 1)
    for apart in (
        replace(plan, same_deals=True),
        replace(plan, stop=StopRules(ranking=True)),
        replace(plan, ponder=True),
    ):
        assert max(map(len, list_batches(apart))) == 1
    assert max(map(len, list_batches(plan))) > 1


# ---- the dispatcher


def list_assigned(plan: Plan, tables: int, limits: dict[int, int] | None = None) -> list[GameBatch]:
    """Return what so many tables are assigned in turn, each batch ending before the next is assigned."""
    tally = Tally(plan.bots, plan.seats, disqualify_after=1)
    played, found = GameNumbers(), list[GameBatch]()
    dispatcher = Dispatcher(begin_rounds(plan), tally, played, limits=limits)
    dispatcher.add_place("", tables)
    while (one := trio.run(dispatcher.next_assignment, True)) is not None:
        found.append(one.games)
        tally.games += len(one.games)
        for game in one.games:
            assert one.finish(game.game_id)
            played.add(game.game_id)
        dispatcher.end_assignment(one)
    return found


def test_the_last_batches_are_cut() -> None:
    """The last batches are cut, so that all tables have something to play until the end; a single table has no others
    to wait for.
    """
    plan = make_random_plan("round-robin", 100, 2, 1)
    whole, cut = list_batches(plan), list_assigned(plan, 8)

    assert list_assigned(plan, 1) == whole
    assert max(map(len, cut[:4])) > 100
    assert max(map(len, cut[-8:])) <= BATCH_DEALS
    assert sorted(game for batch in cut for game in batch) == sorted(game for batch in whole for game in batch)
    assert count_starts(cut) < 1.5 * count_starts(whole)


def test_a_bot_with_a_limit_plays_one_table_at_a_time() -> None:
    """A batch with it is of one table: otherwise it would be in play as long as the others of the batch are.

    It is of one order, too: the bot has one process at a time, as one that learns from game to game needs it.
    """
    plan = make_random_plan("round-robin", 40, 2, 1)
    for batch in list_assigned(plan, 1, {7: 1}):
        assert len(batch) == 1 or all(7 not in game.entrants for game in batch)

    for batch in list_assigned(make_random_plan("round-robin", 4, 3, 30, seating="balanced"), 2, {1: 1}):
        assert len({game.entrants for game in batch}) == 1 or all(1 not in game.entrants for game in batch)


# ---- processes


@pytest.mark.long
@pytest.mark.once
def test_the_processes_of_a_large_tournament(tmp_path: Path) -> None:
    """The processes of a large tournament, by their own notes, never meet a deal twice or change seats, and there are
    few of them. Each tells the seed that it was greeted with, which is found again for a question about a game.
    """
    bots = [Entrant(name=f"b{number}", command=(sys.executable, "-S", "-c", NOTING_BOT)) for number in range(26)]
    plan = make_plan(tmp_path / "x", *bots, deals=1)

    _, games = play_tournament(plan)

    met = defaultdict[int, list[str]](list)
    roles = defaultdict[int, set[tuple[str, int, str]]](set)
    for game_id, (result, record) in enumerate(games):
        assert record.players == [plan.bots[seat.entrant] for seat in result.seats]
        for seat, name in enumerate(record.players):
            [note] = {one.note for one in record.decisions if one.seat == seat}
            pid, hello = json.loads(note or "")
            met[pid].append(record.seed)
            roles[pid].add((name, seat, hello))
            if game_id % 100 == 0:
                assert load_recorded_game(plan.store, game_id).bots[seat].process_seed == hello
    assert len(games) == 26 * 25
    assert all(len(seeds) == len(set(seeds)) for seeds in met.values())
    assert all(len(role) == 1 for role in roles.values())
    assert len(met) < len(games)


@pytest.mark.once
def test_waiting_bots_hold_no_more_memory_than_those_at_the_table_may() -> None:
    """The largest waiting bots are ended when all together hold more memory than those at the table may, and have a
    fresh process for their next game.
    """
    limits = Limits(memory_mb=100)
    bots = [
        Entrant(
            name=f"b{number}",
            command=(sys.executable, "-S", "-c", f"held = bytearray({20 + 10 * number} << 20)\n{NOTING_BOT}"),
            limits=limits,
        )
        for number in range(7)
    ]
    plan = replace(make_plan(Path("unused"), *bots, deals=1), clock=Clock(start_ms=10_000, decision_ms=1_000))
    batch = tuple(game for games in begin_rounds(plan).batches() for game in games if game.rotation == 0)
    by_first = tuple(sorted(batch, key=lambda game: game.entrants))
    message = PlayBatch(0, dict(enumerate(bots)), seed_games(plan, by_first))

    made: list[BotSeat] = []

    async def play(supervisor: BotSupervisor) -> None:
        def make_seat(entrant: Entrant, seat: int, seed: str) -> BotSeat:
            hello = greet_entrant(plan, entrant, seat, seed)
            made.append(BotSeat(supervisor, entrant, load_magpie(), hello, plan.faults))
            return made[-1]

        seated = SeatedBots(message, make_seat)
        for number, seeded in enumerate(message.games):
            seats = seated.at_game(number)
            waiting = [bot.link.held_bytes for bot in made if bot not in seats]
            assert sum(waiting) <= 2 * 100 << 20
            for seat, bot in enumerate(seats):
                start = Start(game_id=number, seat=seat, players=["a", "b"], seed=seeded.bot_seeds[seat])
                assert await bot.start(start) is None
            with trio.fail_after(20):
                while not all(bot.link.held_bytes for bot in seats):  # noqa: ASYNC110 - a watchdog tells nobody
                    await trio.sleep(0.02)
            await seated.end_game(number)
        await seated.close()

    async def run() -> None:
        async with open_supervisor() as supervisor:
            await play(supervisor)

    trio.run(run)
    keys = {key for game in by_first for key in enumerate(game.entrants)}
    assert len(made) > len(keys)
    assert not any(bot.link.is_open for bot in made)
