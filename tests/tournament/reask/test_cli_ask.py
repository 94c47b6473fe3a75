"""`pitboss ask`: a bot asked again what was asked in a recorded game, to the byte, and what it does now."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Final

import pytest

from pitboss.errors import ConfigError
from pitboss_tournament.exchange.export import record_lines
from pitboss_tournament.reask.bot_lookup import check_seat, choose_decision
from pitboss_tournament.reask.recorded_game import load_recorded_game
from pitboss_tournament.store.store import Store
from pitboss_tournament.text.terminal_text import decode_text
from tests.tournament.command_line import COMMAND, CommandResult, run_pitboss

pytestmark = pytest.mark.once

BOT: Final = """
import json, os, sys, time

asked = 0
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({"type": "ready", "want": "both"}), flush=True)
    elif message["type"] == "decide":
        asked += 1
        print("asked", asked, file=sys.stderr, flush=True)
        choice = asked % len(message["legal"])
        TROUBLE
        print(json.dumps({"type": "act", "id": message["id"], "choose": choice, "note": f"n{asked}"}), flush=True)
"""
COUNTING_BOT: Final = BOT.replace("TROUBLE", "")
FAILING_BOT: Final = BOT.replace("TROUBLE", "if asked == 3: os._exit(3)")
SLOW_BOT: Final = BOT.replace(
    "TROUBLE", "if asked == 3: time.sleep(5 if os.path.exists('soon') else 60)"
)  # of 3 seconds
TABLE: Final = (
    "-o",
    "turns=8",
    "--sandbox",
    "none",
    "-s",
    "logs.keep=all",
    "-s",
    "clock.game_ms=60000",
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with three bots, and a store each of what they played: a bot that counts, one that fails, one
    that dawdles.
    """
    folder = tmp_path_factory.mktemp("ask")
    for name, code in (("counts", COUNTING_BOT), ("fails", FAILING_BOT), ("dawdles", SLOW_BOT)):
        (folder / f"{name}.py").write_text(code)
        deals, decision_ms = ("2" if name == "counts" else "1"), ("3000" if name == "dawdles" else "60000")
        words = [
            "match",
            "magpie",
            f"python3 {name}.py",
            "house:first",
            "--deals",
            deals,
            "-s",
            f"clock.decision_ms={decision_ms}",
            "--seed",
            name,
            "--store",
            f"{name}.pitboss",
        ]
        assert run_pitboss(*words, *TABLE, cwd=folder).status == 0
    return folder


def run_ask(folder: Path, *words: str, record: str = "counts.pitboss", game: int = 0, decision: int) -> CommandResult:
    """Ask."""
    return run_pitboss("ask", record, str(game), str(decision), *words, "--sandbox", "none", cwd=folder)


def own_decisions(folder: Path, record: str, bot: str, game: int = 0) -> tuple[int, list[int]]:
    """Return the seat of a bot in a game, and the numbers of its decisions."""
    found = Store(folder / record).record(game)
    seat = found.players.index(bot)
    return seat, [number for number, one in enumerate(found.decisions, 1) if one.seat == seat]


def sent_messages(wire: list[str]) -> list[str]:
    """Return what the runner said, without the times and the farewell."""
    lines = [line.split(" ", 2)[1:] for line in wire]
    return [text for who, text in lines if who == ">" and '"type":"end"' not in text and '"type":"bye"' not in text]


@pytest.mark.long
@pytest.mark.parametrize("game", [pytest.param(0, marks=pytest.mark.long), 2])
def test_the_same_words(folder: Path, game: int) -> None:
    """The runner sends the bytes that it sent in the game: seeds, numbers, views and events, and what was left on the
    clocks.
    """
    seat, numbers = own_decisions(folder, "counts.pitboss", "counts", game)
    first, then = (
        sent_messages(decode_text(Store(folder / "counts.pitboss").logs(number)[seat].wire).splitlines())
        for number in (0, game)
    )

    ran = run_ask(folder, "--json", game=game, decision=numbers[-1])

    assert ran.status == 0, ran.err
    now = sent_messages(ran.json_value["answers"][0]["wire"])
    assert now == (then if game == 0 else [first[0], *then])  # the process of game 2 was greeted before game 0


