"""Duplicate results as PBN: boards of one deal stand together, with IMPs and a table, as other programs read them."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from pitboss import Random
from pitboss.errors import ConfigError
from pitboss.game import resolve_options
from pitboss.records.record import Record, require_games
from pitboss_bridge.game import Bridge
from pitboss_bridge.pbn_deal import write_seed
from pitboss_bridge.pbn_reading import read_boards, read_deals
from pitboss_bridge.pbn_results import COLUMNS, write_results
from tests.games.test_bridge_pbn import play_record

GAME = Bridge()
TAGS = re.compile(r'\[(\w+) "(.*)"\]')


def play_boards_of(deal: str, *auctions: str) -> list[Record]:
    """Return records of one board at several tables, where cards are played at random after these calls."""
    state = GAME.deal(4, resolve_options(GAME, 4, "single"), Random(deal))
    seed = write_seed(3, [state.faces(hand) for hand in state.hands])
    return [play_record(seed, calls, first_board=None) for calls in auctions]


def write_lines(records: Sequence[Record]) -> list[str]:
    """Return the lines of a file with the results of these games, numbered from 0."""
    return [*write_results(GAME, enumerate(records))]


def test_the_results_of_two_deals() -> None:
    """Boards of a deal follow one another, the first with a table of all; IMPs are means against the others."""
    passed, small, doubled = play_boards_of("one", "pass pass pass pass", "1C pass pass pass", "7NT X pass pass pass")
    other = play_boards_of("two", "1C pass pass pass")
    swapped = replace(doubled, players=[doubled.players[seat] for seat in (1, 2, 3, 0)])

    lines = write_lines([passed, *other, small, swapped])

    assert [line for line in lines if line.startswith("[Event")] == [
        f'[Event "Pitboss, game {number}"]' for number in (0, 2, 3, 1)
    ]
    tables = [place for place, line in enumerate(lines) if line == f'[ScoreTable "{COLUMNS}"]']
    rows = [line.split() for line in lines[tables[0] + 1 : lines.index("", tables[0])]]
    scores = [int(record.outcome.points[0]) for record in (passed, small, swapped)]
    assert [row[2:4] for row in rows] == [["Pass", "-"], ["1C", "S"], ["7NTX", "S"]]
    assert [int(row[5]) for row in rows] == scores
    assert sum(float(row[6]) for row in rows) == pytest.approx(0, abs=0.02)
    assert sum(float(row[7]) for row in rows) == pytest.approx(150, abs=0.2)
    assert [(row[0], row[1], row[8]) for row in rows] == [
        *([("1", "2", "ann-cy")] * 2),
        ("2", "1", "b'o'b-dora"),
    ]
    assert [value for name, value in tags_of(lines) if name == "ScoreIMP"] == [
        *(f"NS {float(row[6]):.2f}" for row in rows),
        "NS 0.00",
    ]
    assert lines[tables[1] + 1].split()[6:8] == ["0.00", "50.0"]


def test_results_are_read_again() -> None:
    """A file of results is one of boards, too: its games are read again, and the deal of each."""
    records = play_boards_of("one", "pass pass pass pass", "1C pass pass pass")

    found = [*require_games(read_boards(GAME, write_lines(records)))]
    options = resolve_options(GAME, 4, "single")

    assert [one.outcome for one in found] == [one.outcome for one in records]
    assert [*read_deals(GAME, 4, options, write_lines(records))] == [records[0].seed] * 2


def test_results_of_another_scoring() -> None:
    """Boards of a rubber are not compared."""
    rubber = play_record("rubber", "7NT pass pass pass", scoring="rubber", deals=1)

    with pytest.raises(ConfigError, match="another scoring"):
        write_lines([rubber])


def tags_of(lines: Sequence[str]) -> list[tuple[str, str]]:
    """Return the tags of a file with their values."""
    return [(found[1], found[2]) for line in lines if (found := TAGS.fullmatch(line))]
