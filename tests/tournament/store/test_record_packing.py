"""Records as a store keeps them: they come back as they were, and damage is an error."""

from __future__ import annotations

import zlib
from pathlib import Path
from random import Random

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from pitboss.errors import RecordError
from pitboss.records import record as records
from pitboss.records.record import Decision
from pitboss_tournament.processes.logs import compress_text
from pitboss_tournament.store.record_packing import RecordPacker, make_dictionary
from tests.tournament.stored_games import make_record, make_test_header

ACTIONS = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=5,
)
DECISIONS = st.lists(
    st.builds(
        Decision,
        seat=st.integers(0, 3),
        action=ACTIONS,
        us=st.integers(0, 10**9),
        forced=st.booleans(),
        note=st.none() | st.text(max_size=5),
        policy=st.none() | st.lists(st.tuples(ACTIONS, st.floats(0, 1)), min_size=1, max_size=3),
    ),
    max_size=30,
)
PACKER = RecordPacker(make_dictionary(make_test_header(Path("x")), ["a", "b"]))


@given(DECISIONS)
def test_a_record_comes_back(decisions: list[Decision]) -> None:
    """Each decision is as it was, with what is rare: forced ones, and notes."""
    record = replace(make_record(0), decisions=decisions)
    packed = PACKER.pack(record)

    assert PACKER.unpack(packed) == record
    assert PACKER.unpack_seed(packed) == record.seed


def test_a_record_of_an_early_version_is_read() -> None:
    """A record of an early version, which was a compressed line, is read."""
    record = make_record(0)
    packed = compress_text(records.dumps(record))

    assert PACKER.unpack(packed) == record
    assert PACKER.unpack_seed(packed) == record.seed


@given(DECISIONS)
def test_a_record_with_columns_in_json_is_read(decisions: list[Decision]) -> None:
    """A record with columns in JSON, as they were kept until schema 7, is read."""
    decisions = [replace(one, policy=None) for one in decisions]
    record = replace(make_record(0), decisions=decisions)
    columns = [
        replace(record, decisions=[]),
        [one.seat for one in decisions],
        [one.action for one in decisions],
        list(range(len(decisions))),
        [one.us for one in decisions],
        [number for number, one in enumerate(decisions) if one.forced],
        {number: one.note for number, one in enumerate(decisions) if one.note is not None},
    ]
    packing = zlib.compressobj(6, wbits=-15, zdict=PACKER.dictionary)
    packed = b"\x01" + packing.compress(msgspec.json.encode(columns)) + packing.flush()

    assert PACKER.unpack(packed) == record
    assert PACKER.unpack_seed(packed) == record.seed


def test_columns_that_are_too_short() -> None:
    """A record whose columns are not as long as it says is none."""
    packing = zlib.compressobj(6, wbits=-15, zdict=PACKER.dictionary)
    columns = [replace(make_record(0), decisions=[]), ["x"], [], {}, 2, [1, 1, 8]]
    packed = b"\x02" + packing.compress(msgspec.json.encode(columns) + b"\n" + bytes(19)) + packing.flush()

    with pytest.raises(RecordError, match="19 bytes for 2 decisions of 10 bytes"):
        PACKER.unpack(packed)


def test_the_bytes_of_a_decision() -> None:
    """The noise in a thinking time takes a byte of a decision, and little else is stored of it."""
    rng = Random(3)
    decisions = [
        Decision(seat=number % 2, action={"do": "swap", "slot": rng.randrange(10)}, us=rng.randrange(300, 1_500))
        for number in range(1_000)
    ]

    assert len(PACKER.pack(replace(make_record(0), decisions=decisions))) < 2_200


@given(st.integers(0, 10**6), st.binary(min_size=1, max_size=1))
def test_damage_is_an_error(place: int, byte: bytes) -> None:
    """A changed or missing byte gives the record itself, or an error that is understood, and no other."""
    packed = PACKER.pack(make_record(0))
    at = 1 + place % (len(packed) - 1)
    for damaged in (packed[:at] + byte + packed[at + 1 :], packed[:at], packed + byte):
        try:
            PACKER.unpack(damaged)
        except (RecordError, zlib.error):
            continue
        assert len(damaged) == len(packed)


def test_a_record_of_another_format_is_refused() -> None:
    """A record of another format, which may mean something else, is refused."""
    with pytest.raises(RecordError, match="this record has format 1; this Pitboss reads format 2"):
        PACKER.unpack(PACKER.pack(replace(make_record(0), format=1)))


def test_notes_that_would_make_a_record_too_large() -> None:
    """Notes that would make a record too large are left out, so that bots cannot make a record that nobody can read."""
    decision = Decision(seat=0, action={"do": "draw"}, note="\x00" * 500)
    record = replace(make_record(0), decisions=[decision] * 6_000)

    found = PACKER.unpack(PACKER.pack(record))
    assert found == replace(record, decisions=[replace(decision, note=None)] * 6_000)


def test_the_dictionary_of_a_store_never_changes() -> None:
    """The dictionary of a store never changes: records that were packed with it would be lost."""
    header = replace(make_test_header(Path("x")), options={"turns": 5}, deals=7, pitboss_version="9")

    assert make_dictionary(header, ["b", "a"]) == (
        b'{"game":"magpie","game_version":"1","options":{"turns":5},"seed":"test","players":["a","b"],"decisions":[],'
        b'"outcome":{"points":[0.0,0.0],"places":[1,1],"sides":[[0],[1]]},"incidents":[],"format":2}'
    )


def test_games_of_one_tournament_share_what_they_have_in_common() -> None:
    """The options and other things that each game of a tournament repeats take next to no room."""
    header = make_test_header(Path("x"))
    options = {f"option {number}": f"value {number}" for number in range(100)}
    record = replace(make_record(0), options=options)

    assert len(RecordPacker(make_dictionary(replace(header, options=options), header.bots)).pack(record)) < 250
    assert len(PACKER.pack(record)) > 500
