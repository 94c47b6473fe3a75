"""A term of a class: from the roster to grades that go back into Canvas; late days, an extension, a group, a copy."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

import pytest

from pitboss_tournament.league.book import Book
from pitboss_tournament.league.league_folder import read_league
from pitboss_tournament.league.term_keeper import TermKeeper
from pitboss_tournament.store.rows import utc_now
from tests.league.archives import make_bot_tar
from tests.league.league_process import LeagueProcess, make_league, run_league, wait_until
from tests.league.test_similarity import IDEA, LOOP, rename
from tests.plugins import load_registry
from tests.tournament.command_line import run_pitboss

pytestmark = [pytest.mark.once, pytest.mark.long]

CLASS: Final = """Student,ID,SIS Login ID,Section,Team,Magpie (7)
    Points Possible,,,,,100
"Archer, Ann",1,ann,A,,
"Baker, Bob",2,bob,A,,
"Cook, Cy",3,cy,A,,
"Dyer, Dee",4,dee,A,Foxes,
"Eyre, Eve",5,eve,A,Foxes,
"Glover, Gil",6,gil,A,,
"Hunter, Hal",7,hal,A,,
"Ives, Ivy",8,ivy,A,,
"Student, Test",9,,A,,
"""
RULES: Final = """
name = "Magpie"
placing_games = 4
deals = 1
anchors = ["house:random"]
"""
RUBRIC: Final = """
[grades]
valid = 50
tiers = [20, 10]
late_days = 2
late_points = 15
games = 4
most = 100
zone = "Europe/Zurich"
[grades.beats]
"house:random" = 5
"""
PROGRAMS: Final = {
    "Ann Archer": LOOP.format(code=IDEA, call='find_heaviest(message["legal"])'),
    "Bob Baker": LOOP.format(code=rename(IDEA), call='go(message["legal"])'),
    "Cy Cook": LOOP.format(code="", call="0"),
    "Foxes": LOOP.format(code="", call='len(message["legal"]) - 1'),
    "Gil Glover": LOOP.format(code="", call='len(message["legal"]) // 2'),
    "Hal Hunter": LOOP.format(code="", call='len(message["legal"]) // 3'),
}
IN_TIME: Final = ("Ann Archer", "Bob Baker", "Cy Cook", "Foxes")


def submit_bot(league: LeagueProcess, owner: str, tokens: Mapping[str, str]) -> None:
    """Submit the bot of an owner, and wait until it is valid."""
    files = {"bot.py": PROGRAMS[owner].encode()}
    answer = league.put(owner.replace(" ", "-").lower(), tokens[owner], make_bot_tar(files))
    assert answer.status == 202, answer.value
    found = league.wait(answer.value["number"], tokens[owner])
    assert found["state"] in ("placing", "playing"), found


def set_closes(folder: Path, closes: datetime) -> None:
    """Let submissions end at a time."""
    file = folder / "league.toml"
    kept = [line for line in file.read_text().splitlines() if not line.startswith("closes")]
    kept.insert(kept.index("[submissions]") + 1, f"closes = {closes.isoformat()}")
    file.write_text("\n".join(kept))


def have_played(league: LeagueProcess, games: int) -> bool:
    """Whether all versions have played so often."""
    ladder = league.ask("GET", "/api/ladder").value
    versions = [*ladder["ranked"], *ladder["newcomers"]]
    return len(versions) == len(PROGRAMS) and all(one["games"] >= games for one in versions)


def test_a_term(tmp_path: Path) -> None:
    """The roster makes tokens and a team. Whoever submits in time, late, with an extension or not at all gets the
    points of the rubric, in the teacher's own file; a copy with other names is found; a season follows.
    """
    folder, roster = tmp_path / "course", tmp_path / "class.csv"
    make_league(folder, owners="teacher", rules=RULES)
    with (folder / "league.toml").open("a") as file:
        file.write(RUBRIC)
    set_closes(folder, datetime.now(UTC) + timedelta(days=1))
    roster.write_text(CLASS)

    made = run_pitboss("token", "new", str(folder), "--csv", str(roster))
    tokens = {row["owner"]: row["token"] for row in csv.DictReader(io.StringIO(made.out))}
    assert tokens.keys() == {*PROGRAMS, "Ivy Ives"}
    with run_league(folder, "--no-play") as league:
        for owner in IN_TIME:
            submit_bot(league, owner, tokens)

    with closing(Book(folder / "league.pitboss")) as book:
        closes = datetime.fromisoformat(max(one.at for one in book.list_uploads()))
    set_closes(folder, closes)
    until = (datetime.now(UTC) + timedelta(days=1)).isoformat()
    extended = run_pitboss("league", "extend", str(folder), "Hal Hunter", "--until", until, "--json")
    assert extended.json_value["owner"] == "Hal Hunter"
    with run_league(folder, "--workers", "1") as league:
        wait_until(league, lambda: datetime.fromisoformat(utc_now()) > closes)
        submit_bot(league, "Gil Glover", tokens)
        submit_bot(league, "Hal Hunter", tokens)
        wait_until(league, lambda: have_played(league, 4))
        early = run_pitboss("league", "grades", str(folder), "--roster", str(roster), "--json")
    assert not early.json_value["assignments"][0]["is_final"]

    similar = run_pitboss("league", "similar", str(folder), "--json")
    [pair] = [one for one in similar.json_value["pairs"] if one["stands_out"]]
    assert {pair["one_owner"], pair["other_owner"]} == {"Ann Archer", "Bob Baker"}

    with closing(Book(folder / "league.pitboss")) as book:
        keeper = TermKeeper(read_league(folder, load_registry()), book, lambda text: None)
        keeper.look(datetime.now(UTC) + timedelta(days=9))
        frozen = [one.about for one in book.audit() if one.what == "frozen"]
    assert [one.partition(":")[0] for one in frozen] == ["versions", "standings"]
    assert frozen[0] == "versions: 4 versions in time"

    graded = run_pitboss("league", "grades", str(folder), "--roster", str(roster), "--json")
    [found] = graded.json_value["assignments"]
    assert (found["is_final"], found["is_repeated"], found["not_listed"]) == (True, True, [])
    check_grades({one["student"]: one for one in found["grades"]})
    check_canvas(folder, roster, {one["student"]: one["points"] for one in found["grades"]})

    check_next_season(folder, tmp_path / "next", roster)


def check_next_season(folder: Path, target: Path, roster: Path) -> None:
    """Check that the class begins a season: with its tokens and groups, and with no bot."""
    renewed = run_pitboss("league", "renew", str(folder), str(target), "--json")
    assert renewed.status == 0, renewed.err
    assert renewed.json_value["bots"] == []
    groups = run_pitboss("league", "group", str(target), "--json").json_value
    assert groups == {"Foxes": ["Dee Dyer", "Eve Eyre"]}
    again = run_pitboss("token", "new", str(target), "--csv", str(roster))
    assert again.out.splitlines() == ["owner,token,Student,ID,SIS Login ID,Section,Team,Magpie (7)"]
    assert renewed.json_value["dropped"] == ["closes", "late_days"]
    graded = run_pitboss("league", "grades", str(target), "--roster", str(roster), "--json").json_value
    assert {one["note"] for one in graded["assignments"][0]["grades"]} == {"nothing was submitted"}


def check_grades(grades: Mapping[str, Mapping[str, object]]) -> None:
    """Check who has submitted what, when, and with whom."""
    late = {name: one["late_days"] for name, one in grades.items()}
    assert late == {**dict.fromkeys(grades, 0), "Gil Glover": 1}
    assert {name for name, one in grades.items() if one["extended"]} == {"Hal Hunter"}
    assert grades["Dee Dyer"]["group"] == grades["Eve Eyre"]["group"] == ["Dee Dyer", "Eve Eyre"]
    assert {**grades["Dee Dyer"], "student": ""} == {**grades["Eve Eyre"], "student": ""}
    assert (grades["Ivy Ives"]["points"], grades["Ivy Ives"]["note"]) == (0, "nothing was submitted")
    assert {one["place"] for name, one in grades.items() if name != "Ivy Ives"} == set(range(1, 7))
    for name, one in grades.items():
        parts = one["parts"]
        assert isinstance(parts, dict)
        assert one["points"] == parts["valid"] + parts["beats"] + parts["tier"] + parts["top"] - parts["late"]
        assert parts["late"] == (15 if name == "Gil Glover" else 0)
        assert parts["valid"] == (0 if name == "Ivy Ives" else 50)


def check_canvas(folder: Path, roster: Path, points: Mapping[str, float]) -> None:
    """Check the file that goes back into Canvas: the roster's own columns and lines, with points in their column."""
    done = run_pitboss("league", "grades", str(folder), "--roster", str(roster), "--points-only")
    was, now = ([*csv.reader(io.StringIO(text))] for text in (CLASS, done.out))
    assert [row[:-1] for row in now] == [row[:-1] for row in was]
    assert [row[-1] for row in now[:2]] == ["Magpie (7)", "100"]
    assert [float(row[-1]) for row in now[2:-1]] == list(points.values())
    assert now[-1][-1] == ""
