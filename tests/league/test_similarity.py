"""Copies in a league: found by their sources and by their answers, above what is usual in the class."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from pitboss.errors import ConfigError
from pitboss_tournament.league.book import Book
from pitboss_tournament.league.league_folder import read_league
from pitboss_tournament.league.similarity.answers import Answers, AskedQuestion
from pitboss_tournament.league.similarity.class_similarity import find_similar
from pitboss_tournament.league.similarity.pairs import (
    ALWAYS_OUT,
    ComparedBot,
    SimilarityReport,
    SimilarPair,
    compare_bots,
)
from pitboss_tournament.league.similarity.similarity_page import render_similarity_page
from pitboss_tournament.league.similarity.source_prints import (
    Prints,
    ReadSources,
    SourcePlace,
    list_tokens,
    print_folder,
    read_sources,
)
from tests.league.played_leagues import LeagueBot, make_played_league
from tests.plugins import load_registry
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


@pytest.mark.once
def test_what_the_class_was_given_does_not_count(tmp_path: Path) -> None:
    """Sources in the folder `given` of a league are everybody's: equal parts of them make no pair."""
    bots = [LeagueBot(owner, f"bot-{owner}", code=CLASS[owner]) for owner in ("ann", "bob", "cy")]
    league = make_played_league(tmp_path / "course", bots, rounds=0)
    (league.folder / "given").mkdir()
    (league.folder / "given" / "lecture.py").write_text(CLASS["ann"])

    told = run_pitboss("league", "similar", str(league.folder), "--json")

    assert told.status == 0, told.err
    assert [pair["source"] for pair in told.json_value["pairs"]] == [None] * 3
    assert told.json_value["starters"] == ["bot-ann@1", "bot-bob@1", "bot-cy@1"]


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
    one, two = (print_folder(tmp_path / folder, [tmp_path / folder / name]).prints for folder in ("one", "two"))

    assert one
    assert len(one.keys() & two.keys()) > len(one) / 2


@pytest.mark.once
def test_what_is_no_source_has_no_prints(tmp_path: Path) -> None:
    """Prose, data and links are not compared; they are named, but for the files that every bot may have."""
    (tmp_path / "README.md").write_text("word " * 500)
    (tmp_path / "notes.txt").write_text("word " * 500)
    (tmp_path / "net.bin").write_bytes(bytes(range(256)) * 50)
    (tmp_path / "bot.py").symlink_to("/etc/passwd")

    assert read_sources(tmp_path) == ReadSources(prints={}, others=["bot.py", "net.bin", "notes.txt"])


@pytest.mark.once
def test_a_source_that_takes_too_long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The process that reads a source is ended; its bot is named."""
    monkeypatch.setattr("pitboss_tournament.league.similarity.source_prints.READING_SECONDS", 0.001)

    assert read_sources(tmp_path) is None


@pytest.mark.once
def test_known_sources_that_take_too_long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without what everybody has been given, half of the class would stand out: nothing is compared."""
    bots = [LeagueBot(owner, f"bot-{owner}") for owner in ("ann", "bob")]
    folder = make_played_league(tmp_path / "course", bots, rounds=0).folder
    with closing(Book(folder / "league.pitboss")) as book:
        submissions = book.submissions()
    monkeypatch.setattr("pitboss_tournament.league.similarity.source_prints.READING_SECONDS", 0.001)

    with pytest.raises(ConfigError, match=r"templates: its sources cannot be read within 20 s"):
        find_similar(read_league(folder, load_registry()), submissions, "none", print)


def make_bot(
    owner: str, prints: str = "", answers: Mapping[int, object] = {}, others: Sequence[str] = ()
) -> ComparedBot:
    """Return a bot with a print of each letter, in a line of its own."""
    own: Prints = {letter: SourcePlace("bot.py", line) for line, letter in enumerate(prints, 1)}
    given: Answers = {AskedQuestion(1, number): answer for number, answer in answers.items()}
    sources = ReadSources(prints=own, others=list(others))
    return ComparedBot(label=owner, owner=owner, sources=sources, answers=given)


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


def test_a_long_region_is_cut_short(tmp_path: Path) -> None:
    """The page shows the first lines of a region, and says how many more there are."""
    folders = {owner: tmp_path / owner for owner in "pq"}
    for folder in folders.values():
        folder.mkdir()
        (folder / "bot.py").write_text("".join(f"line_{number}()\n" for number in range(1, 41)))
    found = compare_bots("course", [make_bot(owner, LETTERS) for owner in "pq"], (), 0)

    page = render_similarity_page(found, folders, tmp_path / "league.pitboss")

    assert "bot.py, lines 1 to 26 of p" in page
    assert page.count("line_24()") == 2
    assert "line_25()" not in page
    assert page.count("… 4 more lines") == 2


QUESTIONS = range(200)


