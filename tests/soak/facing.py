"""A bot of the zoo at the table with a good one, which notes how long it waited: what verdict it got, and how long it held the other up."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from pitboss.record import Record
from pitboss.wire import Clock
from pitboss_tournament.processes.sandbox import resolve
from tests.bots.animals import Animal
from tests.bots.keeper import Keeper
from tests.soak.playing import played
from tests.tournament.plans import plan

GRACE_MS: Final = 250  # beyond its limit, in which a decision is to be settled
SANDBOX: Final = resolve("auto")[0]
HAS_SANDBOX: Final = SANDBOX == "bubblewrap"


class Faced(NamedTuple):
    """What came of some games with a bot of the zoo."""

    verdicts: list[str]  # one a game; "" where it played on to the end
    notes: list[str]
    beyond_ms: float  # by how much a turn of it went beyond its limit, at the worst; 0: never
    records: list[Record]

    def is_right(self, animal: Animal, is_boxed: bool) -> bool:
        """Tell whether all verdicts are right. One that is right only from the second game on may leave the first one alone."""
        right = animal.verdicts(is_boxed)
        return set(self.verdicts) <= {*right, *([""] if animal.deals > 1 else [])} and any(
            verdict in right for verdict in self.verdicts
        )

    def is_noted(self, animal: Animal) -> bool:
        """Tell whether all that it noted in its sandbox is what it should have seen there."""
        return not animal.note or (bool(self.notes) and all(re.fullmatch(animal.note, note) for note in self.notes[-1:]))


def faced(keeper: Keeper, animal: Animal, store: Path, is_boxed: bool, deals: int = 1, workers: int = 2) -> Faced:
    """Let a bot play some deals, in both rotations, with a good one."""
    good, bad = keeper.good("the good one"), keeper.entrant(animal)
    made = plan(
        store,
        good,
        bad,
        deals=max(deals, animal.deals),
        clock=animal.clock,
        sandbox="bubblewrap" if is_boxed else "none",
        workers=workers,
        pinned=workers > 1,
    )
    records = played(made).records
    return Faced(
        verdicts=[verdict(record, animal.name) for record in records],
        notes=sorted({note for record in records for note in _notes(record, animal.name)}),
        beyond_ms=max(beyond_ms(record, animal.clock) for record in records),
        records=records,
    )


def verdict(record: Record, name: str) -> str:
    """Return the kind of fault by which a bot forfeited a game, nothing if it did not. The others must have done nothing wrong."""
    kinds = {record.players[fault.seat]: fault.kind for fault in record.faults}
    assert set(kinds) <= {name}, f"an innocent bot was blamed: {record.faults}"
    return kinds.get(name, "")


def beyond_ms(record: Record, clock: Clock) -> float:
    """Return by how much somebody waited longer for the bot's turn than its limit, at the worst."""
    is_start = any(fault.clock == "start" for fault in record.faults)
    limit_ms = clock.start_ms if is_start else clock.decision_ms
    waited = max((int(note) for note in _notes(record, "the good one")), default=0)
    return max(0.0, waited / 1000 - limit_ms)


def _notes(record: Record, name: str) -> Iterator[str]:
    for decision in record.decisions:
        if decision.note and record.players[decision.seat] == name:
            yield decision.note
