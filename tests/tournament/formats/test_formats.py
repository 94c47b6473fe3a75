"""The formats: who meets whom, with what bots that are out change in it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import combinations
from random import Random
from statistics import fmean

import pytest
from msgspec.structs import replace

from pitboss.errors import ConfigError
from pitboss.plugins.formats import PlayedBlock, PlayedRound
from pitboss_tournament.counting.tally import Tally
from pitboss_tournament.formats.selection import convert_options, find_format, make_field
from pitboss_tournament.plan.plan import Roster
from pitboss_tournament.rounds.round_progress import begin_rounds
from pitboss_tournament.rounds.schedule import ScheduledGame
from pitboss_tournament.statistics.head_to_head import HeadToHead
from tests.mistakes import each_mistake, read_json
from tests.synthetic_tournaments import SyntheticTournament
from tests.tournament.random_results import draw_result, make_random_plan, open_games, play_drawn, tied_result


def table_sets(slots: list[ScheduledGame]) -> set[tuple[int, ...]]:
    """Return who sat together."""
    return {tuple(sorted(slot.entrants)) for slot in slots}


def play_rounds(
    name: str, bots: int, seats: int, options: Mapping[str, object] | None = None, spread: float = 1.0
) -> list[set[tuple[int, ...]]]:
    """Return the tables of each round of a tournament that is played to its end."""
    course, found = begin_rounds(make_random_plan(name, bots, seats, 2, options)), list[set[tuple[int, ...]]]()
    while not course.is_over:
        found.append(table_sets(open_games(course)))
        for slot in open_games(course):
            course.add_result(draw_result(slot, spread))
        course.advance_round(frozenset())
    return found


def test_a_gauntlet() -> None:
    """Each challenger meets all sets of the rest, and no other challenger; the rest does not meet without one."""
    course, games = play_drawn(make_random_plan("gauntlet", 6, 3, 1, {"challengers": ["b4", "b1"]}))

    assert course.ranking is None
    assert table_sets(games) == {tuple(sorted((one, *two))) for one in (1, 4) for two in combinations((0, 2, 3, 5), 2)}


def test_a_gauntlet_by_default() -> None:
    """The first bot of the list is the challenger."""
    assert play_rounds("gauntlet", 4, 2) == [{(0, 1), (0, 2), (0, 3)}]


def test_a_round_robin_of_some_tables() -> None:
    """A round-robin of some tables is a balanced choice of the sets, of at least as many as were asked for."""
    [found] = play_rounds("round-robin", 10, 4, {"tables": 20})

    assert len(found) == 20
    assert len(play_rounds("round-robin", 10, 4, {"tables": 210})[0]) == 210


@pytest.mark.parametrize(("bots", "seats"), [(8, 2), (9, 2), (13, 3), (10, 4), (16, 4)])
def test_a_swiss_has_fair_byes_and_no_early_rematches(bots: int, seats: int) -> None:
    """Nobody sits out twice before all have once; as long as it can be avoided, no two meet twice."""
    found = play_rounds("swiss", bots, seats, {"rounds": 3})
    met = Counter(pair for one in found for table in one for pair in combinations(table, 2))
    seated = Counter(bot for one in found for table in one for bot in table)

    assert max(seated.values()) - min(seated[bot] for bot in range(bots)) <= 1
    if seats == 2:
        assert max(met.values()) == 1
    assert all(len(one) == bots // seats for one in found)


def test_who_sits_out_of_a_swiss() -> None:
    """Of the bots that have sat out least often the last ranked sits out; results are as clear as can be here."""
    found = play_rounds("swiss", 5, 2, {"rounds": 3}, spread=50.0)

    assert [set(range(5)).difference(*tables) for tables in found] == [{4}, {3}, {2}]


def test_a_swiss_brings_equals_together() -> None:
    """With results as clear as can be, the best two have met by the end, and the ranking begins with the strongest."""
    course, games = play_drawn(make_random_plan("swiss", 8, 2, 3), skill_step=50.0)

    assert course.ranking is not None
    assert (0, 1) in table_sets(games)
    assert list(course.ranking[:2]) == [0, 1]


def test_a_knockout() -> None:
    """A knockout seats the first against the last, the better ones go on, and the first two of the list meet in the
    final.
    """
    assert play_rounds("knockout", 8, 2, spread=50.0) == [{(0, 7), (1, 6), (2, 5), (3, 4)}, {(0, 3), (1, 2)}, {(0, 1)}]


@pytest.mark.parametrize(
    ("bots", "seats", "advance"),
    [(b, s, a) for b in range(2, 14) for s in range(2, 5) for a in range(1, 4) if a < s <= b],
)
def test_a_knockout_ends_in_one_full_table(bots: int, seats: int, advance: int) -> None:
    """In the final all seats are taken, all bots are ranked once, and no beaten bot comes back."""
    course, games = play_drawn(
        make_random_plan("knockout", bots, seats, 1, {"advance": advance, "extra": 0}), skill_step=50.0
    )

    assert course.ranking is not None
    assert sorted(course.ranking) == list(range(bots))
    assert course.ranking[0] == 0
    assert sorted(course.ranking[:seats]) == sorted(games[-1].entrants)


def test_equal_bots_of_a_knockout_have_less_than_half_of_the_wins() -> None:
    """Equal bots of a knockout win 47 % on average, in matches of ten deals: who has lost one cannot make up for it."""
    world = SyntheticTournament(strengths=(0.0,) * 8, seats=2, card_share=0.5)
    shares = []
    for number in range(12):
        standings = Tally(world.names, 2, disqualify_after=1)
        standings.add_all(world.play_format("knockout", {}, 10, Random(number)))
        shares += [line.wins.mean or 0.0 for line in standings.standings()]

    assert fmean(shares) == pytest.approx(0.472, abs=0.008)


def test_a_match_that_is_level() -> None:
    """A match that is level is played again as often as is allowed; then the bot that is listed first goes on."""
    course, games = begin_rounds(make_random_plan("knockout", 2, 2, 1, {"extra": 2})), 0
    while not course.is_over:
        for slot in open_games(course):
            games += 1
            course.add_result(tied_result(slot))
        course.advance_round(frozenset())

    assert (games, course.ranking) == (6, [0, 1])


def test_settle_plays_where_it_is_uncertain() -> None:
    """Bots that are far apart need the first round only or little more.

    Two equal ones among them are where the rest goes, until the budget is spent and not beyond.
    """
    made = make_random_plan("settle", 4, 2, 10, {"games": 2_000})
    course, everything = begin_rounds(made), list[ScheduledGame]()
    while not course.is_over:
        for slot in open_games(course):
            everything.append(slot)
            strengths = tuple(3 if entrant == 2 else entrant for entrant in slot.entrants)
            result = draw_result(slot._replace(entrants=strengths), skill_step=9.0)
            seats = tuple(
                replace(seat, entrant=entrant) for seat, entrant in zip(result.seats, slot.entrants, strict=True)
            )
            course.add_result(replace(result, seats=seats))
        course.advance_round(frozenset())
    pairs = Counter(tuple(sorted(slot.entrants)) for slot in everything)

    assert len(everything) <= 2_000
    assert pairs[2, 3] > 1_000 > 200 > pairs[0, 1] >= 20
    assert course.ranking is not None
    assert list(course.ranking[:2]) == [0, 1]


def test_settle_ends_when_the_ranking_is_settled() -> None:
    """Far less than the budget is played when all differ clearly."""
    course, games = play_drawn(make_random_plan("settle", 4, 2, 5), skill_step=9.0)

    assert course.ranking == [0, 1, 2, 3]
    assert len(games) < 500


@pytest.mark.parametrize("name", ["knockout", "settle", "swiss"])
def test_bots_that_are_out(name: str) -> None:
    """Bots that are out are at no table from the next round on; if nobody is left the tournament is over."""
    course = begin_rounds(make_random_plan(name, 6, 2, 2))
    first = open_games(course)
    for slot in first:
        course.add_result(draw_result(slot))
    course.advance_round(frozenset({0, 1}))

    while not course.is_over:
        assert {0, 1}.isdisjoint(bot for slot in open_games(course) for bot in slot.entrants)
        for slot in open_games(course):
            course.add_result(draw_result(slot))
        course.advance_round(frozenset({0, 1, 2, 3, 4, 5}) if course.rounds_begun > 2 else frozenset({0, 1}))
    assert course.ranking is not None
    assert sorted(course.ranking) == list(range(6))


@pytest.mark.parametrize("name", ["knockout", "settle", "swiss"])
def test_who_is_out_ends_last(name: str) -> None:
    """A bot that was put out ends behind all who stayed.

    Also one that had won all its games, and one whose games were never counted.
    """
    course = begin_rounds(make_random_plan(name, 6, 2, 2))
    for slot in open_games(course):
        if 1 not in slot.entrants:
            course.add_result(draw_result(slot, skill_step=50.0))
    course.advance_round(frozenset({0, 1}))

    while not course.is_over:
        for slot in open_games(course):
            course.add_result(draw_result(slot, skill_step=50.0))
        course.advance_round(frozenset({0, 1}))
    assert course.ranking is not None
    assert set(course.ranking[-2:]) == {0, 1}


def test_all_of_a_match_are_out() -> None:
    """No bot of a table whose bots are all out goes on, and the others play the final."""
    course = begin_rounds(make_random_plan("knockout", 8, 2))
    for out in (frozenset({0, 7}), frozenset({0, 7})):
        for slot in open_games(course):
            course.add_result(draw_result(slot, skill_step=50.0))
        course.advance_round(out)
        assert out.isdisjoint(bot for slot in open_games(course) for bot in slot.entrants)


def test_a_verdict_read_the_other_way_round() -> None:
    """The verdict on a pair and the order of its bots are the same, whichever bot is named first."""
    meetings = HeadToHead(2)
    meetings.add_all([PlayedBlock({0: 0.0, 1: 1.0}, {0: 0.0, 1: 1.0})] * 30)

    assert (meetings.judge_pair(0, 1), meetings.judge_pair(1, 0)) == ("worse", "better")
    assert (meetings.rank_bots([0, 1]), meetings.undecided_pairs([1, 0]), meetings.undecided_pairs([0, 1])) == (
        [1, 0],
        [],
        [(0, 1)],
    )


@each_mistake(__file__, "options")
def test_invalid_format_options(right: str, wrong: str, said: str) -> None:
    """The error about an invalid option of a format names the option, with its value and what is allowed."""
    with pytest.raises(ConfigError) as caught:
        make_random_plan(right, 5, 3, 1, read_json(wrong))
    assert said in str(caught.value)


def test_too_many_sets_are_refused() -> None:
    """A tournament with more sets than a store can number is refused."""
    with pytest.raises(ConfigError, match="300 bots at tables of 6 make 962,822,846,700 sets, and 1,000,000,000 are"):
        make_random_plan("round-robin", 300, 6)


@pytest.mark.parametrize("name", ["knockout", "settle", "swiss"])
def test_formats_that_rank_single_bots_want_single_seats(name: str) -> None:
    """Formats that rank single bots are refused where seats win together, with the sides and what can be played."""
    with pytest.raises(
        ConfigError,
        match=f"format is '{name}', in which each seat plays for itself; here seats 0\\+2 and 1\\+3 play together",
    ):
        make_random_plan(name, 5, 4, sides=((0, 2), (1, 3)))


def test_a_format_is_a_generator_of_rounds() -> None:
    """A format is a generator of rounds that needs no course: only what it is sent decides."""
    made = make_random_plan("swiss", 4, 2)
    swiss = find_format("swiss")
    rounds = swiss.rounds(
        make_field(made, Roster(first_round=1, entries=(0, 1, 2, 3), deals=made.deals)),
        convert_options(made.format, swiss),
    )

    assert next(rounds).tables == [[0, 2], [1, 3]]
    assert rounds.send(PlayedRound((), frozenset())).deals == 1
