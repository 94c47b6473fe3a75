"""Stages: groups and then finals, each a format of its own, seeded from the standings of the stage before."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest
from msgspec.structs import replace

from pitboss.errors import ConfigError
from pitboss_tournament.plan.plan import Plan, Roster
from pitboss_tournament.rounds.round_progress import Rounds, begin_rounds
from pitboss_tournament.rounds.round_replay import find_next_round, replay_rounds
from pitboss_tournament.rounds.schedule import ScheduledGame
from pitboss_tournament.statistics.scoring import GameResult
from pitboss_tournament.store.header import make_header
from tests.tournament.random_results import GamesInMemory, draw_result, make_random_plan, open_games

CLEAR = 50.0  # a step of strength with which no game is won by luck

GROUPS = {"name": "groups", "groups": 2, "advance": 2}


def plan_stages(bots: int, *stages: Mapping[str, object], seats: int = 2, deals: int = 1) -> Plan:
    """Return the plan of a tournament of bots b0, b1, …, of which b0 is the strongest."""
    return make_random_plan("stages", bots, seats, deals, {"stages": list(stages)})


def play_on(course: Rounds, out: frozenset[int] = frozenset()) -> list[GameResult]:
    """Play the open round, and open the next one; return the results."""
    games = [draw_result(slot, CLEAR) for slot in open_games(course) if out.isdisjoint(slot.entrants)]
    for game in games:
        course.add_result(game)
    course.advance_round(out)
    return games


def list_tables(games: Sequence[ScheduledGame]) -> set[tuple[int, ...]]:
    """Return who meets whom."""
    return {tuple(sorted(game.entrants)) for game in games}


def test_groups_and_finals() -> None:
    """Bots are dealt out over the groups by seed; the best of each group meet in the finals, before all others."""
    course = begin_rounds(plan_stages(8, GROUPS, {"name": "finals", "deals": 3}))
    groups = open_games(course)
    play_on(course)
    finals = open_games(course)
    play_on(course)

    assert {frozenset(table) for table in list_tables(groups)} == {
        frozenset(pair)
        for group in ((0, 3, 4, 7), (1, 2, 5, 6))
        for number, one in enumerate(group)
        for pair in [(one, other) for other in group[number + 1 :]]
    }
    assert list_tables(finals) == {(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)}
    assert len(finals) == 3 * len(groups) // 2
    assert course.is_over
    assert course.place_groups == [[0, 1, 2, 3], [4, 5], [7, 6]] or course.place_groups == [
        [0, 1, 2, 3],
        [4, 5],
        [6, 7],
    ]
    assert [(stage.name, stage.first_round) for stage in course.stages] == [("groups", 0), ("finals", 1)]


@pytest.mark.parametrize(("name", "rounds"), [("knockout", 2), ("swiss", 3), ("round-robin", 1)])
def test_each_format_can_be_the_last_stage(name: str, rounds: int) -> None:
    """The finals are played as their format has it; if it ranks the bots, its order decides."""
    course = begin_rounds(plan_stages(8, GROUPS, {"name": "finals", "format": name}))
    play_on(course)
    begun = course.rounds_begun
    while not course.is_over:
        play_on(course)

    assert course.rounds_begun - begun + 1 == rounds
    assert course.ranking is not None
    assert course.ranking[:2] == [0, 1]
    assert sorted(course.ranking) == list(range(8))
    assert (course.place_groups or [])[0] == ([0] if name != "round-robin" else [0, 1, 2, 3])


def test_groups_of_several_rounds() -> None:
    """A group may play several rounds; those of all groups are played at the same time."""
    course = begin_rounds(plan_stages(12, GROUPS | {"format": {"name": "swiss", "rounds": 2}}, {"name": "finals"}))
    sizes = []
    while not course.is_over:
        sizes.append(len(list_tables(open_games(course))))
        play_on(course)

    assert sizes == [6, 6, 6]
    assert (course.ranking or [])[0] == 0


def test_a_bot_that_is_out_does_not_go_on() -> None:
    """In place of a disqualified bot the next one goes on; it comes behind all others of its stage."""
    course = begin_rounds(plan_stages(8, GROUPS, {"name": "finals"}))
    out = frozenset({1})
    play_on(course, out)

    assert list_tables(open_games(course)) == {(0, 2), (0, 3), (0, 5), (2, 3), (2, 5), (3, 5)}
    play_on(course, out)
    assert (course.ranking or [])[-1] == 1


def test_a_newcomer_plays_what_it_lacks_before_the_finals() -> None:
    """Who joins during the groups plays the games of the smallest group, and may go on; nobody joins the finals."""
    made = plan_stages(7, GROUPS, {"name": "finals"})
    header = make_header(made, "1", "0")
    course = begin_rounds(header)
    games = [draw_result(slot, CLEAR) for slot in open_games(course)]
    joins = find_next_round(GamesInMemory(header, games[:-1]), ["b7"])
    more = make_header(plan_stages(8, GROUPS, {"name": "finals"}), "1", "0")
    more = replace(
        more, rosters=(*header.rosters, Roster(first_round=joins, entries=tuple(range(8)), deals=made.deals))
    )

    course = begin_rounds(more)
    groups = play_on(course)
    extra = list_tables(open_games(course))
    late = play_on(course)
    finals = [draw_result(slot, CLEAR) for slot in open_games(course)][:1]

    assert joins == 2
    assert len(extra) == 3
    assert all(7 in table for table in extra)
    assert len(list_tables(open_games(course))) == 6
    assert [stage.first_round for stage in course.stages] == [0, 2]
    with pytest.raises(ConfigError, match="b8 cannot join: the format 'stages' takes no newcomers: finals has begun"):
        find_next_round(GamesInMemory(more, [*groups, *late, *finals]), ["b8"])


def test_a_broken_off_tournament_is_where_it_was() -> None:
    """After any number of games the stored results lead to the same open games."""
    made = plan_stages(8, GROUPS, {"name": "finals", "format": "knockout"})
    course, games = begin_rounds(made), list[GameResult]()
    while not course.is_over:
        games += play_on(course)

    for count in range(0, len(games), 3):
        replayed, _ = replay_rounds(GamesInMemory(make_header(made, "1", "0"), games[:count]))
        if games[count].game_id >= replayed.games_end:
            replayed.advance_round(frozenset())
        assert games[count].game_id in {game.game_id for game in open_games(replayed)}


@pytest.mark.parametrize(
    ("stages", "said"),
    [
        ([], "stages is empty; write [[format.stages]] for each stage"),
        ([{"name": "groups"}], None),
        ([GROUPS], "stages: groups is the last stage, from which nobody advances"),
        ([{"name": "a"}, {"name": "b"}], "stages: a has no advance: how many go on"),
        ([GROUPS, GROUPS], "stages: two stages have one name; they are called groups, groups"),
        (
            [GROUPS | {"groups": 5}, {"name": "b"}],
            "stages: groups has 8 bots in groups of 1, and a table has 2 seats; choose fewer groups, or let more bots "
            "advance",
        ),
        ([GROUPS | {"advance": 5}, {"name": "b"}], "stages: advance of groups is 5; a group has 4 bots"),
        ([{"name": "a", "format": "ladder"}], "stages: the format of a is ladder, which has no end of its own"),
        ([{"name": "a", "format": "stages"}], "stages: the format of a is stages, which has no end of its own"),
        (
            [{"name": "a", "format": "swis"}],
            "there is no format 'swis' (did you mean 'swiss'?); there are: gauntlet, knockout, ladder, round-robin, "
            "settle, stages, swiss, teams",
        ),
        (
            [{"name": "a", "format": {"name": "swiss", "turns": 3}}],
            "stages: the format of a, swiss: Object contains unknown field `turns`",
        ),
    ],
)
def test_wrong_stages(stages: list[Mapping[str, object]], said: str | None) -> None:
    """Stages that cannot be played are refused before the first game, with what to change."""
    if said is None:
        plan_stages(8, *stages)
        return
    with pytest.raises(ConfigError) as caught:
        plan_stages(8, *stages)
    assert str(caught.value) == said
