"""Extensions, late submissions and groups: the commands, and what the league takes after the end."""

from __future__ import annotations

import json
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

import msgspec
import pytest

from pitboss_tournament.league.book import Book
from pitboss_tournament.league.league_answers import SubmissionAnswer
from tests.league.asgi_requests import AppAnswer, open_app
from tests.league.league_process import make_league, run_league
from tests.league.page_visitor import PageVisitor
from tests.league.played_leagues import LeagueBot, make_played_league
from tests.tournament.command_line import CommandResult, run_pitboss

pytestmark = pytest.mark.once

CLOSED: Final = datetime.now(UTC) - timedelta(days=1, hours=12)
LATE: Final = "[grades]\nlate_days = {}\n"


def make_closed_league(folder: Path, late_days: int = 0, zone: str = "") -> dict[str, str]:
    """Make a league whose submissions ended two days ago; return the token of each owner."""
    tokens = make_league(folder, submissions=f"closes = {CLOSED.isoformat()}", owners="ada bob team-7")
    with (folder / "league.toml").open("a") as file:
        file.write(LATE.format(late_days) + (f'zone = "{zone}"\n' if zone else ""))
    return tokens


def run_here(folder: Path, command: str, *words: str) -> CommandResult:
    """Run a command of `pitboss league`."""
    return run_pitboss("league", command, str(folder), *words)


async def submit_late(folder: Path, token: str) -> AppAnswer:
    """Submit a bot now, after the end for all."""
    with open_app(folder) as user:
        return await user.put("fox", token)


async def test_after_the_end(tmp_path: Path) -> None:
    """After the end and the late days nothing is taken, and the sentence names the last moment."""
    tokens = make_closed_league(tmp_path / "course", late_days=1)

    answer = await submit_late(tmp_path / "course", tokens["ada"])

    assert answer.status == 403
    assert answer.error == f"submissions ended at {(CLOSED + timedelta(days=1)).isoformat()}"


async def test_in_the_late_days(tmp_path: Path) -> None:
    """Within the late days a submission is taken."""
    tokens = make_closed_league(tmp_path / "course", late_days=3)

    answer = await submit_late(tmp_path / "course", tokens["ada"])

    assert answer.status == 202
    assert msgspec.json.decode(answer.body, type=SubmissionAnswer).late_days == 2


async def test_an_extension_is_for_one_owner(tmp_path: Path) -> None:
    """Whoever has an extension may submit, and nobody else; the audit trail tells it."""
    tokens = make_closed_league(tmp_path / "course")
    until = datetime.now(UTC) + timedelta(days=1)

    done = run_here(tmp_path / "course", "extend", "ada", "--until", until.isoformat())

    assert f"The submissions of ada end at {until.isoformat()}" in done.out
    assert (await submit_late(tmp_path / "course", tokens["ada"])).status == 202
    assert (await submit_late(tmp_path / "course", tokens["bob"])).status == 403
    with closing(Book(tmp_path / "course" / "league.pitboss")) as book:
        assert [(one.who, one.about.partition(":")[0]) for one in book.audit() if one.what == "extended"] == [
            ("host", "ada")
        ]


def test_an_extension_by_the_clock(tmp_path: Path) -> None:
    """With a zone a time without its offset is that of its clocks, and late days end by them."""
    make_closed_league(tmp_path / "course", late_days=1, zone="Europe/Zurich")

    done = run_here(tmp_path / "course", "extend", "Ada", "--until", "2027-03-27 18:00", "--json")

    assert json.loads(done.out) == {
        "owner": "ada",
        "until": "2027-03-27T18:00:00+01:00",
        "last": "2027-03-28T18:00:00+02:00",
    }


@pytest.mark.parametrize(
    ("student", "until", "said"),
    [
        ("ade", "2027-03-27T18:00Z", "the league has no owner 'ade' (did you mean 'ada'?)"),
        ("ada", "2020-03-27T18:00Z", "is before the end for all"),
        ("ada", "2027-03-27 18:00", "does not say its zone"),
        ("ada", "soon", "is no date with a time"),
    ],
)
def test_extensions_that_are_refused(tmp_path: Path, student: str, until: str, said: str) -> None:
    """An extension of nobody, to a time before the end or to no moment changes nothing."""
    make_closed_league(tmp_path / "course")

    done = run_here(tmp_path / "course", "extend", student, "--until", until)

    assert done.status == 2
    assert said in done.err


