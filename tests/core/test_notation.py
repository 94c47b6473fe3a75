"""The notation of games: what is written is read again, and what is wrong is told with its line."""

from __future__ import annotations

import re
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as some

from pitboss import Outcome
from pitboss.errors import RecordError
from pitboss.protocol.faults import Fault
from pitboss.records.notation import NotedGame, format_action, format_notation, parse_notation
from pitboss.records.record import Decision, Incident, Record
from tests import ROOT
from tests.mistakes import each_mistake

TEXT = """\
[game_id 7]
[game "racko"]
[game_version "1"]
[options {"target":50}]
[seed "friday/0"]
[players ["alice","bob"]]
[outcome {"points":[75.0,10.0],"places":[1,2],"sides":[[0],[1]]}]
[incidents []]
[format 2]

1. 0 draw {118}
2. 0 swap slot=25 {96 "26 } belongs \\"there\\""}
3. 1 take slot=5 !
4. 0 play card=H10 suit=C cards=["S9","7H"] more=null word="null" {"why"}
"""
GAME = NotedGame(
    Record(
        game="racko",
        game_version="1",
        options={"target": 50},
        seed="friday/0",
        players=["alice", "bob"],
        decisions=[
            Decision(seat=0, action={"do": "draw"}, us=118),
            Decision(seat=0, action={"do": "swap", "slot": 25}, us=96, note='26 } belongs "there"'),
            Decision(seat=1, action={"do": "take", "slot": 5}, forced=True),
            Decision(
                seat=0,
                action={
                    "do": "play",
                    "card": "H10",
                    "suit": "C",
                    "cards": ["S9", "7H"],
                    "more": None,
                    "word": "null",
                },
                note="why",
            ),
        ],
        outcome=Outcome(points=(75.0, 10.0), places=(1, 2), sides=((0,), (1,))),
    ),
    7,
)

FAULT_OF_99 = '{"fault":{"kind":"crashed","seat":99,"message":"it ended","decision":1}}'

json_values = some.recursive(
    some.none()
    | some.booleans()
    | some.integers(-(2**53), 2**53)
    | some.floats(allow_nan=False, allow_infinity=False)
    | some.text(max_size=6),
    lambda inner: some.lists(inner, max_size=3) | some.dictionaries(some.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)
words = some.sampled_from(
    ["draw", "null", "-", "H10", "1", "a b", "NaN", "!", "{", "x=1", "a-b", "*", "é"]
) | some.text(max_size=4)
actions = json_values | some.builds(
    lambda do, fields: {"do": do, **fields}, words, some.dictionaries(words, json_values | words, max_size=3)
)
decisions = some.builds(
    Decision,
    seat=some.integers(0, 9),
    action=actions,
    us=some.integers(0, 10**9),
    forced=some.booleans(),
    note=some.none() | some.text(max_size=20),
    policy=some.none() | some.lists(some.tuples(actions, some.floats(0, 1)), min_size=1, max_size=3),
)


def test_the_notation_of_a_game() -> None:
    """The notation of a game is the text on the page about notations."""
    assert format_notation(GAME) == TEXT
    assert list(parse_notation(TEXT.splitlines())) == [GAME]


def test_the_page_shows_it() -> None:
    """The example on the page about the notation is the one of these tests."""
    assert f"```text\n{TEXT}```" in (ROOT / "docs/notation.md").read_text(encoding="utf-8")


def test_several_games() -> None:
    """Several games stand one behind another, with empty lines or without; a game may lack a number, and
    its decisions.
    """
    other = NotedGame(msgspec.structs.replace(GAME.record, seed="x", decisions=[]), None)
    text = format_notation(GAME) + format_notation(GAME).replace("\n\n", "\n") + "\n\n" + format_notation(other)

    assert list(parse_notation(text.splitlines(keepends=True))) == [GAME, GAME, other]


@given(some.lists(decisions, max_size=4))
def test_any_record(made: list[Decision]) -> None:
    """Whatever an action, a note or a fault holds, the record is read as it was written."""
    fault = Fault(seat=0, kind="crashed", message="it } [ended]\n", decision=1)
    record = msgspec.structs.replace(GAME.record, decisions=made, incidents=[Incident(fault=fault, last_words="\x1b")])

    [found] = parse_notation(format_notation(NotedGame(record)).split("\n"))
    assert found.record == record
    assert [*map(_list_keys, found.record.decisions)] == [*map(_list_keys, made)]


def test_a_byte_order_mark() -> None:
    """A byte order mark that an editor put at the start of a file does no harm; anywhere else it is no part
    of a game.
    """
    assert list(parse_notation(f"\ufeff{TEXT}".splitlines())) == [GAME]
    with pytest.raises(RecordError, match="line 2: a decision is"):
        list(parse_notation(TEXT.replace("\n", "\n\ufeff", 1).splitlines()))


def test_text_that_harms_a_terminal() -> None:
    """Control and direction characters are escaped, and read as they were."""
    decision = Decision(seat=0, action={"do": "say", "what": "\x9b2J"}, note="\u202eknarf")
    game = NotedGame(msgspec.structs.replace(GAME.record, decisions=[decision], seed="\x85\u2066\x1b"))

    text = format_notation(game)
    assert text.replace("\n", "").isprintable()
    assert list(parse_notation(text.splitlines())) == [game]


def _list_keys(decision: Decision) -> list[str]:
    return list(decision.action) if isinstance(decision.action, dict) else []


@pytest.mark.parametrize(
    ("action", "text"),
    [
        ({"do": "take", "slot": 25}, "take slot=25"),
        ({"do": "play", "card": "7H"}, 'play card="7H"'),
        ({"do": "play", "card": "true"}, 'play card="true"'),
        ({"slot": 25, "do": "take"}, '{"slot":25,"do":"take"}'),
        ({"do": "go on"}, '{"do":"go on"}'),
        ("draw", '"draw"'),
        (3, "3"),
    ],
)
def test_actions(action: Any, text: str) -> None:  # noqa: ANN401 - any action
    """A word stands without quotes, everything else is JSON."""
    assert format_action(action) == text


@each_mistake(__file__)
def test_what_is_wrong(right: str, wrong: str, said: str) -> None:
    """The error about a wrong notation names the line, and what right expected."""
    assert right in TEXT
    with pytest.raises(RecordError, match=f"^{re.escape(said)}"):
        list(parse_notation(TEXT.replace(right, wrong, 1).splitlines()))
