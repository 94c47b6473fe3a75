"""The schedule: every game once, every seat once, seeds that tell nothing."""

from __future__ import annotations

import re
import tracemalloc
from collections import Counter
from itertools import chain, combinations
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from pitboss_tournament.plan.plan import Entrant, Order, StopRules
from pitboss_tournament.rounds.round_progress import begin_rounds
from pitboss_tournament.rounds.schedule import ScheduledGame, bot_seeds, deal_seed
from pitboss_tournament.store.header import HeaderRow, find_changes, make_header
from tests.tournament.random_results import make_random_plan, play_drawn
from tests.tournament.small_tournaments import make_plan


def all_games(bots: int, seats: int, deals: int) -> list[ScheduledGame]:
    """Return all games of a tournament."""
    entrants = [Entrant(name=f"bot-{number}", command=("true",)) for number in range(bots)]
    made = make_plan(Path("unused"), *entrants, seats=seats, deals=deals)
    return [slot for sitting in begin_rounds(made).batches() for slot in sitting]


@pytest.mark.parametrize(("bots", "seats", "deals"), [(2, 2, 1), (5, 2, 50), (4, 3, 7), (6, 4, 21), (4, 4, 3)])
def test_each_set_of_bots_plays_each_deal_in_each_rotation(bots: int, seats: int, deals: int) -> None:
    """Over a block each bot has each seat exactly once; every set of bots plays equally many blocks."""
    seen = Counter((frozenset(slot.entrants), slot.deal, slot.entrants) for slot in all_games(bots, seats, deals))

    assert set(seen.values()) == {1}
    for pairing in combinations(range(bots), seats):
        for deal in range(deals):
            tables = [entrants for names, at, entrants in seen if names == frozenset(pairing) and at == deal]
            assert len(tables) == seats
            assert all({table[seat] for table in tables} == set(pairing) for seat in range(seats))


@pytest.mark.parametrize(("bots", "seats", "deals"), [(3, 2, 41), (4, 3, 5)])
def test_games_are_numbered_without_gaps(bots: int, seats: int, deals: int) -> None:
    """The numbers of the games are 0 .. games - 1, and more deals only add higher ones."""
    few, many = all_games(bots, seats, deals), all_games(bots, seats, deals + 3)

    assert sorted(slot.game_id for slot in few) == list(range(len(few)))
    assert set(few) <= set(many)


def test_a_pairing_never_meets_a_deal_twice() -> None:
    """The processes of one sitting play different deals, all in one rotation."""
    made = make_plan(Path("unused"), *(Entrant(name=name, command=("true",)) for name in "abc"), deals=45)

    for sitting in begin_rounds(made).batches():
        assert len({slot.deal for slot in sitting}) == len(sitting)
        assert len({(slot.rotation, slot.entrants) for slot in sitting}) == 1
    assert sum(map(len, begin_rounds(made).batches())) == begin_rounds(made).total_games


@pytest.mark.parametrize(
    ("stop", "sizes"), [(None, [20, 20, 20, 10]), (StopRules(ranking=True), [5, 5, 5, 5, 5, 6, 7, 9, 11, 12])]
)
def test_batches_are_small_where_a_test_may_stop_them(stop: StopRules | None, sizes: list[int]) -> None:
    """All tables take turns where a test may stop them: each plays a few deals more, and little is played that the
    verdict does not need. The number of a game tells the first game of its batch, with which its processes began.
    """
    course = begin_rounds(
        make_plan(Path("unused"), *(Entrant(name=name, command=("true",)) for name in "abc"), deals=70, stop=stop)
    )
    batches = list(course.batches())

    assert [size for size in sizes for _ in range(3 * 2)] == [len(batch) for batch in batches]
    assert all(course.find_greetings(game.game_id) == [batch[0].game_id] * 2 for batch in batches for game in batch)


def test_the_schedule_is_not_held_in_memory() -> None:
    """However many deals are planned, no list of them is made: a tournament may wait for a test to stop it."""
    made = make_plan(Path("unused"), *(Entrant(name=name, command=("true",)) for name in "abc"), deals=10_000_000)

    tracemalloc.start()
    try:
        first = next(begin_rounds(made).batches())
        assert tracemalloc.get_traced_memory()[1] < 1_000_000
    finally:
        tracemalloc.stop()
    assert [slot.deal for slot in first] == list(range(len(first)))


