"""Records as a store keeps them: they come back as they were, and damage is an error."""

from __future__ import annotations

import zlib
from pathlib import Path

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
    """It was a compressed line."""
    record = make_record(0)
    packed = compress_text(records.dumps(record))

    assert PACKER.unpack(packed) == record
    assert PACKER.unpack_seed(packed) == record.seed


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
    """It may mean something else."""
    with pytest.raises(RecordError, match="this record has format 1; this Pitboss reads format 2"):
        PACKER.unpack(PACKER.pack(replace(make_record(0), format=1)))


def test_notes_that_would_make_a_record_too_large() -> None:
    """They are left out, so that bots cannot make a record that nobody can read."""
    decision = Decision(seat=0, action={"do": "draw"}, note="\x00" * 500)
    record = replace(make_record(0), decisions=[decision] * 6_000)

    found = PACKER.unpack(PACKER.pack(record))
    assert found == replace(record, decisions=[replace(decision, note=None)] * 6_000)


def test_the_dictionary_of_a_store_never_changes() -> None:
    """Records that were packed with it would be lost."""
    header = replace(make_test_header(Path("x")), options={"turns": 5}, deals=7, pitboss_version="9")

    assert make_dictionary(header, ["b", "a"]) == (
        b'{"game":"magpie","game_version":"1","options":{"turns":5},"seed":"test","players":["a","b"],"decisions":[],'
        b'"outcome":{"points":[0.0,0.0],"places":[1,1],"sides":[[0],[1]]},"incidents":[],"format":2}'
    )


def test_games_of_one_tournament_share_what_they_have_in_common() -> None:
    """What each game repeats, such as the options, takes next to no room."""
    header = make_test_header(Path("x"))
    options = {f"option {number}": f"value {number}" for number in range(100)}
    record = replace(make_record(0), options=options)

    assert len(RecordPacker(make_dictionary(replace(header, options=options), header.bots)).pack(record)) < 250
    assert len(PACKER.pack(record)) > 500
