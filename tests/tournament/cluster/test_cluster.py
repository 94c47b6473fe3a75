"""Tournaments on nodes of a cluster: the same games as here, and nothing lost with a node."""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Final

import pytest
import trio
from msgspec.structs import replace

from pitboss.errors import ConfigError
from pitboss.records.record import Record
from pitboss_tournament.audit.store_audit import find_problems
from pitboss_tournament.cluster import cluster_engine, node, remote_node
from pitboss_tournament.cluster.cluster_engine import open_node_places
from pitboss_tournament.cluster.machine import CodeVersion
from pitboss_tournament.cluster.remote_node import NodeCalls
from pitboss_tournament.exchange.export import strip_times
from pitboss_tournament.plan.plan import Entrant, FormatChoice, Plan
from pitboss_tournament.processes.process_tree import child_pids
from pitboss_tournament.running.engine import Engine
from pitboss_tournament.running.progress_listener import ProgressListener
from pitboss_tournament.running.run_workers import WorkerLossError
from pitboss_tournament.running.tournament import Tournament
from pitboss_tournament.running.worker_pool import PROCESSES
from pitboss_tournament.store.header import make_header
from pitboss_tournament.store.store import Store
from tests.bots.zoo_entrants import ZOO
from tests.marks import first_rows
from tests.plugins import METADATA, magpie_installed
from tests.tournament.small_tournaments import load_magpie, make_plan, zoo_entrant
from tests.tournament.thread_cluster import NoteListener, ThreadEngine

pytestmark = pytest.mark.once

NEEDS_FOLDER: Final = f"""
import os, runpy, sys
if os.getcwd() != {{!r}}:
    sys.exit("this is another machine")
sys.path.insert(0, {str(ZOO)!r})
runpy.run_path({str(ZOO / "good.py")!r}, run_name="__main__")
"""

NEEDS_NOTHING: Final = f"""
import runpy, sys
sys.path.insert(0, {str(ZOO)!r})
runpy.run_path({str(ZOO / "good.py")!r}, run_name="__main__")
"""

CHANCE: Final = f"""
import os, sys
sys.path.insert(0, {str(ZOO)!r})
import polite
for line in iter(sys.stdin.buffer.readline, b""):
    if {{!r}} in line:
        drawn = os.urandom(1)[0] % 2
    if b'"hello"' in line:
        polite.say('{{{{"type":"ready"}}}}')
    elif b'"decide"' in line:
        legal = line.count(b'"color"') or 1
        answer = polite.act(int(line.partition(b'"id":')[2].partition(b",")[0]))
        polite.say(answer.replace('"choose":0', f'"choose":{{{{drawn}}}}'))
"""


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Each test has a cache of its own, and Magpie is installed: nodes in a thread look for it in this process."""
    monkeypatch.syspath_prepend(METADATA)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path


def play_on(made: Plan, engine: Engine, listener: ProgressListener | None = None) -> dict[int, Record]:
    """Play a tournament on an engine; return its records by number, without times."""
    game = load_magpie()
    with magpie_installed(), closing(Store.for_run(made.store, make_header(made, game.version, "0"))) as store:
        trio.run(Tournament(made, game, store, engine).run, listener or ProgressListener())
        return {number: strip_times(record) for number, record in store.records()}


def make_bots_plan(home: Path, name: str, deals: int = 100, **fields: object) -> Plan:
    """Return a tournament of three bots: six games a deal, by default far more than a node tells at a time."""
    return make_plan(home / f"{name}.pitboss", *(zoo_entrant("good", bot) for bot in "abc"), deals=deals, **fields)


def python_without_cache(zoo_name: str, name: str) -> Entrant:
    """Return a bot of the zoo that leaves no bytecode beside its files: in a node's cache it would be a change."""
    entrant = zoo_entrant(zoo_name, name)
    python, *words = entrant.command
    return replace(entrant, command=(python, "-B", *words))


class CountingListener(NoteListener):
    """Calls a function after so many games."""

    def __init__(self, games: int, action: Callable[[], None]) -> None:
        super().__init__()
        self._left = games
        self._action = action

    def show_game(self, game: object) -> None:
        """Count a game."""
        self._left -= 1
        if self._left == 0:
            self._action()


