"""Finals of a league: the best versions, once chosen, on deals that nobody has seen."""

from __future__ import annotations

import json
import subprocess
from contextlib import closing
from datetime import date
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pytest

from pitboss.errors import PitbossError
from pitboss_tournament.league.book import Book
from pitboss_tournament.league.finals_rules import FinalsRules
from pitboss_tournament.processes.bot_contents import is_sealed
from pitboss_tournament.store.store import Store
from tests.league.league_process import TIMEOUT_S, run_league
from tests.league.sealed_leagues import add_version, make_valid_league, write_games
from tests.tournament.command_line import COMMAND, CommandResult, run_pitboss

pytestmark = pytest.mark.once
SMALL = ("--top", "2", "--deals", "2", "--workers", "1")


@pytest.fixture
def course(tmp_path: Path) -> Path:
    """Make a league of four versions that have played 30 games each: ada's are the best, then bob's, then cid's."""
    folder = tmp_path / "course"
    make_valid_league(folder)
    add_version(folder, "ada", "ada-other")
    write_games(folder, (9, 3, 0, 6))
    return folder


def hold_finals(folder: Path, *words: str | Path) -> CommandResult:
    """Run `pitboss league finals`."""
    return run_pitboss("league", "finals", str(folder), *map(str, words))


def read_field(ran: CommandResult) -> Any:  # noqa: ANN401 - JSON
    """Return the field that the command tells in JSON."""
    assert ran.status == 0, ran.err
    line: dict[str, Any] = json.loads(ran.out.splitlines()[0])
    assert line["event"] == "field"
    return line


def list_finals_notes(folder: Path) -> list[tuple[str, str]]:
    """Return what the audit trail has of finals."""
    with closing(Book(folder / "league.pitboss")) as book:
        return [(one.what, one.about) for one in book.audit() if one.what.startswith("finals")]


@pytest.mark.long
def test_the_best_versions_play(course: Path) -> None:
    """The best versions by rating play; each version that does not play has a reason; the store is a whole one of that
    day, with its own seed.
    """
    line = read_field(hold_finals(course, *SMALL, "--json"))

    assert [(one["name"], one["version"], one["games"]) for one in line["taken"]] == [
        ("ada-bot", "ada-bot@1", 30),
        ("ada-other", "ada-other@1", 30),
    ]
    assert line["taken"][0]["rating"] > line["taken"][1]["rating"]
    assert [(one["version"], one["why"]) for one in line["left_out"]] == [
        ("bob-bot@1", "2 others are better"),
        ("cid-bot@1", "2 others are better"),
    ]
    path = course / f"finals-{date.today().isoformat()}.pitboss"
    assert line["store"] == str(path)
    assert run_pitboss("integrity", str(path), "--replay").status == 0
    assert "ada-other" in run_pitboss("standings", str(path)).out
    with closing(Store(path)) as held, closing(Store(course / "league.pitboss")) as league:
        assert (held.count_games(), held.header.title, held.header.owners) == (4, "course: finals", ["ada", "ada"])
        assert held.header.seed != league.header.seed
        assert held.header.clock == league.header.clock
        assert held.header.faults == league.header.faults
        assert [entry.digest for entry in held.header.entries] == [one["digest"] for one in line["taken"]]


def test_one_of_an_owner_and_enough_games(course: Path) -> None:
    """The next owner moves up with --one-per-owner; newcomers and versions with too few games are out, and say so."""
    add_version(course, "cid", "cid-new")

    one = read_field(hold_finals(course, *SMALL, "--one-per-owner", "--json"))
    few = hold_finals(course, *SMALL, "--min-games", "31", "--store", course.parent / "few.pitboss")

    assert [finalist["version"] for finalist in one["taken"]] == ["ada-bot@1", "bob-bot@1"]
    assert {left["version"]: left["why"] for left in one["left_out"]} == {
        "ada-other@1": "a better version of ada plays",
        "cid-bot@1": "2 others are better",
        "cid-new@1": "it has not played yet",
    }
    assert (few.status, few.err) == (
        2,
        "pitboss: 2 at a table need as many versions, and the field has 0 versions: the best 2 of those with 31 games "
        "or more\n",
    )