def test_seeds_of_cards_and_bots() -> None:
    """A deal's seed is the same in all rotations and for any order of the entrants.

    A bot's seed does not contain it.
    """
    forward = make_plan(Path("unused"), *(Entrant(name=name, command=("true",)) for name in "abc"))
    backward = make_plan(Path("unused"), *(Entrant(name=name, command=("true",)) for name in "cba"))
    seeds: dict[tuple[frozenset[str], int], str] = {}
    for made in (forward, backward):
        for sitting in begin_rounds(made).batches():
            for slot in sitting:
                names = frozenset(made.entrants[entrant].name for entrant in slot.entrants)
                assert seeds.setdefault((names, slot.deal), deal_seed(made, slot)) == deal_seed(made, slot)
                assert not any(made.seed in seed for seed in bot_seeds(made, slot.game_id))

    assert len(set(seeds.values())) == len(seeds)
    assert seeds[frozenset("ac"), 1] == "test/a+c/1"


def test_names_that_have_the_sign_between_names() -> None:
    """Other bots are dealt other cards, whatever they are called; a name without the sign is in a seed as it is."""
    names = ("a", "a+b", "b+c", "c", "a%2Bb")
    bots = [Entrant(name=name, command=("true",)) for name in names]
    made = make_plan(Path("unused"), *bots, deals=1, escapes_names=True)
    seeds = {
        frozenset(names[entrant] for entrant in slot.entrants): deal_seed(made, slot)
        for slot in chain.from_iterable(begin_rounds(made).batches())
    }

    assert len(set(seeds.values())) == len(seeds) == 10
    assert seeds[frozenset(("a", "c"))] == "test/a+c/0"
    assert seeds[frozenset(("a+b", "c"))] == "test/a%2Bb+c/0"


def test_sealed_deals() -> None:
    """The seed of a sealed deal does not have the tournament's, and each deal has another one, equal in all orders."""
    bots = [Entrant(name=name, command=("true",)) for name in "abc"]
    made = make_plan(Path("unused"), *bots, seals_deals=True)
    plain = replace(made, seals_deals=False)
    slots = list(chain.from_iterable(begin_rounds(made).batches()))

    assert all(re.fullmatch("[0-9a-f]{64}", deal_seed(made, slot)) for slot in slots)
    assert len({(deal_seed(made, slot), deal_seed(plain, slot)) for slot in slots}) == len(
        {deal_seed(made, slot) for slot in slots}
    )
    assert len({deal_seed(made, slot) for slot in slots}) == len({deal_seed(plain, slot) for slot in slots}) > 1


def test_names_in_a_store_of_an_earlier_pitboss() -> None:
    """A store of an earlier Pitboss keeps the seeds of its deals when it is carried on, and when it is checked."""
    bots = [Entrant(name=name, command=("true",)) for name in ("a+b", "c")]
    made = make_plan(Path("unused"), *bots, escapes_names=True)
    header = make_header(made, "1", "0")
    plain = msgspec.json.decode(msgspec.json.encode(header.row))
    del plain["escapes_names"]
    row = msgspec.convert(plain, HeaderRow)
    earlier = replace(header, escapes_names=row.escapes_names)
    slot = begin_rounds(made).scheduled_game(0)

    assert find_changes(row, header.row) == []
    assert deal_seed(earlier, slot) == "test/a+b+c/0"
    assert deal_seed(header, slot) == "test/a%2Bb+c/0"


@pytest.mark.parametrize("name", ["round-robin", "swiss"])
def test_the_same_cards_at_all_tables(name: str) -> None:
    """All tables of a round have the same cards; names play no part, and no deal comes twice to one table."""
    made = replace(make_random_plan(name, 4, 2, 2, {"rounds": 3} if name == "swiss" else {}), same_deals=True)
    _, games = play_drawn(made)
    renamed = replace(made, entrants=tuple(replace(bot, name=f"x{bot.name}") for bot in made.entrants))

    assert [deal_seed(made, slot) for slot in games] == [deal_seed(renamed, slot) for slot in games]
    seeds = {slot.game_id: deal_seed(made, slot) for slot in games}
    rounds = 1 if name == "round-robin" else 3
    assert len(set(seeds.values())) == 2 * rounds
    assert len({(seeds[slot.game_id], slot.pairing, slot.rotation) for slot in games}) == len(games)


@pytest.mark.parametrize(("order", "first"), [("tables", 20), ("deals", 1)])
def test_what_is_played_first(order: Order, first: int) -> None:
    """A tournament that goes deal by deal has games of everybody when it stops early; the games are the same."""
    made = make_random_plan("round-robin", 4, 2, 30)
    batches = list(begin_rounds(replace(made, order=order)).batches())

    assert len(batches[0]) == first
    assert sorted(game for batch in batches for game in batch) == sorted(
        game for batch in begin_rounds(made).batches() for game in batch
    )
    if order == "deals":
        early = [game for batch in batches[:12] for game in batch]
        assert len({game.pairing for game in early}) == 6
