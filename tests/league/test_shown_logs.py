"""Which logs owners see, by `[logs]`, and what a league drops of them."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from msgspec.structs import replace

from pitboss.records.record import dumps
from pitboss_tournament.audit.store_audit import find_problems
from pitboss_tournament.league.book import Book
from pitboss_tournament.league.league_field import draw_up_field
from pitboss_tournament.league.league_folder import read_league
from pitboss_tournament.league.log_bound import bound_logs
from pitboss_tournament.processes.logs import compress_text
from pitboss_tournament.store.store import Store, replace_record
from tests.league.league_process import run_league
from tests.league.page_visitor import PageVisitor
from tests.league.played_leagues import LeagueBot, PlayedLeague, make_played_league
from tests.plugins import load_registry

BOTS = (LeagueBot("ada", "fox"), LeagueBot("ada", "fox", "retired"), LeagueBot("bob", "owl"), LeagueBot("cy", "newt"))


def make_league_with(folder: Path, rules: str) -> PlayedLeague:
    """Return a league in which games were played and forfeited, with more rules."""
    played = make_played_league(folder / "course", BOTS, 40, forfeits=True)
    file = played.folder / "league.toml"
    file.write_text(f"{file.read_text()}\n{rules}\n")
    return played


def find_fault(played: PlayedLeague, owner: str) -> int:
    """Return a game that a bot of an owner forfeited."""
    with closing(Store(played.store)) as store:
        for result in store.results():
            for seat in result.seats:
                if seat.fault and store.header.entries[seat.entrant].about.owner == owner:
                    return result.game_id
    raise AssertionError(owner)


@pytest.mark.parametrize(("shown", "keeps"), [("faults", "faults"), ("all", "all"), ("none", "faults")])
def test_which_logs_are_kept(tmp_path: Path, shown: str, keeps: str) -> None:
    """All logs are kept where owners see all, and otherwise those of games with a fault."""
    played = make_league_with(tmp_path, f'[logs]\nshown = "{shown}"')

    with closing(Book(played.store)) as book, closing(Store(played.store)) as store:
        league = read_league(played.folder, load_registry())
        field = draw_up_field(league, book.submissions(), store.header, workers=1)

    assert field.plan.keep_logs == keeps


@pytest.mark.once
@pytest.mark.parametrize("shown", ["faults", "none"])
def test_who_sees_the_evidence_of_a_fault(tmp_path: Path, shown: str) -> None:
    """The owner of a bot reads its fault, and if logs are shown the lines around it and its logs: on the page, in the
    replay, in the records. The host reads all, and other owners nothing.
    """
    played = make_league_with(tmp_path, f'[logs]\nshown = "{shown}"')
    game = find_fault(played, "ada")
    evidence = ("the last lines of the wire", "the end of standard error")
    add_evidence(played, game, *evidence)

    with run_league(played.folder, "--no-play") as league:
        found = {}
        for who in ("ada", "bob", "cy", "teacher"):
            visitor = PageVisitor(league)
            visitor.log_in(played.tokens[who])
            for path in (f"/games/{game}", f"/games/{game}/replay.json", "/me/games/records?faults=yes"):
                text = visitor.get(path).text
                found[who, path.partition("?")[0]] = [word in text for word in evidence]

    sees, page, replay, records = shown == "faults", *(path for _, path in list(found)[:3])
    assert found["ada", page] == [sees, sees]
    assert found["ada", replay] == [False, sees]
    assert found["ada", records] == [sees, sees]
    assert found["teacher", page] == found["teacher", records] == [True, True]
    assert not any(word for who in ("bob", "cy") for path in (page, replay, records) for word in found[who, path])


def add_evidence(played: PlayedLeague, game: int, line: str, words: str) -> None:
    """Write lines of the wire and the end of standard error into the faults of a game."""
    with closing(Store(played.store)) as store:
        record = store.record(game)
        incidents = [replace(one, exchange=[line], last_words=words) for one in record.incidents]
        packed = compress_text(dumps(replace(record, incidents=incidents)))
    with closing(sqlite3.connect(played.store)) as db, db:
        replace_record(db, game, packed)


def list_logs(played: PlayedLeague, bots: set[str]) -> list[tuple[int, int]]:
    """Return game and seat of the logs of bots of these names, the latest first."""
    with closing(Store(played.store)) as store:
        entries = store.header.entries
        seats = {one.game_id: [entries[seat.entrant].name for seat in one.seats] for one in store.results()}
        return [(game, seat) for game, seat, _ in store.log_sizes() if seats[game][seat] in bots]


def test_the_oldest_logs_are_dropped(tmp_path: Path) -> None:
    """Of each bot the latest logs stay, over all its versions, and the store is whole as before."""
    played = make_played_league(tmp_path / "course", BOTS, 40, forfeits=True)
    before = {name: list_logs(played, {name}) for name in ("fox", "owl", "newt")}
    with closing(Store(played.store)) as store:
        problems = list(find_problems(store))
        size = max(size for *_, size in store.log_sizes())

    dropped = bound_logs(played.store, 5 * size)
    again = bound_logs(played.store, 5 * size)

    after = {name: list_logs(played, {name}) for name in before}
    assert dropped == sum(map(len, before.values())) - sum(map(len, after.values())) > 0
    assert again == 0
    for name, logs in after.items():
        assert logs == before[name][: len(logs)]
        assert 5 <= len(logs) < len(before[name])
    with closing(Store(played.store)) as store:
        assert list(store.changed_games()) == []
        assert list(find_problems(store)) == problems


def test_few_logs_all_stay(tmp_path: Path) -> None:
    """Below the bound nothing is dropped, nor in a league without games."""
    played = make_played_league(tmp_path / "course", BOTS, 4)
    empty = make_played_league(tmp_path / "empty", BOTS, 0)

    assert bound_logs(played.store, 1 << 20) == 0
    assert bound_logs(empty.store, 1) == 0
