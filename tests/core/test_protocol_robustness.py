"""Any bytes at all, in any pieces: a message, or one of three errors; never anything else, and never slow."""

from __future__ import annotations

import itertools
import json
from typing import Final

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pitboss.errors import FloodedLine, MalformedLine, OutOfTurn, ProtocolError
from pitboss.protocol.connection import BotConnection, RunnerConnection
from pitboss.protocol.messages import MAX_BOT_LINE_BYTES, Act, FromBot
from tests.core.sample_messages import bring_to_phase

ANSWER: Final = b'{"type":"act","id":7,"choose":0}'
TEXT: Final = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)


def nested_json(leaves: st.SearchStrategy[object]) -> st.SearchStrategy[object]:
    """Return lists and objects of such leaves, in each other."""
    return st.recursive(
        leaves, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3), max_leaves=8
    )


PLAIN_JSON: Final = nested_json(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.floats(allow_nan=False, allow_infinity=False) | TEXT
)
ANY_JSON: Final = nested_json(
    st.none() | st.booleans() | st.integers(-(2**80), 2**80) | st.floats() | st.text(max_size=8)
)
KEYS: Final = st.sampled_from(["type", "id", "choose", "action", "note", "name", "version", "want", "Type"])
VALUES: Final = st.sampled_from(["act", "ready", 7, 0, 1, None, "view", -1]) | ANY_JSON


def parse_pieces(pieces: list[bytes]) -> list[FromBot | str]:
    """Return what a runner's end makes of the pieces: its messages, and the name of the error that ended it."""
    runner = bring_to_phase(RunnerConnection(), "asking")
    found: list[FromBot | str] = []
    try:
        for piece in pieces:
            message = runner.receive(piece)
            if message is not None:
                found.append(message)
                bring_to_phase(runner, "asking")
    except (FloodedLine, MalformedLine, OutOfTurn) as wrong:
        found.append(type(wrong).__name__)
    return found


def split_at(stream: bytes, offsets: list[int]) -> list[bytes]:
    """Return the stream in pieces, cut at these places."""
    cuts = sorted({place % (len(stream) + 1) for place in offsets} | {0, len(stream)})
    return [stream[one:two] for one, two in itertools.pairwise(cuts)]


@given(
    st.fixed_dictionaries({"choose": st.integers(0, 10**6)}) | st.fixed_dictionaries({"action": PLAIN_JSON}),
    st.lists(st.integers(0, 10_000), max_size=12),
    st.booleans(),
)
def test_any_chunking_of_an_answer(answer: dict[str, object], cuts: list[int], escaped: bool) -> None:
    """However the bytes of a valid line arrive, the same message comes out when its last one is there."""
    stream = json.dumps({"type": "act", "id": 7, **answer}, ensure_ascii=escaped).encode() + b"\n"

    assert parse_pieces(split_at(stream, cuts)) == parse_pieces([stream])
    assert isinstance(parse_pieces([stream])[0], Act)


@given(st.binary(max_size=200), st.lists(st.integers(0, 400), max_size=6), st.booleans())
@example(b"\xff\xfe\x00\x00", [], True)
@example(b"\xef\xbb\xbf" + ANSWER, [], True)  # a byte order mark
@example(ANSWER + b"\r", [], True)
@example(ANSWER + b"\0", [], True)
@example(b"", [], True)
@example(b'{"type":"act","id":7,"action":"\xed\xa0\x80"}', [], True)  # a surrogate in UTF-8
@example(b'{"type":"act","id":7,"action":"\\ud800"}', [], True)
@example(b'{"type":"act","id":7,"action":NaN}', [], True)
@example(b'{"type":"act","id":7,"action":-Infinity}', [], True)
@example(b'{"type":"act","id":7,"action":1e999}', [], True)
@example(b'{"type":"act","id":' + b"9" * 5000 + b',"choose":0}', [], True)
@example(b'{"type":"act","id":7,"action":' + b"9" * 5000 + b"}", [], True)
@example(b'{"type":"act","id":7,"action":' + b"[" * 30_000, [], True)
@example(b'{"type":"act","id":7,"action":' + b"[" * 30_000 + b"]" * 30_000 + b"}", [], True)
@example(b'{"type":"act","id":7,"action":' + b'{"":' * 9_000 + b"0" + b"}" * 9_001, [], True)
def test_any_bytes(stream: bytes, cuts: list[int], ended: bool) -> None:
    """Any bytes are a message, or malformed, flooded or out of turn; one piece and many pieces give the same."""
    whole = stream + b"\n" if ended else stream

    assert parse_pieces(split_at(whole, cuts))[:1] == parse_pieces([whole])[:1] or whole.count(b"\n") > 1


