"""Copies in a league: found by their sources and by their answers, above what is usual in the class."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from pitboss_tournament.league.similarity.answers import Answers, AskedQuestion
from pitboss_tournament.league.similarity.pairs import ComparedBot, compare_bots
from pitboss_tournament.league.similarity.source_prints import (
    Prints,
    SourcePlace,
    list_tokens,
    print_folder,
    read_prints,
)
from tests.league.played_leagues import LeagueBot, make_played_league
from tests.tournament.command_line import run_pitboss

LOOP = """
import json, sys

{code}

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({{"type": "ready"}}), flush=True)
    elif message["type"] == "decide":
        print(json.dumps({{"type": "act", "id": message["id"], "choose": {call}}}), flush=True)
    elif message["type"] == "bye":
        break
"""
IDEA = """
def weigh(action):
    # a long word is worth more than a short one
    value = 0
    for letter in json.dumps(action):
        value = (value * 31 + ord(letter)) % 1009
    return value

def find_heaviest(actions):
    best, most = 0, -1
    for at, action in enumerate(actions):
        if weigh(action) > most:
            best, most = at, weigh(action)
    return best
"""
NAMES = {"weigh": "score", "letter": "c", "value": "total", "action": "move", "best": "pick", "find_heaviest": "go"}


def rename(code: str) -> str:
    """Return code with other names, without its comments."""
    for name, other in NAMES.items():
        code = code.replace(name, other)
    return "\n".join(line for line in code.splitlines() if "#" not in line)


CLASS = {
    "ann": LOOP.format(code=IDEA, call='find_heaviest(message["legal"])'),
    "bob": LOOP.format(code=rename(IDEA), call='go(message["legal"])'),
    "cy": LOOP.format(code="", call="0"),
    "dee": LOOP.format(code="", call='len(message["legal"]) - 1'),
    "eve": LOOP.format(code="", call='len(message["legal"]) // 2'),
}


@pytest.mark.once
def test_a_copy_with_other_names_is_found(tmp_path: Path) -> None:
    """The pair is found by its sources, and the page shows the lines and the answers."""
    bots = [LeagueBot(owner, f"bot-{owner}", code=code) for owner, code in CLASS.items()]
    league = make_played_league(tmp_path / "course", bots, rounds=1)

    told = run_pitboss("league", "similar", str(league.folder), "--json")
    assert told.status == 0, told.err
    page = (league.folder / "similar.html").read_text()

    first, *others = told.json_value["pairs"]
    assert (first["one_owner"], first["other_owner"], first["stands_out"]) == ("ann", "bob", ["source", "answers"])
    assert first["answers"] == 1.0
    assert first["source"] > 0.9
    assert [one for one in others if one["stands_out"]] == []
    assert len(others) == 9
    assert set(told.json_value["starters"]) >= {"bot-cy@1", "bot-dee@1", "bot-eve@1"}
    assert "best, most = at, weigh(action)" in page
    assert "pick, most = at, score(move)" in page
    assert f"pitboss replay {league.store} " in page


def test_names_comments_and_layout_make_no_difference(tmp_path: Path) -> None:
    """A function with other names has the same tokens; with another operator it has not."""
    for name, code in {"a": IDEA, "b": rename(IDEA), "c": IDEA.replace(">", "<")}.items():
        (tmp_path / f"{name}.py").write_text(code)
    a, b, c = ([one.text for one in list_tokens(tmp_path / f"{name}.py")] for name in "abc")

    assert a == b
    assert a != c


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("Bot.java", "class Bot { int f(int n) { int s = 0; for (int i = 0; i < n; i++) { s += i * i; } return s; } }"),
        ("bot.rs", "fn f(n: u32) -> u32 { let mut s = 0; for i in 0..n { s += i * i; if s > 99 { s -= 7; } } s }"),
        ("bot.js", "function f(n) { let s = 0; for (let i = 0; i < n; i++) { s += i * i; } return s % 11; }"),
    ],
)
def test_other_languages(tmp_path: Path, name: str, code: str) -> None:
    """A part of a source in the languages of starter bots shares prints with the whole."""
    for folder, text in (("one", code), ("two", f"{code}\n{code.replace('s', 'sum')}")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / name).write_text(text)
    one, two = (print_folder(tmp_path / folder, [tmp_path / folder / name]) for folder in ("one", "two"))

    assert one
    assert len(one.keys() & two.keys()) > len(one) / 2


@pytest.mark.once
def test_what_is_no_source_has_no_prints(tmp_path: Path) -> None:
    """Prose, data and what is not a language's are not compared."""
    (tmp_path / "README.md").write_text("word " * 500)
    (tmp_path / "net.bin").write_bytes(bytes(range(256)) * 50)
    (tmp_path / "bot.py").symlink_to("/etc/passwd")

    assert read_prints(tmp_path) == {}


