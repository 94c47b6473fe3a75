"""Grades: points by a rubric, the table that goes back into Canvas or Moodle, and wrong rubrics."""

from __future__ import annotations

import csv
import io
import json
import re
import tomllib
from collections.abc import Sequence
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest
from msgspec.structs import replace

from pitboss_tournament.config.toml_file import TomlFileError
from pitboss_tournament.league.book import Book
from pitboss_tournament.league.class_standings import ClassLine
from pitboss_tournament.league.grades import (
    GradeParts,
    GradesOutput,
    add_parts,
    choose_place,
    compute_parts,
    find_anchor_points,
)
from pitboss_tournament.league.grades_file import GradesTable, TopTable
from pitboss_tournament.league.league_folder import League, read_league
from pitboss_tournament.league.site.rules_page import rules_content
from pitboss_tournament.league.term_keeper import TermKeeper
from tests.league.league_process import make_league
from tests.league.played_leagues import GOOD, LeagueBot, PlayedLeague, add_version, make_played_league, play_on_paper
from tests.plugins import load_registry
from tests.tournament.command_line import run_pitboss

DOCS: Final = Path(__file__).parents[2] / "docs"
RUBRIC: Final = GradesTable(
    valid=40,
    beats={"rung:*": 5, "rung:3": 12, "house:random": 1},
    tiers=[30, 20],
    top=[TopTable(percent=10, points=9), TopTable(percent=50, points=4)],
    most=90,
    late_points=8,
)
LINE: Final = ClassLine(
    submission=1,
    sent="",
    late_days=2,
    place=3,
    best=1,
    worst=6,
    tier=2,
    beats={"rung:1": 0.99, "rung:3": 0.96, "rung:4": 0.94, "house:random": 0.999},
)
CANVAS: Final = """Student,ID,SIS User ID,SIS Login ID,Section,course (41),Remark
,,,,,Manual Posting,
    Points Possible,,,,,10,
"Lovelace, Ada",17,s17,ada,A,,
"Núñez, José",18,s18,jose,A,,
"Nobody, Nick",19,s19,nick,A,,
"Student, Test",20,,x,A,7,
"""
BOTS: Final = (LeagueBot("Ada Lovelace", "strong"), LeagueBot("José Núñez", "fox"), LeagueBot("Eve Else", "owl"))


def test_the_parts_of_the_points() -> None:
    """Points come from a valid version, each anchor that is beaten with proof, the tier and the place; late days take
    points off.
    """
    parts = compute_parts(RUBRIC, LINE, places=10)

    assert parts == GradeParts(valid=40, beats=5 + 12 + 1, tier=20, top=4, late=16)
    assert add_parts(RUBRIC, parts) == 82 - 16


@pytest.mark.parametrize(
    ("end", "place", "points"), [("best", 1, 9), ("middle", 3.5, 4), ("worst", 6, 0)], ids=["best", "middle", "worst"]
)
def test_the_place_that_counts(end: Any, place: float, points: float) -> None:  # noqa: ANN401 - a literal
    """Of the places that a version may have, the rubric names the one that counts."""
    assert choose_place(LINE, end) == place
    assert compute_parts(replace(RUBRIC, place=end), LINE, places=10).top == points


def test_bounds_of_the_points() -> None:
    """Late days take points off what is left of the most, and nobody has fewer than none."""
    assert add_parts(RUBRIC, GradeParts(valid=100, late=16)) == 90 - 16
    assert add_parts(RUBRIC, GradeParts(valid=10, late=16)) == 0


def test_a_version_without_a_place() -> None:
    """A version without a place has no points for tier and place."""
    bare = ClassLine(submission=1, sent="")

    assert compute_parts(RUBRIC, bare, places=0) == GradeParts(valid=40)


def test_another_sureness() -> None:
    """The rubric says how sure the proof must be."""
    assert compute_parts(replace(RUBRIC, sure=90), LINE, places=10).beats == 5 + 12 + 5 + 1
    assert compute_parts(replace(RUBRIC, sure=99.5), LINE, places=10).beats == 1


