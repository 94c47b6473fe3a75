"""A new season: a league with the people of an earlier one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path

import pytest

from pitboss_tournament.league.book import Book, NameTaken
from pitboss_tournament.league.renewal import drop_past_end
from pitboss_tournament.league.submission import Submission
from pitboss_tournament.processes.bot_contents import is_sealed
from tests.league.archives import list_tree
from tests.league.league_process import run_league, wait_until
from tests.league.sealed_leagues import add_version, make_valid_league, play_league
from tests.tournament.command_line import run_pitboss

pytestmark = pytest.mark.once


@pytest.fixture
def course(tmp_path: Path) -> Iterator[tuple[Path, dict[str, str]]]:
    """Make a league that has played, with two versions of a bot; return its tokens, too."""
    folder = tmp_path / "course"
    tokens = make_valid_league(folder)
    add_version(folder, "ada", "ada-bot", "newer")
    play_league(folder, 4)
    with closing(Book(folder / "league.pitboss")) as book:
        book.choose_display_name("ada", "Countess")
        book.revoke_tokens(lambda token: token.owner == "cid")
    yield folder, tokens


def test_a_season_has_the_people(course: tuple[Path, dict[str, str]]) -> None:
    """A new season has owners, tokens, names and rules of the old one, no games and no bots; the old one stays."""
    folder, tokens = course
    before, target = list_tree(folder), folder.parent / "course-2"

    ran = run_pitboss("league", "renew", str(folder), str(target))

    assert ran.status == 0, ran.err
    assert ran.out.splitlines()[0] == f"{target} is a new season: 3 owners, 2 tokens, 0 bots."
    assert set(list_tree(folder)) >= set(before)
    assert (target / "league.toml").read_text() == (folder / "league.toml").read_text()
    with closing(Book(folder / "league.pitboss")) as old, closing(Book(target / "league.pitboss")) as new:
        assert new.owner_names() == old.owner_names()
        assert new.tokens() == old.tokens()
        assert (new.submissions(), new.audit()[-1].about) == ([], "from course")
        assert new.check_name("ada", "ADA-BOT") == "ada-bot"
        with pytest.raises(NameTaken):
            new.check_name("bob", "ada-bot")
    assert len(tokens) == 3


def test_pseudonyms_stay(tmp_path: Path) -> None:
    """An owner has the same pseudonym in both seasons, also if no page has ever shown it."""
    folder, target = tmp_path / "course", tmp_path / "course-2"
    make_valid_league(folder)

    assert run_pitboss("league", "renew", str(folder), str(target)).status == 0

    with closing(Book(folder / "league.pitboss")) as old, closing(Book(target / "league.pitboss")) as new:
        assert new.owner_names() == old.owner_names()


@pytest.mark.long
def test_a_season_with_bots(course: tuple[Path, dict[str, str]]) -> None:
    """Bots come along in their newest version, are validated by the rules of the season, and play."""
    folder, tokens = course
    target = folder.parent / "course-2"

    made = run_pitboss("league", "renew", str(folder), str(target), "--bots", "--json").json_value
    text = (target / "league.toml").read_text()
    (target / "league.toml").write_text(text.replace("decision_ms = 20000", "decision_ms = 30000"))

    assert sorted(made["bots"]) == ["ada-bot@2", "bob-bot@1", "cid-bot@1"]
    assert all(is_sealed(path) for path in (target / "bots").iterdir())
    with run_league(target) as league:
        numbers = {one.bot: one.number for one in list_submissions(target)}
        assert league.wait(numbers["ada-bot"], tokens["ada"])["state"] in ("placing", "playing")
        wait_until(league, lambda: bool(league.ask("GET", "/api/ladder").value["games"]))
        assert league.ask("GET", f"/api/submissions/{numbers['cid-bot']}", tokens["cid"]).status == 401


@pytest.mark.parametrize(
    ("closes", "said"),
    [
        (
            "2026-01-01T00:00:00Z",
            "submissions ended at 2026-01-01T00:00:00+00:00: `closes` and `late_days` in its rules",
        ),
        ("2099-01-01T00:00:00Z", ""),
    ],
)
def test_an_end_that_is_over(tmp_path: Path, closes: str, said: str) -> None:
    """An end of submissions that is over becomes a comment in the rules of a season, with its late days; one to come
    stays.
    """
    folder, target = tmp_path / "course", tmp_path / "course-2"
    make_valid_league(folder)
    file = folder / "league.toml"
    rules = (
        file.read_text().replace("[submissions]", f"[submissions]\ncloses = {closes}  # Friday")
        + "[grades]\nlate_days = 3\n"
    )
    file.write_text(rules)

    ran = run_pitboss("league", "renew", str(folder), str(target))

    assert ran.status == 0
    assert said in ran.err
    expected = rules.replace("\ncloses", "\n# closes").replace("\nlate_days", "\n# late_days") if said else rules
    assert (target / "league.toml").read_text() == expected
    assert file.read_text() == rules
    assert run_pitboss("league", "status", str(target)).status == 0


def test_an_end_in_an_inline_table() -> None:
    """An end that is no line of its own stays, and is told."""
    rules = "submissions = { closes = 2026-01-01T00:00:00Z }\n"

    assert drop_past_end(rules, datetime.now(UTC)) == (rules, "2026-01-01T00:00:00+00:00", [])


def list_submissions(folder: Path) -> list[Submission]:
    """Return the submissions of a league."""
    with closing(Book(folder / "league.pitboss")) as book:
        return [*book.submissions()]


def test_an_erasure_names_other_seasons(course: tuple[Path, dict[str, str]]) -> None:
    """`league erase` names the seasons before and after that have the owner, also a season of a season."""
    folder, _ = course
    names = ("course", "course-2", "course-3")
    first, second, third = folders = [folder.parent / name for name in names]
    for one, other in pairwise(folders):
        assert run_pitboss("league", "renew", str(one), str(other)).status == 0

    told = [run_pitboss("league", "erase", str(folder), "ada") for folder in (second, first, third)]

    def lines(*left: Path) -> list[str]:
        return [f"  another season that has the name: {one}; call `pitboss league erase` for it, too" for one in left]

    seen = [[line for line in one.out.splitlines() if "another season" in line] for one in told]
    assert seen == [lines(first, third), lines(third), []]


def test_a_copy_forgets_an_erased_name(course: tuple[Path, dict[str, str]]) -> None:
    """A copy has the name no more once `league backup` has brought it up to date."""
    folder, _ = course
    copy = folder.parent / "copy"
    with closing(Book(folder / "league.pitboss")) as book:
        book.note("ada", "upload refused", "this is the last line that the copy has")
    assert run_pitboss("league", "backup", str(folder), str(copy)).status == 0

    told = run_pitboss("league", "erase", str(folder), "ada", "--files").out

    assert f"  a copy that has the name: {copy}; `pitboss league backup` brings it up to date" in told
    assert run_pitboss("league", "backup", str(folder), str(copy)).status == 0
    with closing(Book(copy / "league.pitboss")) as book:
        owners, bots = book.owners(), {one.bot for one in book.submissions()}
    assert "ada" not in owners
    assert "ada-bot" not in bots
    assert b"Countess" not in (copy / "league.pitboss").read_bytes()


@pytest.mark.parametrize("name", ["course", "course/season", "thesis"])
def test_a_season_overwrites_nothing(course: tuple[Path, dict[str, str]], name: str) -> None:
    """A season needs an empty folder that is not the league's own."""
    folder, _ = course
    (folder.parent / "thesis").write_text("three years")

    ran = run_pitboss("league", "renew", str(folder), str(folder.parent / name))

    assert ran.status == 2
    assert "the season a" in ran.err
