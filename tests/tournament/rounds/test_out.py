"""Bots that the organizer has taken out, and yardsticks: they take no place, and the headline is of the others."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from pitboss.errors import ConfigError
from pitboss.plugins.registry import Registry
from pitboss_tournament.config.out_watch import OutWatch
from pitboss_tournament.config.tournament_file import load_plan
from pitboss_tournament.plan.plan import BotAbout, OutTable, Plan
from tests.tournament.command_line import run_pitboss
from tests.tournament.paper_store import NAMES, PaperStore, make_field_plan

FILE = """game = "racko"
preset = "short"
seats = 2
deals = 1
seed = "out"
bots = ["house:random", { bot = "house:first", yardstick = true }, "house:racko"]
"""
OUT = """
[[out]]
bot = "house:random"
reason = "it is two programs"
games = "GAMES"
"""


def take_out(plan: Plan, bot: str, games: str = "keep") -> Plan:
    """Return a plan in which the organizer has taken a bot out."""
    out = OutTable(bot=bot, reason="cheated", games="void" if games == "void" else "keep")
    return replace(plan, out=(out,), unfit={bot: "out: cheated"})


@pytest.mark.parametrize("games", ["keep", "void"])
def test_a_bot_that_is_out_plays_no_more(games: str) -> None:
    """A bot that is out has no more games, its reason is kept, and it is back as soon as the file does not say so."""
    store = PaperStore()
    plan = make_field_plan(NAMES[:4], 2)
    store.take_up(plan)
    store.play(9)
    before = sum(1 in slot.entrants for slot in store.games.values())
    notes = store.take_up(take_out(plan, NAMES[1], games))
    store.play()

    assert sum(1 in slot.entrants for slot in store.games.values()) == before
    assert store.header.entries[1].why == "out: cheated"
    assert notes[0].startswith(f"{NAMES[1]} has left (out: cheated)")
    assert store.header.find_void(store.header.bots) == ({1} if games == "void" else set())

    store.take_up(plan)
    store.play()
    assert store.header.entries[1].left is None
    assert all(store.deals_of(NAMES[1], other) == [0, 1] for other in (NAMES[0], NAMES[2]))


def test_out_after_the_end_of_a_swiss() -> None:
    """A bot may be out when all rounds are played: it ends behind all others."""
    store = PaperStore()
    plan = make_field_plan(NAMES[:4], 2, name="swiss", rounds=2)
    store.take_up(plan)
    [first, *_] = store.play().ranking or []
    store.take_up(take_out(plan, NAMES[first], "void"))

    assert (store.play().ranking or [])[-1] == first


def test_a_yardstick_is_no_other_version() -> None:
    """What the organizer says of a bot is no change of the bot: it may be said later."""
    plan = make_field_plan(NAMES[:3], 2)
    marked = [replace(bot, about=BotAbout(yardstick=bot.name == NAMES[0])) for bot in plan.entrants]
    store = PaperStore()
    store.take_up(plan)
    store.take_up(replace(plan, entrants=tuple(marked)))

    assert [store.header.is_yardstick(number) for number in range(3)] == [True, False, False]
    assert len(store.header.rosters) == 1


@pytest.mark.parametrize(
    ("out", "said"),
    [
        ('bot = "house:randm"\nreason = "x"', "out names 'house:randm' (did you mean 'house:random'?); the bots are"),
        ('bot = "house:random"', "reason"),
        ('bot = "house:random"\nreason = "x"\ngames = "half"', "out.games is"),
    ],
)
def test_wrong_words_about_who_is_out(tmp_path: Path, out: str, said: str) -> None:
    """A name that no bot has, a missing reason and an unknown effect are refused with their line."""
    file = tmp_path / "t.toml"
    file.write_text(f"{FILE}\n[[out]]\n{out}\n")

    with pytest.raises(ConfigError) as caught:
        load_plan(file, Registry())
    assert said in str(caught.value)


def test_a_file_is_looked_at_while_it_is_played(tmp_path: Path) -> None:
    """A changed [[out]] is noticed once; a half-written file is looked at again, and any other change is left alone."""
    file, notes = tmp_path / "t.toml", list[str]()
    file.write_text(FILE)
    watch = OutWatch(file, lambda: load_plan(file, Registry()), notes.append)
    seen = []
    for text in (FILE, f"{FILE}# a remark", f"{FILE}[[out", FILE + OUT.replace("GAMES", "keep")):
        file.write_text(text)
        seen.append(watch.has_changed())
    file.write_text(FILE + OUT.replace("house:random", "nobody").replace("GAMES", "keep"))

    assert seen == [False, False, False, True]
    assert watch.plan.out == (OutTable(bot="house:random", reason="it is two programs"),)
    assert not watch.has_changed()
    assert "out names 'nobody'" in notes[0]


@pytest.mark.once
@pytest.mark.parametrize(("games", "counted"), [("keep", 6), ("void", 2)])
def test_standings_without_who_is_out(tmp_path: Path, games: str, counted: int) -> None:
    """Standings, verdict and headline tell who is out and why; yardsticks stand apart, and take no place."""
    (tmp_path / "t.toml").write_text(FILE)
    assert run_pitboss("run", "t.toml", cwd=tmp_path).status == 0
    (tmp_path / "t.toml").write_text(FILE + OUT.replace("GAMES", games))
    ran = run_pitboss("run", "t.toml", cwd=tmp_path)
    found = run_pitboss("standings", "t.pitboss", "--json", cwd=tmp_path).json_value

    assert ran.status == 0, ran.err
    assert found["played"] == counted
    assert [place["bot"] for place in found["headline"]["places"]] == ["house:racko"]
    assert found["standings"][0]["name"] == "house:racko"
    assert {row["name"] for row in found["standings"] if row["yardstick"]} == {"house:first"}
    assert any(line.startswith("Out: house:random: it is two programs; ") for line in found["verdict"])