def test_a_bot_remembers(folder: Path) -> None:
    """A bot that remembers is asked all its earlier questions first: it does as then; what it writes to standard error
    is kept from the question on.
    """
    _, numbers = own_decisions(folder, "counts.pitboss", "counts")

    ran = run_ask(folder, decision=numbers[3])

    assert ran.status == 0, ran.err
    assert f"decision {numbers[3]}: seat 0 (counts)" in ran.out
    assert ", as then  [" in ran.out
    assert "\nstandard error:\n  | asked 4\n" in ran.out
    assert "It was asked its 3 earlier questions" in ran.out
    assert "answered as then" in ran.out
    assert "note: n4" in ran.out


def test_a_decision_asked_without_the_game_before_it(folder: Path) -> None:
    """A decision that is asked alone comes without earlier questions, with its number of then and all events so far."""
    _, numbers = own_decisions(folder, "counts.pitboss", "counts")

    all_asked, alone = (
        run_ask(folder, *words, "--json", decision=numbers[3]).json_value for words in ((), ("--alone",))
    )

    assert alone["earlier"] == []
    assert alone["answers"][0]["note"] == "n1"
    [question] = [line for line in sent_messages(alone["answers"][0]["wire"]) if '"decide"' in line]
    assert question.startswith('{"type":"decide","id":4,')
    for line in sent_messages(all_asked["answers"][0]["wire"])[2:]:
        events = line.partition('"events":[')[2].partition('],"clock"')[0]
        assert events in question


def test_another_bot_in_its_place(folder: Path) -> None:
    """Another bot in its place is reported where it would have done otherwise on the way."""
    _, numbers = own_decisions(folder, "counts.pitboss", "counts")

    ran = run_ask(folder, "--bot", "house:random", "--seat", "0", decision=numbers[4])

    assert ran.status == 0
    assert "otherwise than then (the game went on as recorded):\n" in ran.out


def test_a_question_asked_several_times(folder: Path) -> None:
    """A question asked several times goes to a process of its own each time; equal answers are counted."""
    _, numbers = own_decisions(folder, "counts.pitboss", "counts")

    assert "now:  2 times: 2: " in run_ask(folder, "--repeat", "2", decision=numbers[1]).out


def test_a_bot_that_failed(folder: Path) -> None:
    """A bot that failed at a question fails at it again, with status 1; mended it answers. A question that the bot was
    not asked cannot be asked.
    """
    _, numbers = own_decisions(folder, "fails.pitboss", "fails")

    again = run_ask(folder, record="fails.pitboss", decision=numbers[2])
    mended = run_ask(folder, "--bot", "python3 counts.py", record="fails.pitboss", decision=numbers[2])
    after = run_ask(folder, record="fails.pitboss", decision=numbers[3])

    assert again.status == 1
    assert "then: crashed: exited with status 3 before it answered 'decide'; " in again.out
    assert "now:  crashed: exited with status 3 before it answered 'decide'" in again.out
    assert mended.status == 0
    assert after.status == 2
    assert f"was played for seat 0, which had forfeited; the nearest of seat 0 (fails): {numbers[2]}\n" in after.err
    assert f"pitboss ask fails.pitboss 0 {numbers[2]}\n" in run_pitboss("replay", "fails.pitboss", "0", cwd=folder).out


@pytest.mark.parametrize("seat", [[], ["--seat", "0"]], ids=["any", "seat"])
def test_the_first_fault_is_asked_again(folder: Path, seat: list[str]) -> None:
    """`pitboss ask` without a decision asks again the first fault of a bot, or of the seat's bot."""
    _, numbers = own_decisions(folder, "fails.pitboss", "fails")
    game = ("fails.pitboss", "0")

    ran = run_pitboss("ask", *game, *seat, "--json", "--sandbox", "none", cwd=folder)

    assert ran.status == 1
    assert ran.json_value["decision"] == numbers[2]


