"""Decisions as data for machine learning: what a seat knew, what was legal, what it chose, and the result.

A row is a letter (`pitboss.learning`). The file is one of numpy (npz, compressed) or of Parquet; of either, a bounded
number of rows is in memory.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from itertools import islice
from pathlib import Path
from shutil import copyfileobj
from tempfile import TemporaryDirectory
from typing import IO, TYPE_CHECKING, Any, Final, NamedTuple
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import msgspec

from pitboss.errors import ConfigError
from pitboss.learning.learning_game import LearningGame, prepare_game
from pitboss.learning.record_letters import read_letters
from pitboss.loadouts import open_loadouts
from pitboss.plugins.registry import Registry
from pitboss.records.record import Record
from pitboss_tournament.store.store import Store

if TYPE_CHECKING:
    import numpy as np

CHUNK_ROWS: Final = 2_000  # held in memory at a time
COPY_BYTES: Final = 1 << 20
ENDINGS: Final = (".npz", ".parquet")
ZIP_DATE: Final = (1980, 1, 1, 0, 0, 0)  # so that the same games make the same bytes


class LetterRow(NamedTuple):
    """A letter that was chosen: a row of the file, its columns in this order."""

    game_id: int
    decision: int  # its number in the game, from 0
    seat: int
    bot: int  # its index in the names of `about`
    letter: int
    reward: float  # of the seat at the end of the game: its share of the win, less the mean of all seats
    points: float  # of the seat at the end of the game, more being better
    mask: bytes  # by letter: 1 if it was legal
    observation: bytes  # what the seat knew, as float32


WIDTHS: Final = {"mask": "bool", "observation": "float32"}  # columns with many values in a row
TYPES: Final = {
    "game_id": "int64",
    "decision": "int32",
    "seat": "int8",
    "bot": "int32",
    "letter": "int32",
    "reward": "float32",
    "points": "float32",
}


class DecisionSource:
    """The decisions of a store, as rows, and what their numbers mean."""

    def __init__(self, store: Store, registry: Registry) -> None:
        """Prepare the game of a store.

        Raises:
            ConfigError: the store has no games, or its game is not installed.
            UnboundedAction: the actions of the game cannot be numbered.
        """
        self._store = store
        self.names = list(store.header.labels)
        first = next(store.records(), None)
        if first is None:
            raise ConfigError(f"{store.path}: there is no game yet, and so no decision")
        record = first[1]
        self._table = (len(record.players), open_loadouts(record.options))
        self.game: LearningGame = prepare_game(registry.find_game(record.game), len(record.players), self._table[1])

    @property
    def about(self) -> str:
        """What the numbers mean, as JSON: game, letters, the parts of an observation, the names of the bots."""
        setup, parts = self.game.setup, self.game.encoder.parts
        meaning = {
            "game": setup.game.name,
            "version": setup.game.version,
            "seats": self.game.seats,
            "options": msgspec.to_builtins(setup.options),
            "fingerprint": self.game.fingerprint,
            "letters": self.game.alphabet.letters,
            "parts": [{"name": part.name, "start": part.start, "shape": part.shape} for part in parts],
            "bots": self.names,
        }
        return msgspec.json.encode(meaning).decode()

    @property
    def widths(self) -> dict[str, int]:
        """How many values a row has in the columns that have many."""
        return {"mask": len(self.game.alphabet), "observation": self.game.encoder.size}

    def rows(self) -> Iterator[LetterRow]:
        """Yield all rows.

        Raises:
            ConfigError: a game has another table than the first.
            ReplayDiffers: a record does not replay.
        """
        buffer = bytearray(4 * self.game.encoder.size)
        numbers = {name: number for number, name in enumerate(self.names)}
        for game_id, record in self._store.records():
            self._require_table(game_id, record)
            rewards, points = self.game.reward(record.outcome), record.outcome.signed_points()
            for one in read_letters(self.game, record, memoryview(buffer).cast("f")):
                mask = bytearray(len(self.game.alphabet))
                for letter in one.legal:
                    mask[letter] = 1
                yield LetterRow(
                    game_id, one.decision, one.seat, numbers[record.players[one.seat]], one.letter,
                    rewards[one.seat], points[one.seat], bytes(mask), bytes(buffer),
                )  # fmt: skip

    def _require_table(self, game_id: int, record: Record) -> None:
        if (len(record.players), open_loadouts(record.options)) != self._table:
            raise ConfigError(
                f"{self._store.path}: game {game_id} has other seats or options than the first one; its decisions are "
                "other numbers"
            )


def write_decisions(store: Store, registry: Registry, path: Path, ending: str) -> None:
    """Write a row for each letter of each game; `ending` says which kind of file: ".npz" or ".parquet".

    Raises:
        ConfigError: there is no such kind, pyarrow is not installed, or the store has no games.
        ReplayDiffers: a record does not replay.
    """
    writers = dict(zip(ENDINGS, (_write_npz, _write_parquet), strict=True))
    if ending not in writers:
        raise ConfigError(f"decisions are written to a file .npz or .parquet, not {ending or 'without an ending'}")
    writers[ending](DecisionSource(store, registry), path)


def _list_chunks(source: DecisionSource) -> Iterator[dict[str, np.ndarray[Any, Any]]]:
    """Yield the columns of some rows at a time."""
    import numpy as np

    rows = source.rows()
    while some := list(islice(rows, CHUNK_ROWS)):
        columns: Sequence[Sequence[Any]] = list(zip(*some, strict=True))
        yield {
            name: np.frombuffer(b"".join(column), WIDTHS[name]).reshape(len(some), -1)
            if name in WIDTHS
            else np.array(column, TYPES[name])
            for name, column in zip(LetterRow._fields, columns, strict=True)
        }


def _write_npz(source: DecisionSource, path: Path) -> None:
    """Write each column to a file of its own, then all into an archive: how many rows there are is known at the end."""
    import numpy as np

    with TemporaryDirectory(dir=path.parent, prefix=".decisions-") as folder:
        parts = {name: Path(folder) / name for name in LetterRow._fields}
        count = _write_columns(source, parts)
        with ZipFile(path, "w") as archive:
            with _open_member(archive, "about") as out:
                np.lib.format.write_array(out, np.array(source.about))
            for name, part in parts.items():
                shape = (count, source.widths[name]) if name in WIDTHS else (count,)
                header = {
                    "descr": np.dtype(WIDTHS.get(name) or TYPES[name]).str,
                    "fortran_order": False,
                    "shape": shape,
                }
                with _open_member(archive, name) as out, part.open("rb") as values:
                    np.lib.format.write_array_header_1_0(out, header)
                    copyfileobj(values, out, COPY_BYTES)


def _write_columns(source: DecisionSource, parts: Mapping[str, Path]) -> int:
    """Write the values of each column to its file; return how many rows there are."""
    count = 0
    with ExitStack() as stack:
        files = {name: stack.enter_context(part.open("wb")) for name, part in parts.items()}
        for chunk in _list_chunks(source):
            count += len(chunk["letter"])
            for name, values in chunk.items():
                files[name].write(values.tobytes())
    return count


def _open_member(archive: ZipFile, name: str) -> IO[bytes]:
    member = ZipInfo(f"{name}.npy", ZIP_DATE)
    member.compress_type = ZIP_DEFLATED
    return archive.open(member, "w", force_zip64=True)


def _write_parquet(source: DecisionSource, path: Path) -> None:
    import numpy as np

    try:
        import pyarrow as pa
        from pyarrow import parquet
    except ImportError:
        raise ConfigError("Parquet needs pyarrow: pitboss install 'pitboss[parquet]'") from None
    plain = {name: pa.from_numpy_dtype(np.dtype(kind)) for name, kind in TYPES.items()}
    wide = {name: pa.list_(pa.from_numpy_dtype(np.dtype(kind)), source.widths[name]) for name, kind in WIDTHS.items()}
    schema = pa.schema([*plain.items(), *wide.items()], {"pitboss": source.about})
    with parquet.ParquetWriter(path, schema) as writer:
        for chunk in _list_chunks(source):
            columns = [
                pa.FixedSizeListArray.from_arrays(pa.array(chunk[name].ravel()), source.widths[name])
                if name in WIDTHS
                else pa.array(chunk[name])
                for name in schema.names
            ]
            writer.write_table(pa.Table.from_arrays(columns, schema=schema))
