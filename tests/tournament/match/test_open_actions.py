"""Open actions in matches: bots in two languages, the bots of the house and people do what is not listed."""

from __future__ import annotations

import os
import sys
from contextlib import closing
from pathlib import Path
from typing import Final

import pytest

from pitboss.records.record import Record
from pitboss_tournament.store.store import Store
from tests import ROOT
from tests.tournament.command_line import answer_pitboss, install_plugin, run_pitboss

pytestmark = pytest.mark.once

HAGGLE: Final = (ROOT / "examples/plugins/pitboss-haggle/haggle.py").read_text(encoding="utf-8")
GREEDY: Final = """
from pitboss.bot import run

def choose(question):
    if question.view["offered_by"] == 1 - question.seat:
        return {"do": "accept"}
    assert question.open == ["offer"] and "offer" in question.hello.open
    return {"do": "offer", "books": BOOKS, "hats": 1, "balls": 1}

run(choose)
"""
SILENT: Final = """
import json, sys

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type":"ready"}', flush=True)
    elif message["type"] == "decide":
        assert "open" not in message
        action = {"do": "offer", "books": 1, "hats": 1, "balls": 1}
        print(json.dumps({"type": "act", "id": message["id"], "action": action}), flush=True)
"""


def match(folder: Path, *bots: str, deals: int = 1) -> list[Record]:
    """Play a match of Haggle; return its records."""
    env = install_plugin(folder, "haggle", HAGGLE)
    words = ("match", "haggle", *bots, "--deals", str(deals), "--seed", "x", "--store", "x.pitboss")
    ran = run_pitboss(*words, cwd=folder, env=env)
    assert "Traceback" not in ran.err + ran.out
    with closing(Store(folder / "x.pitboss")) as store:
        return [record for _, record in store.records()]


def write_bot(folder: Path, name: str, code: str) -> str:
    """Write a bot in Python; return its command."""
    (folder / f"{name}.py").write_text(code)
    return f"{sys.executable} {name}.py"


def test_an_offer_is_made_and_accepted(tmp_path: Path) -> None:
    """A bot with the SDK makes an offer, the other accepts it, and the record replays as it was."""
    bots = [write_bot(tmp_path, name, GREEDY.replace("BOOKS", "2")) for name in ("ann", "bob")]

    records = match(tmp_path, *bots)

    assert [[one.action["do"] for one in record.decisions] for record in records] == [["offer", "accept"]] * 2
    assert all(record.faults == [] for record in records)
    path = os.pathsep.join([str(tmp_path), os.environ["PYTHONPATH"]])
    ran = run_pitboss("integrity", "x.pitboss", "--replay", cwd=tmp_path, env={"PYTHONPATH": path})
    assert (ran.status, "replays as it was recorded" in ran.out) == (0, True)


def test_an_offer_that_cannot_be_made_is_illegal(tmp_path: Path) -> None:
    """The fault is `illegal`, and says why; the neutral action is played in its place."""
    bots = [write_bot(tmp_path, "wrong", GREEDY.replace("BOOKS", "7")), "house:first"]

    [fault] = match(tmp_path, *bots)[0].faults

    assert fault.kind == "illegal"
    assert fault.message == ('it played {"do":"offer","books":7,"hats":1,"balls":1}; there are 3 books, not 7')


def test_a_bot_that_has_not_agreed_plays_what_is_listed(tmp_path: Path) -> None:
    """A bot that does not agree to open actions is told of none, and one that it does is illegal."""
    [fault] = match(tmp_path, write_bot(tmp_path, "silent", SILENT), "house:first")[0].faults

    assert (fault.kind, fault.message) == (
        "illegal",
        'it played {"do":"offer","books":1,"hats":1,"balls":1}; legal were [{"do":"wait"}]',
    )


@pytest.mark.long
def test_the_bots_of_the_house_make_offers(tmp_path: Path) -> None:
    """Random and searching bots choose among what the game proposes, too, and make no fault."""
    records = match(tmp_path, "house:random", "house:search?ms=30", deals=4)

    made = {
        (record.players[one.seat], one.action["do"]) for record in records for one in record.decisions if not one.forced
    }
    assert all(record.faults == [] for record in records)
    assert {(name, did) for name, did in made if did == "offer"} == {
        ("house:random", "offer"),
        ("house:search?ms=30", "offer"),
    }


def test_a_person_types_an_offer(tmp_path: Path) -> None:
    """In the terminal what is not listed is typed, as notation or JSON; one that cannot be played is refused."""
    env = install_plugin(tmp_path, "haggle", HAGGLE)
    typed = (
        "offer books=4 hats=0 balls=0\noffer\noffer books=1 hats=1 balls=0\n" + '{"do":"offer","books":2,"hats":1}\n'
    )
    typed += '{"do":"offer","books":2,"hats":1,"balls":1}\nh\n1\n1\n'

    words = ("play", "haggle", "--against", "house:first", "--seed", "x", "--games", "1", "--store", "x.pitboss")
    ran = answer_pitboss(typed, words, tmp_path, {**os.environ, **env})

    told = " ".join(ran.out.split())
    assert "Or type out what is not listed: offer books=… hats=… balls=…." in told
    assert "This cannot be played: there are 3 books, not 4." in told
    assert "This cannot be played: Object missing required field `books`." in told
    assert "books: an integer from 0 to 9. Books for you." in told
    with closing(Store(tmp_path / "x.pitboss")) as store:
        [(_, record)] = store.records()
    own = [one.action for one in record.decisions if one.seat == 0]
    assert own[:2] == [
        {"do": "offer", "books": 1, "hats": 1, "balls": 0},
        {"do": "offer", "books": 2, "hats": 1, "balls": 1},
    ]
