"""IMPs and matchpoints: a game is compared with those of the others who held the same cards."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from msgspec.structs import replace

from pitboss.game import find_difference_scale, resolve_options
from pitboss_bridge.game import Bridge
from pitboss_bridge.scoring import count_imps
from pitboss_tournament.statistics.same_cards import convert_games, convert_results, count_matchpoints
from pitboss_tournament.statistics.scoring import GameResult, SeatResult
from pitboss_tournament.store.store import Store
from tests.tournament.command_line import run_pitboss

SIDES = ((0, 2), (1, 3))
PAIRS = (0, 1, 2, 3), (1, 0, 3, 2), (2, 3, 0, 1), (3, 2, 1, 0)  # by rotation: 0 and 2 are partners
FILE = """
game = "bridge"
preset = "single"
deals = 1
seed = "s"
sandbox = "none"
bots = ["house:bridge", "house:first", "house:random", "house:search?worlds=1"]
"""


def make_seat(entrant: int, points: float, place: int, fault: str | None = None) -> SeatResult:
    """Return the result of a seat without times."""
    return SeatResult(
        entrant=entrant,
        points=points,
        place=place,
        win=float(place == 1),
        fault=fault,
        substituted={},
        decisions=0,
        think_us=0,
        think="",
    )


def make_board(rotation: int, points: float, bots: Sequence[int] | None = None, table: int = 0) -> GameResult:
    """Return a board on which seats 0 and 2 have these points, and the others as many less than nothing."""
    seated = bots or PAIRS[rotation]
    values = [points, -points, points, -points]
    seats = (make_seat(bot, value, 1 + (value < 0)) for bot, value in zip(seated, values, strict=True))
    return GameResult(4 * table + rotation, table, 0, rotation, tuple(seats))


def values_of(games: Sequence[GameResult], bot: int) -> list[float]:
    """Return the points of a bot by game."""
    return [next(seat.points for seat in game.seats if seat.entrant == bot) for game in games]


def test_two_pairs_in_imps() -> None:
    """A pair's results are compared with the other's in the same seats, each with each."""
    games = [make_board(rotation, points) for rotation, points in enumerate((620, 170, 650, 620))]

    found = convert_games(games, count_imps, SIDES)

    # bots 0 and 2: 620 and 650 against 170 and 620 (450: 10, 0: 0, 480: 10, 30: 1), and as East and West the same
    assert values_of(found, 0) == values_of(found, 2) == [5, 10, 5.5, 0.5]
    assert values_of(found, 1) == [-one for one in values_of(found, 0)]
    assert [seat.place for seat in found[0].seats] == [1, 2, 1, 2]
    assert [seat.win for seat in found[3].seats] == [0, 1, 0, 1]  # 620 points are the worse result of that board


def test_equal_results_are_a_tie() -> None:
    """Equal results are a tie, whatever the cards gave."""
    found = convert_games([make_board(rotation, 420) for rotation in range(4)], count_imps, SIDES)

    assert {seat.points for game in found for seat in game.seats} == {0}
    assert {(seat.place, seat.win) for game in found for seat in game.seats} == {(1, 0.5)}


def test_each_for_itself_and_fewer_points_are_better() -> None:
    """In a game of two where the lower points win, matchpoints go to the lower ones."""
    games = [
        GameResult(0, 0, 0, 0, (make_seat(0, 3, 1), make_seat(1, 9, 2))),
        GameResult(1, 0, 0, 1, (make_seat(1, 5, 1), make_seat(0, 9, 2))),
    ]

    found = convert_games(games, count_matchpoints, None)

    assert values_of(found, 0) == [100, 50]  # 3 against 5 in seat 0, 9 against 9 in seat 1
    assert values_of(found, 1) == [50, 0]


def test_all_tables_of_a_deal() -> None:
    """A pair is compared with those of the other tables too where all are dealt the same."""
    first = [make_board(rotation, points) for rotation, points in enumerate((100, 50, 100, 50))]
    others = [
        make_board(rotation, points, [bot + 4 for bot in PAIRS[rotation]], table=1)
        for rotation, points in enumerate((70, 70, 120, 120))
    ]
    results = [*first, *others]

    alone = list(convert_results(results, count_matchpoints, 4, SIDES, by_deal=False))
    together = list(convert_results(results, count_matchpoints, 4, SIDES, by_deal=True))

    assert values_of(alone[:4], 0) == [100, 100, 100, 100]
    assert values_of(together[:4], 0) == pytest.approx([400 / 6, 100, 400 / 6, 100])


def test_who_forfeits_stays_last() -> None:
    """A bot that forfeits stays last, whatever the comparison of its points says."""
    games = [make_board(rotation, points) for rotation, points in enumerate((620, 170, 650, 620))]
    seats = [
        replace(seat, fault="late" if seat.entrant == 0 else None, place=3 - seat.place) for seat in games[0].seats
    ]
    games[0] = replace(games[0], seats=tuple(seats))

    found = convert_games(games, count_imps, SIDES)

    assert [seat.place for seat in found[0].seats] == [2, 1, 2, 1]


def test_incomplete_blocks() -> None:
    """Incomplete blocks come last, as they are."""
    results = [make_board(0, 620), make_board(0, 90, table=1), *(make_board(rotation, 170) for rotation in (1, 2, 3))]

    found = list(convert_results(results, count_imps, 4, SIDES, by_deal=False))

    assert [game.pairing for game in found] == [0, 0, 0, 0, 1]
    assert found[-1] == results[1]


def test_imps_are_for_single_boards() -> None:
    """A game says of its options that IMPs are for single boards."""
    game = Bridge()

    assert find_difference_scale(game, resolve_options(game, 4, "single")).name == "IMPs"
    assert [count_imps(points) for points in (10, 20, 450, -450, 4000)] == [0, 1, 10, -10, 24]


@pytest.mark.long
@pytest.mark.once
def test_results_are_scored_anew(tmp_path: Path) -> None:
    """Another `score` in the file shows other results of the same games; they are headed with what they are."""
    path, store = tmp_path / "t.toml", tmp_path / "t.pitboss"
    names, games = [], []
    for score in ("imps", "matchpoints", "points"):
        path.write_text(f'score = "{score}"\n{FILE}')
        assert run_pitboss("run", str(path)).status == 0
        lines = run_pitboss("standings", str(store), "--json").json_value["standings"]
        means = [line["points"]["mean"] for line in lines]
        assert score == "points" or means == sorted(means, reverse=True)
        assert sum(means) == pytest.approx(200 if score == "matchpoints" else 0)
        names.append(lines[0]["counted"])
        games.append(list(Store(store).results()))
        if score == "imps":
            assert " IMPs " in run_pitboss("standings", str(store)).out
            report = run_pitboss("compare", "--from", str(store), "house:random", "house:first", "--json").json_value
            assert report["deals"] == 1
            assert run_pitboss("plan", "--from", str(store)).status == 0

    assert names == ["IMPs", "matchpoints %", "points"]
    assert games[0] == games[1] == games[2]


@pytest.mark.once
@pytest.mark.parametrize(
    ("game", "words", "said"),
    [
        ("bridge", ("-s", "score=imps"), "score is 'imps': bridge: IMPs compare single boards"),
        ("spades", ("-s", "score=imps"), "score is 'imps': spades has no IMP scale for differences of points"),
        ("spades", ("-s", "score=matchpoints", "-s", "reduce=luck"), "score is 'matchpoints' and reduce is 'luck'"),
    ],
)
def test_what_cannot_be_scored_so(game: str, words: Sequence[str], said: str) -> None:
    """A game that the score does not fit is refused before its first game is played."""
    ran = run_pitboss("match", game, *["house:random"] * 4, *words, "--deals", "1", "--sandbox", "none")

    assert ran.status == 2
    assert said in ran.err


@pytest.mark.once
@pytest.mark.long
def test_a_comparison_goes_by_the_score(tmp_path: Path) -> None:
    """A comparison by the score gives the same while it is played as from its store afterwards."""
    words = ("house:random", "house:first", "--json")
    how = ("-p", "single", "-s", "score=imps", "--games", "16", "--seed", "b", "--sandbox", "none")

    played = run_pitboss("compare", "bridge", *words, *how, "--store", "x.pitboss", cwd=tmp_path).json_value
    judged = run_pitboss("compare", *words, "--from", "x.pitboss", cwd=tmp_path).json_value

    assert judged["points"] == played["points"]
    assert judged["proof_better"] == played["proof_better"] > 0
