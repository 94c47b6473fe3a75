"""A person's record against each bot."""

from __future__ import annotations

import pytest

from pitboss.outcome import Sides, solo_sides
from pitboss_tournament.play.duel_records import DuelRecord, count_duels, word_duels
from pitboss_tournament.statistics.scoring import GameResult, SeatResult


def make_result(game_id: int, *seats: tuple[int, int]) -> GameResult:
    """Return a game; each seat has its entrant and its place."""
    return GameResult(
        game_id, 0, 0, 0, tuple(SeatResult(entrant, 0, place, 0, None, {}, 1, 1, {}) for entrant, place in seats)
    )


@pytest.mark.parametrize(
    ("people", "sides", "games", "expected"),
    [
        ([0], solo_sides(2), [[(0, 1), (1, 2)], [(1, 1), (0, 2)], [(0, 1), (1, 1)]], [DuelRecord(0, 1, 1, 1, 1)]),
        ([0], solo_sides(3), [[(2, 1), (0, 2), (1, 3)]], [DuelRecord(0, 1, 1, 0, 0), DuelRecord(0, 2, 0, 1, 0)]),
        ([0, 1], solo_sides(3), [[(0, 2), (1, 3), (2, 1)]], [DuelRecord(0, 2, 0, 1, 0), DuelRecord(1, 2, 0, 1, 0)]),
        (
            [0],
            ((0, 2), (1, 3)),
            [[(0, 1), (1, 2), (2, 1), (3, 2)], [(2, 2), (0, 1), (1, 2), (3, 1)]],
            [DuelRecord(0, 1, 2, 0, 0), DuelRecord(0, 2, 1, 0, 0), DuelRecord(0, 3, 1, 0, 0)],
        ),
        ([0], ((0, 1),), [[(0, 1), (1, 1)]], []),
        ([0, 1], solo_sides(2), [[(0, 1), (1, 2)]], []),
    ],
    ids=["two", "three", "two people", "partners", "all together", "no bot"],
)
def test_games_between_a_person_and_a_bot(
    people: list[int], sides: Sides, games: list[list[tuple[int, int]]], expected: list[DuelRecord]
) -> None:
    """The better place wins, wherever they sat; a partner is no opponent, nor another person."""
    results = [make_result(number, *seats) for number, seats in enumerate(games)]

    assert count_duels(results, people, sides) == expected


def test_words() -> None:
    """A record is one line."""
    line = word_duels(DuelRecord(0, 1, 3, 5, 1), ["You", "sorter"])

    assert line == "You against sorter: 3 won, 5 lost, 1 drawn"
