"""The first screen: who is better, what went wrong, how long it took; in any width."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from msgspec.structs import asdict, replace

from pitboss.protocol.faults import Fault, FaultKind
from pitboss.records.record import Incident
from pitboss_tournament.counting.open_length import INCOMPLETE
from pitboss_tournament.counting.tally import Tally
from pitboss_tournament.results.notes import EQUAL_BLOCKS, FEW_BLOCKS, format_kinds, note_lines
from pitboss_tournament.results.numbers import format_interval, format_milliseconds, format_share
from pitboss_tournament.results.standings_rows import BotRow, number_rows
from pitboss_tournament.showing.standings_table import board_lines, explanation_lines, fault_lines
from pitboss_tournament.statistics.proven_ranks import RankRange
from pitboss_tournament.statistics.running_moments import Estimate, RunningMoments
from pitboss_tournament.statistics.scoring import GameResult, SeatResult
from pitboss_tournament.statistics.time_histogram import write_times
from pitboss_tournament.text.columns import fold_lines
from tests.synthetic_tournaments import game_result


def make_row(name: str, **changes: object) -> BotRow:
    """Return a line of the standings of a long tournament."""
    fields: dict[str, object] = {
        "name": name,
        "games": 120_000,
        "blocks": 60_000,
        "points": Estimate(1234.56, 12.3),
        "wins": Estimate(0.613, 0.042),
        "faults": {},
        "substituted": {},
        "think_ms": 1.0,
        "think_p50_ms": 0.123,
        "think_p99_ms": 1234.5,
        "is_out": False,
    }
    return BotRow(**{**fields, **changes})  # type: ignore[arg-type]


LINES = [
    make_row("plays_illegally", faults={"illegal": 9_000, "late": 1_000}, substituted={"late": 12_345}, is_out=True),
    make_row("house:first"),
    make_row(
        "never",
        think_p50_ms=None,
        think_p99_ms=None,
        points=Estimate(None, None),
        wins=Estimate(0.5, None),
        faults={"late": 1},
    ),
]


def test_shares_near_their_ends() -> None:
    """The intervals of shares near their ends do not leave 0 to 100 %."""
    assert format_share(Estimate(0.5, 0.1)) == "50.0 ±10.0"
    assert format_share(Estimate(0.97, 0.08)) == "97.0 [89.0, 100.0]"
    assert format_share(Estimate(0.02, 0.05)) == "2.0 [0.0, 7.0]"
    assert format_share(Estimate(0.5, None)) == "50.0 ±?"


def test_points_with_a_heavy_tail() -> None:
    """A win in a hundred that is worth 200 times as much is remarked upon, and wins stand before points."""
    tally = Tally(["a", "b"], 2, 10)
    for deal in range(100):
        for rotation, seats in enumerate(((0, 1), (1, 0))):
            worth = 200.0 if deal == 7 else 1.0
            tally.add(game_result(0, deal, rotation, seats, [worth + (deal % 3), 0.0]))
    lines = tally.standings()

    assert [line.largest_block and round(line.largest_block, 1) for line in lines] == [1.0, 1.0]
    assert any(line.startswith("One block accounts for up to ") for line in note_lines(tally, {}))
    heading = board_lines([BotRow(**asdict(line)) for line in lines])[0].text
    assert heading.index("wins") < heading.index("points")


@pytest.mark.parametrize("seed", range(5))
def test_points_without_a_heavy_tail(seed: int) -> None:
    """Nothing is said of normal points, few or many, of few wins among ties, or where one of many wins all."""
    rng = Random(seed)
    for count in (2, 3, 10, 100, 1000):
        for values in (
            [rng.gauss(0, 1) for _ in range(count)],
            rng.choices((-1.0, 0.0, 1.0), (5, 90, 5), k=count),
            rng.choices((0.0, 1.0), (97, 3), k=count),
        ):
            moments = RunningMoments()
            for value in values:
                moments.add(value)
            assert moments.dominant_share is None


def test_one_table_where_there_is_room() -> None:
    """The table has everything in one line for each bot, columns two blanks apart, where there is room."""
    heading, *rows = board_lines(number_rows(LINES))

    assert heading == (
        "  bot                games  blocks         points     wins %  p50 ms  p99 ms              faults",
        True,
    )
    assert rows == [
        ("1 plays_illegally  120,000  60,000  1,234.6 ±12.3  61.3 ±4.2    0.12   1,234  10,000 +12,345 out", False),
        ("2 house:first      120,000  60,000  1,234.6 ±12.3  61.3 ±4.2    0.12   1,234                   -", False),
        ("3 never            120,000  60,000              -    50.0 ±?       -       -                   1", False),
    ]


@pytest.mark.parametrize("width", [46, 50, 60, 70, 80, 100, 120])
def test_no_line_is_wider_than_the_screen(width: int) -> None:
    """Columns go, and the rest is put below; a name is cut at last.

    No cell is folded, and times and faults are always there.
    """
    lines = board_lines(number_rows(LINES), width)

    assert max(len(line.text) for line in lines) <= width
    text = "\n".join(line.text for line in lines)
    for cell in ("1,234.6 ±12.3", "61.3 ±4.2", "0.12   1,234", "10,000 +12,345 out"):
        assert cell in text


def test_where_it_is_narrow_names_are_cut() -> None:
    """Names are cut where the board is narrow, to the length for which there is room."""
    lines = [line.text for line in board_lines(number_rows([make_row("a" * 40), make_row("b")]), 44)]

    assert max(map(len, lines)) == 44
    assert lines[1].startswith("1 aaaaaaaa")
    assert "…" in lines[1]


def test_an_interval_that_is_not_known() -> None:
    """An interval that is not known is not made up."""
    assert format_interval(Estimate(None, None)) == "-"
    assert format_interval(Estimate(0.5, None), 100) == "50.0 ±?"


@pytest.mark.parametrize(("ms", "written"), [(None, "-"), (0.018, "0.02"), (12.34, "12.3"), (1999.6, "2,000")])
def test_times_have_the_digits_that_tell_something(ms: float | None, written: str) -> None:
    """Hundredths of a millisecond matter only where there are few."""
    assert format_milliseconds(ms) == written


def test_what_a_bot_did_wrong() -> None:
    """The first screen has how often a bot did wrong, by kind, the most frequent first; the first time with its
    sentence, and the end of standard error behind a margin; and the commands that show it.
    """
    fault = Fault(kind="illegal", seat=1, decision=4, message="it chose 9")
    lines = list(
        fault_lines(
            *(LINES[0], (17, Incident(fault=fault, last_words="x\n  KeyError: 9\n\n")), Path("my games/x.pitboss")),
            check="pitboss check mine --game racko",
        )
    )

    assert lines == [
        "plays_illegally: 10,000 games forfeited (illegal 9,000, late 1,000), "
        "12,345 decisions substituted (late 12,345); it is out of the tournament",
        "  first in game 17, question 4, illegal: it chose 9",
        "  its standard error then:",
        "     | x",
        "     |   KeyError: 9",
        "  what to do: answer with an index into `legal`, from 0, or an entry unchanged; of a range, with a number "
        "within it",
        "  to check it: pitboss check mine --game racko",
        "  to see it: pitboss replay 'my games/x.pitboss' 17",
        "  what was said: pitboss log 'my games/x.pitboss' 17 --seat 1",
        "  to ask it again: pitboss ask 'my games/x.pitboss' 17 --seat 1",
    ]


def test_below_the_board() -> None:
    """The board has nothing below it where nothing is unusual; else intervals that are not known, and void games by
    cause.
    """
    seats = tuple(SeatResult(bot, points, 1, 0.5, None, {}, 0, 1, {}) for bot, points in enumerate((1, 2)))
    tally = Tally(["a", "b"], 1, 9)
    assert list(note_lines(tally, {})) == []

    tally.add(GameResult(0, 0, 0, 0, seats, write_times([64] * 99 + [8192])))
    unknown, voids = note_lines(tally, {"no_process": 1, "no_sandbox": 2})
    assert unknown == FEW_BLOCKS
    assert voids == "Void without a fault of a bot, and played again: 3 games (no_sandbox 2, no_process 1)."

    for deal in range(1, 4):
        tally.add(GameResult(deal, 0, deal, 0, (replace(seats[0], points=5), replace(seats[1], points=7, win=0.4)), {}))
    assert list(note_lines(tally, {})) == [FEW_BLOCKS]
    tally.add(GameResult(4, 0, 4, 0, (replace(seats[0], win=0.4), seats[1]), {}))
    assert list(note_lines(tally, {})) == []


def test_blocks_that_are_all_alike() -> None:
    """Blocks that are all alike are the reason for no interval where there are enough of them; the first sentence is
    not said then. With an interval that holds whenever one stops, seven are enough.
    """
    tally = Tally(["a", "b"], 1, 9)
    seats = (SeatResult(0, 1, 1, 1.0, None, {}, 0, 1, {}), SeatResult(1, 0, 2, 0.0, None, {}, 0, 1, {}))
    for deal in range(5):
        tally.add(GameResult(deal, 0, deal, 0, seats, {}))

    assert next(iter(note_lines(tally, {}))) == EQUAL_BLOCKS
    assert EQUAL_BLOCKS not in note_lines(tally, {}, open_length=INCOMPLETE)


def test_what_the_columns_mean() -> None:
    """Each column has its sentence, and the runner's lag has its figures, where somebody asks for them."""
    tally = Tally(["a", "b"], 2, 9)
    seats = tuple(SeatResult(bot, 1, 1, 0.5, None, {}, 0, 1, {}) for bot in range(2))
    tally.add(GameResult(0, 0, 0, 0, seats, write_times([64] * 99 + [8192])))

    rows = [BotRow(**asdict(line)) for line in tally.standings()]
    *columns, zero, lag = explanation_lines(rows, tally, anchor="a")
    headings = ["rank", "bot", "games", "blocks", "points", "wins %", "p50 ms", "p99 ms", "faults"]
    assert [line.partition(": ")[0] for line in columns] == headings
    assert zero == "The 0 of ratings is a."
    assert lag == "The runner's lag in reading answers: p50 0.06 ms, p99 0.06 ms; billed to nobody."
    tally.add(GameResult(1, 0, 0, 1, seats, write_times([64])))
    *_, unseen, _ = explanation_lines([BotRow(**asdict(line)) for line in tally.standings()], tally)
    assert unseen.startswith("points: what happened in none of 1 block may still happen in 100 % of all. ")


