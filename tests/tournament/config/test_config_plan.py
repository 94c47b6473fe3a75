"""A tournament file without mistakes becomes a plan: every default, every path."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from msgspec import to_builtins

from pitboss.protocol.messages import Clock
from pitboss_tournament.config.tournament_file import load_plan
from pitboss_tournament.plan.limits import BotClock, Limits
from pitboss_tournament.plan.plan import FaultRules, Plan
from pitboss_tournament.processes.cpu import available_cpus
from pitboss_tournament.processes.sandbox_probe import resolve_sandbox
from pitboss_tournament.store.header import make_header
from pitboss_tournament.store.store import Store
from tests.plugins import load_registry

TWO_BOTS = '[[bots]]\nbot = "cat"\n[[bots]]\nbot = "true"\n'


def read_plan(folder: Path, text: str, name: str = "friday.toml") -> Plan:
    """Return the plan that a file makes."""
    (folder / name).write_text(text)
    return load_plan(folder / name, load_registry())


def test_defaults(tmp_path: Path) -> None:
    """A file with the game and the bots is enough."""
    plan = read_plan(tmp_path, f'game = "magpie"\n{TWO_BOTS}')

    assert (plan.game, plan.seats, plan.deals) == ("magpie", 2, 100)
    assert plan.options == load_registry().find_game("magpie").Options().resolve(2)
    assert plan.clock == Clock(start_ms=10_000, decision_ms=1_000, game_ms=None, increment_ms=0, margin_ms=10)
    assert plan.faults == FaultRules(policy="forfeit", substitutions=3, disqualify_after=10)
    assert (plan.workers, plan.games_at_once, plan.pinned) == (available_cpus(), available_cpus(), True)
    assert plan.sandbox == resolve_sandbox("auto")[0]
    assert plan.keep_logs == "faults"
    assert [bot.limits for bot in plan.entrants] == [Limits(), Limits()]
    assert [bot.clock for bot in plan.entrants] == [BotClock(), BotClock()]
    assert [bot.hidden for bot in plan.entrants] == [
        (plan.store, tmp_path / "friday.toml", tmp_path / "friday.pitboss.memory")
    ] * 2
    assert plan.store == tmp_path / "friday.pitboss"
    assert [bot.name for bot in plan.entrants] == ["cat", "true"]


def test_everything_said(tmp_path: Path) -> None:
    """Each key of the file is found in the plan."""
    (tmp_path / "results").mkdir()
    text = """
        game = "magpie"
        seats = 2
        preset = "graves"
        seed = "a seed"
        deals = 7
        games_at_once = 3
        workers = 5
        pinned = false
        sandbox = "none"
        logs.keep = "all"
        store = "results/x.pitboss"
        options = { turns = 4, "hand" = 4 }
        clock.start_ms = 1
        clock.decision_ms = 2
        clock.game_ms = 3
        clock.increment_ms = 4
        clock.margin_ms = 5
        faults.policy = "substitute"
        faults.substitutions = 6
        faults.disqualify_after = 4
        limits = { memory_mb = 99, processes = 98 }
        [[bots]]
        bot = "cat"
        [[bots]]
        bot = "true"
        limits.memory_mb = 97
        limits.read = ["results"]
        clock = { decision_ms = 60, game_ms = 70 }
        games_at_once = 2
        process = "game"
    """

    plan = read_plan(tmp_path, text)

    assert (plan.seats, plan.seed, plan.deals, plan.games_at_once) == (2, "a seed", 7, 3)
    assert (plan.workers, plan.pinned, plan.sandbox, plan.keep_logs) == (5, False, "none", "all")
    assert plan.clock == Clock(start_ms=1, decision_ms=2, game_ms=3, increment_ms=4, margin_ms=5)
    assert plan.faults == FaultRules(policy="substitute", substitutions=6, disqualify_after=4)
    first, second = (bot.limits for bot in plan.entrants)
    assert (first.memory_mb, first.processes, first.read) == (99, 98, ())
    assert (second.memory_mb, second.processes, second.read) == (97, 98, (str(tmp_path / "results"),))
    assert [bot.clock for bot in plan.entrants] == [BotClock(), BotClock(decision_ms=60, game_ms=70)]
    assert [bot.memory for bot in plan.entrants] == [None, None]
    assert [(bot.games_at_once, bot.process) for bot in plan.entrants] == [(None, "batch"), (2, "game")]
    assert plan.store == tmp_path / "results" / "x.pitboss"
    options = to_builtins(plan.options)
    assert (options["turns"], options["graves"], options["hand"], options["partners"]) == (4, True, 4, False)


@pytest.mark.parametrize(("bots", "seats"), [(2, 2), (3, 3), (4, 4), (5, 2)])
def test_seats_by_default(tmp_path: Path, bots: int, seats: int) -> None:
    """All bots sit at one table if the game allows it, else as few as the game allows."""
    text = 'game = "magpie"\n' + "".join(f'[[bots]]\nname = "b{number}"\nbot = "cat"\n' for number in range(bots))

    assert read_plan(tmp_path, text).seats == seats


def test_the_store_has_the_name_of_the_file(tmp_path: Path) -> None:
    """The store has the name of the file: only the last ending is taken off."""
    assert read_plan(tmp_path, f'game = "magpie"\n{TWO_BOTS}', "round.2.toml").store.name == "round.2.pitboss"


def test_the_seed_is_a_new_one(tmp_path: Path) -> None:
    """The seed is a new one of 64 bits that nobody chose, until there is a store that has it: a bot that could guess it
    would know all cards.
    """
    text = f'game = "magpie"\n{TWO_BOTS}'
    plan, other = read_plan(tmp_path, text), read_plan(tmp_path, text)
    assert plan.seed != other.seed
    assert len(plan.seed) == 16

    Store.for_run(plan.store, make_header(plan, "1", "1")).close()
    assert read_plan(tmp_path, text).seed == plan.seed
    assert read_plan(tmp_path, f'seed = "mine"\n{text}').seed == "mine"


def test_paths_are_relative_to_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file can be run from anywhere."""
    (tmp_path / "cup" / "bee").mkdir(parents=True)
    (tmp_path / "cup" / "bee" / "bot.toml").write_text('command = ["{python}", "bee.py"]\n')
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "cup" / "friday.toml").write_text(
        'game = "magpie"\n[[bots]]\nbot = "bee"\n[[bots]]\nbot = "cat file"\n'
    )
    monkeypatch.chdir(tmp_path / "elsewhere")

    plan = load_plan(Path("../cup/friday.toml"), load_registry())

    bee, cat = plan.entrants
    assert (bee.name, bee.command, bee.folder) == ("bee", (sys.executable, "bee.py"), tmp_path / "cup" / "bee")
    assert (cat.name, cat.command, cat.folder) == ("cat", ("cat", "file"), tmp_path / "cup")
    assert plan.store.resolve() == tmp_path / "cup" / "friday.pitboss"


