"""Several stores as one, and games that were imported: what shows a store shows them, and nothing is pooled wrongly."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from random import Random

import msgspec
import pytest
from msgspec.structs import replace

from pitboss.errors import ConfigError
from pitboss.protocol.messages import Clock
from pitboss_tournament.audit.store_audit import find_problems
from pitboss_tournament.counting.open_length import IMPORTED_GAMES
from pitboss_tournament.counting.stored_findings import StoredFindings
from pitboss_tournament.exchange.pooling import merge_stores, open_pooled
from pitboss_tournament.results.standings_rows import list_bot_rows
from pitboss_tournament.statistics.scoring import GameResult
from pitboss_tournament.store.header import Header, make_header
from pitboss_tournament.store.rows import void_game
from pitboss_tournament.store.store import Store
from tests.synthetic_tournaments import SyntheticTournament
from tests.tournament.command_line import run_pitboss
from tests.tournament.small_tournaments import load_magpie, make_plan, play_tournament, zoo_entrant
from tests.tournament.stored_games import make_log, make_record, make_test_header

WORDS = ("--deals", "2", "-o", "turns=3", "-s", "clock.start_ms=60000", "--sandbox", "none", "--store")


def write_store(path: Path, header: Header, games: Sequence[GameResult]) -> Path:
    """Write a store of games that were not played."""
    with closing(Store.for_run(path, header)) as store:
        for game in games:
            players = [header.bots[seat.entrant] for seat in game.seats]
            record = replace(make_record(game.game_id, f"{header.seed}/{game.game_id}"), players=players)
            store.add([(game, store.packer.pack(record), [make_log(0)] if game.game_id % 7 == 0 else ())])
        store.add_voids([void_game(3, "no_process", "too many")])
    return path


def synthetic_games(count: int) -> list[GameResult]:
    """Return games of two bots, by number."""
    world = SyntheticTournament(strengths=(0.4, -0.4), seats=2)
    return [replace(game, game_id=number) for number, game in enumerate(world.games(count, Random(1)))]


def test_two_halves_are_the_whole(tmp_path: Path) -> None:
    """The standings of two merged stores are those of one of open length that has all games, with every interval."""
    header, games = make_test_header(tmp_path), synthetic_games(80)
    half = max(game.deal for game in games) // 2 + 1
    whole = write_store(tmp_path / "whole.pitboss", header, games)
    with closing(Store.for_run(whole, header)) as store:
        store.begin_run(0, None)
    first = [game for game in games if game.deal < half]
    later = (game for game in games if game.deal >= half)
    second = [replace(game, game_id=number, deal=game.deal - half) for number, game in enumerate(later)]
    halves = [
        write_store(tmp_path / "first.pitboss", header, first),
        write_store(tmp_path / "second.pitboss", replace(header, seed="other"), second),
    ]

    merge_stores(halves, tmp_path / "merged.pitboss")

    merged = Store(tmp_path / "merged.pitboss")
    found, wanted = StoredFindings(merged), StoredFindings(Store(whole))
    assert list_bot_rows(found) == list_bot_rows(wanted)
    assert msgspec.to_builtins(found.comparisons) == msgspec.to_builtins(wanted.comparisons)
    assert [problem.text for problem in find_problems(merged) if "its record" not in problem.text] == []
    assert len(list(merged.all_logs())) == sum(len(list(Store(half).all_logs())) for half in halves)
    assert [void.game_id for void in merged.voids()] == [3, len(first) + 3]
    assert merged.header.labels == ["a", "b"]


def test_a_bot_that_is_another_one_elsewhere(tmp_path: Path) -> None:
    """A bot that is another one elsewhere has a column of its own; the games of each stay with it."""
    header, games = make_test_header(tmp_path), synthetic_games(20)
    changed = replace(header.entries[1], contents={"good.py": "0"})
    paths = [
        write_store(tmp_path / "one.pitboss", header, games),
        write_store(
            tmp_path / "two.pitboss", replace(header, seed="other", entries=[header.entries[0], changed]), games
        ),
    ]

    with open_pooled(paths) as store:
        assert store.header.labels == ["a", "b@1", "b@2"]
        assert {row.name: row.games for row in list_bot_rows(StoredFindings(store))} == {
            "a": 2 * len(games),
            "b@1": len(games),
            "b@2": len(games),
        }
        players = [record.players for _, record in store.records()]
    assert sum("b@2" in names for names in players) == len(games)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"options": {"turns": 6}}, "(options.turns: was 5, is 6"),
        ({"clock": Clock(start_ms=1, decision_ms=1)}, "(clock.start_ms: was 60000, is 1"),
        ({"game_version": "2"}, 'cannot be pooled (game_version: was "1", is "2")'),
    ],
)
def test_what_cannot_be_pooled(tmp_path: Path, changes: dict[str, object], said: str) -> None:
    """Other games, options and clocks are told by name."""
    header = make_test_header(tmp_path)
    paths = [
        write_store(tmp_path / "one.pitboss", header, []),
        write_store(tmp_path / "two.pitboss", replace(header, **changes), []),
    ]

    with pytest.raises(ConfigError) as refused:
        merge_stores(paths, tmp_path / "merged.pitboss")
    assert said in str(refused.value)


def test_stores_that_share_games(tmp_path: Path) -> None:
    """A copy of a store, or the same one twice, would count every game twice."""
    header, games = make_test_header(tmp_path), synthetic_games(4)
    one = write_store(tmp_path / "one.pitboss", header, games)
    two = write_store(tmp_path / "two.pitboss", header, games)

    for paths in ((one, two), (one, one)):
        with pytest.raises(ConfigError, match=r"game 0, is also .*game 0: stores that share games cannot be pooled"):
            merge_stores(paths, tmp_path / f"{paths[1].stem}-merged.pitboss")


@pytest.mark.long
@pytest.mark.once
def test_two_bots_by_what_was_played(tmp_path: Path) -> None:
    """The verdict on two bots by what was played is that of the stored deals, of several stores together; nothing is
    played.
    """
    header, games = make_test_header(tmp_path), synthetic_games(200)
    one = write_store(tmp_path / "one.pitboss", header, games)
    changed = replace(header.entries[1], contents={"good.py": "0"})
    other = replace(header, seed="other", entries=[header.entries[0], changed])
    two = write_store(tmp_path / "two.pitboss", other, games)

    better = run_pitboss("compare", "b", "a", "--from", str(one), "--json")
    worse = run_pitboss("compare", "a", "b", "--from", str(one))
    versions = run_pitboss("compare", "b@1", "b@2", "--from", str(one), "--from", str(two))
    missing = run_pitboss("compare", "x", "a", "--from", str(one))

    assert (better.status, better.json_value["verdict"]) == (0, "better")
    assert better.json_value["games"] <= len(games)
    assert (worse.status, worse.out.startswith("Head to head, by places: b is ")) == (1, True), worse.out
    assert (versions.status, "b@2 and b@1 never played a whole deal at one table here" in versions.err) == (3, True)
    assert (missing.status, "OLD is 'x'; the bots are a, b" in missing.err) == (3, True)


@pytest.mark.long
@pytest.mark.once
def test_games_that_were_played(tmp_path: Path) -> None:
    """A merged store is whole and replays; nothing is played into it, and it is not written over."""
    for number, other in enumerate(("b", "c")):
        made = make_plan(tmp_path / f"{number}.pitboss", zoo_entrant("good", "a"), zoo_entrant("good", other))
        play_tournament(replace(made, seed=f"seed {number}"))
    merged = tmp_path / "merged.pitboss"

    done = run_pitboss("merge", "0.pitboss", "1.pitboss", "-o", "merged.pitboss", cwd=tmp_path)

    assert (done.status, done.out) == (0, "merged.pitboss has 8 games of 2 stores.\n")
    assert list(find_problems(Store(merged), load_magpie())) == []
    assert Store(merged).header.labels == ["a", "b", "c"]
    again = run_pitboss("merge", "0.pitboss", "1.pitboss", "-o", "merged.pitboss", cwd=tmp_path)
    assert (again.status, "this exists already" in again.err) == (2, True)
    with pytest.raises(ConfigError, match=r"format.name: was \"merged\", is \"round-robin\""):
        Store.for_run(merged, make_header(made, "1", "0"))
    for command in (("standings",), ("export", "--what", "csv"), ("report", "-o", "r.html")):
        several = run_pitboss(command[0], "0.pitboss", "1.pitboss", *command[1:], cwd=tmp_path)
        assert several.status == 0, several.err
    assert run_pitboss("report", "0.pitboss", "1.pitboss", cwd=tmp_path).status == 2


@pytest.mark.long
@pytest.mark.once
def test_games_that_were_imported(tmp_path: Path) -> None:
    """Imported games are a store: its standings are those of the store from which they came, and each game replays.

    The number of imported games was not fixed here.
    """
    run_pitboss("match", "magpie", "house:random", "house:first", "--seed", "s", *WORDS, "x.pitboss", cwd=tmp_path)
    run_pitboss("export", "x.pitboss", "--what", "notation", "-o", "x.txt", cwd=tmp_path)

    assert run_pitboss("import", "x.txt", "-o", "y.pitboss", cwd=tmp_path) == (0, "", "")

    played, imported = (
        run_pitboss("standings", name, "--json", cwd=tmp_path).json_value for name in ("x.pitboss", "y.pitboss")
    )
    assert [row["points"]["mean"] for row in played["standings"]] == [
        row["points"]["mean"] for row in imported["standings"]
    ]
    assert (played["open_length"], imported["open_length"]) == (None, IMPORTED_GAMES)
    assert run_pitboss("integrity", "y.pitboss", "--replay", cwd=tmp_path).status == 0
    assert run_pitboss("replay", "y.pitboss", "3", "--brief", cwd=tmp_path).status == 0
    again = run_pitboss("import", "x.txt", "-o", "y.pitboss", cwd=tmp_path)
    assert (again.status, "this exists already" in again.err) == (2, True)


@pytest.mark.long
@pytest.mark.once
def test_imported_games_of_two_kinds(tmp_path: Path) -> None:
    """A store has games of one kind."""
    for turns in ("3", "4"):
        words = ("--seed", turns, "-o", f"turns={turns}", "--deals", "1", "--store", f"{turns}.pitboss")
        run_pitboss("match", "magpie", "house:random", "house:first", *words, cwd=tmp_path)
    text = "".join(
        run_pitboss("export", f"{turns}.pitboss", "-w", "notation", cwd=tmp_path).out + "\n" for turns in ("3", "4")
    )
    (tmp_path / "both.txt").write_text(text)

    refused = run_pitboss("import", "both.txt", "-o", "z.pitboss", cwd=tmp_path)

    assert (refused.status, "a store has games of one kind: options is" in refused.err) == (2, True)
    assert not (tmp_path / "z.pitboss").exists()
