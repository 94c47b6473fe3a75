"""Rosters as Canvas, Moodle and spreadsheets write them."""

from __future__ import annotations

from pathlib import Path

import pytest

from pitboss.errors import ConfigError
from pitboss_tournament.league.roster import LARGEST_ROSTER, read_class, read_roster

BOTH = ["Ada Lovelace", "José Núñez"]
CANVAS = """Student,ID,SIS User ID,SIS Login ID,Section,Bots (41)
    Points Possible,,,,,10
"Lovelace, Ada",17,s17,ada,A,
"Núñez, José",18,s18,jose,A,
"Student, Test",19,,x,A,
"""
MOODLE = """First name,Last name,ID number,Email address
Ada,Lovelace,17,ada@example.org
José,Núñez,18,jose@example.org
"""


@pytest.mark.parametrize(
    "data",
    [
        pytest.param("Ada Lovelace\n\nJosé Núñez".encode(), id="a name a line"),
        pytest.param("owner\nAda Lovelace,a comment\nJosé Núñez\n".encode(), id="a comment"),
        pytest.param(CANVAS.encode("utf-8-sig"), id="Canvas"),
        pytest.param(MOODLE.encode(), id="Moodle"),
        pytest.param("Surname\tGiven name\r\nLovelace\tAda\r\nNúñez\tJosé\r\n".encode("utf-16"), id="Unicode text"),
        pytest.param("Mark;Name\r\n;Ada Lovelace\r\n1,3;José Núñez\r\n".encode("cp1252"), id="Windows, semicolons"),
        pytest.param('"Lovelace, Ada"\n"Núñez, José"\n'.encode("latin-1"), id="last names first"),
    ],
)
def test_a_roster(tmp_path: Path, data: bytes) -> None:
    """Each form gives the same two names."""
    (tmp_path / "class.csv").write_bytes(data)

    assert read_roster(tmp_path / "class.csv") == BOTH


def test_a_roster_with_teams(tmp_path: Path) -> None:
    """A column Team makes owners of teams; whoever has none is an owner alone, and Group is another matter."""
    (tmp_path / "class.csv").write_text("Name,Group,Team\nAda,A,Foxes\nBob,A,\nCy,B,Foxes\n")

    found = read_class(tmp_path / "class.csv")

    assert found.owners == ["Foxes", "Bob"]
    assert found.teams == {"Foxes": ["Ada", "Cy"]}
    assert [line.name for line in found.students] == ["Ada", "Bob", "Cy"]
    assert found.headings == ["Name", "Group", "Team"]


def test_all_of_a_roster_is_kept(tmp_path: Path) -> None:
    """Lines of the roster that stand for no student stay as they were, with all columns and separators."""
    (tmp_path / "class.csv").write_text(CANVAS)

    found = read_class(tmp_path / "class.csv")

    assert [line.name for line in found.lines] == ["", *BOTH, ""]
    assert found.lines[0].cells[0].strip() == "Points Possible"
    assert (found.lines[1].cells[3], found.delimiter) == ("ada", ",")


@pytest.mark.parametrize(
    ("data", "names"),
    [
        pytest.param(
            'Student,ID\n"Kim, Min",41\n"Kim, Min",42\nAda,43\n', ["Min Kim (41)", "Min Kim (42)", "Ada"], id="ID"
        ),
        pytest.param("Name,ID,SIS Login ID\nMin,,min\nMin,2,kim\n", ["Min (min)", "Min (kim)"], id="login"),
        pytest.param("Name,Email address\nMin,a@x.org\nMin,b@x.org\n", ["Min (a)", "Min (b)"], id="mail"),
        pytest.param("Name,ID,Team\nMin,1,Foxes\nMin,2,\n", ["Min (1)", "Min (2)"], id="team"),
    ],
)
def test_students_of_one_name(tmp_path: Path, data: str, names: list[str]) -> None:
    """Students of one name have an ID, a login or the first part of a mail address behind it; others do not."""
    (tmp_path / "class.csv").write_text(data)

    found = read_class(tmp_path / "class.csv")

    assert [line.name for line in found.students] == names
    assert found.told_apart == names[:2]


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "there is no owner in it"),
        (b"First name,Last name\n", "there is no owner in it"),
        (b"Name,Team\nAda,Bob\nBob,\n", "the team 'Bob' is called like a student"),
        (b"Name\nAda\nBob\n Ada \n", "'Ada' occurs twice, in lines 2 and 4"),
        (b"Name,ID\nAda,1\nAda,1\n", "'Ada' occurs twice, in lines 2 and 3; keep one line, or give each an ID"),
        (b"Ada\n<b>\n", "line 2: '<b>' is no name of an owner"),
        (b'Ada\n"' + b"x" * 200_000 + b'"\n', "line 2: cannot be read as CSV"),
        (b"\n" * (LARGEST_ROSTER + 1), "has more than 10,485,760 bytes"),
    ],
)
def test_a_roster_that_is_refused(tmp_path: Path, data: bytes, said: str) -> None:
    """The sentence says what is wrong, and in which line."""
    (tmp_path / "class.csv").write_bytes(data)

    with pytest.raises(ConfigError, match=said):
        read_roster(tmp_path / "class.csv")
