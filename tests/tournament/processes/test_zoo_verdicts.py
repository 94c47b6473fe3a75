"""The zoo at the table: every misbehaving bot gets its verdict, the good one plays on, and nobody is left when the
runner has gone.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from pitboss.records import record as records
from pitboss_tournament.plan.plan import SandboxLevel
from tests.bots.zoo_catalogue import ZOO_BOTS, ZooBot
from tests.bots.zoo_entrants import ZooBuilder, open_zoo
from tests.marks import first_rows
from tests.soak.process_watch import ProcessWatch
from tests.soak.zoo_match import HAS_SANDBOX, play_zoo_match
from tests.tournament.sandbox_programs import needs_landlock
from tests.tournament.small_tournaments import load_magpie

pytestmark = pytest.mark.once

MARK = f"zoo-of-{os.getpid()}"
CLEANUP_TIMEOUT_S = 600.0

needs_sandbox = pytest.mark.skipif(not HAS_SANDBOX, reason="this machine has no sandbox")
SAFE_BOTS = [
    animal
    for animal in ZOO_BOTS
    if animal.is_safe_without_sandbox and (animal.bare_verdict is not None or not HAS_SANDBOX)
]


def attacks_the_sandbox(animal: ZooBot) -> bool:
    """Tell whether a sandbox is what makes the difference; `test_runner_faults` and the like play the others."""
    return animal.bare_verdict is not None or animal.note_pattern != ""


def has_other_landlock(animal: ZooBot) -> bool:
    """Tell whether the level `landlock` makes a difference to others."""
    return animal.landlock_verdict is not None or animal.landlock_note is not None


@pytest.fixture
def keeper(tmp_path: Path) -> Iterator[ZooBuilder]:
    """Open the zoo."""
    with open_zoo(tmp_path, MARK) as zoo:
        yield zoo


@needs_sandbox
@first_rows(8)(
    "animal",
    [
        pytest.param(animal, id=animal.name, marks=() if attacks_the_sandbox(animal) else pytest.mark.long)
        for animal in ZOO_BOTS
    ],
)
def test_in_the_sandbox(tmp_path: Path, keeper: ZooBuilder, animal: ZooBot) -> None:
    """Each bot of the zoo gets the verdict of the list, with evidence; a bot that tried a crime saw that it is refused;
    records replay; nobody is left.
    """
    play_and_check(tmp_path / "x.pitboss", keeper, animal, "bubblewrap")


@needs_landlock
@first_rows(4)(
    "animal",
    [
        pytest.param(animal, id=animal.name, marks=() if has_other_landlock(animal) else pytest.mark.long)
        for animal in ZOO_BOTS
        if animal.is_safe_at("landlock")
    ],
)
def test_at_level_landlock(tmp_path: Path, keeper: ZooBuilder, animal: ZooBot) -> None:
    """A bot at the level `landlock` gets the verdict and notes of the list: what the level claims, holds."""
    play_and_check(tmp_path / "x.pitboss", keeper, animal, "landlock")


@pytest.mark.long
@pytest.mark.parametrize("animal", SAFE_BOTS, ids=lambda animal: animal.name)
def test_without_a_sandbox(tmp_path: Path, keeper: ZooBuilder, animal: ZooBot) -> None:
    """A bot that may run without a sandbox gets its verdict there: those whose verdict differs without one, and all
    such bots on a machine that has none.
    """
    play_and_check(tmp_path / "x.pitboss", keeper, animal, "none")


def play_and_check(store: Path, keeper: ZooBuilder, animal: ZooBot, level: SandboxLevel) -> None:
    """Play with the bot and look at all that came of it."""
    watch = ProcessWatch(os.getpid(), MARK)
    with watch.scanning():
        seen = play_zoo_match(keeper, animal, store, level, workers=1)

    assert seen.has_expected_verdicts(animal, level), (
        f"{seen.verdicts}; right: {animal.expected_verdicts(level)}; {seen.records[-1].incidents}"
    )
    assert seen.has_expected_notes(animal, level), seen.notes
    assert len(watch.workers) <= 1, "a worker has died, and another took its place"
    assert watch.wait_leftovers(CLEANUP_TIMEOUT_S) == []
    for record in seen.records:
        assert records.verify(record, load_magpie()) == len(record.decisions)
        assert all(incident.fault.message for incident in record.incidents)