def find_pair(found: SimilarityReport, one: str, other: str) -> SimilarPair:
    """Return the pair of two owners."""
    [pair] = [pair for pair in found.pairs if {pair.one_owner, pair.other_owner} == {one, other}]
    return pair


def test_an_answer_that_few_give_counts_more() -> None:
    """Two pairs agree in half of the questions; that in which nobody else does so is more alike."""
    usual = dict.fromkeys(QUESTIONS, "usual")
    owners = "abcdefgh"
    bots = [make_bot(owner, answers=usual) for owner in owners]
    bots += [make_bot(owner, answers=usual | dict.fromkeys(range(100), f"of {owner}")) for owner in "pq"]
    bots += [
        make_bot(owner, answers=dict.fromkeys(QUESTIONS, f"of {owner}") | dict.fromkeys(range(100), "rare"))
        for owner in "xy"
    ]

    found = compare_bots("course", bots, (), 1)

    common, rare = find_pair(found, "p", "q"), find_pair(found, "x", "y")
    assert common.answers is not None
    assert rare.answers is not None
    assert (common.alone, rare.alone) == (0, 100)
    assert common.answers < 0.2
    assert rare.answers > 0.35


def draw_answers(seed: str) -> dict[int, object]:
    """Return answers of which each is one of four."""
    rng = Random(seed)
    return {at: rng.randrange(4) for at in QUESTIONS}


def make_class() -> list[ComparedBot]:
    """Return ten bots with hardly anything in common."""
    return [make_bot(owner, answers=draw_answers(owner)) for owner in "abcdefghij"]


def change_answers(answers: Mapping[int, object], questions: Sequence[int]) -> dict[int, object]:
    """Return answers of which some are others, which nobody gives."""
    return {at: f"other {at}" if at in questions else answer for at, answer in answers.items()}


def test_a_copy_with_one_constant_changed() -> None:
    """A copy that answers a few questions otherwise stands out; it need not answer all of them alike."""
    idea = draw_answers("idea")
    bots = [*make_class(), make_bot("p", answers=idea), make_bot("q", answers=change_answers(idea, range(6)))]

    found = compare_bots("course", bots, (), 1)

    assert [(pair.one, pair.other) for pair in found.pairs if pair.stands_out] == [("p", "q")]
    [first, *_] = found.pairs
    assert first.answers is not None
    assert first.answers < ALWAYS_OUT


def test_an_idea_that_several_have() -> None:
    """Bots of one idea answer alike, each with each: only those stand out that are much nearer to each other."""
    idea = draw_answers("idea")
    of_idea = {"p": range(6), "q": range(2, 14), "r": range(40, 52), "s": range(40, 56)}
    bots = [*make_class(), *(make_bot(owner, answers=change_answers(idea, at)) for owner, at in of_idea.items())]

    found = compare_bots("course", bots, (), 1)

    assert [(pair.one, pair.other) for pair in found.pairs if pair.stands_out] == [("r", "s")]
    others = find_pair(found, "p", "q")
    assert others.answers is not None
    assert others.next is not None
    assert 2 / 3 < others.next < others.answers


def test_three_that_answer_all_alike() -> None:
    """Three copies do not hide each other: all of their pairs stand out, although one answers a question otherwise."""
    idea = draw_answers("idea")
    bots = [*make_class(), make_bot("p", answers=idea), make_bot("q", answers=idea)]
    bots.append(make_bot("r", answers=change_answers(idea, range(1))))

    found = compare_bots("course", bots, (), 1)

    assert [pair.one + pair.other for pair in found.pairs if pair.stands_out] == ["pq", "pr", "qr"]


def test_answers_of_their_own_come_first() -> None:
    """Of two pairs that stand out, that comes first which answers most as nobody else does."""
    shared = dict.fromkeys(QUESTIONS, "of several")
    own = dict.fromkeys(QUESTIONS, "of two")
    bots = [make_bot(owner, answers=shared) for owner in "pq"]
    bots += [make_bot(owner, answers=change_answers(shared, range(at, at + 10))) for at, owner in enumerate("stu")]
    bots += [make_bot(owner, answers=own) for owner in "xy"]

    found = compare_bots("course", bots, (), 1)

    assert [pair.one + pair.other for pair in found.pairs if pair.stands_out] == ["xy", "pq"]


def test_starter_bots_as_they_are() -> None:
    """Starter bots answer alike and are no pair; with a file that is no source, such as weights, they are one."""
    idea = draw_answers("idea")
    bots = [
        *make_class(),
        make_bot("p", LETTERS, idea),
        make_bot("q", LETTERS, idea),
        make_bot("r", LETTERS, idea, ["net"]),
    ]

    found = compare_bots("course", bots, LETTERS, 1)

    assert [pair.one + pair.other for pair in found.pairs if pair.stands_out] == ["pr", "qr"]
    assert found.starters == ["p", "q"]
    assert found.slight == [*"abcdefghij", "r"]


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