def test_the_first_game_with_a_fault_is_asked(folder: Path) -> None:
    """`pitboss ask` without a game asks about the first game in which a bot did wrong."""
    ran = run_pitboss("ask", "fails.pitboss", "--json", "--sandbox", "none", cwd=folder)

    assert ran.json_value["game_id"] == 0
    assert ran.json_value["then"]["fault"] is not None


def test_no_fault_to_ask_again(folder: Path) -> None:
    """In a game without a fault the last decision of a seat is asked; without a seat the error says what to name."""
    game = load_recorded_game(folder / "counts.pitboss", 0)
    beyond = "a fault when it was asked; say which decision to ask, from 1 to "

    with pytest.raises(ConfigError, match=f"^in game 0 no bot committed {beyond}"):
        choose_decision(game, None)
    last = choose_decision(game, 1)
    assert game.record.decisions[last - 1].seat == 1
    assert all(one.seat != 1 for one in game.record.decisions[last:])
    with pytest.raises(ConfigError, match="seat 7 is not at the table"):
        choose_decision(game, 7)


@pytest.mark.long
def test_a_bot_that_is_late(folder: Path) -> None:
    """A bot that was late is late again by the clock of then; without a clock it is waited for."""
    _, numbers = own_decisions(folder, "dawdles.pitboss", "dawdles")

    late = run_ask(folder, record="dawdles.pitboss", decision=numbers[2])
    (folder / "soon").touch()
    patient = run_ask(folder, "--no-clock", record="dawdles.pitboss", decision=numbers[2])

    assert (late.status, patient.status) == (1, 0)
    assert "now:  late: " in late.out


def test_a_bot_that_cannot_be_started(folder: Path) -> None:
    """A bot that cannot be started is tried once, not for each question, and the answer says why."""
    (folder / "silent.sh").write_text("echo no >&2; exit 4\n")
    _, numbers = own_decisions(folder, "counts.pitboss", "counts")

    ran = run_ask(folder, "--bot", "sh silent.sh", decision=numbers[5])

    assert ran.status == 1
    assert "now:  crashed: exited with status 4 before it answered 'hello'" in ran.out
    assert ran.out.count("| no") == 1