def test_the_rubric_of_the_docs() -> None:
    """The rubric that docs/league.md shows is one, and has each key."""
    text = (DOCS / "league.md").read_text()
    [rubric] = re.findall(r"```toml\n(\[grades\].*?)```", text, re.DOTALL)

    found = msgspec.convert(tomllib.loads(rubric)["grades"], GradesTable)

    assert {name for name in GradesTable.__struct_fields__ if name not in tomllib.loads(rubric)["grades"]} == set()
    assert find_anchor_points(found.beats, "rung:4") == 15
    assert find_anchor_points(found.beats, "rung:2") == 5


@pytest.mark.once
@pytest.mark.parametrize(
    ("rules", "said"),
    [
        ('[grades.beats]\n"rung:3" = 5', "'rung:3' is no anchor of the league"),
        ("[grades]\nlate_days = 3", "has no `closes`"),
        ("[grades]\nvalid = -1", "valid"),
        ("[grades]\ntiers = [3, -1]", "tiers"),
        ("[grades]\nsure = 100", "sure"),
        ('[grades]\nplace = "lowest"', "place"),
        ('[grades]\nzone = "Mars/Base"', "is no time zone"),
        (
            "[[grades.top]]\npercent = 50\npoints = 1\n[[grades.top]]\npercent = 10\npoints = 2",
            "smallest percent first",
        ),
        ("[[grades.top]]\npercent = 0\npoints = 1", "percent"),
        ("[grades]\nbonus = 3", "bonus"),
    ],
)
def test_wrong_rubrics(tmp_path: Path, rules: str, said: str) -> None:
    """A rubric that cannot hold is refused with the line of the file."""
    make_league(tmp_path / "course")
    with (tmp_path / "course" / "league.toml").open("a") as file:
        file.write(rules)

    with pytest.raises(TomlFileError, match=said) as caught:
        read_league(tmp_path / "course", load_registry())

    assert "league.toml:" in str(caught.value)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> PlayedLeague:
    """Return a league of three owners with a rubric, whose standings are frozen."""
    found = make_class(tmp_path_factory.mktemp("grades") / "course", BOTS, 0)
    file = found.folder / "league.toml"
    closes = datetime.now(UTC) + timedelta(hours=1)
    text = file.read_text().replace("[submissions]", f"[submissions]\ncloses = {closes.isoformat()}")
    file.write_text(f"{text}\n[grades]\nvalid = 40\ntiers = [30]\nmost = 100\ngames = 1\n")
    return found


def make_class(folder: Path, bots: Sequence[LeagueBot], rounds: int) -> PlayedLeague:
    """Make a league of people whose names have several words, the first bots the strongest."""
    named = {bot.owner: f"owner{number}" for number, bot in enumerate(bots)}
    found = make_played_league(folder, [bot._replace(owner=named[bot.owner]) for bot in bots], rounds)
    with closing(Book(found.store)) as book:
        for change in ("league_owners set name", "league_tokens set owner", "league_submissions set owner"):
            where = change.rpartition(" ")[2]
            for name, made in named.items():
                book._db.execute(f"update {change} = ? where {where} = ?", (name, made))
        book._db.commit()
    return found


def grade(played: PlayedLeague, *words: str) -> list[dict[str, str]]:
    """Return the lines of the grades of a class, by heading."""
    done = run_pitboss("league", "grades", str(played.folder), *words)
    assert done.status == 0, done.err
    return list(csv.DictReader(io.StringIO(done.out)))


