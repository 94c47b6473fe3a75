"""`pitboss import`: games in notation become the records that they were made from."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.foreign_files import HIDDEN_HAND, list_foreign_files
from tests.marks import first_rows
from tests.tournament.command_line import COMMAND, run_pitboss
from tests.tournament.small_tournaments import BOT_TESTS

pytestmark = pytest.mark.once

ILLEGAL = f"{sys.executable} -S {BOT_TESTS / 'zoo' / 'plays_illegally.py'}"
WORDS = ("--deals", "2", "--seed", "s", "-o", "turns=3", "-s", "clock.start_ms=60000", "--store")


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a store with faults in it."""
    path = tmp_path_factory.mktemp("played") / "x.pitboss"
    run_pitboss("match", "magpie", "house:random", ILLEGAL, *WORDS, str(path))
    return path


@first_rows(1)("times", [(), ("--no-times",)])
def test_what_was_exported_is_imported(store: Path, tmp_path: Path, times: tuple[str, ...]) -> None:
    """The records are those of the store, byte for byte: times, notes and faults too."""
    text, records = tmp_path / "games.txt", tmp_path / "games.jsonl"
    assert run_pitboss("export", str(store), "--what", "notation", *times, "-o", str(text)).status == 0
    expected = run_pitboss("export", str(store), *times).out

    assert run_pitboss("import", str(text), "-o", str(records)) == (0, "", "")
    assert records.read_text() == expected
    assert expected.count('"incidents":[{') == 4


def test_exported_records_are_a_store_again(store: Path, tmp_path: Path) -> None:
    """Exported records are imported as they are, and a store of them has the same games; what is none is refused."""
    records, again, made = (tmp_path / name for name in ("games.jsonl", "again.jsonl", "made.pitboss"))
    assert run_pitboss("export", str(store), "-o", str(records)).status == 0

    assert run_pitboss("import", str(records), "--what", "records", "-o", str(again)) == (0, "", "")
    assert again.read_text() == records.read_text()
    assert run_pitboss("import", str(records), "--what", "records", "-o", str(made)) == (0, "", "")
    assert run_pitboss("export", str(made)).out == records.read_text()

    first, second, *_ = records.read_text().splitlines(keepends=True)
    records.write_text(f"{first}\nno record\n{second.replace('magpie', 'wren', 1)}")
    ran = run_pitboss("import", str(records), "--what", "records")
    assert (ran.status, ran.out) == (4, first)
    assert f"{records}: line 3: this is not a game record: " in ran.err
    assert "wren" in ran.err


def test_one_game(store: Path) -> None:
    """The output of `replay --brief` is imported from standard input."""
    brief = run_pitboss("replay", str(store), "2", "--brief")
    done = subprocess.run([*COMMAND, "import", "-"], input=brief.out, capture_output=True, text=True, check=True)

    assert done.stdout == run_pitboss("export", str(store)).out.splitlines(keepends=True)[2]


def test_games_without_a_number(store: Path, tmp_path: Path) -> None:
    """Games without a number are counted from the last one that has a number, or from 0."""
    file = tmp_path / "games.txt"
    first, brief, last = (run_pitboss("replay", str(store), game, "--brief").out for game in "021")
    file.write_text(first.partition("\n")[2] + "\n" + brief + "\n" + last.partition("\n")[2])

    ran = run_pitboss("import", str(file))
    assert [line.split(",")[0] for line in ran.out.splitlines()] == [f'{{"game_id":{number}' for number in (0, 2, 3)]


def test_games_that_stand_there_twice(store: Path, tmp_path: Path) -> None:
    """Each game that stands there twice is taken once, whether with or without its times, and a line says how many were
    left out.
    """
    file, made = tmp_path / "games.txt", tmp_path / "made.pitboss"
    texts = [run_pitboss("export", str(store), "-w", "notation", *times).out for times in ((), ("--no-times",))]
    file.write_text("\n".join(texts))

    assert run_pitboss("import", str(file), "-o", str(made)) == (
        0,
        "",
        f"pitboss: {file}: left out 4 games, each already stored there\n",
    )
    assert len(run_pitboss("export", str(made)).out.splitlines()) == 4


