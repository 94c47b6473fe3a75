"""The numbers of a report are those of the statistics; what it keeps while it counts does not grow with the games."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from pitboss_tournament.counting.notable_games import NotableGames, count_bot_decisions
from pitboss_tournament.counting.report_findings import ReportCounts, ReportFindings
from pitboss_tournament.counting.stored_findings import StoredFindings
from pitboss_tournament.counting.tally import Tally
from pitboss_tournament.html.number_format import (
    format_chance,
    format_duration,
    typeset_interval,
    typeset_number,
    typeset_share,
    typeset_signed,
)
from pitboss_tournament.reporting.outcomes import seats_section
from pitboss_tournament.reporting.page import render_report
from pitboss_tournament.reporting.pairs import pairs_section
from pitboss_tournament.reporting.standings import standings_section
from pitboss_tournament.results.verdict import rank_text
from pitboss_tournament.statistics.blocks import complete_blocks, margins, points
from pitboss_tournament.statistics.pairwise import compare_entrants
from pitboss_tournament.statistics.proven_ranks import RankRange
from pitboss_tournament.statistics.running_moments import Estimate, RunningMoments
from pitboss_tournament.statistics.scoring import GameResult
from pitboss_tournament.statistics.time_histogram import quantile, read_times
from pitboss_tournament.statistics.variance_reduction import estimate_reduction
from pitboss_tournament.store.header import Header
from pitboss_tournament.store.store import Store
from tests.synthetic_tournaments import SyntheticTournament, game_result
from tests.tournament.parsed_page import ParsedPage
from tests.tournament.report_stores import write_tournament_store
from tests.tournament.statistics.sample_results import rate_results

BOTS, SEATS = 5, 3


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    """Return the store of a tournament, the last block of which is not complete."""
    return Store(write_tournament_store(tmp_path_factory.mktemp("numbers"), BOTS, SEATS, 40, missing_games=1))


@pytest.fixture(scope="module")
def games(store: Store) -> list[GameResult]:
    """Return its games."""
    return list(store.results())


@pytest.fixture(scope="module")
def leaf(store: Store) -> ParsedPage:
    """Return its page, taken apart."""
    return ParsedPage(render_report(store))


def count_report(header: Header, games: Iterable[GameResult]) -> ReportFindings:
    """Return the findings of a report of some games."""
    counts = ReportCounts(header)
    counts.add_all(games)
    return ReportFindings(counts)


def tell_proven(rank: RankRange, bots: int) -> str:
    """Return how many bots one with these ranks is proven ahead of, and behind."""
    ahead, behind = bots - rank.worst, rank.best - 1
    said = [f"{words} {count}" for words, count in (("ahead of", ahead), ("behind", behind)) if count]
    return ", ".join(said) or "nothing yet"


def test_standings(store: Store, games: list[GameResult], leaf: ParsedPage) -> None:
    """The table of standings has ranks, ratings, points and shares of wins, with their intervals, in the order of the
    ratings.
    """
    summary = StoredFindings(store)
    ranks = summary.rank_ranges
    tally = Tally(store.header.bots, SEATS, 1000)
    tally.add_all(games)
    lines = {line.name: line for line in tally.standings()}
    expected = [
        [
            f"{rank_text(ranks[line.name])}. {line.name}",
            tell_proven(ranks[line.name], len(ranks)),
            str(lines[line.name].games),
            str(lines[line.name].blocks),
            typeset_interval(Estimate(line.points.mean, line.comparison), digits=0, has_sign=True),
            typeset_interval(lines[line.name].points, digits=2),
            typeset_share(lines[line.name].wins),
        ]
        for line in rate_results(games, store.header.bots).lines
    ]

    assert expected == [row[:7] for row in leaf.rows["standings-table"][1:]]


def test_ratings_over_time(store: Store, games: list[GameResult]) -> None:
    """The ratings over time are those by the first games, with the bots at zero that are asked for; at the end they are
    those of the page, but for their intervals.
    """
    counts = ReportCounts(store.header, games=len(games))
    counts.add_all(games)
    statistics = ReportFindings(counts)
    zero = statistics.ratings.zeros[0]
    half = [moment for moment in statistics.rating_history.list_moments(4, (0,)) if moment.games == len(games) // 2]
    first = rate_results(games[: len(games) // 2], store.header.bots)

    assert [moment.rating.mean for moment in half] == pytest.approx([first.difference(4, 0).mean])
    for entrant in range(BOTS):
        last = statistics.rating_history.list_moments(entrant, zero)[-1]
        comparison = statistics.ratings.rating_of(entrant).comparison

        assert last.games == len(games)
        assert last.rating.mean == pytest.approx(statistics.ratings.rating_of(entrant).points.mean)
        assert last.rating.half_width and comparison and last.rating.half_width > comparison  # it holds at any time


def test_pairs(store: Store, games: list[GameResult], leaf: ParsedPage) -> None:
    """A cell of the pairs has the mean difference, the chance and the blocks still needed, from either side."""
    order = [row[0] for row in leaf.rows["pairs-table"][1:]]
    places = {int(name.rpartition("-")[2]): place for place, name in enumerate(order, 1)}
    for pair in compare_entrants(games, BOTS):
        there, back = (
            leaf.rows["pairs-table"][places[a]][places[b]].split()
            for a, b in ((pair.entrant, pair.other), (pair.other, pair.entrant))
        )
        mean = pair.points.estimate.mean
        assert mean is not None

        assert there[0].lstrip("+−") == back[0].lstrip("+−") == f"{abs(mean):.2f}"
        assert there[0][0] == ("+" if mean > 0 else "−") != back[0][0]
        assert " ".join(there[1:]).startswith(format_chance(pair.points.chance))
        more = pair.points.more_blocks
        wanted = "not to be told" if more is None else "sure" if more == 0 else f"{more:,} more"
        assert " ".join(there).endswith(wanted)
        assert " ".join(back).endswith(wanted)


def test_thinking_times(games: list[GameResult], store: Store, leaf: ParsedPage) -> None:
    """p50, p90 and p99 are those of all decisions of a bot together, and so is their number."""
    for name, *cells in leaf.rows["thinking-table"][1:]:
        counts: dict[int, int] = {}
        for game in games:
            for seat in game.seats:
                if store.header.bots[seat.entrant] == name:
                    think = read_times(seat.think)
                    counts = {step: counts.get(step, 0) + think.get(step, 0) for step in {*counts, *think}}

        assert [
            *(format_duration(quantile(counts, share)) for share in (0.5, 0.9, 0.99)),
            f"{sum(counts.values()):,}",
        ] == cells
    assert "Here: p50 1 µs, p90 32 µs, p99 32 µs." in leaf.text


def test_seats(games: list[GameResult], leaf: ParsedPage) -> None:
    """The table of seats has the mean points and the margin of each seat, over blocks."""
    for seat, row in enumerate(leaf.rows["seats-table"][1:]):
        spreads = []
        for measure in (points, margins):
            spread = RunningMoments()
            for block in complete_blocks(games):
                spread.add(sum(measure(game)[seat] for game in block) / len(block))
            spreads.append(spread)

        assert row[1] == typeset_interval(spreads[0].estimate(), digits=2)
        assert row[2] == typeset_interval(spreads[1].estimate(), digits=2, has_sign=True)


def test_seats_that_are_worth_much(store: Store, leaf: ParsedPage) -> None:
    """Seats that are worth much have their strengths in the rating model beside them; equal seats have none."""
    assert "In rating points" not in leaf.text

    counts = ReportCounts(store.header)
    world = SyntheticTournament(strengths=(0.0,) * BOTS, seats=SEATS, advantage=(2.3, 0.0, -2.3))
    counts.add_all(world.games(100, Random(1)))
    found = ReportFindings(counts)
    rows = ParsedPage(seats_section(found).markup).rows["seats-table"]
    assert [row[4] for row in rows[1:]] == [
        typeset_interval(own, digits=0, has_sign=True) for own in found.ratings.seats
    ]
    assert [round((own.mean or 0) / 400) for own in found.ratings.seats] == [1, 0, -1]


def test_lengths_and_savings(games: list[GameResult], leaf: ParsedPage) -> None:
    """The page has the shortest, the mean and the longest game, and the ratio of `reductions` with its interval."""
    lengths = [count_bot_decisions(game) for game in games]
    by_points = estimate_reduction(games, points)
    assert by_points.ratio is not None
    assert by_points.low is not None
    assert by_points.high is not None

    assert (
        f"Shortest {min(lengths):,}, mean {sum(lengths) / len(lengths):,.1f}, longest {max(lengths):,} decisions."
        in leaf.text
    )
    assert leaf.rows["saved-table"][1][1:3] == [
        typeset_number(by_points.ratio, 2),
        f"{typeset_number(by_points.low, 2)} to {typeset_number(by_points.high, 2)}",
    ]


def test_the_order_of_the_games_is_nothing(store: Store, games: list[GameResult]) -> None:
    """Games that are counted backwards come to the same standings, notable games and evidence."""
    faulty = [_add_fault(game) if game.game_id % 7 == 3 else game for game in games]
    there, back = (count_report(store.header, played) for played in (faulty, list(reversed(faulty))))

    assert [name for name, _ in there.numbered_standings] == [name for name, _ in back.numbered_standings]
    assert list(there.notable.games()) == list(back.notable.games())
    assert there.tally.first_faults == back.tally.first_faults != {}
    assert there.lengths == back.lengths


def _add_fault(game: GameResult) -> GameResult:
    return replace(game, seats=(replace(game.seats[0], fault="late"), *game.seats[1:]))


def test_notable_games() -> None:
    """The notable games are the longest, that with the greatest margin, the closest, and the first with a fault.

    Of equal ones it is the first, and a forfeit counts for no margin.
    """
    notable = NotableGames()
    totals = [[5.0, 3.0], [9.0, 1.0], [4.0, 4.0], [9.0, 1.0], [50.0, 0.0], [4.0, 4.0]]
    for number, own in enumerate(totals):
        game = replace(game_result(0, number, 0, (0, 1), own), game_id=number)
        first, second = game.seats
        if number == 4:
            second = replace(second, fault="late")
        notable.consider(replace(game, seats=(replace(first, decisions=number % 4), second)))

    assert {name: game.game_id for name, game in notable.games()} == {
        "The longest": 3,
        "The greatest margin": 1,
        "The closest": 2,
        "The first with a fault": 4,
    }


def test_a_game_of_few_points(tmp_path: Path) -> None:
    """Where fewer points are better, the chance is that of the one with fewer.

    It has the colour of the better one, and the page says so.
    """
    store = Store(write_tournament_store(tmp_path, 2, 2, 20))
    turned = [
        replace(game, seats=tuple(replace(seat, points=-seat.points) for seat in game.seats))
        for game in store.results()
    ]
    found = count_report(store.header, turned)
    [pair] = compare_entrants(turned, 2)
    assert pair.points.chance is not None

    assert found.tally.lowest_wins
    assert found.compare_pair(0, 1)[1].chance == pytest.approx(1 - pair.points.chance)
    assert '<td>–</td><td class="up3"><b>−' in pairs_section(found).markup
    assert "Fewer points are better in this game." in standings_section(found).markup


def test_pairs_with_rare_large_scores(store: Store) -> None:
    """A pair's cell judges by places, then by points, where one block has much of the variance of points."""
    games = [
        game_result(0, deal, turn, seats, [200.0 if deal == 7 else deal % 2 / 2, 1.0][:: -1 if turn else 1])
        for deal in range(60)
        for turn, seats in enumerate(((0, 1), (1, 0)))
    ]
    found = count_report(replace(store.header, entries=store.header.entries[:2], seats=2, block_games=2), games)
    [pair] = compare_entrants(games, 2)
    assert (pair.places.is_sure, pair.points.is_sure) == (True, False)

    [[_, _, cell], _] = ParsedPage(pairs_section(found).markup).rows["pairs-table"][1:]
    share = typeset_signed(-100 * (pair.places.estimate.mean or 0), 1)
    assert cell == f"{share} % {format_chance(1 - (pair.places.chance or 0))} sure −2.57 points"


def test_a_block_of_more_games(store: Store) -> None:
    """Where a deal is played in more orders than seats, no block is complete before all are there."""
    found = count_report(replace(store.header, block_games=2 * SEATS), store.results())

    assert found.blocks == 0
    assert all(line.blocks == 0 for _, line in found.numbered_standings)