@pytest.mark.once
def test_a_source_that_takes_too_long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The process that reads a source is ended; its bot is named."""
    monkeypatch.setattr("pitboss_tournament.league.similarity.source_prints.READING_SECONDS", 0.001)

    assert read_prints(tmp_path) is None


def make_bot(owner: str, prints: str = "", answers: Mapping[int, object] = {}) -> ComparedBot:
    """Return a bot with a print of each letter, in a line of its own."""
    own: Prints = {letter: SourcePlace("bot.py", line) for line, letter in enumerate(prints, 1)}
    given: Answers = {AskedQuestion(1, number): answer for number, answer in answers.items()}
    return ComparedBot(label=owner, owner=owner, prints=own, answers=given)


LETTERS = "abcdefghijklmnopqrstuvwxyz"


def test_what_many_have_does_not_count() -> None:
    """A lesson's code is in the bots of many owners; starter code is known."""
    lesson, own = LETTERS[:13], LETTERS[13:]
    bots = [make_bot(owner, lesson) for owner in "pqr"]
    bots += [make_bot("s", lesson + own), make_bot("t", own.upper() + own)]

    found = compare_bots("course", bots, LETTERS.upper(), 0)

    [shared] = [pair for pair in found.pairs if pair.source is not None]
    assert (shared.one, shared.other, shared.source) == ("s", "t", 1.0)
    assert found.starters == ["p", "q", "r"]
    assert (shared.regions[0].first, shared.regions[0].last) == (14, 26)
    assert shared.regions[0].other_first == 14


def test_answers_count_where_the_class_is_divided() -> None:
    """Two that answer alike what all answer alike are no pair; what nobody else answers is counted."""
    numbers = range(40)
    alike = dict.fromkeys(numbers, 1)
    bots = [
        make_bot("p", answers=alike | dict.fromkeys(range(20), 2)),
        make_bot("q", answers=alike | dict.fromkeys(range(20), 2)),
        make_bot("r", answers=alike),
        make_bot("s", answers=alike),
    ]

    found = compare_bots("course", bots, (), 1)

    assert found.contested == 20
    first = found.pairs[0]
    assert (first.one, first.other, first.answers, first.alone) == ("p", "q", 1.0, 20)
    assert {(one.game, one.others, one.asked) for one in first.telling} == {(1, 0, 4)}


def test_bots_of_one_owner_are_no_pair() -> None:
    """Who sends two bots may copy from the first one."""
    bots = [make_bot("p", LETTERS), make_bot("p", LETTERS)]

    assert compare_bots("course", bots, (), 0).pairs == []


@pytest.mark.once
def test_nothing_to_compare(tmp_path: Path) -> None:
    """A league in which one owner plays has no pair."""
    league = make_played_league(tmp_path / "course", [LeagueBot("ann", "fox")], rounds=0)

    told = run_pitboss("league", "similar", str(league.folder))

    assert told.status == 2
    assert "bots of two owners have to play" in told.err