def test_what_is_wrong(store: Path, tmp_path: Path) -> None:
    """The error about a wrong line names the file and the line, or the game and the decision that is not legal; nothing
    is written.
    """
    good = run_pitboss("replay", str(store), "2", "--brief").out
    file, records = tmp_path / "games.txt", tmp_path / "games.jsonl"
    for wrong, said in (
        (good.replace("1. ", "2. ", 1), "line 11: decision 2 stands where decision 1 should be"),
        (re.sub(r"\n1\. (\d) ", lambda found: f"\n1. {1 - int(found[1])} ", good), "line 1: game magpie, seed "),
    ):
        file.write_text(wrong)
        ran = run_pitboss("import", str(file), "-o", str(records))

        assert (ran.status, ran.out) == (1, "")
        assert ran.err.startswith(f"pitboss: {file}: {said}")
        assert ran.err.count("\n") == 1
        assert not records.exists()


@first_rows(1)("ending", ["jsonl", "pitboss"])
def test_a_wrong_game_among_good_ones(store: Path, tmp_path: Path, ending: str) -> None:
    """The good games are written, the wrong one is named by its line, and the status is 4; --strict writes none."""
    texts = [run_pitboss("replay", str(store), game, "--brief").out for game in "012"]
    file, made = tmp_path / "games.txt", tmp_path / f"made.{ending}"
    file.write_text("\n".join([texts[0], texts[1].replace("\n2. ", "\n3. ", 1), texts[2]]))
    line = texts[0].count("\n") + 1 + texts[1].partition("\n2. ")[0].count("\n") + 2
    said = (
        f"pitboss: {file}: line {line}: decision 3 stands where decision 2 should be\n"
        f"pitboss: {file}: 2 games can be read; 1 was refused\n"
    )

    assert run_pitboss("import", str(file), "-o", str(made), "--strict") == (1, "", said)
    assert run_pitboss("import", str(file), "--strict") == (1, "", said)
    assert not made.exists()
    assert run_pitboss("import", str(file), "-o", str(made)) == (4, "", said)
    written = made.read_text() if ending == "jsonl" else run_pitboss("export", str(made)).out
    assert written.count("\n") == 2


def test_a_game_that_is_not_installed(store: Path, tmp_path: Path) -> None:
    """A game that is not installed is refused, and the others are written."""
    text, file = run_pitboss("replay", str(store), "2", "--brief").out, tmp_path / "games.txt"
    file.write_text(f"{text}\n{text.replace('magpie', 'jay', 1)}")

    ran = run_pitboss("import", str(file))
    assert (ran.status, ran.out.count("\n")) == (4, 1)
    assert ran.err.startswith(f"pitboss: {file}: line {text.count(chr(10)) + 2}: ")
    assert "no game 'jay' is installed" in ran.err


def test_games_without_a_result(tmp_path: Path) -> None:
    """A board with an auction alone is a record that is broken off; no store takes it."""
    file = tmp_path / "boards.pbn"
    file.write_bytes(next(one.data for one in list_foreign_files() if one.name == "auction-alone.pbn"))

    records, stored = (
        run_pitboss("import", str(file), "-w", "pbn", *words) for words in ((), ("-o", f"{file}.pitboss"))
    )
    assert (records.status, records.out.count('"broken":{"why":"the file tells neither')) == (0, 2)
    assert (stored.status, stored.err.count("so that a store has nothing to count")) == (1, 2)


def test_a_bot_whose_cards_are_hidden(tmp_path: Path) -> None:
    """A player of an imported hand is asked what it does now only if its cards are known."""
    file, store = tmp_path / "hand.phh", tmp_path / "hand.pitboss"
    file.write_text(HIDDEN_HAND)
    assert run_pitboss("import", str(file), "-w", "phh", "-o", str(store)) == (0, "", "")

    hidden, known = (
        run_pitboss("ask", str(store), "0", decision, "--bot", "house:poker", "--sandbox", "none") for decision in "21"
    )
    what = "game 0, decision 2: the cards of seat 0 are not known, so that its bot cannot be asked"
    assert hidden == (2, "", f"pitboss: {what}\n")
    assert (known.status, "SJ ??" in known.out) == (0, False)


def test_files_that_are_not_there_or_no_text(tmp_path: Path) -> None:
    """A file that is not there, or no text, is an error of one sentence, with status 2."""
    (tmp_path / "x").write_bytes(b"\xff")

    none, bytes_ = (run_pitboss("import", str(tmp_path / name)) for name in ("none", "x"))
    assert none == (2, "", f"pitboss: '{tmp_path / 'none'}' cannot be read: no such file or directory\n")
    assert bytes_ == (2, "", f"pitboss: {tmp_path / 'x'}: it is not UTF-8 text\n")
