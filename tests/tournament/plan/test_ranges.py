"""Ranges of actions in tournaments: numbers that bots choose, numbers that are not allowed, people who type them."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from pitboss_tournament.play.terminal.terminal_person import Menu, MenuMatch
from pitboss_tournament.store.store import Store
from tests.core.betting_game import SOURCE
from tests.marks import first_rows
from tests.tournament.command_line import install_plugin, run_pitboss
from tests.tournament.play_terminal import run_in_terminal

pytestmark = pytest.mark.once

BOT: Final = """
import json, sys

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type": "ready"}', flush=True)
    elif message["type"] == "decide":
        answer = {"choose": 0}
        for entry in message.get("ranges", []):
            assert message["legal"][entry["index"]] == {"do": "bet", "chips": [1, 10]} and entry["field"] == "chips"
            answer = ANSWER
        print(json.dumps({"type": "act", "id": message["id"], **answer}), flush=True)
"""
GAME: Final = "new-game"
QUICK: Final = (
    "--deals",
    "2",
    "--seed",
    "s",
    "--store",
    "x.pitboss",
    "--sandbox",
    "none",
    "-s",
    "clock.start_ms=60000",
)


@pytest.fixture
def env(tmp_path: Path) -> dict[str, str]:
    """Install the game; return the environment in which it is found."""
    return install_plugin(tmp_path, "betting", SOURCE.read_text())


def write_bot(folder: Path, answer: str) -> str:
    """Write a bot that answers so where it may bet; return its command."""
    (folder / "bettor.py").write_text(BOT.replace("ANSWER", answer))
    return "python3 bettor.py"


def read_bets(store: Path) -> list[int]:
    """Return the chips of all bets of the bot."""
    decisions = [
        decision
        for _, record in Store(store).records()
        for decision in record.decisions
        if record.players[decision.seat] == "bettor" and decision.action["do"] == "bet" and not decision.forced
    ]
    return [decision.action["chips"] for decision in decisions]


@first_rows(1)(
    ("answer", "chips"),
    [
        ('{"choose": entry["index"]}', 1),
        ('{"action": {"do": "bet", "chips": 10}}', 10),
        ('{"action": {"chips": 7, "do": "bet"}}', 7),
    ],
    ids=["index", "highest", "between"],
)
def test_a_number_that_is_allowed(tmp_path: Path, env: dict[str, str], answer: str, chips: int) -> None:
    """The record has the action with the number; an index is the smallest one. The game replays."""
    ran = run_pitboss("match", GAME, write_bot(tmp_path, answer), "house:first", *QUICK, cwd=tmp_path, env=env)

    assert ran.status == 0, ran.err
    assert set(read_bets(tmp_path / "x.pitboss")) == {chips}
    assert run_pitboss("integrity", "--replay", "x.pitboss", cwd=tmp_path, env=env).status == 0
    assert f"bet chips {chips}" in run_pitboss("replay", "x.pitboss", "0", "--legal", cwd=tmp_path, env=env).out


@first_rows(1)("number", ["0", "11", "5.5", "5.0", "true", '"5"', "[1, 10]"])
def test_a_number_that_is_not_allowed(tmp_path: Path, env: dict[str, str], number: str) -> None:
    """A number one below or one above the range, a fraction and what is no number are illegal; the sentence says what
    was allowed.
    """
    answer = f'{{"action": json.loads(\'{{"do": "bet", "chips": {number}}}\')}}'
    ran = run_pitboss("match", GAME, write_bot(tmp_path, answer), "house:first", *QUICK, cwd=tmp_path, env=env)

    assert ran.status == 3
    assert "illegal: it played {" in ran.out
    assert "'chips' may be any whole number from 1 to 10, not " in ran.out


@first_rows(1)("bot", ["house:random", "house:search?ms=5"])
def test_house_bots_choose_numbers(tmp_path: Path, env: dict[str, str], bot: str) -> None:
    """The random house bot bets different numbers; the searching one somewhere more than the smallest."""
    words = ("match", GAME, bot, "house:first", "--deals", "12", *QUICK[2:])

    assert run_pitboss(*words, cwd=tmp_path, env=env).status == 0
    actions = [
        decision.action for _, record in Store(tmp_path / "x.pitboss").records() for decision in record.decisions
    ]
    assert {action["chips"] for action in actions if action["do"] == "bet"} - {1} != set()


@pytest.mark.parametrize(("chips", "status"), [(7, 0), (11, 1)])
def test_check_knows_ranges(tmp_path: Path, env: dict[str, str], chips: int, status: int) -> None:
    """A bot that chooses a number of the range passes; one that chooses another one fails, with the cure."""
    bot = write_bot(tmp_path, f'{{"action": {{"do": "bet", "chips": {chips}}}}}')
    words = ("check", bot, "--game", GAME, "--seats", "2", "--sandbox", "none", "--only", "chooses-what-is-legal")

    ran = run_pitboss(*words, cwd=tmp_path, env=env)

    assert ran.status == status, ran.out + ran.err
    assert ("of a range, with a number within it" in " ".join(ran.out.split())) is (status == 1)


def test_another_number_is_another_answer(tmp_path: Path, env: dict[str, str]) -> None:
    """`pitboss ask` says that a bot bets otherwise than then."""
    bot = write_bot(tmp_path, '{"action": {"do": "bet", "chips": 7}}')
    assert run_pitboss("match", GAME, bot, "house:first", *QUICK, cwd=tmp_path, env=env).status == 0
    game, number = find_bet(tmp_path / "x.pitboss")
    write_bot(tmp_path, '{"action": {"do": "bet", "chips": 8}}')

    words = ("ask", "x.pitboss", str(game), str(number), "--sandbox", "none")
    ran = run_pitboss(*words, cwd=tmp_path, env=env)

    assert "then: bet chips 7" in ran.out
    assert "now:  1: bet chips 8 " in ran.out


def find_bet(store: Path) -> tuple[int, int]:
    """Return a game and the number of the decision at which the bot bet."""
    return next(
        (game, number)
        for game, record in Store(store).records()
        for number, decision in enumerate(record.decisions, 1)
        if record.players[decision.seat] == "bettor" and decision.action["do"] == "bet"
    )


MENU: Final = Menu(["stay", "bet chips 1–10", "raise to 20–9000"], {1: (1, 10), 2: (20, 9000)})


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("2", MenuMatch(1)),
        ("2 7", MenuMatch(1, 7)),
        ("bet 10", MenuMatch(1, 10)),
        ("raise to 500", MenuMatch(2, 500)),
        ("r 500", MenuMatch(2, 500)),
        ("stay", MenuMatch(0)),
        ("bet 11", MenuMatch(complaint="The number may be 1 to 10, not 11.")),
        ("2 99999999999999", MenuMatch(complaint="The number may be 1 to 10, not 99999999999999.")),
        ("stay 5", MenuMatch(complaint="No action has 'stay 5' in it.")),
        ("9 5", MenuMatch(complaint="No action has '9 5' in it.")),
        ("9" * 5000 + " 5", MenuMatch(complaint=f"No action has '{'9' * 5000} 5' in it.")),
    ],
    ids=lambda value: str(value)[:20],
)
def test_a_menu_with_ranges(typed: str, found: MenuMatch) -> None:
    """An entry is found by its number or words, and may be followed by the number of the action."""
    assert MENU.find(typed) == found


def test_a_person_types_a_number(tmp_path: Path, env: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    """The number is asked for, one that is not allowed is refused, and the action with it is confirmed and played."""
    monkeypatch.chdir(tmp_path)
    words = ("play", GAME, "--against", "house:first", "--seat", "0", "--seed", "s", "--store", "p.pitboss")

    text = run_in_terminal(*words, "--sandbox", "none", typed="2\n11\n7\n\nq\n", PYTHONPATH=env["PYTHONPATH"])

    assert "bet chips 1–10: which number? 11" in text
    assert "The number may be 1 to 10, not 11." in text
    assert "bet chips 7? Enter: yes, u: no." in text
    [record] = [record for _, record in Store(tmp_path / "p.pitboss").records()]
    assert dict(record.decisions[0].action) == {"do": "bet", "chips": 7}


def test_the_page_of_the_game(tmp_path: Path, env: dict[str, str]) -> None:
    """The page of the game shows a question with a range, where the range stands, and what may be answered."""
    page = run_pitboss("games", GAME, "--page", cwd=tmp_path, env=env).out

    assert '{"do": "bet", "chips": [1, 10]}' in page
    assert '"ranges": [{"index": 1, "field": "chips"}]}' in page
    assert "Entry 1 stands for each number in `chips` from 1 to 10; its index chooses the smallest." in page