@pytest.mark.long
def test_the_same_games_as_here(home: Path) -> None:
    """The games on two nodes are the same as here; no process of the nodes is left."""
    before = child_pids(os.getpid())
    here = play_on(make_bots_plan(home, "here", deals=40), PROCESSES)
    there = play_on(make_bots_plan(home, "there", deals=40), ThreadEngine("x://one", "x://two").engine)

    assert len(here) == 240
    assert there == here
    assert child_pids(os.getpid()) == before


@pytest.mark.long
def test_bots_that_changed_on_a_node(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot that changed in a node's cache while games are played is sent anew, and no game is played by the changed
    one; nor in the next run by one that changed in between.
    """
    monkeypatch.setattr(cluster_engine, "RETRY_SECONDS", 0)
    (home / "bot").mkdir()
    (home / "bot/bot.toml").write_text('command = ["{python}", "bot.py"]\n')
    (home / "bot/bot.py").write_text(NEEDS_NOTHING)
    bot = Entrant(name="bot", command=(sys.executable, "bot.py"), folder=home / "bot", process="game")

    def edit() -> None:
        [file] = (home / "cache/pitboss/bots").glob("*/files/bot.py")
        file.chmod(0o644)  # it is sealed
        file.write_text("raise SystemExit('changed')\n")

    listener = CountingListener(4, edit)
    made = make_plan(home / "there.pitboss", bot, zoo_entrant("good"), deals=12)
    there = play_on(made, ThreadEngine("x://one").engine, listener)
    edit()
    again = play_on(replace(made, store=home / "again.pitboss"), ThreadEngine("x://one").engine)

    assert there == play_on(replace(made, store=home / "here.pitboss"), PROCESSES)
    assert again == there
    [note] = listener.notes
    assert "(one) is lost: bot 'bot' is not started: bot.py in " in note


@pytest.mark.long
def test_a_node_that_is_cut_off(home: Path) -> None:
    """The games of a node that is cut off are played elsewhere, no bot is blamed, and a note names the node."""
    thread = ThreadEngine("x://one", "x://two")

    def cut() -> None:
        thread.cluster.addresses.remove("x://one")
        thread.cluster.nodes["x://one"][0].is_gone = True

    listener = CountingListener(10, cut)
    there = play_on(make_bots_plan(home, "there"), thread.engine, listener)

    assert there == play_on(make_bots_plan(home, "here"), PROCESSES)
    [note] = listener.notes
    assert "(one) is lost: " in note


@pytest.mark.long
def test_a_node_that_hangs(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A node that hangs is lost when it has not answered for some seconds, and joins again when it answers."""
    monkeypatch.setattr(cluster_engine, "RETRY_SECONDS", 0)
    thread, patience = ThreadEngine("x://one"), node.SILENCE_SECONDS

    def hang() -> None:
        thread.cluster.nodes["x://one"][0].hangs = True
        monkeypatch.setattr(remote_node, "SILENCE_SECONDS", 3)

    class PatientListener(CountingListener):
        """Gives the node that joins all of its seconds: a busy machine does not look as if it hangs."""

        def show_note(self, text: str) -> None:
            super().show_note(text)
            monkeypatch.setattr(remote_node, "SILENCE_SECONDS", patience)

    listener = PatientListener(10, hang)
    there = play_on(make_bots_plan(home, "there", deals=40), thread.engine, listener)

    assert there == play_on(make_bots_plan(home, "here", deals=40), PROCESSES)
    assert len(thread.cluster.nodes["x://one"]) == 2
    assert "(one) is lost: it does not answer" in listener.notes[0]


@pytest.mark.long  # as `test_a_node_that_hangs`
def test_a_node_that_was_started_anew(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cluster may put a new node in the place of one that has died: the old one and its workers are lost, not waited
    for, and no game is to blame.
    """
    monkeypatch.setattr(cluster_engine, "RETRY_SECONDS", 0)
    thread = ThreadEngine("x://one")

    def start_anew() -> None:
        thread.cluster.nodes["x://one"][0].start_anew()

    listener = CountingListener(10, start_anew)
    there = play_on(make_bots_plan(home, "there"), thread.engine, listener)

    assert there == play_on(make_bots_plan(home, "here"), PROCESSES)
    assert "(one) is lost: the node was restarted, or was not heard of for too long" in listener.notes[0]


@pytest.mark.long  # as `test_a_node_that_hangs`
def test_a_tournament_that_was_asleep(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A node that was not heard of for too long has ended its workers: it is lost, and none of its games is suspected
    of their end.
    """
    monkeypatch.setattr(node, "SILENCE_SECONDS", 4.0)
    monkeypatch.setattr(cluster_engine, "RETRY_SECONDS", 0)
    thread = ThreadEngine("x://one")

    def fall_asleep() -> None:
        thread.cluster.nodes["x://one"][0].delay = 6.0

    listener = CountingListener(10, fall_asleep)
    there = play_on(make_bots_plan(home, "there"), thread.engine, listener)

    assert there == play_on(make_bots_plan(home, "here"), PROCESSES)
    assert "(one) is lost: the node was restarted, or was not heard of for too long" in listener.notes[0]


@pytest.mark.long
def test_all_nodes_are_lost(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The run ends with an error, what was played is kept, and the same command carries on."""
    monkeypatch.setattr("pitboss_tournament.running.run_workers.NEW_PLACE_SECONDS", 0.1)
    thread, made = ThreadEngine("x://one"), make_bots_plan(home, "there")

    def cut() -> None:
        thread.cluster.addresses.clear()
        thread.cluster.nodes["x://one"][0].is_gone = True

    with pytest.raises(ExceptionGroup) as error:
        play_on(made, thread.engine, CountingListener(30, cut))
    assert error.group_contains(
        WorkerLossError, match="nothing is left to play on: .* is lost: (the wire is cut|it has left)"
    )
    with closing(Store(made.store)) as store:
        assert 30 <= store.count_games() < 600

    assert play_on(made, ThreadEngine("x://one").engine) == play_on(make_bots_plan(home, "here"), PROCESSES)


class SilentCluster:
    """A cluster that does not say which nodes there are."""

    async def list_nodes(self) -> dict[str, int]:
        """Raise what a cluster raises that is gone."""
        raise ConnectionError("the scheduler does not answer")

    async def open_node(self, address: str, plan: Plan) -> NodeCalls:
        """Raise, as there is no node."""
        raise ConnectionError(address)


async def test_a_cluster_that_is_gone_at_the_beginning(home: Path) -> None:
    """A run on a cluster that is gone does not begin, and the error says why."""
    places = open_node_places(make_bots_plan(home, "there"), SilentCluster(), lambda _: None, lambda _: None)
    with pytest.raises(ExceptionGroup) as error:
        async with places:
            pass

    assert error.group_contains(ConfigError, match="the scheduler does not answer")


@pytest.mark.long
def test_a_node_that_joins(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A node that joins plays too."""
    monkeypatch.setattr(cluster_engine, "LOOK_SECONDS", 0.05)
    thread = ThreadEngine("x://one")
    there = play_on(
        make_bots_plan(home, "there"),
        thread.engine,
        CountingListener(5, lambda: thread.cluster.addresses.append("y://z")),
    )

    assert there == play_on(make_bots_plan(home, "here"), PROCESSES)
    assert "start" in thread.cluster.nodes["y://z"][0].calls


@pytest.mark.long
def test_other_code_there(home: Path) -> None:
    """A node with other code is refused at the beginning of a run, as it would play other games; the error says what
    differs.
    """
    other = CodeVersion("0.0", "abc")
    reports = {"x://two": {"code": dict.fromkeys(("pitboss", "pitboss_tournament", "pitboss_magpie"), other)}}
    with pytest.raises(ExceptionGroup) as error:
        play_on(make_bots_plan(home, "there"), ThreadEngine("x://two", reports=reports).engine)

    assert error.group_contains(ConfigError, match="would play other games: pitboss is .* here and 0.0 there")


@pytest.mark.long
def test_a_node_with_a_problem(home: Path) -> None:
    """A node with a problem is refused, with what its doctor says; the others play."""
    thread = ThreadEngine("x://one", "x://two", reports={"x://two": {"problems": ("there is no sandbox",)}})
    listener = NoteListener()
    play_on(make_bots_plan(home, "there"), thread.engine, listener)

    [note] = listener.notes
    assert "(two) does not play: there is no sandbox" in note
    assert "start" not in thread.cluster.nodes["x://two"][0].calls


@pytest.mark.long
def test_a_bot_travels_once(home: Path) -> None:
    """A bot's files are sent once to a machine that lacks them, and found there by the next run."""
    bots = [python_without_cache("good", bot) for bot in "abc"]
    made, again = (make_plan(home / f"{name}.pitboss", *bots, deals=100) for name in ("first", "again"))
    engines = [ThreadEngine("x://one"), ThreadEngine("x://one")]
    for plan, thread in zip((made, again), engines, strict=True):
        play_on(plan, thread.engine)

    assert [thread.cluster.nodes["x://one"][0].calls.count("install") for thread in engines] == [1, 0]
    [cached] = (place for place in (home / "cache/pitboss/bots").iterdir() if place.is_dir())
    assert (cached / "files/good.py").is_file()


@pytest.mark.long
def test_a_bot_that_does_not_run_there(home: Path) -> None:
    """A machine that lacks what a bot needs is refused, with the bot's fault; nobody forfeits a game by it."""
    (home / "bot").mkdir()
    (home / "bot/bot.py").write_text(NEEDS_FOLDER.format(str(home / "bot")))
    command = (sys.executable, "-S", "bot.py")
    made = make_plan(
        home / "x.pitboss", Entrant(name="needy", command=command, folder=home / "bot"), zoo_entrant("good")
    )
    with pytest.raises(ExceptionGroup) as error:
        play_on(made, ThreadEngine("x://one").engine)

    assert error.group_contains(ConfigError, match=r"\(one\) does not play: needy: crashed: ")


@pytest.mark.long
def test_a_bot_that_is_broken(home: Path) -> None:
    """A bot that is broken forfeits its games on every machine, as it does here."""
    made = make_plan(home / "x.pitboss", zoo_entrant("exits_with_3"), zoo_entrant("good"))
    listener = NoteListener()
    records = play_on(made, ThreadEngine("x://one").engine, listener)

    assert listener.notes == []
    assert len(records) == 4 and all(record.incidents for record in records.values())


@pytest.mark.long
@pytest.mark.parametrize("format_name", ["round-robin", "swiss"])
def test_a_machine_that_lies(home: Path, format_name: str) -> None:
    """A machine that lies is named, all its games are void and played again, and what followed from them as well."""
    choice = FormatChoice(name=format_name, options={} if format_name == "round-robin" else {"rounds": 3})
    there, here = (make_bots_plan(home, name, verify=30.0, format=choice) for name in ("there", "here"))
    listener = NoteListener()
    records = play_on(there, ThreadEngine("x://one", "x://liar").engine, listener)

    assert records == play_on(here, PROCESSES)
    [note] = listener.notes
    assert "(liar) plays otherwise than this machine: in game " in note and "and it plays no more" in note
    with closing(Store(there.store)) as store:
        assert set(store.machines().values()) == {f"{socket.gethostname()} (one)"}
        assert store.void_causes()["distrusted"] > 0
        assert list(find_problems(store)) == []


@pytest.mark.long
@first_rows(1)("moment", [b'"decide"', b'"start"'])
def test_a_bot_of_chance(home: Path, moment: bytes) -> None:
    """A bot of chance, which plays otherwise each time or in every second game, cannot be verified: no machine and no
    opponent is blamed, and a note says so.
    """
    chance = entrant_of_chance(home / "chance", moment)
    made = make_plan(home / "x.pitboss", zoo_entrant("good"), chance, verify=100.0, deals=40)
    listener = NoteListener()
    records = play_on(made, ThreadEngine("x://one").engine, listener)

    assert len(records) == 80
    assert listener.notes == ["games with chance cannot be verified: played twice here they differ"]


def entrant_of_chance(folder: Path, moment: bytes) -> Entrant:
    """Return a bot that chooses by the system's random numbers, drawn at each line of a kind."""
    folder.mkdir()
    (folder / "bot.py").write_text(CHANCE.format(moment))
    return Entrant(name="chance", command=(sys.executable, "-S", "bot.py"), folder=folder)