def test_several_versions_of_a_bot(tmp_path: Path) -> None:
    """Several versions of a bot have the number of the version in their names."""
    folder = tmp_path / "course"
    make_valid_league(folder, ("ada",))
    add_version(folder, "ada", "ada-bot", "more", active_versions=2)
    write_games(folder, (3, 0), deals=10)

    line = read_field(hold_finals(folder, *SMALL, "--json"))

    assert [(one["name"], one["version"]) for one in line["taken"]] == [
        ("ada-bot v1", "ada-bot@1"),
        ("ada-bot v2", "ada-bot@2"),
    ]


@pytest.mark.long
def test_finals_on_given_deals(course: Path) -> None:
    """Finals are played on the deals of a file, at all tables; the same command carries on with them, others do not."""
    deals = course.parent / "deals.json"
    assert run_pitboss("simulate", "magpie", "-n", "3", "--write-deals", str(deals)).status == 0
    given = ("--top", "3", "--workers", "2", "--deals", deals)

    begun = read_field(hold_finals(course, *given, "--games", "4", "--json"))
    ended = hold_finals(course, *given)
    deals.write_text(json.dumps(json.loads(deals.read_text())[:2]))
    other = hold_finals(course, "--store", begun["store"], *given)

    assert ended.status == 0, ended.err
    with closing(Store(Path(begun["store"]))) as store:
        games = zip(store.results(), store.records(), strict=True)
        seeds = {(result.deal, record.seed) for result, (_, record) in games}
        assert store.count_games() == 3 * 3 * 2  # pairs of bots, deals, orders of seats
        assert store.header.given_deals is not None
        assert seeds == {*enumerate(store.header.given_deals.seeds)}
        assert all(seed.startswith("stack:") for _, seed in seeds)
    assert other.status == 2
    assert 'deals: was "3 of deals.json' in other.err


@pytest.mark.long
def test_the_same_command_carries_on(course: Path) -> None:
    """The field and the seed are those of the beginning, though one of them was retired; the trail has it once."""
    begun = read_field(hold_finals(course, *SMALL, "--games", "1", "--json"))
    with closing(Store(Path(begun["store"]))) as store:
        seed, before = store.header.seed, store.count_games()
    run_pitboss("league", "retire", str(course), "ada-bot")

    ended = hold_finals(course, *SMALL)
    again = hold_finals(course, *SMALL)

    assert (before, ended.status, again.status) == (1, 0, 0)
    assert ended.out.startswith(f"{begun['store']} has its field already: 2 versions.\n")
    with closing(Store(Path(begun["store"]))) as store:
        assert (store.header.seed, store.header.bots, store.count_games()) == (seed, ["ada-bot", "ada-other"], 4)
    [(one, who), (other, order)] = list_finals_notes(course)
    name = Path(begun["store"]).name
    digests = [finalist["digest"] for finalist in begun["taken"]]
    assert (one, other) == ("finals begun", "finals held")
    assert who == (
        f"{name}: the best 2 of those with 20 games or more: ada-bot@1 of ada (digest {digests[0]}), "
        f"ada-other@1 of ada (digest {digests[1]})"
    )
    assert order.startswith(f"{name}: 4 games: 1. ada-")
    assert all(digest in order for digest in digests)


@pytest.mark.long
def test_finals_over_midnight(course: Path) -> None:
    """Finals without --store go on with those that have begun, whatever the day is; once they are held,
    others begin.
    """
    line = read_field(hold_finals(course, *SMALL, "--games", "1", "--json"))
    yesterday = course / "finals-2001-01-01.pitboss"
    Path(line["store"]).rename(yesterday)
    with closing(Book(course / "league.pitboss")) as book:
        book.begin_finals(yesterday.name, FinalsRules(2, 20, one_per_owner=False), "as before")

    assert read_field(hold_finals(course, *SMALL, "--json"))["store"] == str(yesterday)
    assert read_field(hold_finals(course, *SMALL, "--json"))["store"] == line["store"]


