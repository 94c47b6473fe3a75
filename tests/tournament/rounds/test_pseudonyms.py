"""Pseudonyms: a bot is told nothing by which it knows the others at its table again."""

from __future__ import annotations

import json
import re
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from pitboss.protocol.faults import Fault
from pitboss.protocol.messages import End, Start
from pitboss_tournament.config.defaults import choose_opponents
from pitboss_tournament.match.bot_link import hide_others_at_end, hide_players
from pitboss_tournament.plan.plan import Entrant, Opponents
from pitboss_tournament.reask.reask import ReaskRequest, reask_bot
from pitboss_tournament.reask.recorded_game import load_recorded_game
from pitboss_tournament.store.header import HeaderRow, make_header
from pitboss_tournament.store.store import Store
from pitboss_tournament.text.terminal_text import decode_text
from tests.marks import first_rows
from tests.tournament.small_tournaments import load_magpie, make_plan, play_tournament, zoo_entrant

NAMES = ("anna", "berta", "carla")
START = Start(game_id=17, seat=1, players=list(NAMES), seed="5eed")


def test_the_start_of_a_game() -> None:
    """A bot is told its own name; the others' pseudonyms and the number are new in each game, and follow from it."""
    told, other_game = hide_players(START), hide_players(Start(game_id=18, seat=1, players=list(NAMES), seed="5eee"))
    with_others = hide_players(Start(game_id=99, seat=1, players=["dora", "berta", "emma"], seed="5eed"))

    assert (told.seat, told.seed, told.players[1]) == (1, "5eed", "berta")
    assert len({*told.players, *other_game.players, *NAMES}) == 7
    assert len({told.game_id, other_game.game_id, 17, 18}) == 4
    assert with_others == told


def test_the_end_of_a_game() -> None:
    """A bot is told what it did wrong itself; of others the kind, and not the words, which name programs."""
    own, other = (Fault(kind="crashed", seat=seat, decision=3, message=f"{NAMES[seat]} is gone") for seat in (1, 0))

    told = hide_others_at_end(End(game_id=17, places=[2, 2, 1], points=[0, 0, 1], faults=[other, own]), 1, "5eed")

    assert told.game_id == hide_players(START).game_id
    assert told.faults[1] == own
    assert (told.faults[0].kind, told.faults[0].message) == ("crashed", "seat 0 committed a fault: crashed")


def test_what_is_told_where_nobody_says_it(tmp_path: Path) -> None:
    """Bots are told the names of opponents by default; a store goes on as it began, and one of an earlier Pitboss began
    with names.
    """
    header = make_header(make_plan(tmp_path / "x", zoo_entrant("good"), opponents="pseudonyms"), "1", "1")
    earlier = msgspec.to_builtins(header.row)
    del earlier["opponents"]

    assert choose_opponents(None, None) == "names"
    assert choose_opponents(None, header) == "pseudonyms"
    assert choose_opponents("names", header) == "names"
    assert msgspec.convert(earlier, HeaderRow).opponents == "names"


@pytest.mark.once
@first_rows(1)("opponents", ["names", "pseudonyms"])
def test_all_that_a_bot_hears(tmp_path: Path, opponents: Opponents) -> None:
    """No line to a bot has the name of another, though one fails and its fault names it; `ask` says the same."""
    failing = Entrant(name="carla", command=("/bin/sh", "-c", "echo carla; exit 3", "carla"))
    bots = (zoo_entrant("good", "anna"), zoo_entrant("good", "berta"), failing)
    plan = make_plan(tmp_path / "x", *bots, seats=3, deals=1, keep_logs="all", opponents=opponents)

    ended = play_tournament(plan)

    heard: dict[str, list[str]] = {name: [] for name in NAMES}
    with closing(Store(plan.store)) as store:
        for result, record in ended.games:
            for log in store.logs(result.game_id):
                lines = (line.split(" ", 2) for line in decode_text(log.wire).splitlines())
                heard[record.players[log.seat]] += [text for _, who, text in lines if who == ">"]
    told = {other for name, lines in heard.items() for other in NAMES if other != name and other in "".join(lines)}
    assert told == (set(NAMES) if opponents == "names" else set())
    starts = [line for line in heard["anna"] if '"start"' in line]
    assert len(starts) == 3
    others = {name for line in starts for name in json.loads(line)["players"] if name != "anna"}
    assert len(others) == (2 if opponents == "names" else 6)
    record = ended.games[0][1]
    seat = record.players.index("anna")
    number = next(number for number, one in enumerate(record.decisions, 1) if one.seat == seat)
    wish = ReaskRequest(seat=seat, decision=number)
    [asked] = reask_bot(load_magpie(), load_recorded_game(plan.store, 0), bots[0], wish)
    assert re.findall(r'{"type":"start".*', asked.wire) == starts[:1]
