"""Output for programs that pay for reading: results alone, failed checks alone, games and logs without repetitions."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from pitboss.records.record import dumps
from pitboss_tournament.showing.log_output import shorten_wire
from pitboss_tournament.store.rows import StoredLog
from pitboss_tournament.store.store import Store
from tests.bots.zoo_entrants import ZOO
from tests.tournament.command_line import run_pitboss

pytestmark = pytest.mark.once
WORDS = ("racko", "house:random", "house:racko", "--deals", "2", "--preset", "short", "--seed", "s", "--workers", "1")


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a store of Rack-O with all logs, whose result was printed alone."""
    path = tmp_path_factory.mktemp("short") / "short.pitboss"
    played = run_pitboss("match", *WORDS, "--store", str(path), "-s", "logs.keep=all", "--summary", "--json")
    assert played.status == 0, played.err
    [end] = played.out.splitlines()  # one line, and no game
    Draft202012Validator(json.loads(run_pitboss("schema", "match").out)).validate(json.loads(end))
    assert json.loads(end)["event"] == "end"
    assert json.loads(end)["store"] == str(path)
    assert len(end) < 3_000
    return path


def test_the_result_alone_as_text(tmp_path: Path) -> None:
    """The text has standings and verdict, and names no further command."""
    told = run_pitboss("match", *WORDS, "--store", str(tmp_path / "x.pitboss"), "--summary").out

    assert "Verdict" in told
    assert "house:racko" in told
    assert "--explain" not in told
    assert "The games are kept" not in told


@pytest.mark.parametrize("seat", [None, 0])
def test_a_game_as_json(store: Path, seat: int | None) -> None:
    """A game is one line of JSON, by its schema; a seat is shown its own actions, and no face that it did not see."""
    words = () if seat is None else ("--seat", str(seat))
    found = run_pitboss("replay", str(store), "0", *words, "--json")
    game = found.json_value
    kept = json.loads(dumps(Store(store).record(0)))

    Draft202012Validator(json.loads(run_pitboss("schema", "replay").out)).validate(game)
    assert len(found.out.splitlines()) == 1
    assert game["outcome"] == kept["outcome"]
    assert len(game["decisions"]) == len(kept["decisions"])
    for shown, made in zip(game["decisions"], kept["decisions"], strict=True):
        assert shown["seat"] == made["seat"]
        assert shown.get("action") == (made["action"] if seat in (None, made["seat"]) else None)
    assert ("seed" in game) == (seat is None)
    dealt = [face for event in game["deal"] for faces in event.get("cards", {}).values() for face in faces]
    assert (None in dealt) == (seat is not None)


def test_one_decision_as_json(store: Path) -> None:
    """A decision is shown alone, with the table before it and what was legal."""
    game = run_pitboss("replay", str(store), "0", "3", "--legal", "--json").json_value

    [shown] = game["decisions"]
    assert shown["decision"] == 3
    assert shown["action"] in shown["legal"]
    assert len(shown["table"]) > 3


def test_what_questions_repeat_is_left_out(store: Path) -> None:
    """A brief log is shorter by a third, has the same messages, and each view can be made from the changes."""
    whole, brief = (run_pitboss("log", str(store), "0", "--json", *words).json_value for words in ((), ("--brief",)))

    Draft202012Validator(json.loads(run_pitboss("schema", "log").out)).validate(brief)
    assert len(json.dumps(brief)) < 0.67 * len(json.dumps(whole))
    view: dict[str, object] = {}
    views = 0
    for before, after in zip(whole["logs"][1]["wire"], brief["logs"][1]["wire"], strict=True):
        assert before.split()[:2] == after.split()[:2]
        question, shorter = (json.loads(line.split(" ", 2)[2]) for line in (before, after))
        assert shorter["type"] == question["type"]
        if question["type"] == "decide":
            view = shorter["view"] if "view" in shorter else {**view, **shorter["view_changes"]}
            assert view == question["view"]
            assert shorter.get("legal_count", len(question["legal"])) == len(question["legal"])
            views += 1
    assert views > 3


def test_lines_that_were_cut_stay() -> None:
    """What is no whole message of the runner is not touched."""
    wire = b'0.1 > {"type":"decide","id":1,"view":{"a":\n0.2 < {"type":"act"\n0.3 < nonsense\n0.4 > []\n'

    assert shorten_wire(StoredLog(0, b"", wire)).wire == wire


def test_failed_checks_alone() -> None:
    """The report has the failed checks, and how many others there were; the exit status stays."""
    bot = str(ZOO / "exits_with_3.sh")
    words = ("check", bot, "--game", "racko", "--sandbox", "none", "--failed")
    found = run_pitboss(*words, "--json")

    Draft202012Validator(json.loads(run_pitboss("schema", "check").out)).validate(found.json_value)
    assert found.status == 1
    assert found.json_value["checks"]
    assert all(check["outcome"] == "failed" for check in found.json_value["checks"])
    assert found.json_value["left_out"] > 0


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("check", "house:random", "--failed", "--verbose"), "give one of them"),
        (("replay", "x", "--json", "--brief"), "--json goes without"),
        (("log", "x", "--raw", "--brief"), "give one of them"),
    ],
)
def test_options_that_contradict(store: Path, words: tuple[str, ...], told: str) -> None:
    """Two options of which one would be ignored are refused."""
    ran = run_pitboss(*(str(store) if word == "x" else word for word in words))

    assert ran.status == 2
    assert told in ran.err