@pytest.mark.once
def test_back_into_canvas(played: PlayedLeague, tmp_path: Path) -> None:
    """All columns of Canvas's file stay as they are, and all cells of lines of no student; points stand in
    the column of the assignment; details follow, or not.
    """
    (tmp_path / "canvas.csv").write_text(CANVAS)

    lines = grade(played, "--roster", str(tmp_path / "canvas.csv"))
    bare = grade(played, "--roster", str(tmp_path / "canvas.csv"), "--points-only")

    assert [line["Student"] for line in bare] == [line["Student"] for line in csv.DictReader(io.StringIO(CANVAS))]
    assert [line["course (41)"] for line in bare] == ["Manual Posting", "10", "40", "40", "0", "7"]
    assert [line["ID"] for line in bare] == ["", "", "17", "18", "19", "20"]
    assert list(bare[0]) == CANVAS.splitlines()[0].split(",")
    assert [line["Bot"] for line in lines] == ["", "", "strong", "fox", "", ""]
    assert lines[4]["Note"] == "nothing was submitted"
    assert lines[2]["Submission"] == "/versions/1"


@pytest.mark.once
@pytest.mark.parametrize(
    ("possible", "shown", "is_told"),
    [("10", "10", True), ("", "100", False), ("100", "100", False), ("100.00", "100.00", False)],
)
def test_the_possible_points(played: PlayedLeague, tmp_path: Path, possible: str, shown: str, is_told: bool) -> None:
    """The possible points of the roster stay; the most points of the rubric fill an empty cell, or a note says that
    they are others.
    """
    (tmp_path / "canvas.csv").write_text(CANVAS.replace(",,,,,10,", f",,,,,{possible},"))

    done = run_pitboss("league", "grades", str(played.folder), "--roster", str(tmp_path / "canvas.csv"))

    assert [*csv.DictReader(io.StringIO(done.out))][1]["course (41)"] == shown
    assert (
        "course: the roster has 10 points possible, which stay, and `most` in [grades] is 100" in done.err
    ) is is_told


@pytest.mark.once
def test_a_student_with_a_token_in_a_group(tmp_path: Path) -> None:
    """Whoever is in a group, and has a token alone as well, has one line and the points of the group, with a roster and
    without; the note names the bot that does not count.
    """
    found = make_class(tmp_path / "course", (LeagueBot("Ada Lovelace", "strong"), LeagueBot("Foxes", "fox")), 0)
    with (found.folder / "league.toml").open("a") as file:
        file.write("[grades]\nvalid = 40\n")
    with closing(Book(found.store)) as book:
        book.add_tokens(["Xi"])
        book.set_group("Foxes", ["Xi", "ada lovelace"], "host")
    (tmp_path / "class.csv").write_text("Name\nAda Lovelace\nXi\n")

    bare = grade(found)
    listed = run_pitboss("league", "grades", str(found.folder), "--roster", str(tmp_path / "class.csv"), "--json")

    assert [(line["Student"], line["course"], line["Group"]) for line in bare] == [
        ("Xi", "40", "Foxes"),
        ("ada lovelace", "40", "Foxes"),
    ]
    [assignment] = listed.json_value["assignments"]
    no_place = "no place: it has 0 games, and 20 are needed"
    assert [(one["student"], one["points"], one["note"]) for one in assignment["grades"]] == [
        ("Ada Lovelace", 40, f"{no_place}; strong of Ada Lovelace alone: the group counts"),
        ("Xi", 40, no_place),
    ]
    assert assignment["not_listed"] == []


@pytest.mark.once
def test_a_version_that_came_too_late(played: PlayedLeague, tmp_path: Path) -> None:
    """The note of a version that came after the end says by how many days."""
    found = make_class(tmp_path / "course", BOTS[:1], 0)
    with closing(Book(found.store)) as book:
        book._db.execute("update league_submissions set received = '2026-01-03T01:00:00+00:00'")
        book._db.commit()
    file = found.folder / "league.toml"
    file.write_text(file.read_text().replace("[submissions]", "[submissions]\ncloses = 2026-01-01T00:00:00Z"))

    [line] = grade(found)

    assert line["Note"] == "strong@1 does not count: it came too late, by 3 days"


