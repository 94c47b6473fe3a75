"""How a store keeps records: decisions in columns, compressed with a dictionary of what all games of it have in common.

A column has a value for each decision, and lists each action once; so a game takes half of the bytes that its JSON line
would take in compressed form. Early versions stored just that: such records are read, too.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Iterable, Sequence
from typing import Any, Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from pitboss.errors import RecordError
from pitboss.records import record as records
from pitboss.records.record import Decision, Record
from pitboss_tournament.processes.logs import LARGEST_TEXT, decompress_text, inflate
from pitboss_tournament.store.header import HeaderRow

LEVEL: Final = 6
_MARK: Final = b"\x01"  # before columns; a compressed line begins with another byte
_RAW_DEFLATE: Final = -15  # without header and checksum, which a store has of its own


class _Columns(Struct, array_like=True):
    """A record in columns."""

    head: Record  # without decisions
    seats: list[int]
    actions: list[Any]  # different ones
    chosen: list[int]  # indexes into `actions`
    us: list[int]
    forced: list[int]  # the numbers of the decisions that were forced
    notes: dict[int, str]  # by number of the decision


class _Seed(Struct):
    seed: str


class _Seeds(Struct, array_like=True):
    """`_Columns`, of which only the seed is read."""

    head: _Seed


_decode_columns: Final = msgspec.json.Decoder(_Columns).decode
_decode_seeds: Final = msgspec.json.Decoder(_Seeds).decode
_encode: Final = msgspec.json.Encoder().encode


class RecordPacker:
    """Packs the records of one store, and unpacks them."""

    def __init__(self, dictionary: bytes) -> None:
        """Pack with a store's dictionary (`make_dictionary`)."""
        self.dictionary = dictionary

    def pack(self, record: Record) -> bytes:
        """Return a record as it is stored: without the bots' notes, if it would be larger than LARGEST_TEXT."""
        numbers: dict[bytes, int] = {}
        decisions = record.decisions
        columns = _Columns(
            head=replace(record, decisions=[]),
            seats=[decision.seat for decision in decisions],
            chosen=[numbers.setdefault(_encode(decision.action), len(numbers)) for decision in decisions],
            actions=list(map(msgspec.Raw, numbers)),
            us=[decision.us for decision in decisions],
            forced=[number for number, decision in enumerate(decisions) if decision.forced],
            notes={number: decision.note for number, decision in enumerate(decisions) if decision.note is not None},
        )
        text = _encode(columns)
        if len(text) > LARGEST_TEXT and columns.notes:  # what bots write may not make a record that nobody can read
            return self.pack(replace(record, decisions=[replace(decision, note=None) for decision in decisions]))
        packing = zlib.compressobj(LEVEL, wbits=_RAW_DEFLATE, zdict=self.dictionary)
        return _MARK + packing.compress(text) + packing.flush()

    def unpack(self, stored: bytes) -> Record:
        """Return a stored record.

        Raises:
            RecordError: it is no record of this format.
            zlib.error: it is damaged, or larger than LARGEST_TEXT.
        """
        if stored[:1] != _MARK:
            return records.loads(decompress_text(stored))
        try:
            columns = _decode_columns(self._inflate(stored))
            decisions = [
                Decision(seat=seat, action=columns.actions[chosen], us=us)
                for seat, chosen, us in zip(columns.seats, columns.chosen, columns.us, strict=True)
            ]
            for number in columns.forced:
                decisions[number] = replace(decisions[number], forced=True)
            for number, note in columns.notes.items():
                decisions[number] = replace(decisions[number], note=note)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError, IndexError, ValueError) as error:
            raise RecordError(f"this is not a game record: {error}") from None
        return records.require_valid(replace(columns.head, decisions=decisions))

    def unpack_seed(self, stored: bytes) -> str:
        """Return the seed of a stored record, in a fraction of the time.

        Raises:
            msgspec.MsgspecError: it is no record.
            zlib.error: it is damaged.
        """
        if stored[:1] != _MARK:
            return msgspec.json.decode(decompress_text(stored), type=_Seed).seed
        return _decode_seeds(self._inflate(stored)).head.seed

    def _inflate(self, stored: bytes) -> bytes:
        return inflate(stored[1:], _RAW_DEFLATE, self.dictionary)


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