def test_no_extension_without_an_end(tmp_path: Path) -> None:
    """Where submissions do not end, an extension says nothing."""
    make_league(tmp_path / "course")

    assert "do not end" in run_here(tmp_path / "course", "extend", "ada", "--until", "2027-03-27T18:00Z").err


def test_groups(tmp_path: Path) -> None:
    """A group has the people that are named last; a member's extension is the group's."""
    folder = tmp_path / "course"
    make_closed_league(folder)
    run_here(folder, "group", "team-7", "Ada Lovelace", "Bob", "bob")

    done = run_here(folder, "group", "team-7", "Ada Lovelace", "Cy")
    extended = run_here(folder, "extend", "ada  lovelace", "--until", "2027-03-27T18:00Z", "--json")
    other = run_here(folder, "group", "team-8", "Cy", "Dee")
    unknown = run_here(folder, "group", "team-9", "Dee")
    nobody = run_here(folder, "group", "team-9", "--nobody")

    assert done.out == "team-7: Ada Lovelace and Cy\n"
    assert json.loads(extended.out)["owner"] == "team-7"
    assert (other.status, "'Cy' is in the group 'team-7' already" in other.err) == (2, True)
    assert "team-9 has no token yet" in unknown.err
    assert nobody.out == "team-7: Ada Lovelace and Cy\n"
    assert run_here(folder, "group", "team-7").status == 2
    assert json.loads(run_here(folder, "group", "--json").out) == {"team-7": ["Ada Lovelace", "Cy"]}
    with closing(Book(folder / "league.pitboss")) as book:
        said = [one.about for one in book.audit() if one.what == "grouped"]
    assert said == ["team-7: Ada Lovelace and bob", "team-7: Ada Lovelace and Cy", "team-9: Dee", "team-9: nobody"]


def test_teams_of_a_roster(tmp_path: Path) -> None:
    """A roster with teams makes one token for each team, and says who is in it; each member has a line with the columns
    of the roster. Reading the roster again changes nothing.
    """
    folder = tmp_path / "course"
    make_league(folder)
    (tmp_path / "class.csv").write_text("Name,Team\nAda Lovelace,Foxes\nCy,Foxes\nDee,\n")

    first = run_pitboss("token", "new", str(folder), "--csv", str(tmp_path / "class.csv"))
    again = run_pitboss("token", "new", str(folder), "--csv", str(tmp_path / "class.csv"))

    assert [line.partition(",")[0] for line in first.out.splitlines()] == ["owner", "Foxes", "Foxes", "Dee"]
    assert [line.split(",", 2)[2] for line in first.out.splitlines()] == [
        "Name,Team",
        "Ada Lovelace,Foxes",
        "Cy,Foxes",
        "Dee,",
    ]
    assert len({line.split(",")[1] for line in first.out.splitlines()[1:]}) == 2
    assert again.out.splitlines() == ["owner,token,Name,Team"]
    assert run_here(folder, "group").out == "Foxes: Ada Lovelace and Cy\n"
    with closing(Book(folder / "league.pitboss")) as book:
        assert sum(one.what == "grouped" for one in book.audit()) == 1


def test_who_comes_into_a_group(tmp_path: Path) -> None:
    """A member with a bot alone is named with it, and so is whoever is no owner and was in no group before."""
    found = make_played_league(tmp_path / "course", [LeagueBot("ada", "fox"), LeagueBot("team-7", "owl")], 0)

    first = run_here(found.folder, "group", "team-7", "Ada", "Nobody Here")
    again = run_here(found.folder, "group", "team-7", "Nobody Here")

    assert "ada has 1 bot alone, fox: it counts no more" in first.err
    assert "Nobody Here is neither an owner nor in a group so far; the roster needs the same name" in first.err
    assert again.err == ""
    early = run_here(found.folder, "group", "--again")
    assert (early.status, "grades are not final yet" in early.err) == (2, True)


