"""Partners whom no game separates: they are rated and ranked as one, and a match of two bots is one of two sides."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from msgspec.structs import replace

from pitboss.plugins.registry import Registry
from pitboss_tournament.config.versions import ComparisonSettings, find_company, seat_versions
from pitboss_tournament.counting.counts import Counts
from pitboss_tournament.counting.findings import Findings
from pitboss_tournament.plan.plan import Entrant, StopBounds
from pitboss_tournament.plan.settings import TournamentFile
from pitboss_tournament.results.headline import make_headline, place_lines
from pitboss_tournament.results.notes import NEVER_SEPARATED, note_lines
from pitboss_tournament.results.verdict import tell_verdict
from pitboss_tournament.statistics.proven_ranks import RankRange
from pitboss_tournament.statistics.scoring import GameResult
from pitboss_tournament.store.header import Header
from pitboss_tournament.store.store import Store
from tests.synthetic_tournaments import game_result
from tests.tournament.command_line import run_pitboss

SIDES = ((0, 2), (1, 3))
NAMES = ("ann", "bea", "ann-2", "bea-2")
ORDERS = ((0, 1, 2, 3), (1, 2, 3, 0), (2, 3, 0, 1), (3, 0, 1, 2))  # partners stay partners
SEPARATED = ((0, 1, 3, 2), (1, 3, 2, 0), (3, 2, 0, 1), (2, 0, 1, 3))  # bot 0 with bot 3


def play_deals(orders: Sequence[tuple[int, ...]], winners: Sequence[frozenset[int]]) -> list[GameResult]:
    """Return the games of a table: on each deal a side wins in all orders, if these bots are the side."""
    return [
        game_result(0, deal, rotation, order, [float(bot in won) for bot in order])
        for deal, won in enumerate(winners)
        for rotation, order in enumerate(orders)
    ]


def count_games(header: Header, games: Sequence[GameResult]) -> Findings:
    """Return the findings of games of four bots."""
    entries = [replace(header.entries[0], name=name) for name in NAMES]
    counts = Counts(replace(header, seats=4, entries=entries, sides=SIDES))
    counts.add_all(games)
    return Findings(counts)


def test_a_side_is_ranked_as_one(header: Header) -> None:
    """Six deals that one side has won in all orders are a verdict; either partner has the place of the side."""
    rated = count_games(header, play_deals(ORDERS, [frozenset({0, 2})] * 6))

    assert next(tell_verdict(rated, None)).startswith(
        "Verdict head to head, by places, 98 % sure: ann + ann-2 is better"
    )
    headline = make_headline(rated)
    assert headline.leaders == ["ann + ann-2"]
    assert list(place_lines(headline)) == ["1: ann and ann-2", "2: bea and bea-2"]
    assert rated.rank_ranges == dict(zip(NAMES, [RankRange(1, 1), RankRange(2, 2)] * 2, strict=True))
    ann, partner = (rated.ratings.rating_of(bot) for bot in (0, 2))
    assert replace(partner, name="ann", entrant=0) == ann
    assert rated.ratings.group_count == 1
    assert NEVER_SEPARATED in note_lines(rated.tally, {}, rated.ratings)


def test_an_open_match_of_sides(header: Header) -> None:
    """Sides that have won equally often share the first place, by the names of all four."""
    rated = count_games(header, play_deals(ORDERS, [frozenset({0, 2}), frozenset({1, 3})] * 5))

    headline = make_headline(rated)

    assert headline.text.startswith("Not decided between ann + ann-2 and bea + bea-2")
    assert list(place_lines(headline)) == ["1–2: ann, ann-2, bea and bea-2, tied"]


def test_partners_that_were_separated_are_ranked_alone(header: Header) -> None:
    """As soon as a game separates partners, each bot has a rating of its own."""
    games = [*play_deals(ORDERS, [frozenset({0, 2})] * 6), *play_deals(SEPARATED, [frozenset({0, 3})] * 6)]
    for game in games[24:]:
        games[games.index(game)] = replace(game, pairing=1)

    rated = count_games(header, games)

    assert rated.ratings.partners == ()
    assert rated.ranked_names == dict(enumerate(NAMES))


@pytest.mark.once
def test_a_match_of_two_bots(tmp_path: Path) -> None:
    """In a game of partners each of two bots has copies of itself as its partners."""
    file = tmp_path / "games.pitboss"
    done = run_pitboss("match", "spades", "house:first", "house:random", "--deals", "1", "--store", str(file))

    assert done.status == 0
    store = Store(file)
    names = store.header.labels
    sides = {
        frozenset(names[seat.entrant] for seat in result.seats if seat.place == place)
        for result in store.results()
        for place in (1, 2)
    }
    assert {"house:first", "house:first-2"} in sides
    assert all(side in ({"house:first", "house:first-2"}, {"house:random", "house:random-2"}, set()) for side in sides)


def test_a_comparison_has_no_company_in_a_game_of_partners() -> None:
    """Without --among the partner of each of the two is a copy of it; with --among it is a bot of one's choice."""
    bounds = StopBounds(low=0.0, high=25.0, alpha=0.05, beta=0.05)
    asked = ComparisonSettings(settings=TournamentFile(game="spades", bots=[]), bounds=bounds, most_games=100)
    old, new = Entrant(name="old", command=("old",)), Entrant(name="new", command=("new",))

    assert find_company(asked, Registry()) == []
    assert find_company(replace(asked, among="house:first"), Registry()) == ["house:first"]
    assert find_company(replace(asked, settings=TournamentFile(game="hearts", bots=[])), Registry()) == ["house:hearts"]
    seated = [one.name for one in seat_versions(old, new, None, 4, SIDES)]
    assert seated == ["old", "new", "old-2", "new-2"]
