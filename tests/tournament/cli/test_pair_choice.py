"""Which pairs are shown: all of a small field, and of a large one those of the top and of neighbours that met."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path
from random import Random

import pytest

from pitboss_tournament.counting.pair_choice import MAX_PAIRED_BOTS, TOP_BOTS, choose_pairs, list_pairs_of
from pitboss_tournament.counting.stored_findings import StoredFindings
from pitboss_tournament.statistics.head_to_head import HeadToHead
from pitboss_tournament.store.store import Store
from tests.synthetic_tournaments import game_result
from tests.tournament.command_line import run_pitboss
from tests.tournament.report_stores import write_results

BOTS = MAX_PAIRED_BOTS + 1
NAMES = [f"bot{number}" for number in range(BOTS)]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return a store of many bots, of which each met the next five."""
    rng, games = Random(1), []
    for number, (one, other) in enumerate((one, one + step) for one in range(BOTS) for step in range(1, 6)):
        pair = (one, other % BOTS)
        for rotation, seats in enumerate((pair, pair[::-1])):
            points = [float(-own - rng.random()) for own in seats]
            order = sorted(zip(points, seats, strict=True), reverse=True)
            games.append(game_result(number, 0, rotation, tuple(own for _, own in order), [own for own, _ in order]))
    write_results(tmp_path / "many.pitboss", games, NAMES).close()
    return tmp_path / "many.pitboss"


def test_a_small_field() -> None:
    """A small field shows all pairs, whether they met or not."""
    choice = choose_pairs(HeadToHead(MAX_PAIRED_BOTS), range(MAX_PAIRED_BOTS)[::-1])

    assert [*combinations(range(MAX_PAIRED_BOTS), 2)] == choice.pairs
    assert choice.tell("x") is None


def test_a_large_field(path: Path) -> None:
    """A large field shows each bot beside the next one below it that it met, and all pairs of the top that met."""
    summary = StoredFindings(Store(path))
    order = [summary.names.index(line.name) for line in summary.standings]

    pairs, left_out = summary.pair_choice

    met = {frozenset(pair) for pair in summary.meetings.list_pairs()}
    shown = {frozenset(pair) for pair in pairs}
    assert shown <= met
    assert {frozenset(pair) for pair in combinations(order[:TOP_BOTS], 2)} & met <= shown
    for place, bot in enumerate(order):
        below = [other for other in order[place + 1 :] if frozenset((bot, other)) in met]
        assert not below or frozenset((bot, below[0])) in shown
    assert BOTS * (BOTS - 1) // 2 == len(pairs) + left_out


def test_comparisons_of_some(path: Path) -> None:
    """The comparisons of the shown pairs are the same as among all pairs."""
    summary = StoredFindings(Store(path))
    pairs = summary.pair_choice.pairs

    of_all = {(one.entrant, one.other): one for one in summary.comparisons}

    assert [of_all[pair] for pair in pairs] == summary.shown_comparisons


@pytest.mark.long
@pytest.mark.once
def test_what_is_left_out_is_told(path: Path) -> None:
    """A note names the command that shows the pairs left out; all pairs of one bot are a line each, and CSV has all
    pairs.
    """
    shown = run_pitboss("standings", str(path), "--pairs").out
    one = run_pitboss("standings", str(path), "--pairs-of", "bot3").out

    assert "pairs are left out" in shown
    assert "--pairs-of NAME" in shown
    assert all(name in one for name in NAMES)
    assert "left out" not in one
    lines = run_pitboss("standings", str(path), "--pairs", "--csv").out.splitlines()
    assert 1 + BOTS * (BOTS - 1) // 2 == len(lines)


def test_pairs_of_a_bot() -> None:
    """The pairs of a bot are those with each other bot once, the lower number first."""
    assert [(0, 1), (0, 2), (1, 2)] == list_pairs_of([2, 0], range(3))