def test_a_group_that_is_erased(tmp_path: Path) -> None:
    """Erasing a group takes its members out of the groups of final grades, too."""
    folder = tmp_path / "course"
    make_league(folder, owners="team-7")
    with closing(Book(folder / "league.pitboss")) as book:
        book.set_group("team-7", ["Ada Lovelace"], "host")
        book.freeze_standings([], {}, "0 places", "host")
        assert book.graded_members() == {"Ada Lovelace": "team-7"}

    done = run_here(folder, "erase", "team-7")

    assert done.status == 0, done.err
    with closing(Book(folder / "league.pitboss")) as book:
        assert (book.members(), book.graded_members()) == ({}, {})


def test_a_roster_that_gets_teams(tmp_path: Path) -> None:
    """A roster that is read again with teams says whose own tokens still open the league, and how to revoke them."""
    folder, roster = tmp_path / "course", tmp_path / "class.csv"
    make_league(folder)
    roster.write_text("Name\nAda Lovelace\nCy\nDee\n")
    run_pitboss("token", "new", str(folder), "--csv", str(roster))
    roster.write_text("Name,Team\nAda Lovelace,Foxes\nCy,Foxes\nDee,\n")
    run_pitboss("token", "revoke", str(folder), "--owner", "Cy")

    said = run_pitboss("token", "new", str(folder), "--csv", str(roster)).err

    assert (
        f"Ada Lovelace is in Foxes, and still has a token alone: pitboss token revoke {folder} --owner 'Ada Love"
        in said
    )
    assert "Cy is" not in said
    assert "Dee is" not in said


def test_two_students_of_one_name(tmp_path: Path) -> None:
    """Two students of one name get a token each, by their IDs; whoever has a token by the bare name is named."""
    folder, roster = tmp_path / "course", tmp_path / "class.csv"
    make_league(folder, owners="Min")
    roster.write_text("Name,ID\nMin,41\nMin,42\n")

    made = run_pitboss("token", "new", str(folder), "--csv", str(roster))
    graded = run_here(folder, "grades", "--roster", str(roster), "--json")

    assert [line.partition(",")[0] for line in made.out.splitlines()] == ["owner", "Min (41)", "Min (42)"]
    assert "students of one name have an ID behind it: Min (41) and Min (42)" in made.err
    assert f"Min is an owner already; say which of them: pitboss league rename {folder} 'Min' NAME --owner" in made.err
    assert "students of one name have an ID behind it" in graded.err
    [assignment] = json.loads(graded.out)["assignments"]
    assert [(one["student"], one["owner"]) for one in assignment["grades"]] == [("Min (41)",) * 2, ("Min (42)",) * 2]


@pytest.mark.parametrize("late_days", [0, 2])
def test_the_page_says_when_submissions_end(tmp_path: Path, late_days: int) -> None:
    """The page for submissions tells everybody when they end, and whoever has an extension when theirs do."""
    folder = tmp_path / "course"
    tokens = make_closed_league(folder, late_days)
    run_here(folder, "extend", "ada", "--until", "2036-02-08T18:00+00:00")
    with run_league(folder, "--no-play") as league:
        visitor = PageVisitor(league)
        before = visitor.get("/submit").text
        visitor.log_in(tokens["ada"])
        after = visitor.get("/submit").text

    closed = f'<time datetime="{CLOSED.isoformat()}" data-zone="yes">{CLOSED:%Y-%m-%d %H:%M} UTC</time>'
    assert f"Submissions have ended at {closed}" in before
    assert ("nothing is taken any more" in before) == (late_days == 0)
    assert 'Your submissions end at <time datetime="2036-02-08T18:00:00+00:00" data-zone="yes">' in after
    assert ("late ones are taken until <time " in after) == (late_days > 0)
    assert (">2036-02-10 18:00 UTC</time>" in after) == (late_days > 0)
    assert 'id="upload"' in after


def test_the_page_has_no_form_after_the_end(tmp_path: Path) -> None:
    """Once nothing is taken any more the page says so, and has neither a form nor commands."""
    folder = tmp_path / "course"
    tokens = make_closed_league(folder, 0)
    with run_league(folder, "--no-play") as league:
        visitor = PageVisitor(league)
        visitor.log_in(tokens["ada"])
        page = visitor.get("/submit").text

    assert "Your submissions have ended at " in page
    assert ": nothing is taken any more." in page
    assert 'id="upload"' not in page
    assert "pitboss submit" not in page
