"""Cautions of the report: each where it concerns the tournament, and nowhere else."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from pitboss_tournament.counting.report_findings import ReportCounts, ReportFindings
from pitboss_tournament.formats.selection import choose_format
from pitboss_tournament.plan.plan import Entrant, FaultRules
from pitboss_tournament.reporting import explanations
from pitboss_tournament.reporting.cautions import opening_caution, pairs_caution, standings_cautions
from pitboss_tournament.reporting.history import history_section
from pitboss_tournament.reporting.pairs import pairs_section
from pitboss_tournament.reporting.standings import standings_section
from pitboss_tournament.statistics.scoring import GameResult
from pitboss_tournament.store.header import make_header
from tests.synthetic_tournaments import SyntheticTournament, game_result
from tests.tournament.small_tournaments import make_plan

FAULTS = FaultRules(disqualify_after=10)
LEAGUE = SyntheticTournament(strengths=(0.9, 0.3, -0.3, -0.9), seats=2, card_share=0.4)


def collect_games(games: Iterable[GameResult], bots: int, format_name: str = "round-robin") -> ReportFindings:
    """Return the statistics of a tournament at tables of two."""
    entrants = (Entrant(name=f"bot{number}", command=("true",)) for number in range(bots))
    plan = make_plan(Path("unused"), *entrants, faults=FAULTS, format=choose_format(format_name, {}))
    counts = ReportCounts(make_header(plan, "1", "0"))
    counts.add_all(games)
    return ReportFindings(counts)


def play_duel(wins: Sequence[int], fault: str | None = None) -> list[GameResult]:
    """Return blocks of two bots, by how many points the first is ahead in both games of each, by 0 or forfeits."""
    games = []
    for deal, ahead in enumerate(wins):
        for rotation, seats in enumerate([(0, 1), (1, 0)]):
            result = game_result(0, deal, rotation, seats, [float(ahead) if bot == 0 else 0.0 for bot in seats])
            faulty = (replace(seat, fault=fault if seat.entrant == 1 else None) for seat in result.seats)
            games.append(replace(result, seats=tuple(faulty)))
    return games


def test_a_league_without_trouble() -> None:
    """Four bots far apart, 20 deals of each two, all played: there is no caution."""
    assert list(standings_cautions(collect_games(LEAGUE.games(120, Random(2)), 4))) == []


@pytest.mark.parametrize("turns_at", [0, 20, 40])
def test_a_bot_that_got_better(turns_at: int) -> None:
    """A bot that got better is named with its scores before and after, and at the opening; not if the bots were always
    the same.
    """
    statistics = collect_games(play_duel([-1] * turns_at + [1] * (40 - turns_at)), 2)
    page = str(history_section(statistics).markup)

    assert ("bot0 did better as the deals went on: in their first half 0% of the others" in page) == (turns_at == 20)
    assert ("as the deals went on, see Ratings over time" in opening_caution(statistics)) == (turns_at == 20)


def test_bots_paired_by_results() -> None:
    """The caution says by the name of the format that points and wins are not comparable."""
    [caution] = standings_cautions(collect_games(LEAGUE.games(120, Random(2)), 4, "swiss"))

    assert caution.startswith("In this format (swiss) results decide who meets whom")


@pytest.mark.parametrize(("bots", "expected"), [(3, True), (2, False)])
def test_a_bot_that_is_out(bots: int, expected: bool) -> None:
    """A bot that is out is a caution where others might have met it."""
    statistics = collect_games(play_duel([1] * 5, "late"), bots)

    assert statistics.tally.is_disqualified(1)
    assert (explanations.OUT in standings_cautions(statistics)) == expected


@pytest.mark.parametrize(("wins", "expected"), [([1, 1, 1, -1], True), ([1] * 20, True), ([1, 1, 1, -1] * 5, False)])
def test_where_the_prior_counts(wins: list[int], expected: bool) -> None:
    """The prior is a caution with few blocks, and for bots that won or lost all of their games."""
    assert (explanations.PRIOR in standings_cautions(collect_games(play_duel(wins), 2))) == expected


def test_another_order_by_points() -> None:
    """A bot that wins often by little, and loses seldom by much, is ahead in ratings only."""
    statistics = collect_games(play_duel([1, 1, 1, -9] * 5), 2)

    assert statistics.standings[0].name == "bot0"
    assert list(standings_cautions(statistics)) == [explanations.OTHER_ORDER_BY_POINTS]


@pytest.mark.parametrize(("wins", "cautions"), [([3, 3, 3, -1], 0), ([1, 1, 1, -9], 1)])
def test_an_order_by_points_where_the_fewest_win(wins: list[int], cautions: int) -> None:
    """Where the fewest points win, the order by points begins with the fewest."""
    games = [
        replace(one, seats=tuple(replace(seat, points=-seat.points) for seat in one.seats))
        for one in play_duel(wins * 5)
    ]
    statistics = collect_games(games, 2)

    assert statistics.tally.lowest_wins
    assert list(standings_cautions(statistics)) == [explanations.OTHER_ORDER_BY_POINTS] * cautions


def test_many_pairs() -> None:
    """The caution says how many pairs are judged at once, and how many of them might be sure by chance; a single pair
    needs no word.
    """
    caution = pairs_caution(45)

    assert caution is not None
    assert caution.startswith(
        "These are 45 pairs, and each is judged by itself: if all bots were equal, up to about 2.2"
    )
    assert pairs_caution(1) is None


def test_the_page_has_the_cautions() -> None:
    """The page has the cautions below the standings, and below the pairs, of which only those count that met."""
    statistics = collect_games(play_duel([1, 1, 1, -9], "late"), 3)

    for caution in standings_cautions(statistics):
        assert caution in standings_section(statistics).markup
    assert "each is judged by itself" not in pairs_section(statistics).markup
    assert "These are 6 pairs" in pairs_section(collect_games(LEAGUE.games(12, Random(2)), 4)).markup
