"""`run`, `match`, `standings`, `replay` and `export`, as a person and as a program meet them."""

from __future__ import annotations

import csv
import io
import json
import re
import shlex
from pathlib import Path

import pytest

from pitboss.records.record import loads
from tests.mistakes import each_mistake
from tests.tournament.command_line import CommandResult, run_pitboss
from tests.tournament.small_tournaments import BOT_TESTS

pytestmark = pytest.mark.once

GOOD = f"{{python}} -S {BOT_TESTS / 'zoo' / 'good.py'}"
ILLEGAL = f"{{python}} -S {BOT_TESTS / 'zoo' / 'plays_illegally.py'}"
SHORT = ["--seats", "2", "-o", "turns=3"]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the store of a finished match: two good bots, and one that plays illegally."""
    path = tmp_path_factory.mktemp("match") / "x.pitboss"
    ran = run_pitboss(
        "match", "magpie", GOOD, GOOD, ILLEGAL, "--deals", "2", "--seed", "s", *SHORT, "--store", str(path)
    )
    assert ran.status == 3, ran.err  # one of them never made a decision of its own
    return path


def standings_rows(ran: CommandResult) -> list[list[str]]:
    """Return the words of the standings' lines."""
    return [line.split() for line in ran.out.splitlines() if line[:1].isdigit()]


def test_a_match_in_a_pipe(tmp_path: Path) -> None:
    """A match prints the tournament first, then the standings, the faults, the verdict, the meaning of ± if that is
    asked for, and where the games are.
    """
    words = ("match", "magpie", GOOD, ILLEGAL, "--deals", "2", "--seed", "s", *SHORT, "--explain")
    ran = run_pitboss(*words, cwd=tmp_path)

    lines = ran.out.splitlines()
    assert lines[0] == "magpie, 2 at a table, seed 's': 2 bots, 4 games"
    assert [row[1] for row in standings_rows(ran)] == ["good", "plays_illegally"]
    assert "illegal 4" in ran.out
    assert "± is a 95 % interval over blocks" in ran.out
    wrong = lines.index("plays_illegally: 4 games forfeited (illegal 4)")
    assert lines[wrong + 1].startswith("  first in game 0, question 1, illegal: it chose 999")
    assert lines[wrong + 2] == "  its standard error then:"
    assert lines[wrong + 3].startswith("     | ")
    assert lines[wrong + 4].startswith("  what to do: answer with an index into `legal`")
    assert lines[wrong + 5] == f"  to check it: pitboss check {shlex.quote(ILLEGAL)} --game magpie"
    assert lines[wrong + 6] == "  to see it: pitboss replay magpie-s.pitboss 0"
    assert lines[wrong + 7] == "  what was said: pitboss log magpie-s.pitboss 0 --seat 1"
    assert lines[wrong + 8] == "  to ask it again: pitboss ask magpie-s.pitboss 0 --seat 1"
    assert lines[wrong + 9] == (
        "Verdict: all 4 games were forfeited (plays_illegally 4); that tells nothing about how the bots play."
    )
    assert lines[-1].startswith("The games are kept in magpie-s.pitboss: ")
    assert (tmp_path / "magpie-s.pitboss").exists()


@pytest.mark.long
def test_the_same_match_again_plays_nothing(store: Path) -> None:
    """A finished match is not played again; its standings are shown."""
    words = ["match", "magpie", GOOD, GOOD, ILLEGAL, "--deals", "2", "--seed", "s", *SHORT, "--store", str(store)]
    ran = run_pitboss(*words)

    assert "12 games, of which 12 are already played" in ran.out
    assert len(standings_rows(ran)) == 3


def test_a_store_of_another_match_is_refused(store: Path) -> None:
    """The games of two tournaments never mix, and the sentence says how they differ."""
    ran = run_pitboss("match", "magpie", GOOD, GOOD, "--deals", "3", "--seed", "t", *SHORT, "--store", str(store))

    assert ran.status == 2
    assert "this store is of another tournament" in ran.err
    assert 'seed: was "s", is "t"' in ran.err