@pytest.mark.once
def test_few_games(tmp_path: Path) -> None:
    """A version with fewer games than the rubric asks for, or than a quarter of the median, has a note."""
    found = make_class(tmp_path / "course", BOTS, 30)
    with closing(Book(found.store)) as book:
        book.add_tokens(["Late Lee"])
        last = add_version(found.folder, book, LeagueBot("Late Lee", "late", "placing"))
        play_on_paper(found.folder, book, 1, seed="late")
        book.move(last.number, "playing", GOOD)
    file = found.folder / "league.toml"
    file.write_text(file.read_text().replace("[league]", "[league]\nplacing_games = 2") + "[grades]\ngames = 2\n")

    notes = {line["Student"]: (int(line["Games"]), line["Note"]) for line in grade(found)}

    games, note = notes.pop("Late Lee")
    assert 2 < games < min(other for other, _ in notes.values()) / 4
    assert note == f"few games: {games}"
    assert {note for _, note in notes.values()} == {""}


@pytest.mark.once
def test_back_into_moodle(played: PlayedLeague, tmp_path: Path) -> None:
    """A file of Moodle keeps its separators and columns; points have a column with the league's name."""
    (tmp_path / "moodle.csv").write_text("Surname;First name;Email address\nLovelace;Ada;ada@example.org\n")

    done = run_pitboss(
        "league", "grades", str(played.folder), "--roster", str(tmp_path / "moodle.csv"), "--points-only"
    )

    assert done.out.splitlines() == ["Surname;First name;Email address;course", "Lovelace;Ada;ada@example.org;40"]
    assert "not in the roster: Eve Else and José Núñez" in done.err


@pytest.mark.once
def test_without_a_roster(played: PlayedLeague) -> None:
    """Without a roster all owners are graded, but not those who are hosts; a link begins with the address."""
    lines = grade(played, "--address", "https://league.example.org/")

    assert [line["Student"] for line in lines] == ["Ada Lovelace", "Eve Else", "José Núñez"]
    assert lines[0]["Bot page"] == "https://league.example.org/bots/strong"


@pytest.mark.once
def test_grades_as_json(played: PlayedLeague) -> None:
    """The JSON is what its schema says, and says why grades are not final yet."""
    done = run_pitboss("league", "grades", str(played.folder), "--json")
    found = msgspec.json.decode(done.out, type=GradesOutput)

    [assignment] = found.assignments
    assert not assignment.is_final
    assert assignment.why_not_final.startswith("somebody may submit until ")
    assert "not final (somebody may submit until" in done.err
    assert json.loads(run_pitboss("schema", "grades").out)["$ref"].endswith("GradesOutput")
    assert [one.total for one in found.totals] == [40, 40, 40]


@pytest.mark.once
def test_several_assignments(tmp_path: Path) -> None:
    """Of several leagues in a folder each is a column, with a total; a student who is in one of them alone has the
    points of that one.
    """
    make_class(tmp_path / "term" / "racko", BOTS[:2], 0)
    make_class(tmp_path / "term" / "hearts", BOTS[1:], 0)
    for name, points in (("racko", 10), ("hearts", 5)):
        with (tmp_path / "term" / name / "league.toml").open("a") as file:
            file.write(f"[grades]\nvalid = {points}\n")
    (tmp_path / "class.csv").write_text("Name,Section\nAda Lovelace,A\nJosé Núñez,B\nNick Nobody,B\n")

    done = run_pitboss("league", "grades", str(tmp_path / "term"), "--roster", str(tmp_path / "class.csv"))

    assert done.out.splitlines() == [
        "Name,Section,hearts,racko,Total",
        "Ada Lovelace,A,0,10,10",
        "José Núñez,B,5,10,15",
        "Nick Nobody,B,0,0,0",
    ]


@pytest.mark.once
def test_leagues_of_one_name(tmp_path: Path) -> None:
    """Two leagues of one name would share a column: they are refused, as is a folder without any."""
    for name in ("one", "two"):
        make_league(tmp_path / name / "course")
    (tmp_path / "empty").mkdir()

    twice = run_pitboss("league", "grades", str(tmp_path / "one"), str(tmp_path / "two"))
    none = run_pitboss("league", "grades", str(tmp_path / "empty"))

    assert (twice.status, none.status) == (2, 2)
    assert "two leagues are called 'course'" in twice.err
    assert "holds no league.toml" in none.err