@pytest.mark.long
def test_finals_that_were_killed(course: Path) -> None:
    """Finals that were killed go on: each finished game counts, and the seed is the same."""
    path = course / "grand.pitboss"
    words = ("--top", "3", "--deals", "2000", "--store", str(path), "--workers", "1")
    with subprocess.Popen([*COMMAND, "league", "finals", str(course), *words], stdout=subprocess.DEVNULL) as process:
        until = monotonic() + TIMEOUT_S
        while not count_stored(path):
            assert monotonic() < until and process.poll() is None
            sleep(0.05)
        process.kill()
    before = count_stored(path)
    with closing(Store(path)) as store:
        seed = store.header.seed

    ran = hold_finals(course, *words, "--games", "2")

    assert ran.status == 0, ran.err
    assert count_stored(path) >= before + 2
    with closing(Store(path)) as store:
        assert store.header.seed == seed
        assert [*store.changed_games()] == []
    assert [what for what, _ in list_finals_notes(course)] == ["finals begun"]


def count_stored(path: Path) -> int:
    """Return how many games are stored, 0 if there is no store yet."""
    try:
        with closing(Store(path)) as store:
            return store.count_games()
    except PitbossError:
        return 0


@pytest.mark.long
def test_a_mistake_with_finals(course: Path) -> None:
    """A mistake with finals (another field for the same store, a store of something else, no folder) is one sentence,
    and nothing is written.
    """
    hold_finals(course, *SMALL, "--store", course / "f.pitboss")
    before = list_finals_notes(course)

    for words, said in (
        (("--top", "3", "--store", course / "f.pitboss"), "f.pitboss: these finals have another field (the best 2 of"),
        (("--store", course / "league.pitboss"), "league.pitboss: this holds no finals of this league"),
        (("--store", course / "bots"), "bots: this holds no finals of this league"),
        (("--store", course / "nowhere" / "f.pitboss"), "f.pitboss: there is no folder"),
        ((*SMALL, "--format", "no", "--store", course / "g.pitboss"), "there is no format 'no'"),
    ):
        ran = hold_finals(course, *words)
        assert (ran.status, ran.out, ran.err.count("\n")) == (2, "", 1), ran.err
        assert said in ran.err
    assert list_finals_notes(course) == before
    assert not (course / "g.pitboss").exists()


def test_a_league_without_games(tmp_path: Path) -> None:
    """A league without games has no ratings to choose by."""
    make_valid_league(tmp_path / "course")

    ran = hold_finals(tmp_path / "course", *SMALL)

    assert (ran.status, ran.err.count("\n")) == (2, 1)
    assert "the store of a league in which no game has been played yet" in ran.err


def test_files_that_were_changed(course: Path) -> None:
    """A version whose files are not those that were validated, or are gone, is named, and no version plays."""
    with closing(Book(course / "league.pitboss")) as book:
        digest = book.submissions()[0].digest
    folder = course / "bots" / digest
    folder.chmod(0o755)
    (folder / "bot.py").chmod(0o644)
    (folder / "bot.py").write_text("cheat")
    folder.chmod(0o555)
    assert is_sealed(folder)

    changed = hold_finals(course, *SMALL)
    folder.rename(course / "bots" / "elsewhere")
    gone = hold_finals(course, *SMALL)

    assert (changed.status, gone.status) == (2, 2)
    assert f"{folder}: the files of ada-bot have changed since they were validated" in changed.err
    assert f"{folder}: the files of ada-bot are gone" in gone.err
    assert list_finals_notes(course) == []
    assert not list(course.glob("finals-*"))


@pytest.mark.long
def test_while_the_league_is_running(course: Path) -> None:
    """Finals only read the store of a league that is running, and the league goes on."""
    tokens = {}
    with closing(Book(course / "league.pitboss")) as book:
        tokens["bob"] = book.add_tokens(["bob"])[0].token
    with run_league(course, "--no-play") as league:
        assert hold_finals(course, *SMALL).status == 0
        sent = league.put("late", tokens["bob"])
        assert league.wait(sent.value["number"], tokens["bob"])["state"] == "placing"
