"""The store: rows that stay, and a tournament that cannot be mistaken for another."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from pitboss.errors import ConfigError
from pitboss.protocol.messages import Clock
from pitboss_tournament.plan.limits import BotClock, Limits
from pitboss_tournament.plan.plan import FaultRules, Grants
from pitboss_tournament.store.header import Header, OwnSettings, make_header
from pitboss_tournament.store.rows import StoredLog, void_game
from pitboss_tournament.store.store import Store
from tests.tournament.small_tournaments import make_plan, zoo_entrant
from tests.tournament.stored_games import make_log, make_record, make_stored_game


def test_what_is_added_is_there_again_after_reopening(tmp_path: Path, header: Header) -> None:
    """Records, results and the header come back as they were."""
    store = Store.for_run(tmp_path / "x.pitboss", header)
    store.add([make_stored_game(4), make_stored_game(2)])
    store.close()

    again = Store(tmp_path / "x.pitboss")
    assert replace(again.header, entries=[replace(entry, joined="") for entry in again.header.entries]) == header
    assert all(entry.joined.endswith("+00:00") for entry in again.header.entries)
    assert [2, 4] == list(again.game_ids())
    assert [make_stored_game(2).result, make_stored_game(4).result] == list(again.results())
    assert [(2, make_record(2)), (4, make_record(4))] == list(again.records())
    assert make_record(4) == again.record(4)
    assert again.count_games() == 2


def test_logs_come_back_as_they_were(tmp_path: Path, header: Header) -> None:
    """The logs come back by seat, whatever the bytes; a game without has none."""
    store = Store.for_run(tmp_path / "x.pitboss", header)
    store.add([make_stored_game(7, logs=[make_log(1, b"0.1 > hello\n"), make_log(0)]), make_stored_game(8)])

    assert store.logs(7) == [StoredLog(0, b"\xff errors", b""), StoredLog(1, b"\xff errors", b"0.1 > hello\n")]
    assert store.logs(8) == []
    assert [(number, said.seat) for number, said in store.all_logs()] == [(7, 0), (7, 1)]


def test_a_store_is_closed_while_somebody_reads(tmp_path: Path, header: Header) -> None:
    """A reader that stops in the middle of the rows may do so after the store was closed."""
    store = Store.for_run(tmp_path / "x.pitboss", header)
    store.add([make_stored_game(7, logs=[make_log(0), make_log(1)])])
    rows = store.raw_logs()
    next(rows)

    store.close()
    rows.close()  # type: ignore[attr-defined]


def test_void_games_are_counted_by_cause(tmp_path: Path, header: Header) -> None:
    """The void games stay in the order in which they were broken off, with the machine's message, and are counted by
    cause.
    """
    store = Store.for_run(tmp_path / "x.pitboss", header)
    store.add_voids([void_game(5, "no_process", "too many"), void_game(3, "no_guardian", "it died")])
    store.add_voids([void_game(5, "no_process", "again")])

    assert [(void.game_id, void.cause, void.message) for void in store.voids()] == [
        (5, "no_process", "too many"),
        (3, "no_guardian", "it died"),
        (5, "no_process", "again"),
    ]
    assert store.void_causes() == {"no_process": 2, "no_guardian": 1}
    assert store.voids()[0].at.endswith("+00:00")


def test_a_game_added_twice_stays_as_it_was(tmp_path: Path, header: Header) -> None:
    """Work that is done again does no harm, nor do its logs get mixed with those of the game that counts."""
    store = Store.for_run(tmp_path / "x.pitboss", header)
    store.add([make_stored_game(1)])
    store.add([make_stored_game(1, seed="other", logs=[make_log(0)])])

    assert store.record(1).seed == "s/1"
    assert store.logs(1) == []


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"seed": "other"}, 'seed: was "test", is "other"'),
        ({"game": "racko", "options": {"target": 50}}, '(game: was "magpie", is "racko");'),
        ({"game_version": "2"}, 'game_version: was "1", is "2"'),
        ({"options": {"turns": 6}}, "(options.turns: was 5, is 6; options."),
        ({"clock": Clock(start_ms=60_000, decision_ms=5)}, "(clock.decision_ms: was 20000, is 5);"),
        ({"faults": FaultRules(policy="substitute")}, '(faults.policy: was "forfeit", is "substitute");'),
    ],
)
def test_another_tournament_is_refused(tmp_path: Path, header: Header, changes: dict[str, object], named: str) -> None:
    """A store is not taken for a tournament that differs, and the sentence says in what."""
    Store.for_run(tmp_path / "x.pitboss", header).close()

    with pytest.raises(ConfigError, match=r"another tournament") as refused:
        Store.for_run(tmp_path / "x.pitboss", replace(header, **changes))
    assert named in str(refused.value)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"name": "c"}, 'of another tournament (bots: was ["a", "b"], is ["a", "c"]);'),
        ({"limits": Limits(memory_mb=64)}, "(b: limits.memory_mb: was 1024, is 64), and games of different code are"),
        ({"command": ("other",)}, '(b: command: was ["{python}", "'),
        ({"contents": {"bot.py": "0"}}, "(b: "),
        ({"own": OwnSettings(memory="folder")}, '(b: memory: was "none", is "folder")'),
        ({"own": OwnSettings(grants=Grants(network=True))}, "(b: grants.network: was false, is true)"),
        ({"own": OwnSettings(process="game")}, '(b: process: was "batch", is "game")'),
        ({"own": OwnSettings(clock=BotClock(decision_ms=5))}, "(b: clock.decision_ms: was not there, is 5)"),
    ],
)
def test_other_bots_are_refused(tmp_path: Path, header: Header, changes: dict[str, object], said: str) -> None:
    """Other bots are refused unless somebody may join, leave and change; a sentence says which bot is another one."""
    Store.for_run(tmp_path / "x.pitboss", header).close()
    first, second = header.entries

    with pytest.raises(ConfigError) as refused:
        Store.for_run(tmp_path / "x.pitboss", replace(header, entries=[first, replace(second, **changes)]))
    assert said in str(refused.value)


def test_a_longer_run_of_the_same_tournament_is_accepted(tmp_path: Path, header: Header) -> None:
    """More deals and another limit of faults may be asked for later."""
    longer = replace(header, deals=99, faults=replace(header.faults, disqualify_after=3))
    Store.for_run(tmp_path / "x.pitboss", header).close()
    Store.for_run(tmp_path / "x.pitboss", longer).close()

    found = Store(tmp_path / "x.pitboss").header
    assert found.row == longer.row
    assert found.rosters == (replace(header.rosters[0], deals=99),)


def test_how_many_games_a_bot_plays_at_once_may_change(tmp_path: Path) -> None:
    """The number of games that a bot plays at once belongs to the machine: the header does not have it."""
    plan = make_plan(tmp_path / "x", zoo_entrant("good", "a"), zoo_entrant("good", "b"))
    limited = replace(plan, entrants=tuple(replace(bot, games_at_once=1) for bot in plan.entrants))

    assert make_header(plan, "1", "1") == make_header(limited, "1", "1")


def test_a_game_that_is_not_there(tmp_path: Path, header: Header) -> None:
    """The error about a game that is not there says which games there are."""
    store = Store.for_run(tmp_path / "x.pitboss", header)
    with pytest.raises(ConfigError, match="no game 7; it holds no game yet"):
        store.record(7)
    store.add([make_stored_game(1), make_stored_game(4)])
    with pytest.raises(ConfigError, match="no game 7; its games are numbered 1 to 4"):
        store.record(7)
    with pytest.raises(ConfigError, match="no game 2; it has not been played; the nearest are 1 and 4"):
        store.record(2)


def test_the_header_survives_json(header: Header) -> None:
    """A header is the same after JSON, so that a resume compares what was written."""
    assert header == msgspec.json.decode(msgspec.json.encode(header), type=Header)


def test_another_run_that_is_writing(tmp_path: Path, header: Header) -> None:
    """A second run is refused by the lock, before it would wait for what the first one writes."""
    path = tmp_path / "x.pitboss"
    first = Store.for_run(path, header)
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("begin immediate")

        with pytest.raises(ConfigError, match="another run is playing this tournament"):
            Store.for_run(path, header)
    first.close()