@pytest.mark.parametrize(
    ("fault", "effect"),
    [
        (None, "No bot lost by that, but thinking times are less exact than on a calm machine."),
        ("crashed", "No bot lost by that, but thinking times are less exact than on a calm machine."),
        ("late", "No bot was billed for that, but a might not have been late on a calm machine."),
    ],
)
def test_on_a_machine_that_was_overloaded(fault: FaultKind | None, effect: str) -> None:
    """A warning says how late the runner was, and that no bot lost by that only if no bot was late."""
    tally = Tally(["a", "b"], 2, 9)
    seats = tuple(SeatResult(bot, 1, 1, 0.5, None if bot else fault, {}, 0, 1, {}) for bot in range(2))
    tally.add(GameResult(0, 0, 0, 0, seats, write_times([64] * 90 + [8192] * 10)))

    *_, warning = note_lines(tally, {})
    assert warning.startswith("Warning: the machine was overloaded. The runner was 8 ms late, or later, ")
    assert warning.endswith(effect)


def test_bots_that_share_ranks() -> None:
    """Shared ranks stand before the names, to the right; a bot without a rank has a dash."""
    ranks = (RankRange(1, 2), RankRange(11, 12), None)
    lines = board_lines([replace(row, rank=rank) for row, rank in zip(LINES, ranks, strict=True)])

    assert [line.text[:12] for line in lines] == [" rank bot   ", "  1–2 plays_", "11–12 house:", "    - never "]


def test_kinds_that_are_equally_frequent() -> None:
    """Kinds that are equally frequent stand by name, so that the same games always give the same line."""
    assert format_kinds({"late": 2, "crashed": 2, "illegal": 3}) == "illegal 3, crashed 2, late 2"


def test_a_bot_can_forge_no_line_of_the_screen() -> None:
    """Line ends and escapes in what it wrote stay in its line, as letters."""
    lines = [text for text, _ in fold_lines(["first: \x1b[2J\n1 me  99"], 80)]

    assert lines == [r"first: \x1b[2J 1 me  99"]
