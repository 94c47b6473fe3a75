"""Bridge as LIN: boards are those that were played, and what is wrong is told with its line."""

from __future__ import annotations

import re

import pytest

from pitboss.errors import RecordError
from pitboss.records.record import Record, require_games, verify
from pitboss_bridge.game import Bridge
from pitboss_bridge.lin_reading import read_lin
from pitboss_bridge.pbn_reading import read_boards
from tests.foreign_files import end_early, list_foreign_files, play_boards, write_lin, write_pbn

GAME = Bridge()
BOARDS = play_boards()
TEXT = write_lin(end_early(BOARDS[0], 18), is_split=True)


def read_text(text: str) -> list[Record]:
    """Return the records of a text."""
    return list(require_games(read_lin(GAME, text.splitlines())))


@pytest.mark.parametrize("cards", [0, 18, 52])
def test_boards_are_those_of_pbn(cards: int) -> None:
    """A board as LIN and as PBN becomes the same record."""
    boards = [end_early(board, cards) for board in BOARDS] if cards < 52 else BOARDS
    same = list(require_games(read_boards(GAME, write_pbn(boards).splitlines())))

    assert read_text("".join(map(write_lin, boards))) == same
    for record in same:
        verify(record, GAME)


def test_the_rooms_of_a_match() -> None:
    """The closed room plays the cards of the open room, and the results at the head tell the tricks of a claim."""
    [text] = [file.data.decode() for file in list_foreign_files() if file.name == "match.lin"]
    open_room, closed_room = read_text(text)

    assert (open_room.seed, open_room.outcome) == (closed_room.seed, closed_room.outcome)
    assert [open_room.players, closed_room.players] == [["c", "d", "a", "b"], ["g", "h", "e", "f"]]
    assert open_room.outcome.points[0] == BOARDS[0].score
    with pytest.raises(RecordError, match="Contract is '3H'; what was played is '2H'"):
        read_text(text.replace("rs|2H", "rs|3H"))


@pytest.mark.parametrize(
    ("right", "wrong", "said"),
    [
        ("mb|2H|", "mb|1C|", "line 5: '1C' by S is not legal there"),
        ("mb|2H|", "mb|8H|", "line 5: '8H' is no call; calls are 1C to 7N, p, d and r"),
        ("mc|", "mc|9", "is 0 to 13 tricks"),
        ("md|3", "md|9", "line 2: the hand of S is '9"),
        ("md|3S", "md|3X", "line 1: the hand of S is 'X"),
        ("md|3", "xx|3", "line 1: the board that begins here has no md"),
        ("sv|n|", "sv|q|", "line 2: sv is 'q'; it is o, n, e or b"),
        ("pc|", "pc|Z", "is no card; a card is its suit and rank, as SA, HT or D2"),
        ("pg||", "pg", "line 28: 'pg' is no LIN, whose tags are as mb|1C|"),
    ],
)
def test_a_wrong_tag(right: str, wrong: str, said: str) -> None:
    """A board with a wrong tag is refused in one sentence, which says what is wrong and in which line."""
    assert right in TEXT
    with pytest.raises(RecordError, match=re.escape(said)):
        read_text(f"qx|o5|\n{TEXT}".replace(right, wrong, 1) if right == "md|3" else TEXT.replace(right, wrong, 1))


def test_a_value_without_an_end() -> None:
    """A text of many lines without a tag is refused before it fills the memory."""
    with pytest.raises(RecordError, match="this is no LIN: a value has more than 65,536 characters"):
        list(read_lin(GAME, ("x" * 1_000 for _ in range(1_000_000))))
