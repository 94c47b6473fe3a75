"""Who takes part may change between two runs: what is played then follows from rosters and results."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import comb

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from pitboss.errors import ConfigError
from pitboss_tournament.formats.table_sets import TableSets, combination_number, table_number
from pitboss_tournament.plan.plan import find_version, label_bots
from pitboss_tournament.rounds.schedule import deal_seed
from pitboss_tournament.store.field_changes import find_bot_changes, merge_header, number_entrants
from pitboss_tournament.store.header import Entry, make_header
from tests.tournament.paper_store import NAMES, PaperStore, change_bot, make_field_plan
from tests.tournament.random_results import open_games

# ---- the numbers of tables


@pytest.mark.parametrize("seats", [1, 2, 3, 4])
def test_the_number_of_a_table_does_not_depend_on_how_many_bots_there_are(seats: int) -> None:
    """The tables of any number of bots have the first numbers."""
    for bots in range(seats, 9):
        numbers = [table_number(table) for table in combinations(range(bots), seats)]
        assert sorted(numbers) == list(range(comb(bots, seats)))


@pytest.mark.parametrize("earlier", [0, 2, 4, 7])
def test_tables_of_an_earlier_pitboss_keep_their_numbers(earlier: int) -> None:
    """Tables of an earlier Pitboss keep their numbers; tables of bots that joined later have others."""
    tables = list(combinations(range(9), 2))
    numbers = {table: table_number(table, earlier) for table in tables}

    assert sorted(numbers.values()) == list(range(len(tables)))
    of_earlier = [table for table in tables if table[-1] < earlier]
    assert [numbers[table] for table in of_earlier] == [combination_number(table, earlier) for table in of_earlier]


def test_which_sets_are_among_all_sets() -> None:
    """A set finds which tables are among all, and counts those within some bots, without listing them."""
    for sets in (TableSets(range(6), 3), TableSets((0, 2, 4), 2, heads=(1, 5))):
        every = set(combinations(range(6), len(sets[0])))
        assert {table for table in every if sets.find(table)} == set(sets)
        for bots in ({0, 1, 2, 4}, {5}, set(range(6))):
            assert sets.count_within(bots) == sum(bots.issuperset(table) for table in sets)


def test_the_path_of_python_is_no_part_of_a_bot() -> None:
    """A store of an earlier Pitboss names the Python that ran it: in another environment it is the same bot. A Python
    that somebody chose is part of a bot.
    """

    def change_command(was: str, now: str) -> list[str]:
        entries = (Entry(name="a", command=tuple(command.split())) for command in (was, now))
        return find_bot_changes(*entries)

    stored, now = "/home/ann/.venv/bin/python3.11 bot.py", "{python} bot.py"
    assert change_command(stored, now) == change_command(now, stored) == []
    for other in ("/home/ann/.venv/bin/pypy bot.py", "python3 bot.py", "/opt/python3 other.py"):
        assert change_command(other, now)
    assert change_command(stored, "/usr/bin/python3.12 bot.py")


# ---- static formats


nights = st.lists(
    st.tuples(st.sets(st.sampled_from(NAMES), min_size=3), st.integers(1, 4), st.sampled_from([1, 5, 10**9])),
    min_size=1,
    max_size=5,
)


@settings(max_examples=60)
@given(nights)
def test_a_round_robin_of_many_nights(nights: Sequence[tuple[set[str], int, int]]) -> None:
    """In the end those who are there have played all deals with each other, once, wherever nights were broken off.

    A night never repeats a game, and nights that come to their end have the same schedule.
    """
    store, unbroken = PaperStore(), PaperStore()
    for field, deals, most in nights:
        plan = make_field_plan([name for name in NAMES if name in field], deals)
        try:
            store.take_up(plan)
            unbroken.take_up(plan)
        except ConfigError as refused:
            assert "another tournament" in str(refused)  # nobody of the night before is there
            continue
        before = dict(store.games)
        progress = store.play(most)
        unbroken.play()
        assert store.games.items() <= unbroken.games.items()
        assert before.items() <= store.games.items()
        if most == 10**9:
            at_table = list(combinations(plan.bots, 2))
            assert all(set(range(deals)) <= set(store.deals_of(*table)) for table in at_table)
            counted = [game for game in store.games if progress.advance_to(game, frozenset)]
            assert progress.total_games == len(counted)
            assert not [slot for slot in open_games(store.follow()) if slot.game_id not in store.games]
        seeds = [(deal_seed(store.header, slot), slot.rotation) for slot in store.games.values()]
        assert len(set(seeds)) == len(seeds)
        keys = {(slot.pairing, slot.deal, slot.rotation) for slot in store.games.values()}
        assert len(keys) == len(seeds)


def test_who_joins_plays_what_it_needs() -> None:
    """A bot that joins plays the games that it needs, and no others play again."""
    store = PaperStore()
    store.take_up(make_field_plan(["ann", "bea", "cid"]))
    store.play()
    assert len(store.games) == 12

    assert store.take_up(make_field_plan(["ann", "bea", "cid", "dan"])) == ["dan joined"]
    progress = store.play()

    assert len(store.games) == progress.total_games == 24
    assert all("dan" in [store.header.bots[bot] for bot in store.games[game].entrants] for game in range(12, 24))
    assert store.take_up(make_field_plan(["ann", "bea", "cid", "dan"], 3)) == []
    store.play()
    assert len(store.games) == 36
    assert store.deals_of("ann", "bea") == store.deals_of("cid", "dan") == [0, 1, 2]


def test_who_leaves_keeps_its_games_and_may_come_back() -> None:
    """A bot that leaves keeps its games, and plays the missing ones when it is back; as long as it is away, they are
    not among the games to play.
    """
    store = PaperStore()
    store.take_up(make_field_plan(["ann", "bea", "cid"], 30))
    store.play(50)  # of batches of 20 deals at one table after the other
    [note] = store.take_up(make_field_plan(["ann", "bea"], 30))
    assert note == "cid has left (taken out); its games stay"
    progress = store.play()

    of_cid = [slot for slot in store.games.values() if 2 in slot.entrants]
    assert 0 < len(of_cid) < 120
    assert progress.total_games == len(store.games) == 60 + len(of_cid)
    assert store.header.entries[2].why == "taken out"
    assert store.take_up(make_field_plan(["ann", "bea", "cid"], 30)) == ["cid joined"]
    assert store.header.entries[2].left is None
    assert store.play().total_games == len(store.games) == 180


def test_a_changed_bot_is_another_version() -> None:
    """A changed bot is refused unless a new version is asked for; the old version stays with its games, and may be
    taken back.
    """
    store, plan = PaperStore(), make_field_plan(["ann", "bea", "cid"])
    store.take_up(plan)
    store.play()
    changed = change_bot(plan, "bea")

    with pytest.raises(ConfigError, match=r"bots are not those that played here \(bea: command: was .*bea@2 joins"):
        store.take_up(changed)
    assert store.take_up(changed, has_versions=True) == [
        "bea@1 has left (replaced by bea@2); its games stay",
        "bea@2 joined",
    ]
    assert store.header.labels == ["ann", "bea@1", "cid", "bea@2"]
    assert store.header.bots == ["ann", "bea", "cid", "bea@2"]
    store.play()
    assert len(store.games) == 12 + 8
    assert store.deals_of("ann", "bea@2") == store.deals_of("bea@2", "cid") == [0, 1]
    assert store.deals_of("bea", "bea@2") == []

    assert store.take_up(plan) == ["bea@2 has left (replaced by bea@1); its games stay", "bea@1 joined"]
    store.play()
    assert len(store.games) == 20


def test_the_seeds_of_a_version_are_its_own() -> None:
    """A version has seeds of its own, so that an author who has seen the cards of one cannot write them
    into the next.
    """
    store, plan = PaperStore(), make_field_plan(["ann", "bea"], 1)
    store.take_up(plan)
    store.play()
    store.take_up(change_bot(plan, "bea"), has_versions=True)
    store.play()

    assert len({deal_seed(store.header, slot) for slot in store.games.values()}) == 2


@pytest.mark.parametrize(("escapes_names", "first"), [(True, "test/a%2Bb+c/"), (False, "test/a+b+c/")])
def test_a_store_goes_on_with_its_own_seeds(*, escapes_names: bool, first: str) -> None:
    """A store of an earlier Pitboss goes on with its own seeds, with names as they are, and no deal of a pair is dealt
    twice.
    """
    store = PaperStore()
    store.take_up(replace(make_field_plan(["a+b", "c"]), escapes_names=escapes_names))
    store.play()
    store.take_up(replace(make_field_plan(["a+b", "c", "d"], 3), escapes_names=escapes_names))
    store.play()

    own = [slot for slot in store.games.values() if {store.header.bots[bot] for bot in slot.entrants} == {"a+b", "c"}]
    assert {deal_seed(store.header, slot) for slot in own} == {f"{first}{deal}" for deal in range(3)}


def test_a_balanced_choice_goes_on() -> None:
    """A bot that joins a round-robin of some tables gets as many as the others; no table is played again."""
    store = PaperStore()
    store.take_up(make_field_plan(NAMES[:6], 1, tables=6))
    store.play()
    before = len(store.games)
    store.take_up(make_field_plan(NAMES, 1, tables=6))
    store.play()

    tables = {slot.entrants for slot in store.games.values() if 6 in slot.entrants}
    assert len(tables) == 2 * 2  # of two tables in two rotations
    assert len(store.games) == before + 4


def test_a_gauntlet_whose_challenger_changed() -> None:
    """The other version is the challenger, though it came last."""
    store, plan = PaperStore(), make_field_plan(NAMES[:4], 1, name="gauntlet")
    store.take_up(plan)
    store.play()
    store.take_up(change_bot(plan, "ann"), has_versions=True)
    store.play()

    assert len(store.games) == 12
    assert all(4 in slot.entrants for number, slot in store.games.items() if number >= 6)


def test_what_is_no_change_of_the_field() -> None:
    """Another order is another seeding; bots of which none was there are another tournament."""
    store = PaperStore()
    store.take_up(make_field_plan(["ann", "bea", "cid"]))
    store.play(4)

    with pytest.raises(
        ConfigError, match=r"another tournament \(bots: ann, bea, cid here, now listed as bea, ann, cid"
    ):
        store.take_up(make_field_plan(["bea", "ann", "cid"]))
    with pytest.raises(ConfigError, match=r"another tournament \(bots: was"):
        store.take_up(make_field_plan(["dan", "eve"]))
    with pytest.raises(ConfigError, match=r"another tournament \(bots: was"):
        merge_header(store, make_header(make_field_plan(["ann", "bea"]), "1", "0"), None)


def test_the_entrants_of_a_run_are_numbered_as_the_entries() -> None:
    """The entrants of a run are numbered as the entries, including those that left; a stop rule means the versions that
    play.
    """
    store, plan = PaperStore(), make_field_plan(["ann", "bea", "cid"])
    store.take_up(plan)
    store.play()
    changed = change_bot(make_field_plan(["ann", "bea"]), "bea")
    store.take_up(changed, has_versions=True)

    numbered = number_entrants(changed, store.header)
    assert numbered.labels == ["ann", "bea@1", "cid", "bea@2"]
    assert numbered.absent == {1, 2}
    assert numbered.entrants[3].command == ("true+",)


def test_names_of_versions() -> None:
    """A name of a version without a number means the latest."""
    bots = ["ann", "bea", "ann@2", "bea@2", "ann@3"]

    assert label_bots(bots) == ["ann@1", "bea@1", "ann@2", "bea@2", "ann@3"]
    assert [find_version(name, bots) for name in ("ann", "ann@1", "ann@2", "bea", "cid", "bea@3")] == [
        4,
        0,
        2,
        3,
        None,
        None,
    ]
    assert [find_version(name, ["ann", "bea"]) for name in ("bea", "bea@1", "bea@2")] == [1, 1, None]
