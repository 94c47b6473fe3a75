"""How a store keeps records: decisions in columns, compressed with a dictionary of what all its games have in common.

A column has a number for each decision; each action is listed once. The columns are bytes behind a line of JSON, each
number as the bytes of its places, the highest places of all decisions first. The lowest places of thinking times are
noise, which takes a byte a decision; so they are compressed apart from all else. Records in the forms of earlier
versions are read, too: columns in JSON, and before that compressed lines.
"""

from __future__ import annotations

import hashlib
import struct
import zlib
from collections.abc import Iterable, Sequence
from itertools import compress
from typing import Annotated, Any, Final, TypeAlias, TypeVar

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from pitboss.errors import RecordError
from pitboss.protocol.policy import Probability
from pitboss.records import record as records
from pitboss.records.record import Decision, Record
from pitboss_tournament.processes.logs import LARGEST_TEXT, decompress_text, inflate
from pitboss_tournament.store.header import HeaderRow

T = TypeVar("T")

Numbers: TypeAlias = Sequence[int]  # one for each decision

LEVEL: Final = 6
_MARK: Final = b"\x02"  # before columns in bytes
_JSON_MARK: Final = b"\x01"  # before columns in JSON; a compressed line begins with another byte
_RAW_DEFLATE: Final = -15  # without header and checksum, which a store has of its own


Places = Annotated[int, Meta(ge=1, le=8)]  # bytes of a number


class _Columns(Struct, array_like=True):
    """The line before the columns, which are seats, indexes into `actions`, and thinking times."""

    head: Record  # without decisions
    actions: list[Any]  # different ones
    forced: list[int]  # the numbers of the decisions that were forced
    notes: dict[int, str]  # by number of the decision
    decisions: Annotated[int, Meta(ge=0)]
    places: tuple[Places, Places, Places]  # of the numbers in each column


class _PolicyColumns(_Columns):
    """The line of a record with policies, whose actions are indexes into `actions`."""

    policies: dict[int, list[tuple[int, Probability]]] = {}  # by number of the decision


class _JsonColumns(Struct, array_like=True):
    """A record in columns as earlier versions kept it."""

    head: Record
    seats: list[int]
    actions: list[Any]
    chosen: list[int]
    us: list[int]
    forced: list[int]
    notes: dict[int, str]


class _Seed(Struct):
    seed: str


class _Seeds(Struct, array_like=True):
    """`_Columns` or `_JsonColumns`, of which only the seed is read."""

    head: _Seed


_decode_columns: Final = msgspec.json.Decoder(_PolicyColumns).decode  # a line without policies too
_decode_json_columns: Final = msgspec.json.Decoder(_JsonColumns).decode
_decode_seeds: Final = msgspec.json.Decoder(_Seeds).decode
_encode: Final = msgspec.json.Encoder().encode