@pytest.mark.once
def test_final_grades_say_so(tmp_path: Path) -> None:
    """After the standings were frozen grades are final, and the games give them again."""
    found = make_class(tmp_path / "course", BOTS, 30)
    file = found.folder / "league.toml"
    closes = datetime.now(UTC) - timedelta(hours=1)
    with closing(Book(found.store)) as book:
        book._db.execute("update league_submissions set received = '2026-01-01T00:00:00+00:00'")
        book._db.commit()
        file.write_text(file.read_text().replace("[submissions]", f"[submissions]\ncloses = {closes.isoformat()}"))
        before = run_pitboss("league", "grades", str(found.folder), "--json")
        with file.open("a") as rules:
            rules.write("[grades]\ngames = 10\nvalid = 1\n")
        TermKeeper(read_league(found.folder, load_registry()), book, lambda text: None).look()

    after = msgspec.json.decode(run_pitboss("league", "grades", str(found.folder), "--json").out, type=GradesOutput)

    [was], [now] = msgspec.json.decode(before.out, type=GradesOutput).assignments, after.assignments
    assert (was.is_final, was.is_repeated) == (False, None)
    assert "the standings are frozen after 100 games" in was.why_not_final
    assert (now.is_final, now.is_repeated, now.why_not_final) == (True, True, "")
    assert len(now.moment.rules) == len(now.moment.seed) == 64
    assert {one.place for one in now.grades} == {1, 2, 3}
    check_frozen_groups(found)
    check_changed_rubric(found)


def check_frozen_groups(found: PlayedLeague) -> None:
    """Check that a later change of a group changes final grades by --again alone, and is told."""
    changed = run_pitboss("league", "group", str(found.folder), "José Núñez", "Ada Lovelace", "José Núñez")
    before = run_pitboss("league", "grades", str(found.folder), "--json")
    again = run_pitboss("league", "group", str(found.folder), "--again")
    after = run_pitboss("league", "grades", str(found.folder), "--json")

    assert "groups have changed since the freeze; final grades go by the groups of then" in changed.err
    assert "groups have changed since the freeze" in before.err
    assert (again.status, again.err, "groups have changed" in after.err) == (0, "", False)
    was, now = (one.json_value["assignments"][0] for one in (before, after))
    assert (was["has_other_groups"], now["has_other_groups"]) == (True, False)
    assert [one["bot"] for one in was["grades"]] == ["strong", "owl", "fox"]
    assert [one["bot"] for one in now["grades"]] == ["fox", "owl", "fox"]
    with closing(Book(found.store)) as book:
        assert [one.about for one in book.audit() if one.what == "frozen"][-1] == "groups, for grades that are final"


def check_changed_rubric(found: PlayedLeague) -> None:
    """Check that a rubric that is not that of the freeze is told."""
    file = found.folder / "league.toml"
    file.write_text(file.read_text().replace("valid = 1", "valid = 2"))

    done = run_pitboss("league", "grades", str(found.folder), "--json")

    assert "course: [grades] has changed since the freeze (`valid`): the points follow the rubric of today" in done.err
    assert done.json_value["assignments"][0]["changed_rubric"] == ["valid"]


@pytest.mark.once
def test_the_rubric_on_the_page_of_the_rules(played: PlayedLeague) -> None:
    """The page of the rules says in words what points are given for; without a rubric it says nothing of grades."""
    league = read_league(played.folder, load_registry())
    named = league._replace(file=replace(league.file, grades=RUBRIC))

    shown, bare = ("".join(f"{part}" for part in rules_content(one)) for one in (named, without_rubric(league)))

    for said in ("40", "5 for each rung that is not named; 12 for rung:3", "30 for tier 1; 20 for tier 2", "90 points"):
        assert f"<dd>{said}" in shown
    assert "9 for the best 10 %; 4 for the best 50 %" in shown
    assert "Grades" not in bare


def without_rubric(league: League) -> League:
    """Return a league that gives no grades."""
    return league._replace(file=replace(league.file, grades=GradesTable()))
