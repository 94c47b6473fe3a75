"""The zoo at the table: every misbehaving bot gets its verdict, the good one plays on, and nobody is left when the runner has gone."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from pitboss import record as records
from tests.bots.animals import ANIMALS, Animal
from tests.bots.keeper import Keeper, open_zoo
from tests.soak.facing import HAS_SANDBOX, faced
from tests.soak.watch import Watch

from .plans import racko

pytestmark = pytest.mark.once

MARK = f"zoo-of-{os.getpid()}"
GENEROUS_MS = 20_000  # beyond a limit: nothing here fails on a clock, but a bot that hangs the table for ever does
GONE_SECONDS = 20.0

boxed = pytest.mark.skipif(not HAS_SANDBOX, reason="this machine has no sandbox")
TAME = [animal for animal in ANIMALS if animal.is_tame and (animal.free is not None or not HAS_SANDBOX)]


@pytest.fixture
def keeper(tmp_path: Path) -> Iterator[Keeper]:
    """Open the zoo."""
    with open_zoo(tmp_path, MARK) as zoo:
        yield zoo


@boxed
@pytest.mark.parametrize("animal", ANIMALS, ids=lambda animal: animal.name)
def test_in_the_sandbox(tmp_path: Path, keeper: Keeper, animal: Animal) -> None:
    """Each gets the verdict of the list, with evidence; who tried a crime saw that it is refused; records replay; nobody is left."""
    check(tmp_path / "x.pitboss", keeper, animal, is_boxed=True)


@pytest.mark.parametrize("animal", TAME, ids=lambda animal: animal.name)
def test_without_a_sandbox(tmp_path: Path, keeper: Keeper, animal: Animal) -> None:
    """Who is treated otherwise where there is none; and everyone who may be let out, on a machine that has none at all."""
    check(tmp_path / "x.pitboss", keeper, animal, is_boxed=False)


def check(store: Path, keeper: Keeper, animal: Animal, is_boxed: bool) -> None:
    """Play with the bot and look at all that came of it."""
    watch = Watch(os.getpid(), MARK)
    with watch.looking():
        seen = faced(keeper, animal, store, is_boxed, workers=1)

    assert seen.is_right(animal, is_boxed), f"{seen.verdicts}; right: {animal.verdicts(is_boxed)}; {seen.records[-1].incidents}"
    assert not is_boxed or seen.is_noted(animal), seen.notes
    assert seen.beyond_ms < GENEROUS_MS
    assert len(watch.workers) <= 1, "a worker has died, and another took its place"
    assert watch.left_after(GONE_SECONDS) == []
    for record in seen.records:
        assert records.compared(record, racko()) == len(record.decisions)
        assert all(incident.fault.message for incident in record.incidents)
