"""Short paths in what owners are shown: files of a bot by their paths in its folder, nothing of the host's disk."""

from __future__ import annotations

import re
import sys
import sysconfig
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, TypeVar

import msgspec
from msgspec.structs import replace

import pitboss
from pitboss.records.record import Incident, Record
from pitboss_tournament.league.submission import Evidence
from pitboss_tournament.store.rows import StoredLog

Shorten = Callable[[str], str]
T = TypeVar("T")

_DIGEST: Final = "[0-9a-f]{64}"
_LONGEST_CUT: Final = 4_096  # characters at the beginning of a text that may be the end of a path


@lru_cache(maxsize=8)
def make_shortener(root: Path) -> Shorten:
    """Return a function that shortens the paths in a text; `root` is the folder of the league.

    A file of a version is named by its path in its folder, `bot.py`; one of Python by `python/…`; one of an installed
    package by `packages/…`.
    """
    roots = _list_ways(root)
    names = {re.escape(f"{one}/bots/") + _DIGEST: "" for one in roots}
    names |= {re.escape(one): "" for one in roots}
    names |= {re.escape(one): short for place, short in _list_places() for one in _list_ways(place)}
    ordered = sorted(names, key=len, reverse=True)  # the deepest folder first
    shorts = [names[one] for one in ordered]
    places = "|".join(f"({one})" for one in ordered)
    pattern = re.compile(rf"(?<![\w.-])(?:{places})(?:(/)|(?![\w.-]))")
    cut = re.compile(rf"([^\n]{{0,{_LONGEST_CUT}}}?)bots/{_DIGEST}/")

    def write_short(found: re.Match[str]) -> str:
        assert found.lastindex is not None
        has_more = found[len(shorts) + 1] is not None
        at = next(number for number in range(len(shorts)) if found[number + 1] is not None)
        return f"{shorts[at]}/" if has_more and shorts[at] else ("" if has_more else shorts[at] or ".")

    def shorten(text: str) -> str:
        start = cut.match(text)  # of the end of a longer text, which may begin within a path
        if start is not None and any(f"{one}/".endswith(start[1]) for one in roots):
            text = text[start.end() :]
        return pattern.sub(write_short, text)

    return shorten


def _list_ways(place: Path) -> list[str]:
    """Return how a folder may be written: as it is named, and where its links lead; as text, and within JSON."""
    found = dict.fromkeys((str(place.absolute()), str(place.resolve())))
    return list(dict.fromkeys(way for one in found for way in (one, msgspec.json.encode(one).decode()[1:-1])))


def _list_places() -> Iterator[tuple[Path, str]]:
    """Yield folders of Python and of Pitboss, with their short names."""
    for key, short in (
        ("purelib", "packages"),
        ("platlib", "packages"),
        ("stdlib", "python"),
        ("platstdlib", "python"),
    ):
        yield Path(sysconfig.get_path(key)), short
    yield Path(pitboss.__file__).parent, "pitboss"
    yield Path(__file__).parents[1], "pitboss_tournament"
    if sys.prefix != sys.base_prefix:
        yield Path(sys.prefix), "python"
    home = Path.home()
    if len(home.parts) > 1:
        yield home, "~"


def shorten_record(record: Record, shorten: Shorten) -> Record:
    """Return a record with short paths in the notes of the bots and in the evidence of their faults."""
    return replace(
        record,
        decisions=[one if one.note is None else replace(one, note=shorten(one.note)) for one in record.decisions],
        incidents=[shorten_incident(one, shorten) for one in record.incidents],
    )


def shorten_incident(incident: Incident, shorten: Shorten) -> Incident:
    """Return an incident with short paths."""
    return replace(
        incident,
        fault=replace(incident.fault, message=shorten(incident.fault.message)),
        exchange=list(map(shorten, incident.exchange)),
        last_words=shorten(incident.last_words),
    )


def shorten_log(log: StoredLog, shorten: Shorten) -> StoredLog:
    """Return a log with short paths. Bytes that are no UTF-8 stay as they are."""
    return replace(log, errors=_shorten_bytes(log.errors, shorten), wire=_shorten_bytes(log.wire, shorten))


def _shorten_bytes(text: bytes, shorten: Shorten) -> bytes:
    return shorten(text.decode("utf-8", "surrogateescape")).encode("utf-8", "surrogateescape")


def shorten_evidence(evidence: Evidence, shorten: Shorten) -> Evidence:
    """Return evidence with short paths."""
    return shorten_struct(evidence, shorten)


def shorten_struct(value: T, shorten: Shorten) -> T:
    """Return a struct with short paths in all of its texts."""
    return msgspec.convert(_shorten_all(msgspec.to_builtins(value), shorten), type(value))


def _shorten_all(value: Any, shorten: Shorten) -> Any:  # noqa: ANN401 - JSON
    if isinstance(value, str):
        return shorten(value)
    if isinstance(value, list):
        return [_shorten_all(one, shorten) for one in value]
    if isinstance(value, dict):
        return {key: _shorten_all(one, shorten) for key, one in value.items()}
    return value
