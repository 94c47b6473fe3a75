"""A bot of the zoo at the table with a good one, which notes how long it waited: what verdict it got, and how long it
held the other up.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from pitboss.protocol.messages import Clock
from pitboss.records.record import Record
from pitboss_tournament.plan.plan import SANDBOX_LEVELS, SandboxLevel
from pitboss_tournament.processes.sandbox_probe import probe_level, resolve_sandbox
from tests.bots.zoo_catalogue import ZooBot
from tests.bots.zoo_entrants import ZooBuilder
from tests.soak.tournament_games import play_whole_tournament
from tests.tournament.small_tournaments import make_plan

SETTLE_MS: Final = 250  # beyond its limit, in which a decision is to be settled
LEAVE_S: Final = 30.0  # for the processes of a run to be gone, on any machine
SANDBOX: Final = resolve_sandbox("auto")[0]
HAS_SANDBOX: Final = SANDBOX == "bubblewrap"
LEVELS: Final = [level for level in SANDBOX_LEVELS if not probe_level(level).problem]  # that work here


class ZooMatch(NamedTuple):
    """What came of some games with a bot of the zoo."""

    verdicts: list[str]  # one a game; "" where it played on to the end
    notes: list[str]
    overrun_ms: float  # by how much a turn of it went beyond its limit, at the worst; 0: never
    records: list[Record]

    def has_expected_verdicts(self, bot: ZooBot, level: SandboxLevel) -> bool:
        """Tell whether all verdicts are right. One that is right only from the second game on may leave the first one
        alone.
        """
        right = bot.expected_verdicts(level)
        return set(self.verdicts) <= {*right, *([""] if bot.min_deals > 1 else [])} and any(
            verdict in right for verdict in self.verdicts
        )

    def has_expected_notes(self, bot: ZooBot, level: SandboxLevel) -> bool:
        """Tell whether all that it noted in its sandbox is what it should have seen there."""
        expected = bot.expected_note(level)
        return not expected or (bool(self.notes) and all(re.fullmatch(expected, note) for note in self.notes[-1:]))


def play_zoo_match(
    zoo: ZooBuilder, bot: ZooBot, store: Path, level: SandboxLevel, deals: int = 1, workers: int = 2
) -> ZooMatch:
    """Let a bot play some deals, in both rotations, with a good one."""
    good, bad = zoo.build_good_bot("the good one"), zoo.build_entrant(bot)
    made = make_plan(
        store,
        good,
        bad,
        deals=max(deals, bot.min_deals),
        clock=bot.clock,
        sandbox=level,
        workers=workers,
        pinned=workers > 1,
    )
    records = play_whole_tournament(made).records
    return ZooMatch(
        verdicts=[forfeit_kind(record, bot.name) for record in records],
        notes=sorted({note for record in records for note in _notes_of(record, bot.name)}),
        overrun_ms=max(measure_overrun_ms(record, bot.clock) for record in records),
        records=records,
    )


def forfeit_kind(record: Record, name: str) -> str:
    """Return the kind of fault by which a bot forfeited a game, nothing if it did not. The others must have done
    nothing wrong.
    """
    kinds = {record.players[fault.seat]: fault.kind for fault in record.faults}
    assert set(kinds) <= {name}, f"an innocent bot was blamed: {record.faults}"
    return kinds.get(name, "")


def measure_overrun_ms(record: Record, clock: Clock) -> float:
    """Return by how much somebody waited longer for the bot's turn than its limit, at the worst."""
    is_start = any(fault.clock == "start" for fault in record.faults)
    limit_ms = clock.start_ms if is_start else clock.decision_ms
    waited = max((int(note) for note in _notes_of(record, "the good one")), default=0)
    return max(0.0, waited / 1000 - limit_ms)


def _notes_of(record: Record, name: str) -> Iterator[str]:
    for decision in record.decisions:
        if decision.note and record.players[decision.seat] == name:
            yield decision.note
