"""Cooperative games: all seats are one side, so that points tell teams apart, and places nothing."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from msgspec.structs import replace

from pitboss import Random
from pitboss.game import resolve_options
from pitboss_fireworks.game import Fireworks
from pitboss_fireworks.messages import FireworksOptions
from pitboss_house_bots.evaluation import GainEvaluator, GainScale
from pitboss_house_bots.search import advise
from pitboss_tournament.config.defaults import shared_sides
from pitboss_tournament.counting.counts import Counts
from pitboss_tournament.counting.findings import Findings
from pitboss_tournament.results.columns import BOT_COLUMNS, choose_columns
from pitboss_tournament.results.standings_rows import BotRow, leave_out_places
from pitboss_tournament.results.verdict import detail_verdict, tell_verdict
from pitboss_tournament.statistics.proven_ranks import RankRange
from pitboss_tournament.statistics.running_moments import Estimate
from pitboss_tournament.statistics.scoring import GameResult
from pitboss_tournament.statistics.teams import TeamScores
from pitboss_tournament.store.header import Header
from pitboss_tournament.store.store import Store
from tests.synthetic_tournaments import game_result
from tests.tournament.command_line import run_pitboss

GAME = Fireworks()
SIDES = ((0, 1),)


def test_the_game_says_that_all_play_together() -> None:
    """A table of two has one side, which a tournament takes over."""
    assert shared_sides(GAME, 2, FireworksOptions()) == SIDES


def test_search_tells_actions_apart_by_points() -> None:
    """An end with more points is worth more to every seat, also where the state has no estimate."""
    state = GAME.deal(2, resolve_options(GAME, 2, "lenient"), Random("end"))
    valuer = GainEvaluator(state, SIDES)
    before = valuer.points_before(state)
    while state.turn is not None:
        state.play(state.legal()[0])
    gained = valuer.gains(state, before, is_dealt=False)

    assert before is not None
    assert gained == [point - then for point, then in zip(state.outcome().points, before, strict=True)]
    scale = GainScale([[-3.0, -3.0], [3.0, 3.0]])
    few, many = scale.values([-2.0, -2.0], state.outcome()), scale.values([2.0, 2.0], state.outcome())
    assert few is not None
    assert many is not None
    assert few[0] < 0.5 < many[0]


def test_search_plays_the_card_that_it_was_told_of() -> None:
    """The search values the legal actions differently, and chooses no card that costs a life at the first decision."""
    state = GAME.deal(2, resolve_options(GAME, 2), Random("search"))

    advice = advise(state, 0, 60.0, Random("s"), SIDES, worlds=120)

    values = {round(one.value, 3) for one in advice.ranked if one.value is not None}
    assert len(values) > 5
    assert type(advice.best.action).__name__ == "Hint"


def test_teams_are_ranked_by_points() -> None:
    """The team with most points is first; the gap of each other one is counted on the same deals."""
    results = [
        game_result(pairing, deal, rotation, bots, [points, points])
        for pairing, bots, made in ((0, (0, 1), (5, 7)), (1, (0, 2), (9, 12)))
        for deal, points in enumerate(made)
        for rotation in range(2)
    ]

    first, second = TeamScores(results, has_same_deals=True).list_standings(["a", "b", "c"])
    assert (first.bots, first.points.mean, first.behind) == (("a", "c"), 10.5, None)
    assert (second.bots, second.points.mean, second.behind and second.behind.mean) == (("a", "b"), 6.0, 4.5)
    other_deals = TeamScores(results).list_standings(["a", "b", "c"])[1]
    assert other_deals.behind is None


def play_deals(*made: tuple[tuple[int, int], Sequence[int]]) -> list[GameResult]:
    """Return the games of teams that have made so many points of each deal, one rotation a deal."""
    return [
        game_result(pairing, deal, 0, bots, [points, points])
        for pairing, (bots, scored) in enumerate(made)
        for deal, points in enumerate(scored)
    ]


def test_the_verdict_is_of_teams(header: Header) -> None:
    """On the same deals their differences tell them apart, where their means do not; else these do."""
    luck = [3, 18, 7, 22, 12, 2, 25, 9]
    results = play_deals(
        ((0, 1), [points + 1 + deal % 2 for deal, points in enumerate(luck)]), ((0, 2), luck), ((1, 2), [0] * len(luck))
    )
    entry = header.entries[0]
    counts = Counts(replace(header, entries=[replace(entry, name=name) for name in "abc"], sides=SIDES))
    counts.add_all(results)
    rated = Findings(counts)

    same, other = (TeamScores(results, 1, has_same_deals=is_same) for is_same in (True, False))
    assert list(tell_verdict(rated, same)) == [
        "Verdict on the same deals, by points, 99.4 % sure: each of a + b, a + c and b + c is better than the next."
    ]
    assert list(tell_verdict(rated, other)) == [
        "Verdict on deals of their own, by points, 99.3 % sure: a + b and a + c are better than b + c.",
    ]
    assert list(detail_verdict(rated, other)) == ["No difference is proven between a + b and a + c."]
    apart = play_deals(((0, 1), luck), ((0, 2), [points + 99 for points in luck]))
    assert list(tell_verdict(rated, TeamScores(apart, 1))) == [
        "Verdict on deals of their own, by points, more than 99.99 % sure: a + c is better than a + b."
    ]


def test_standings_have_no_ranks_no_wins_and_no_rating() -> None:
    """Nobody is placed before anybody: these columns are left out."""
    row = BotRow(
        name="a", games=4, blocks=2, points=Estimate(3.0, 1.0), largest_block=None, wins=Estimate(1.0, None), faults={},
        substituted={}, think_ms=None, think_p50_ms=None, think_p99_ms=None, is_out=False, rating=Estimate(0.0, 1833.0),
        rank=RankRange(1, 2),
    )  # fmt: skip

    shown = {column.key for column in choose_columns([row])}
    left = {column.key for column in choose_columns(leave_out_places([row]))}
    assert shown - left == {"rank", "wins", "rating"}
    assert {column.key for column in BOT_COLUMNS} > left
    assert replace(row, wins=Estimate(None, None)).points == leave_out_places([row])[0].points


@pytest.mark.long
@pytest.mark.once
def test_a_tournament_is_judged_by_points(tmp_path: Path) -> None:
    """A tournament of teams shows them with their points, also as JSON; the points tell which is better, and how many
    deals show it.
    """
    bots = ("house:first", "house:first", "house:random")
    words = ("match", "fireworks", *bots, "--seats", "2", "--deals", "2", "--seed", "a")

    ran = run_pitboss(*words, "--store", "kept.pitboss", cwd=tmp_path)
    told = run_pitboss("standings", "kept.pitboss", "--json", cwd=tmp_path)
    judged = run_pitboss("compare", "house:random", "house:first", "--from", "kept.pitboss", cwd=tmp_path)
    planned = run_pitboss("plan", "--from", "kept.pitboss", "--json", cwd=tmp_path)
    given = ("--preset", "small", "--games", "8", "--seed", "b", "--json", "--sandbox", "none")
    compared = run_pitboss("compare", "fireworks", *bots[1:], *given, cwd=tmp_path)

    assert ran.status == 0, ran.err
    assert "house:first + house:first-2" in ran.out
    assert "Verdict on the same deals, by points: no difference between the 3 teams is proven yet." in ran.out
    assert "wins" not in ran.out
    assert "rating" not in ran.out
    data = json.loads(told.out)
    assert (data["rank"], len(data["teams"])) == ("points", 3)
    assert (judged.status, planned.status, compared.status) == (2, 0, 2), (judged.err, planned.err, compared.err)
    assert judged.out.startswith(
        "By the points of their teams on the same deals: it is undecided after 8 games whether house:first is better "
        "than house:random; "
    )
    size = planned.json_value
    assert (size["difference"], size["score"], size["span"], len(size["pairs"])) == (1.0, 0.04, 25.0, 3)
    header = Store(tmp_path / "fireworks-b.pitboss").header
    assert (header.same_deals, header.format.name) == (True, "teams")
    found = compared.json_value
    assert (found["bounds"]["high"], found["span"], found["games"], found["deals"]) == (1.0, 10.0, 8, 2)