@pytest.mark.long
def test_a_pause_for_a_debugger(folder: Path) -> None:
    """The process is named before the question, which waits for Enter."""
    _, numbers = own_decisions(folder, "counts.pitboss", "counts")
    words = [
        "ask",
        "counts.pitboss",
        "0",
        str(numbers[1]),
        "--pause",
        "--no-clock",
        "--sandbox",
        "none",
    ]

    with subprocess.Popen(
        [*COMMAND, *words], cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as running:
        assert running.stderr and running.stdin and running.stdout
        line = running.stderr.readline()
        pid = int(line.removeprefix("the bot is process ").partition(";")[0])
        assert "counts.py" in Path(f"/proc/{pid}/cmdline").read_text()
        running.stdin.write("\n")
        running.stdin.flush()
        assert ", as then" in running.stdout.read()
    assert running.returncode == 0


def test_an_exported_record(folder: Path) -> None:
    """An exported record replaces the store, but for the seeds and the clock, which is said; the bot of the seat has to
    be named.
    """
    run_pitboss("export", "counts.pitboss", "--output", "x.jsonl", cwd=folder)
    _, numbers = own_decisions(folder, "counts.pitboss", "counts")

    named = run_ask(folder, "--bot", "python3 counts.py", record="x.jsonl", decision=numbers[3])
    nameless = run_ask(folder, record="x.jsonl", decision=numbers[3])

    assert named.status == 0
    assert ", as then" in named.out
    assert named.out.splitlines()[1].startswith("(exported records lack ")
    assert nameless.status == 2
    assert "x.jsonl does not say where the bot 'counts' of seat 0 lies" in nameless.err


def test_the_bot_is_sought_beside_the_store(folder: Path, tmp_path: Path) -> None:
    """The bot is found beside the store, from anywhere; if it is not there it has to be named."""
    _, numbers = own_decisions(folder, "counts.pitboss", "counts")
    shutil.copy(folder / "counts.pitboss", tmp_path)

    assert run_ask(tmp_path, record=str(folder / "counts.pitboss"), decision=numbers[0]).status == 0
    assert run_ask(tmp_path, record="counts.pitboss", decision=numbers[0]).err.endswith("name it with --bot\n")


@pytest.mark.long
def test_a_tournament_in_rounds(folder: Path) -> None:
    """Processes are greeted with the seed of the first game of their sitting, in later rounds too."""
    words = [
        "match",
        "magpie",
        *["house:first"] * 4,
        "--seats",
        "2",
        "--deals",
        "1",
        "--seed",
        "s",
        "--format",
        "swiss",
        "--store",
        "s.pitboss",
    ]
    assert run_pitboss(*words, *TABLE, cwd=folder).status == 0
    last = max(Store(folder / "s.pitboss").game_ids())

    seat = Store(folder / "s.pitboss").record(last).decisions[0].seat

    ran = run_ask(
        folder, "--bot", "house:first", "--seat", str(seat), "--json", record="s.pitboss", game=last, decision=1
    )

    assert ran.status == 0, ran.err
    log = run_pitboss("log", "s.pitboss", str(last), "--seat", str(seat), "--json", cwd=folder).json_value["logs"][0][
        "wire"
    ]
    assert sent_messages(ran.json_value["answers"][0]["wire"])[:2] == sent_messages(log)[:2]


WRONG: Final = [
    ("counts.pitboss", 99, 1, None, "counts.pitboss: there is no game 99; its games are numbered 0 to 3"),
    ("counts.jsonl", 99, 1, None, "counts.jsonl: there is no game 99; its games are numbered 0 to 3"),
    ("none", 0, 1, None, "none: there is no such file; give a store, or records that `pitboss export` wrote"),
    ("counts.py", 0, 1, None, "counts.py, line 1: this is neither a store nor a record that `pitboss export` wrote"),
    ("counts.pitboss", 0, 999, None, "game 0 has no decision 999; its decisions are numbered 1 to "),
    ("counts.pitboss", 0, 1, 7, "seat 7 is not at the table; the seats are 0 to 1"),
]


@pytest.mark.parametrize(("file", "game", "number", "seat", "told"), WRONG)
def test_questions_that_cannot_be_asked(
    folder: Path, file: str, game: int, number: int, seat: int | None, told: str
) -> None:
    """The line about a question that cannot be asked says what there is instead."""
    lines = record_lines(Store(folder / "counts.pitboss"), with_times=True)
    (folder / "counts.jsonl").write_text("".join(f"{line}\n" for line in lines))

    with pytest.raises(ConfigError) as wrong:
        check_seat(load_recorded_game(folder / file, game), number, None, seat)

    assert told in str(wrong.value)


def test_a_record_with_a_number_that_is_none(folder: Path) -> None:
    """A record with a number that is none is refused, with its line."""
    [line, *_] = record_lines(Store(folder / "counts.pitboss"), with_times=True)
    nameless = line.replace('"game_id":0', '"game_id":null')
    (folder / "x.jsonl").write_text(f"{line}\n{nameless}\n")

    with pytest.raises(ConfigError, match=r"x\.jsonl, line 2: game_id is None; it must be a whole number"):
        load_recorded_game(folder / "x.jsonl", 7)


def test_a_decision_of_another_seat(folder: Path) -> None:
    """The error about a decision of another seat names the nearest ones of the bot, and how to ask it nevertheless."""
    _, mine = own_decisions(folder, "counts.pitboss", "counts")
    seat, others = own_decisions(folder, "counts.pitboss", "house:first")
    number = next(one for one in others if mine[0] < one < mine[-1])
    near = f"{max(one for one in mine if one < number)} and {min(one for one in mine if one > number)}"

    wrong = run_ask(folder, "--bot", "python3 counts.py", decision=number)
    other = run_ask(folder, "--seat", "0", decision=number)

    its = (
        f"pitboss: decision {number} of game 0 is that of seat {seat} (house:first); "
        f"the nearest of seat 0 (counts): {near}"
    )
    assert wrong.err == f"{its}; to ask it in the other's place, add --seat {seat}\n"
    assert other.err == f"{its}\n"