@given(st.lists(st.tuples(KEYS, VALUES), max_size=6))
def test_any_object(members: list[tuple[str, object]]) -> None:
    """Any object, with any keys and values and with keys that stand twice, is a message or one of the errors."""
    text = ",".join(f"{json.dumps(key)}:{json.dumps(value)}" for key, value in members)

    assert len(parse_pieces([b"{" + text.encode() + b"}\n"])) == 1


@given(ANY_JSON)
def test_any_json_for_the_bot(value: object) -> None:
    """Any JSON sent to a bot's end is a message or an error with the one base of errors."""
    try:
        BotConnection().receive(json.dumps(value).encode() + b"\n")
    except ProtocolError:
        return
    raise AssertionError("no such value is a message")


def test_a_key_that_stands_twice() -> None:
    """The last value of a key that stands twice counts, as in most readers of JSON; records keep what was decoded, not
    the line.
    """
    assert parse_pieces([b'{"type":"act","id":6,"id":7,"choose":1,"choose":0}\n']) == [Act(id=7, choose=0)]
    assert parse_pieces([b'{"type":"act","id":7,"action":{"do":"a","do":"b"}}\n']) == [Act(id=7, action={"do": "b"})]
    assert parse_pieces([b'{"type":"act","type":"ready"}\n']) == ["MalformedLine"]


def test_line_ends_of_another_system() -> None:
    """A carriage return before the newline is white space."""
    assert parse_pieces([ANSWER + b"\r\n"]) == [Act(id=7, choose=0)]


@pytest.mark.parametrize("nothing", [b"\n", b"\r\n", b" \n", b"\0\n"])
def test_empty_lines(nothing: bytes) -> None:
    """Empty lines are no messages."""
    assert parse_pieces([nothing]) == ["MalformedLine"]


def test_a_half_line() -> None:
    """Half a line is no message yet; but a bot that has begun to speak is not silent."""
    runner = bring_to_phase(RunnerConnection(), "asking")
    assert runner.is_silent()

    assert runner.receive(ANSWER[:10]) is None
    assert not runner.is_silent()
    assert runner.receive(ANSWER[10:] + b"\n") == Act(id=7, choose=0)
    assert runner.is_silent()


@pytest.mark.parametrize("piece", [MAX_BOT_LINE_BYTES + 10, 4096])
def test_the_longest_line(piece: int) -> None:
    """A line of exactly the limit, newline included, is a message; one byte more is a flood at once."""
    just = ANSWER[:-1] + b" " * (MAX_BOT_LINE_BYTES - len(ANSWER) - 1) + b"}\n"
    more = ANSWER[:-1] + b" " * (MAX_BOT_LINE_BYTES - len(ANSWER)) + b"}\n"
    assert (len(just), len(more)) == (MAX_BOT_LINE_BYTES, MAX_BOT_LINE_BYTES + 1)

    assert parse_pieces(split_at(just, list(range(0, len(just), piece)))) == [Act(id=7, choose=0)]
    assert parse_pieces(split_at(more, list(range(0, len(more), piece)))) == ["FloodedLine"]
    assert parse_pieces([more[:-1]]) == ["FloodedLine"]
    assert parse_pieces([just[:-1]]) == []


def test_a_flood_is_shown_by_its_beginning() -> None:
    """The error has the limit and the first bytes, not all of them."""
    runner = bring_to_phase(RunnerConnection(), "asking")

    with pytest.raises(
        FloodedLine, match=r"a line of more than 65536 bytes, beginning 'aaa.*… \(\d+ bytes\)"
    ) as caught:
        runner.receive(b"a" * 10**6)
    assert len(str(caught.value)) < 250


def test_a_drip_of_single_bytes() -> None:
    """A line that comes byte by byte is read like any other, and a flood ends as early."""
    runner = bring_to_phase(RunnerConnection(), "asking")
    for byte in ANSWER:
        assert runner.receive(bytes([byte])) is None
    assert runner.receive(b"\n") == Act(id=7, choose=0)

    bring_to_phase(runner, "asking")
    for _ in range(MAX_BOT_LINE_BYTES - 1):
        assert runner.receive(b"a") is None
    with pytest.raises(FloodedLine):
        runner.receive(b"a")