class RecordPacker:
    """Packs the records of one store, and unpacks them."""

    def __init__(self, dictionary: bytes) -> None:
        """Pack with a store's dictionary (`make_dictionary`)."""
        self.dictionary = dictionary

    def pack(self, record: Record) -> bytes:
        """Return a record as it is stored: without what bots said beside, if it would be larger than LARGEST_TEXT."""
        numbers: dict[bytes, int] = {}
        decisions = record.decisions
        seats = _pack_numbers([decision.seat for decision in decisions])
        actions = [decision.action for decision in decisions]
        keys = [*map(id, actions)]  # many decisions share an object, which is encoded once
        number_of = {
            key: numbers.setdefault(_encode(action), len(numbers))
            for key, action in dict(zip(keys, actions, strict=True)).items()
        }
        chosen = _pack_numbers([number_of[key] for key in keys])
        us = _pack_numbers([decision.us for decision in decisions])
        policies = {
            number: [(numbers.setdefault(_encode(action), len(numbers)), chance) for action, chance in policy]
            for number, policy in _find_given([decision.policy for decision in decisions]).items()
        }
        columns = _Columns(
            head=replace(record, decisions=[]),
            actions=list(map(msgspec.Raw, numbers)),
            forced=[*compress(range(len(decisions)), [decision.forced for decision in decisions])],
            notes=_find_given([decision.note for decision in decisions]),
            decisions=len(decisions),
            places=(len(seats), len(chosen), len(us)),
        )
        if policies:
            columns = _PolicyColumns(**msgspec.structs.asdict(columns), policies=policies)
        *high, noise = *seats, *chosen, *us
        line = _encode(columns) + b"\n"
        size = len(line) + len(decisions) * sum(columns.places)
        if size > LARGEST_TEXT and (columns.notes or policies):  # bots may not make a record that nobody can read
            silent = [replace(decision, note=None, policy=None) for decision in decisions]
            return self.pack(replace(record, decisions=silent))
        packing = zlib.compressobj(LEVEL, wbits=_RAW_DEFLATE, zdict=self.dictionary)
        parts = [_MARK]
        for part in (line, b"".join(high)):  # each with a code of its own
            parts += [packing.compress(part), packing.flush(zlib.Z_BLOCK)]
        return b"".join([*parts, packing.compress(noise), packing.flush()])

    def unpack(self, stored: bytes) -> Record:
        """Return a stored record.

        Raises:
            RecordError: it is no record of this format.
            zlib.error: it is damaged, or larger than LARGEST_TEXT.
        """
        if stored[:1] not in (_MARK, _JSON_MARK):
            return records.loads(decompress_text(stored))
        try:
            columns, seats, chosen, us = self._read_columns(stored)
            policies = columns.policies if isinstance(columns, _PolicyColumns) else {}
            decisions = [
                Decision(seat=seat, action=columns.actions[at], us=time)
                for seat, at, time in zip(seats, chosen, us, strict=True)
            ]
            for number in columns.forced:
                decisions[number] = replace(decisions[number], forced=True)
            for number, note in columns.notes.items():
                decisions[number] = replace(decisions[number], note=note)
            for number, stated in policies.items():
                policy = [(columns.actions[at], chance) for at, chance in stated]
                decisions[number] = replace(decisions[number], policy=policy)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError, IndexError, ValueError) as error:
            raise RecordError(f"this is not a game record: {error}") from None
        return records.require_valid(replace(columns.head, decisions=decisions))

    def unpack_seed(self, stored: bytes) -> str:
        """Return the seed of a stored record, in a fraction of the time.

        Raises:
            msgspec.MsgspecError: it is no record.
            zlib.error: it is damaged.
        """
        if stored[:1] not in (_MARK, _JSON_MARK):
            return msgspec.json.decode(decompress_text(stored), type=_Seed).seed
        return _decode_seeds(self._inflate(stored).partition(b"\n")[0]).head.seed

    def _read_columns(self, stored: bytes) -> tuple[_Columns | _JsonColumns, Numbers, Numbers, Numbers]:
        """Return the columns of a record: with seats, indexes of actions, and thinking times."""
        line, _, numbers = self._inflate(stored).partition(b"\n")
        if stored[:1] == _JSON_MARK:
            earlier = _decode_json_columns(line)
            return earlier, earlier.seats, earlier.chosen, earlier.us
        columns = _decode_columns(line)
        count, (of_seats, of_actions, of_times) = columns.decisions, columns.places
        if len(numbers) != count * sum(columns.places):
            raise ValueError(f"{len(numbers)} bytes for {count} decisions of {sum(columns.places)} bytes")
        first, second = count * of_seats, count * (of_seats + of_actions)
        return (
            columns,
            _unpack_numbers(numbers[:first], of_seats),
            _unpack_numbers(numbers[first:second], of_actions),
            _unpack_numbers(numbers[second:], of_times),
        )

    def _inflate(self, stored: bytes) -> bytes:
        return inflate(stored[1:], _RAW_DEFLATE, self.dictionary)


def _find_given(values: Sequence[T | None]) -> dict[int, T]:
    """Return the values that are given, by the numbers of their decisions; most games have none."""
    if values.count(None) == len(values):
        return {}
    return {number: value for number, value in enumerate(values) if value is not None}


def _pack_numbers(numbers: Sequence[int]) -> list[bytes]:
    """Return the bytes of some numbers by place, the highest first: as many places as the largest number has."""
    packed = struct.pack(f"<{len(numbers)}Q", *numbers)
    places = (max(numbers, default=0).bit_length() + 7) // 8 or 1
    return [packed[place::8] for place in range(places - 1, -1, -1)]


def _unpack_numbers(packed: bytes, places: int) -> Numbers:
    """Return the numbers with this number of digits."""
    count = len(packed) // places
    whole = bytearray(8 * count)
    for number in range(places):
        whole[places - 1 - number :: 8] = packed[number * count : (number + 1) * count]
    return struct.unpack(f"<{count}Q", whole)


def make_dictionary(header: HeaderRow, bots: Sequence[str]) -> bytes:
    """Return what the records of a tournament have in common, as text that is like their beginnings.

    What was packed with one dictionary is lost with another. So a store keeps it, and its form never changes: stores
    of earlier versions were packed with it, and did not keep it.
    """
    seats = range(header.seats)
    return _encode(
        {
            "game": header.game,
            "game_version": header.game_version,
            "options": header.options,
            "seed": header.seed,
            "players": sorted(bots),
            "decisions": [],
            "outcome": {"points": [0.0 for _ in seats], "places": [1 for _ in seats], "sides": [[n] for n in seats]},
            "incidents": [],
            "format": 2,
        }
    )


def compute_checksum(number: int, result: str, record: bytes, logs: Iterable[tuple[int, bytes, bytes]]) -> bytes:
    """Return the checksum of a game with its logs, which are in the order of the seats."""
    checksum = hashlib.blake2b(digest_size=16)
    for part in (str(number).encode(), result.encode(), record, *(part for log in logs for part in log)):
        written = str(part).encode() if isinstance(part, int) else part
        checksum.update(b"%d:" % len(written))
        checksum.update(written)
    return checksum.digest()
