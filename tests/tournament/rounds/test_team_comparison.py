"""Bots of a cooperative game compared by the points of their teams on the same deals."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path
from random import Random
from typing import Final

import pytest
from msgspec.structs import replace

from pitboss.errors import ConfigError
from pitboss.plugins.formats import EntrantField, PlayedBlock
from pitboss.plugins.registry import Registry
from pitboss_fireworks.game import Fireworks
from pitboss_tournament.config.defaults import find_team_span
from pitboss_tournament.config.versions import ComparisonSettings, choose_team_bounds, plan_comparison
from pitboss_tournament.formats.static_formats import Teams
from pitboss_tournament.plan.plan import Entrant, StopBounds, StopRules
from pitboss_tournament.plan.settings import TournamentFile
from pitboss_tournament.rounds.round_progress import begin_rounds
from pitboss_tournament.rounds.stop_monitor import BoundedComparison, StopMonitor
from pitboss_tournament.statistics.bounded_mean import BoundedMean
from pitboss_tournament.statistics.bounded_test import Bounds
from pitboss_tournament.statistics.teams import TeamBlocks
from tests.core.sealed_bids import SealedBids
from tests.synthetic_tournaments import game_result
from tests.tournament.random_results import make_random_plan, open_games

SPAN: Final = 25.0
BOUNDS: Final = StopBounds(low=0.0, high=1.0, alpha=0.05, beta=0.05)


def compare_deals(differences: list[float], bounds: StopBounds = BOUNDS) -> BoundedComparison:
    """Return the comparison of two bots whose teams differ by so many points, deal by deal."""
    compared = BoundedComparison(bounds, ((0, 1),), 2, SPAN)
    for difference in differences:
        compared.add(PlayedBlock(place_scores={0: (12 + difference) / SPAN, 1: 12 / SPAN}, points={}), 0, 1)
    return compared


def test_teams_of_copies() -> None:
    """On each deal the team with the one bot is compared with that with the other, when both have played it."""
    teams = TeamBlocks([(0, 1), (2, 3)], SPAN)

    assert list(teams.add((0, 1), 0, 20.0)) == []
    found = {tuple(block.place_scores): block.place_scores for block in teams.add((2, 3), 0, 15.0)}

    assert sorted(map(sorted, found)) == [[0, 2], [0, 3], [1, 2], [1, 3]]
    assert found[2, 0] == {2: 15 / SPAN, 0: 20 / SPAN}
    assert list(teams.add((2, 3), 1, 15.0)) == []


def test_all_sets_of_bots() -> None:
    """The mean of the teams with the one bot and without the other counts; a team of both says nothing about them."""
    made = {team: float(sum(team)) for team in combinations(range(4), 2)}
    teams = TeamBlocks(made, SPAN)
    blocks = [block for team, points in made.items() for block in teams.add(team, 0, points)]

    found = {tuple(sorted(block.place_scores)): block.place_scores for block in blocks}
    assert len(blocks) == len(found) == 6
    for (one, other), scores in found.items():
        assert SPAN * (scores[other] - scores[one]) == pytest.approx(other - one)


@pytest.mark.parametrize(
    ("ahead", "said"),
    [
        (4, "new is better than old, proven at 99 % by 300 deals"),
        (-4, "new is less than 1 points better than old, proven at 80 % by 300 deals"),
    ],
)
def test_each_verdict_has_its_own_error(ahead: int, said: str) -> None:
    """The verdict "better" names the error of a false "better", and "not better" that of a false "not better"."""
    compared = compare_deals([ahead, ahead + 1, ahead - 1] * 100, replace(BOUNDS, alpha=0.01, beta=0.2))

    assert compared.verdict_text("new", "old") == said


def test_a_clear_difference_is_proven() -> None:
    """A difference of teams is better, not better, or undecided, with the interval that goes with it, in points."""
    rng = Random(1)
    better = compare_deals([4 + rng.gauss(0, 3) for _ in range(300)])
    worse = compare_deals([-4 + rng.gauss(0, 3) for _ in range(300)])
    few = compare_deals([4.0, 2.0])

    assert (better.run_test().verdict, worse.run_test().verdict) == ("better", "not better")
    assert (few.run_test().verdict, few.run_test().blocks) == ("undecided", 2)
    assert better.verdict_text("new", "old") == "new is better than old, proven at 95 % by 300 deals"
    found = better.points()
    assert found.estimate is not None
    assert 0 < found.low < found.estimate < found.high < 8
    assert found.estimate == pytest.approx(4, abs=0.6)


def test_a_difference_as_large_as_the_bound_of_teams() -> None:
    """A difference as large as the bound of teams is proven sooner than others, and the estimate at the stop is
    corrected.
    """
    running, stopped = compare_deals([4.0, -2.0] * 51).points(), compare_deals([4.0, -2.0] * 53).points()

    assert running.low <= 0 < stopped.low
    assert running.estimate == pytest.approx(1)
    assert stopped.estimate == pytest.approx(0.84, abs=0.02)


def test_equal_bots_are_hardly_ever_told_apart() -> None:
    """If there is no difference, "better" is said with 5 % at most, however often one looks."""
    rng, bounds = Random(2), Bounds(low=0.0, high=0.9, alpha=0.05, beta=0.05)
    wrong = 0
    for _ in range(100):
        test = BoundedMean()
        for _ in range(60):
            test.add(PlayedBlock(place_scores={0: rng.random(), 1: rng.random()}, points={}), 0, 1)
            if test.run_test(bounds).verdict == "better":
                wrong += 1
                break
    assert wrong <= 8


def test_no_deals_prove_nothing() -> None:
    """The interval without deals is all that is possible."""
    none = compare_deals([])

    assert none.run_test().verdict == "undecided"
    assert none.points() == (None, -SPAN, SPAN)


def test_the_bounds_by_default() -> None:
    """The default bounds in rating points are replaced for teams; other bounds are points of the game."""
    assert choose_team_bounds(StopBounds(low=0.0, high=25.0, alpha=0.05, beta=0.05)) == BOUNDS
    given = StopBounds(low=-1.0, high=0.5, alpha=0.05, beta=0.05)
    assert choose_team_bounds(given) == given


def play_teams(rules: StopRules, gap: float, deals: int = 200) -> tuple[str | None, int]:
    """Play two teams of two on paper, the first better by `gap` points; return the verdict, and the games it took."""
    plan = replace(make_random_plan("teams", 4, 2, deals, sides=((0, 1),)), same_deals=True, stop=rules)
    course, monitor, games, rng = begin_rounds(plan), StopMonitor(plan, rules), 0, Random(3)
    for slot in open_games(course):
        games += 1
        points = min(25.0, max(0.0, rng.gauss(12 + gap * (0 in slot.entrants), 3)))
        result = game_result(slot.pairing, slot.deal, slot.rotation, slot.entrants, [points] * 2)
        course.add_result(replace(result, game_id=slot.game_id))
        monitor.add_blocks(course, frozenset())
        if monitor.verdict:
            break
    return monitor.verdict, games


def test_a_tournament_of_teams_stops() -> None:
    """A tournament of teams stops as soon as a bot is proven better than another by the points of their teams, and not
    without a difference.
    """
    rules = StopRules(bot="b0", better_than="b2", span=SPAN)

    verdict, games = play_teams(rules, 5.0)
    assert verdict is not None
    assert verdict.startswith("b0 is better than b2, proven at 95 % by ")
    deals = int(verdict.split()[-2])  # two games of each team; a table has played up to five deals more than the other
    assert games // 4 - 5 <= deals <= games // 4 < 100
    assert play_teams(rules, 0.0, 60) == (None, 240)


def test_what_is_needed_for_it() -> None:
    """A comparison by teams needs the same deals, and a game that tells between which its points lie."""
    options = Fireworks.Options().resolve(2)

    assert find_team_span(Fireworks(), 2, options, has_same_deals=True) == SPAN
    with pytest.raises(ConfigError, match="same_deals = true"):
        find_team_span(Fireworks(), 2, options, has_same_deals=False)
    with pytest.raises(ConfigError, match="the game lacks `bounds`"):
        find_team_span(SealedBids(), 2, object(), has_same_deals=True)


def test_the_format_of_teams() -> None:
    """The tables of the format of teams are the bots as they are named; all of them have to fit."""
    field = EntrantField(names=("a", "b", "c", "d", "e", "f"), seats=3, deals=7, games=3)
    options = Teams.Options()

    Teams().check(field, options)
    planned = next(Teams().rounds(field, options))
    assert planned is not None
    assert (list(planned.tables), planned.deals) == ([(0, 1, 2), (3, 4, 5)], 7)
    assert Teams().count_blocks(field, options) == 14
    with pytest.raises(ConfigError, match="5 bots make no teams of 3"):
        Teams().check(EntrantField(names=("a", "b", "c", "d", "e"), seats=3, deals=7, games=3), options)


@pytest.mark.parametrize("most_games", [9, 10, 11, 12])
def test_games_of_teams_are_rounded_up(tmp_path: Path, most_games: int) -> None:
    """Two teams of two play whole deals, four games each: as many as hold the games that are asked for."""
    given = TournamentFile(game="fireworks", seats=2, bots=[])
    comparison = ComparisonSettings(settings=given, bounds=BOUNDS, most_games=most_games)
    bots = [Entrant(name=name, command=("true",)) for name in ("old", "new")]

    assert plan_comparison(comparison, bots, Registry(), tmp_path / "x.pitboss").deals == 3