def test_the_same_from_anywhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A tournament that is named by another way is the same one, and its store is carried on: programs and folders have
    one name.
    """
    (tmp_path / "cup" / "ant").mkdir(parents=True)
    (tmp_path / "cup" / "ant" / "bot.toml").write_text('command = ["./ant"]\nlimits.memory_mb = 64\n')
    (tmp_path / "cup" / "ant" / "ant").touch(0o755)
    bots = '[[bots]]\nbot = "ant"\nlimits.read = ["data"]\n[[bots]]\nname = "two"\nbot = "./ant/ant"\n'
    (tmp_path / "cup" / "data").mkdir()
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "cup" / "friday.toml").write_text(f'seed = "s"\ngame = "magpie"\n{bots}')

    headers = []
    for folder, way in (("cup", "friday.toml"), ("elsewhere", "../cup/friday.toml"), ("cup/ant", "../friday.toml")):
        monkeypatch.chdir(tmp_path / folder)
        headers.append(make_header(load_plan(Path(way), load_registry()), "1", "1"))

    assert [entry.command for entry in headers[0].entries] == [(str(tmp_path / "cup" / "ant" / "ant"),)] * 2
    assert headers[0] == headers[1] == headers[2]


def test_a_file_that_begins_with_a_mark(tmp_path: Path) -> None:
    """Editors of Windows write one before UTF-8; it is no part of the file."""
    assert read_plan(tmp_path, f'\ufeffgame = "magpie"\n{TWO_BOTS}').game == "magpie"


def test_windows_line_ends_and_a_named_bot(tmp_path: Path) -> None:
    """The name in the file counts for more than the bot's own."""
    plan = read_plan(tmp_path, f'game = "magpie"\n{TWO_BOTS}name = "Ada 2.0"\n'.replace("\n", "\r\n"))

    assert [bot.name for bot in plan.entrants] == ["cat", "Ada 2.0"]
