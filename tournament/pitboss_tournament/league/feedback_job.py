"""The process that looks into the games of one version: what its decisions cost, beside what a reference would choose.

`league run` starts it as `python -m pitboss_tournament.league.feedback_job PARENT`, gives it a `FeedbackTask` as a line
of JSON, and reads a `FeedbackDone`. It reads those games alone whose deal is over, without what others noted, as the
owner could download them. The reference plays in the sandbox of the league.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from pitboss.errors import ConfigError
from pitboss.foreign_input import read_json
from pitboss.plugins.registry import Registry
from pitboss.records.notation import NotedGame
from pitboss.records.record import Record
from pitboss_tournament.exchange.pooling import store_games
from pitboss_tournament.league.game_archive import collect_own_records
from pitboss_tournament.league.league_folder import League, read_league
from pitboss_tournament.league.own_games import GameFilter
from pitboss_tournament.league.stored_ladder import has_tournament
from pitboss_tournament.league.submission import Submission
from pitboss_tournament.plan.plan import name_version
from pitboss_tournament.processes.sandbox_probe import resolve_sandbox
from pitboss_tournament.reask.feedback_bundle import FeedbackBundle, make_bundle
from pitboss_tournament.running.worker import bind_to_relatives, claim_stdio
from pitboss_tournament.store.header import Header
from pitboss_tournament.store.store import Store

GAMES_LOOKED_INTO: Final = 2_000  # the latest ones
BYTES_LOOKED_INTO: Final = 64 << 20  # of their records
NICENESS: Final = 10  # games and validations come first


class FeedbackTask(Struct, frozen=True):
    """What the process is told: where the league is, and which version it is about."""

    league: str
    submission: Submission


class FeedbackDone(Struct, frozen=True):
    """The message of the process: the bundle that it made, or in `why` a sentence on why there is none."""

    bundle: FeedbackBundle | None = None
    why: str = ""


def main() -> None:
    """Look into the games of the task's version."""
    bind_to_relatives(int(sys.argv[1]))
    descriptor_in, descriptor_out = claim_stdio()
    os.nice(NICENESS)
    with open(descriptor_in, "rb") as told, open(descriptor_out, "wb") as out:  # noqa: PTH123 - descriptors
        task = read_json(told.readline(), FeedbackTask)
        league = read_league(Path(task.league), Registry())
        try:
            done = FeedbackDone(look_into(league, task.submission))
        except ConfigError as error:
            done = FeedbackDone(why=str(error))
        out.write(msgspec.json.encode(done) + b"\n")
        out.flush()
    sys.stderr.flush()
    os._exit(0)


def look_into(league: League, one: Submission) -> FeedbackBundle:
    """Return what the author of a version needs to know of its games, with the numbers that they have in the league.

    Raises:
        ConfigError: it has played no deal to its end.
        PitbossError: the games cannot be read, or the machine cannot start the reference (in an exception group).
    """
    records = _read_whole_deals(league, one)
    if not records:
        raise ConfigError("it has played no deal to its end yet")
    numbers = [number for number, _ in records]
    level, _ = resolve_sandbox(league.file.sandbox)
    with tempfile.TemporaryDirectory(prefix="pitboss-feedback-") as folder:
        path = Path(folder) / "own.pitboss"
        store_games([NotedGame(record, number) for number, record in records], path)
        found = make_bundle(path, name_version(one.bot, one.version), None, level)
    return replace(
        found,
        bot=one.label,
        place=None,  # that among those it met is not that of the ladder
        verdict=[],
        limit_ms=float(league.clock.decision_ms),
        faults=[replace(fault, game_id=numbers[fault.game_id]) for fault in found.faults],
        positions=[replace(position, game_id=numbers[position.game_id]) for position in found.positions],
    )


def _read_whole_deals(league: League, one: Submission) -> Sequence[tuple[int, Record]]:
    """Return the records of the version's deals that were played in all orders of the seats."""
    if not has_tournament(league.folder.store):
        return []
    with closing(Store(league.folder.store)) as store:
        store.header = _mark_own(store.header, one)

        def is_own(owner: str) -> bool:
            return owner == one.owner

        is_wanted = GameFilter(bot=one.bot, version=one.version).make_test(store.header, is_own)
        found, _ = collect_own_records(store, None, None, is_wanted, is_own, GAMES_LOOKED_INTO, BYTES_LOOKED_INTO)
        sizes = Counter(_name_block(record) for _, record in found)
        return [one for one in found if sizes[_name_block(one[1])] == store.header.block_size]


def _mark_own(header: Header, one: Submission) -> Header:
    """Return a header in which nothing but a version has an owner, who is that of today."""
    entries = [
        replace(
            entry,
            about=replace(
                entry.about, owner=one.owner if (entry.name, entry.version) == (one.bot, one.version) else ""
            ),
        )
        for entry in header.entries
    ]
    return replace(header, entries=entries)


def _name_block(record: Record) -> tuple[str, tuple[str, ...]]:
    return record.seed, tuple(sorted(record.players))


if __name__ == "__main__":
    main()