@pytest.mark.long
def test_a_match_without_a_seed_says_its_own(tmp_path: Path) -> None:
    """A new seed is made and printed, so that the match can be repeated."""
    first, second = (run_pitboss("match", "magpie", GOOD, GOOD, "--deals", "1", *SHORT, cwd=tmp_path) for _ in range(2))

    assert first.out.splitlines()[0] != second.out.splitlines()[0]
    assert "seed '" in first.out


@pytest.mark.long
def test_a_tournament_file_is_played_and_carried_on_longer(tmp_path: Path) -> None:
    """`run` plays what the file says; with more deals in the file the same store is filled up."""
    bots = "".join(
        f"[[bots]]\nbot = {json.dumps(spec)}\nname = {json.dumps(name)}\n"
        for spec, name in ((GOOD, "a"), (ILLEGAL, "b"))
    )
    text = 'game = "magpie"\ndeals = {}\noptions = {{ turns = 3 }}\nfaults.disqualify_after = 99\n'
    file = tmp_path / "friday.toml"
    file.write_text(text.format(2) + bots)
    assert "4 games" in run_pitboss("run", str(file)).out.splitlines()[0]
    file.write_text(text.format(3) + bots)

    ran = run_pitboss("run", str(file))
    seed = run_pitboss("standings", str(tmp_path / "friday.pitboss"), "--json").json_value["seed"]
    assert (
        ran.out.splitlines()[0]
        == f"magpie, 2 at a table, seed {seed!r}: 2 bots, 6 games, of which 4 are already played"
    )
    assert run_pitboss("standings", str(tmp_path / "friday.pitboss"), "--json").json_value["played"] == 6


def test_a_line_of_json_for_each_event(tmp_path: Path) -> None:
    """A run prints `start`, a `game` for each, `fault` for a bot's first, `end` with the standings, and nothing else on
    standard output.
    """
    words = [
        "match",
        "magpie",
        GOOD,
        ILLEGAL,
        "--deals",
        "2",
        "--seed",
        "s",
        *SHORT,
        "--store",
        str(tmp_path / "x.pitboss"),
    ]
    events = [json.loads(line) for line in run_pitboss(*words, "--json").out.splitlines()]

    games, [fault] = ([event for event in events if event["event"] == kind] for kind in ("game", "fault"))
    assert [events[0]["event"], events[-1]["event"], len(events)] == ["start", "end", 7]
    assert sorted(event["id"] for event in games) == [0, 1, 2, 3]
    assert all(event["faults"][0]["kind"] == "illegal" for event in games)
    assert (fault["bot"], fault["incident"]["fault"]["kind"]) == ("plays_illegally", "illegal")
    assert events[-1]["standings"][0]["name"] == "good"
    assert events[-1]["stopped"] is False


def test_standings_of_a_store(store: Path) -> None:
    """Standings can be looked at later, for people and for programs; they agree."""
    shown, value = run_pitboss("standings", str(store)), run_pitboss("standings", str(store), "--json").json_value

    assert [row[1] for row in standings_rows(shown)] == [line["name"] for line in value["standings"]]
    assert value["standings"][-1]["name"] == "plays_illegally"
    assert value["standings"][-1]["faults"] == {"illegal": 8}
    assert value["standings"][-1]["is_out"] is False
    assert value["standings"][0]["blocks"] == 4


def test_records_are_exported_in_order(store: Path) -> None:
    """Records are exported by number, a line for each game; each is a whole record."""
    lines = run_pitboss("export", str(store)).out.splitlines()

    numbers = [json.loads(line)["game_id"] for line in lines]
    assert numbers == sorted(numbers)
    for line in lines:
        assert loads(line.encode()).game == "magpie"


def test_event_logs_are_exported(store: Path) -> None:
    """Every event of every game, hidden cards included, in order."""
    lines = [json.loads(line) for line in run_pitboss("export", str(store), "--what", "events").out.splitlines()]
    first = [line for line in lines if line["game_id"] == lines[0]["game_id"]]

    assert [line["number"] for line in first] == list(range(len(first)))
    assert {"deal", "up_card", "end"} <= {line["event"] for line in first}
    deal = next(line for line in first if line["event"] == "deal")
    assert None not in deal["cards"]["hand 0"]


