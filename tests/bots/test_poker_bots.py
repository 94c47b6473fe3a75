"""The bots of poker: equities, the equilibrium table, and who beats whom."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from random import Random
from typing import Final

import pytest

from pitboss.parts.betting.high_hands import card_key
from pitboss_poker.bot import estimate_equity
from pitboss_poker.equilibrium import load_strategy
from pitboss_poker.rules import PokerVariant, find_variant
from pitboss_poker.solver import Tree
from tests.tournament.command_line import run_pitboss

HOLDEM: Final = find_variant("holdem", 2)
KUHN: Final = find_variant("kuhn", 2)
LEDUC: Final = find_variant("leduc", 2)


def equity(own: str, board: str = "", picks: tuple[float, ...] = (1,), variant: PokerVariant = HOLDEM) -> float:
    """Return the equity by many samples."""
    own_keys, board_keys = ([card_key(face) for face in text.split()] for text in (own, board))
    return estimate_equity(variant, own_keys, board_keys, picks, 4000, Random("equity"))


@pytest.mark.parametrize(
    ("own", "board", "opponents", "known"),
    [
        ("SA HA", "", 1, 0.852),
        ("S7 H2", "", 1, 0.346),
        ("SA SK", "", 1, 0.670),
        ("SA HA", "", 3, 0.639),
        ("S2 H3", "SA SK SQ SJ S10", 1, 0.5),  # the board plays
        ("SK SQ", "SA SJ S10 H2 C3", 1, 1.0),
    ],
)
def test_known_equities(own: str, board: str, opponents: int, known: float) -> None:
    """Sampled equities are those of published tables."""
    assert equity(own, board, (1,) * opponents) == pytest.approx(known, abs=0.03)


def test_small_decks() -> None:
    """In Kuhn poker the cards decide; in Leduc a pair with the board wins unless there is none to beat."""
    assert [equity(card, "", (1,), KUHN) for card in ("SJ", "SK")] == [0, 1]
    assert equity("SQ", "", (1,), KUHN) == pytest.approx(0.5, abs=0.03)
    assert equity("SJ", "HJ", (1,), LEDUC) == 1
    assert equity("SQ", "SK", (1,), LEDUC) == pytest.approx((2 + 1 / 2) / 4, abs=0.03)  # J, J, Q, K


def test_who_raises_has_more() -> None:
    """The best of more hands wins more often; a small deck has no more hands than it has cards."""
    values = [equity("SQ HJ", "", (picks,)) for picks in (1, 1.5, 2, 3)]

    assert values == sorted(values, reverse=True)
    assert values[0] - values[-1] > 0.1
    assert equity("SQ", "", (3,), KUHN) == 0  # the better of two is the king


@pytest.mark.parametrize(("preset", "value", "most"), [("kuhn", -1 / 18, 1e-9), ("leduc", -0.0856, 3e-4)])
def test_the_equilibrium_table(preset: str, value: float, most: float) -> None:
    """Every information set has a row; the value is the known one, and a best response wins next to nothing more."""
    tree, strategy = Tree(preset), load_strategy(preset)
    best = [tree.find_best_response(strategy, player) for player in (0, 1)]

    assert strategy.keys() == tree.sets.keys()
    assert all(sum(row) == pytest.approx(1) for row in strategy.values())
    assert tree.evaluate(strategy) == pytest.approx(value, abs=1e-4)
    assert 0 <= sum(best) + 1e-9 <= most


def test_cfr_finds_the_equilibrium() -> None:
    """Some iterations on Kuhn poker come near its value and leave little to win."""
    tree = Tree("kuhn")
    strategy = tree.solve(300)

    assert tree.evaluate(strategy) == pytest.approx(-1 / 18, abs=0.002)
    assert sum(tree.find_best_response(strategy, player) for player in (0, 1)) < 0.01


TABLES: Final = [
    ("2", ()),
    ("2", ("--preset", "limit")),
    ("3", ("--preset", "pot-limit")),
    ("6", ()),
    ("2", ("--preset", "kuhn", "-o", "hands=200")),
    ("2", ("--preset", "leduc", "-o", "hands=100")),
    ("10", ("--preset", "limit")),
    ("4", ("--preset", "tournament")),
]


@pytest.mark.long
@pytest.mark.once
@pytest.mark.parametrize(
    ("seats", "words"),
    [
        pytest.param(seats, words, marks=() if seats == "2" and not words else pytest.mark.long)
        for seats, words in TABLES
    ],
)
@pytest.mark.parametrize("other", ["house:random", pytest.param("house:caller", marks=pytest.mark.long)])
def test_the_bot_beats_simple_bots(tmp_path: Path, seats: str, words: tuple[str, ...], other: str) -> None:
    """The bot wins chips from simple bots at every size of the table and with every betting, as one among them or as
    half of the table.
    """
    others = [other] * (int(seats) - 1)
    deals = {"2": "15", "3": "20", "4": "12", "6": "6", "10": "4"}[seats]
    match = ("match", "poker", "house:poker", *others, "--seats", seats, "--deals", deals, "--seed", "b", *words)

    ran = run_pitboss(*match, "--store", "x.pitboss", "--sandbox", "none", "--json", cwd=tmp_path)

    assert ran.status == 0, ran.err
    board = {line["name"]: line for line in json.loads(ran.out.splitlines()[-1])["standings"]}
    assert board["house:poker"]["points"]["mean"] > 0
    assert board["house:poker"]["faults"] == {}


@pytest.mark.long
@pytest.mark.once
def test_the_equilibrium_bot_knows_two_games(tmp_path: Path) -> None:
    """The bot plays Kuhn and Leduc poker; for any other game it says which games it plays, and does not start."""
    words = ("--seats", "2", "--deals", "2", "--seed", "s", "--sandbox", "none")
    for preset in ("kuhn", "leduc"):
        match = (
            "match",
            "poker",
            "house:poker-equilibrium",
            "house:random",
            *words,
            "--preset",
            preset,
            "--store",
            f"{preset}.pitboss",
        )
        assert run_pitboss(*match, cwd=tmp_path).status == 0

    ran = run_pitboss("match", "poker", "house:poker-equilibrium", "house:random", *words, cwd=tmp_path)

    assert ran.status == 2
    assert "'house:poker-equilibrium' plays poker with presets 'kuhn' and 'leduc'" in ran.err


@pytest.mark.long
@pytest.mark.once
def test_hand_histories(tmp_path: Path) -> None:
    """Each hand is a section of TOML whose stacks add up; betting that PHH does not know is refused."""
    bots = ("house:random", "house:caller", "house:random")
    words = ("--seats", "3", "--deals", "2", "--seed", "s", "--sandbox", "none", "--store")
    assert run_pitboss("match", "poker", *bots, *words, "x.pitboss", cwd=tmp_path).status == 0
    assert run_pitboss("match", "poker", *bots, *words, "k.pitboss", "--preset", "kuhn", cwd=tmp_path).status == 0

    hands = tomllib.loads(run_pitboss("export", "x.pitboss", "--what", "phh", cwd=tmp_path).out)
    refused = run_pitboss("export", "k.pitboss", "--what", "phh", cwd=tmp_path)

    assert len(hands) == 2 * 3 * 21
    assert all(sum(hand["starting_stacks"]) == sum(hand["finishing_stacks"]) == 30_000 for hand in hands.values())
    assert {hand["_game_id"] for hand in hands.values()} == set(range(6))
    assert (refused.status, refused.out) == (2, "")
    assert "PHH has no notation for kuhn; this is played with 'limit'" in refused.err


@pytest.mark.long
@pytest.mark.once
def test_fixed_bets_are_resumed(tmp_path: Path) -> None:
    """A tournament whose options hold a list of numbers is carried on by the same command."""
    words = ("match", "poker", "house:random", "house:caller", "--preset", "limit", "--seats", "2", "--seed", "s")

    for deals in ("1", "2"):
        ran = run_pitboss(*words, "--deals", deals, "--store", "x.pitboss", "--sandbox", "none", cwd=tmp_path)
        assert ran.status == 0, ran.err
