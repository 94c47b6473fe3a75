"""`pitboss why --bundle`: what a bot's author needs to know, in 8 kB at most."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from pitboss_racko.game import Racko
from pitboss_tournament.reask.feedback_bundle import (
    MAX_BYTES,
    BundleFault,
    BundleKind,
    BundleOpponent,
    BundlePacker,
    BundlePosition,
    FeedbackBundle,
    bundle_lines,
    encode_bundle,
    make_bundle,
)
from pitboss_tournament.statistics.running_moments import Estimate
from tests.marks import first_rows
from tests.tournament.command_line import run_pitboss
from tests.tournament.rogue_bot import play_rogue

pytestmark = pytest.mark.once

GAMES = {
    "racko": ("house:random", "house:racko", "--preset", "short"),
    "poker": ("house:random", "house:poker", "--preset", "kuhn"),
    "euchre": ("house:random", "house:euchre"),
    "fireworks": ("house:random", "house:fireworks", "house:random"),
    "bridge": ("house:random", "house:bridge"),
    "gin-rummy": ("house:random", "house:gin-rummy", "--preset", "single"),
}


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a store of Rack-O in which a bot that plays at random lost."""
    return play_games(tmp_path_factory.mktemp("bundle"), "racko")


def play_games(folder: Path, game: str) -> Path:
    """Return a store of two deals of a game."""
    path = folder / f"{game}.pitboss"
    words = (*GAMES[game], "--deals", "2", "--seed", "bundle", "--workers", "1", "--store", str(path))
    played = run_pitboss("match", game, *words)
    assert played.status == 0, played.err
    return path


def count_bytes(bundle: FeedbackBundle) -> tuple[int, int]:
    """Return the bytes of a bundle as JSON and as text."""
    return len(encode_bundle(bundle)), len("".join(f"{line}\n" for line in bundle_lines(bundle)).encode())


@first_rows(2)("game", [*GAMES])
def test_a_bundle_of_a_game(tmp_path: Path, game: str) -> None:
    """A bundle has the result, kinds of choices with their costs, and five positions with what both chose, in 8 kB."""
    bundle = make_bundle(play_games(tmp_path, game), "house:random")

    assert max(count_bytes(bundle)) <= MAX_BYTES
    assert bundle.reference is not None
    assert bundle.reference.name == f"house:{game}"
    assert bundle.reference.compared <= bundle.reference.differing <= bundle.reference.asked
    assert sum(kind.count for kind in bundle.kinds) == bundle.reference.differing
    assert all(kind.count <= kind.asked for kind in bundle.kinds)
    assert len(bundle.positions) == 5
    assert all(one.played != one.reference and len(one.lines) > 3 for one in bundle.positions)
    costs = [one.cost for one in bundle.positions if one.cost is not None]
    assert costs[0] > 0


def test_the_command_prints_text_and_json(store: Path) -> None:
    """The JSON has what its schema says; the text has the same positions."""
    told, data = (run_pitboss("why", str(store), "house:random", "--bundle", *words) for words in ((), ("--json",)))

    Draft202012Validator(json.loads(run_pitboss("schema", "bundle").out)).validate(data.json_value)
    assert max(len(told.out.encode()), len(data.out.encode())) <= MAX_BYTES + 1
    for position in data.json_value["positions"]:
        assert f"game {position['game_id']}, decision {position['decision']}, seat " in told.out
        assert f"  bot: {position['played']}; reference: {position['reference']}" in told.out


def test_the_same_store_has_the_same_bundle(store: Path) -> None:
    """Sample, choices and worlds follow from the seed of the store."""
    assert make_bundle(store, "house:random") == make_bundle(store, "house:random")


def test_the_house_bot_is_compared_with_a_search(store: Path) -> None:
    """For the house's own bot the reference is a search that simulations bound."""
    bundle = make_bundle(store, "house:racko")

    assert bundle.reference is not None
    assert bundle.reference.name.startswith("house:search?worlds=")
    assert 0 < bundle.reference.differing < bundle.reference.asked


def test_a_bot_that_is_its_own_reference_chooses_nothing_else(store: Path) -> None:
    """A bot that is asked again under its own seeds differs nowhere, and no position is shown."""
    bundle = make_bundle(store, "house:racko", "house:racko")

    assert bundle.reference is not None
    assert (bundle.reference.differing, bundle.kinds, bundle.positions) == (0, [], [])


def test_faults_come_with_cures(tmp_path: Path) -> None:
    """Each kind of fault has its number, the first game with it and what to do."""
    bundle = make_bundle(play_rogue(tmp_path), "rogue")

    assert bundle.faults
    assert all(fault.count > 0 and fault.message and fault.cure for fault in bundle.faults)
    assert bundle.check.startswith("pitboss check ")


def test_what_has_no_room_is_counted() -> None:
    """A bundle of the longest parts there can be has at most 8,192 bytes, and tells how many parts it lacks."""
    packer = BundlePacker(EMPTY)
    estimate = Estimate(-1.2345678901234e-100, 1.2345678901234e-100)
    signs = "\u202e" * 40
    packer.add("faults", [BundleFault(signs, 10**9, 10**9, 10**9, "\u202e" * 300, '"' * 300)] * 9)
    packer.add("verdict", ["\x00" * 300] * 9)
    packer.add("opponents", [BundleOpponent(signs, 10**9, estimate)] * 99)
    packer.add("kinds", [BundleKind(signs * 3, signs * 3, signs * 3, 10**9, 10**9, estimate)] * 99)
    packer.add(
        "positions",
        [BundlePosition(10**9, 9, 10**9, signs, [signs] * 24, signs, signs, 1e-100, 1e-100)] * 5,
    )
    packer.add("notes", ["x" * 300])

    assert max(count_bytes(packer.bundle)) <= MAX_BYTES
    assert packer.bundle.left_out.keys() >= {"faults", "positions"}
    for name, count in packer.bundle.left_out.items():
        assert count > 0
        assert len(getattr(packer.bundle, name)) < 99


def test_an_unknown_reference_is_refused(store: Path) -> None:
    """The error says that there is no such bot; without --bundle there is nobody to ask."""
    unknown = run_pitboss("why", str(store), "house:random", "--bundle", "--reference", "house:rack")
    lost = run_pitboss("why", str(store), "house:random", "--reference", "house:racko")

    assert (unknown.status, lost.status) == (2, 2)
    assert "there is no bot 'house:rack' (did you mean 'house:racko'?)" in unknown.err
    assert "add --bundle" in lost.err


def test_a_game_of_another_version_is_not_judged(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the rules that were played, the result is told, and why no choice is judged."""
    monkeypatch.setattr(Racko, "version", "0.0")

    bundle = make_bundle(store, "house:random")

    assert bundle.reference is None
    assert bundle.positions == []
    assert "not installed here in the version that was played" in bundle.notes[0]


EMPTY = FeedbackBundle(
    game="g" * 40,
    bot="\u202e" * 40,
    place=10**9,
    bots=10**9,
    games=10**9,
    blocks=10**9,
    points=Estimate(-1.2345678901234e-100, 1.2345678901234e-100),
    wins=Estimate(-1.2345678901234e-100, 1.2345678901234e-100),
    lowest_wins=True,
    counted="p" * 40,
    p99_ms=1.2345678901234e-100,
    limit_ms=1.2345678901234e-100,
    check="\u202e" * 300,
)