def test_results_as_csv(store: Path, tmp_path: Path) -> None:
    """Results as CSV have a line for each seat of each game, also into a file; forfeits are named."""
    ran = run_pitboss("export", str(store), "-w", "csv", "-o", str(tmp_path / "out.csv"))
    assert (ran.status, ran.out) == (0, "")
    lines = list(csv.DictReader(io.StringIO((tmp_path / "out.csv").read_text())))

    assert len(lines) == 2 * len(run_pitboss("export", str(store)).out.splitlines())
    assert {line["fault"] for line in lines if line["bot"] == "plays_illegally"} == {"illegal"}
    assert {line["win"] for line in lines if line["bot"] == "plays_illegally"} == {"0.0"}


def test_results_as_parquet(store: Path, tmp_path: Path) -> None:
    """Results as Parquet have the lines of the CSV, with types; Parquet is no text, so that a file must be named."""
    parquet = pytest.importorskip("pyarrow.parquet")
    assert run_pitboss("export", str(store), "-w", "parquet", "-o", str(tmp_path / "out.parquet")).status == 0
    lines = list(csv.DictReader(io.StringIO(run_pitboss("export", str(store), "-w", "csv").out)))
    rows = parquet.read_table(tmp_path / "out.parquet").to_pylist()

    assert [{key: "" if value is None else str(value) for key, value in row.items()} for row in rows] == lines
    assert "no text" in run_pitboss("export", str(store), "-w", "parquet").err


def test_all_records_replay(store: Path) -> None:
    """`replay --check` compares every game of a store with its record."""
    ran = run_pitboss("replay", str(store), "--check")

    assert ran.status == 0
    assert "replay as they were recorded" in ran.out


def test_a_game_is_shown_decision_by_decision(store: Path) -> None:
    """A replay shows the table before each decision, who did what, forfeits with their evidence, and the end."""
    game = next(
        json.loads(line)
        for line in run_pitboss("export", str(store)).out.splitlines()
        if "plays_illegally" in json.loads(line)["players"]
    )
    ran = run_pitboss("replay", str(store), str(game["game_id"]))

    assert ran.out.startswith(f"Game {game['game_id']}: magpie, seed '{game['seed']}'")
    assert "it chose 999" in ran.out
    assert "(neutral: it forfeits here)" in ran.out
    assert ": forfeited, illegal: it chose 999" in ran.out
    assert "last, as it forfeited: seat" in ran.out
    assert f"{len(game['decisions'])}. seat" in ran.out


def test_a_game_with_a_bot_that_never_played(tmp_path: Path) -> None:
    """A fault before the first decision is shown with the deal, evidence included."""
    path = tmp_path / "x.pitboss"
    run_pitboss(
        "match", "magpie", GOOD, "{python} -c exit(7)", "--deals", "1", "--seed", "s", *SHORT, "--store", str(path)
    )
    ran = run_pitboss("replay", str(path), "0")

    page = ran.out.split("\n\n")[0]
    assert "(python-) never played.\n   crashed: exited with status 7 before it answered 'hello'" in page


def test_a_game_through_the_eyes_of_a_seat(store: Path) -> None:
    """A replay with --seat hides what the seat did not know: the stock is a number of cards, the other's
    nest has dots.
    """
    ran = run_pitboss("replay", str(store), "0", "--seat", "1")
    page = ran.out.split("\n\n")[0]

    other, own = page.partition("  0 good")[2].split("  1 good-2")
    assert re.search(r"stock +10 cards", page)
    assert "1:·   2:·" in other
    assert "·" not in own


@each_mistake(__file__)
def test_mistakes(store: Path, written: str, said: str) -> None:
    """A mistake is one line that says what was wrong and what is allowed, and status 2."""
    ran = run_pitboss(*(word.format(store=store) for word in written.split()))

    assert ran.status == 2
    assert said in ran.err
    assert ran.err.startswith("pitboss: ")
    assert len(ran.err.splitlines()) == 1
