"""Policies in a tournament: bots state them where they are asked for, the store keeps them, and a liar is found."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Final, NamedTuple

import pytest
from msgspec.structs import replace

from pitboss.records.record import Record
from pitboss_tournament.league.game_archive import hide_thoughts
from pitboss_tournament.store.store import Store
from tests.tournament.command_line import run_pitboss

pytestmark = pytest.mark.once

LIAR: Final = """
from pitboss.bot import AnnotatedChoice, run

def choose(question):
    count = len(question.legal)
    return AnnotatedChoice(0, policy=[(at, 1 / count) for at in range(count)])

run(choose, states_policies=True)
"""
NO_POLICY: Final = """
from pitboss.bot import AnnotatedChoice, run

run(lambda question: AnnotatedChoice(0, policy=[(0, 0.5)]), states_policies=True)
"""


class PlayedStores(NamedTuple):
    """Stores of the same tournament of three bots: without luck, for which policies are asked, and with it."""

    reduced: Path
    plain: Path


def play_leduc(store: Path, *bots: str, reduce: str = "luck") -> None:
    """Play two deals of each two bots."""
    words = ("-o", "hands=10", "--deals", "2", "--seed", "x", "--store", str(store), "-s", f"reduce={reduce}")
    run_pitboss("match", "poker", "--seats", "2", "--preset", "leduc", *bots, *words, cwd=store.parent)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> PlayedStores:
    """Play them once."""
    folder = tmp_path_factory.mktemp("leduc")
    (folder / "liar.py").write_text(LIAR)
    bots = ("house:poker-equilibrium", "house:random", f"{sys.executable} liar.py")
    for name in ("luck", "none"):
        play_leduc(folder / name, *bots, reduce=name)
    return PlayedStores(folder / "luck", folder / "none")


def read_records(path: Path) -> Iterator[Record]:
    """Yield the records of a store."""
    with closing(Store(path)) as store:
        for _, _, packed in store.raw_games():
            yield store.packer.unpack(packed)


def test_every_decision_has_its_policy(played: PlayedStores) -> None:
    """Every decision has the policy that the bots of the house and bots with the SDK state: probabilities of legal
    actions, the played one too.
    """
    decisions = [one for record in read_records(played.reduced) for one in record.decisions]

    assert len(decisions) > 100
    for one in decisions:
        assert one.policy is not None
        assert {action["do"]: chance for action, chance in one.policy}[one.action["do"]] > 0
        assert sum(chance for _, chance in one.policy) == pytest.approx(1)


def test_the_same_games_without_policies(played: PlayedStores) -> None:
    """The bots play the same games where policies are not asked for, and state none."""
    with_policies, without = (
        [[replace(one, us=0) for one in record.decisions] for record in read_records(path)] for path in played
    )

    assert all(one.policy is None for decisions in without for one in decisions)
    assert [[replace(one, policy=None) for one in decisions] for decisions in with_policies] == without


def test_a_liar_is_found(played: PlayedStores) -> None:
    """The audit of a store blames a bot that does not draw as it says, and no other."""
    [*problems, count] = run_pitboss("integrity", str(played.reduced), "--replay").out.splitlines()

    assert [problem.partition(":")[0] for problem in problems] == ["liar does not draw as it states"]
    assert count.endswith("1 problem")
    assert run_pitboss("integrity", str(played.plain)).status == 0


def test_the_notation_holds_policies(played: PlayedStores, tmp_path: Path) -> None:
    """An exported notation with policies is imported as the same records."""
    run_pitboss("export", str(played.reduced), "--what", "notation", "-o", str(tmp_path / "x.txt"))
    run_pitboss("import", str(tmp_path / "x.txt"), "--output", str(tmp_path / "y.pitboss"))

    assert list(read_records(tmp_path / "y.pitboss")) == list(read_records(played.reduced))


def test_what_others_are_shown(played: PlayedStores) -> None:
    """A league shows a bot's policies to nobody but its owner: they tell how it plays."""
    shown = hide_thoughts(next(read_records(played.reduced)), [1])

    assert {one.seat: one.policy is not None for one in shown.decisions} == {0: False, 1: True}


def test_a_wrong_policy_forfeits(tmp_path: Path) -> None:
    """The fault of a wrong policy says what is wrong with it."""
    (tmp_path / "wrong.py").write_text(NO_POLICY)
    play_leduc(tmp_path / "x", f"{sys.executable} wrong.py", "house:first")

    faults = {fault.message for record in read_records(tmp_path / "x") for fault in record.faults}
    assert faults == {"the probabilities of its policy sum to 0.5; they have to sum to 1"}
