"""Ember Duel: it keeps every promise of a game, plays by its rule book, and its decks are legal."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from duel import DECK_SIZE, Duel, DuelOptions, DuelState, End, Play, load_samples, pool_cards
from duel_cards import CARDS
from pitboss import Random
from pitboss.testing import assert_conforms, check_game

BOOK = Path(__file__).with_name("RULES.md").read_text(encoding="utf-8")
CASES = [json.loads(block) for block in re.findall(r"```json case\n(.*?)```", BOOK, re.DOTALL)]


def lay_out(case: dict[str, Any]) -> DuelState:
    """Return a duel with the hands and decks of a case, before the first player draws."""
    state = DuelState.create(2, DuelOptions(**case.get("options", {})), Random("case"))
    state.life = (state.options.life,) * 2
    table = state.table
    for seat in (0, 1):
        left = [*pool_cards(seat)]
        hand = []
        for name in case["hands"][seat]:
            hand.append(next(card for card in left if state.deck.faces[card] == name))
            left.remove(hand[-1])
        table.place(hand, state.box, state.hands[seat], 0)
        table.place(left[: case["decks"][seat]], state.box, state.libraries[seat], 0)
    state.begin_turn(0)
    return state


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_a_case_of_the_rule_book(case: dict[str, Any]) -> None:
    """The game does what the rule book says."""
    state = lay_out(case)

    for action in case["actions"]:
        state.play(End() if action == "-" else Play(action))

    if "life" in case:
        assert [*state.life] == case["life"]
    if "units" in case:
        assert [[unit.card for unit in row] for row in state.units] == case["units"]
    if "not_legal" in case:
        seat = state.require_turn().seat
        assert case["not_legal"] in state.faces(state.hands[seat])
        assert Play(case["not_legal"]) not in state.legal()
    assert (state.turn is None) == case.get("over", False)


def test_the_table_of_cards() -> None:
    """The rule book has each card with its cost and its strength."""
    rows = re.findall(r"^\| (\w+) \| (\d) \| (spell|\d/\d) \|", BOOK, re.MULTILINE)

    assert [(name, int(cost), strength) for name, cost, strength in rows] == [
        (name, card.cost, f"{card.power}/{card.health}" if card.health else "spell") for name, card in CARDS.items()
    ]


@pytest.mark.parametrize("preset", ["", "open-decks"])
def test_it_conforms(preset: str) -> None:
    """The conformance suite passes, with decks at random."""
    assert_conforms(Duel(), presets=[preset] if preset else [], games=1)


@pytest.mark.parametrize("sight", ["hidden", "public"])
def test_it_conforms_with_declared_decks(sight: str) -> None:
    """The suite passes where each player has one of the decks of the rule book, but for one check of hidden decks.

    The check supposes that any hidden card may lie in any hidden place; of five decks most are excluded in time.
    """
    pool = [{"cards": dict(deck.cards)} for deck in load_samples().values()]
    report = check_game(Duel(), options={"loadout_pool": pool, "sight": sight}, presets=[], games=1)

    excepted = {"worlds-are-dealt-fairly"} if sight == "hidden" else set()
    assert {failure.name for failure in report.failures} <= excepted


def test_sample_decks_are_legal() -> None:
    """The five sample decks are legal, and none is another."""
    game = Duel()

    assert [*game.sample_loadouts] == ["aggro", "control", "midrange", "swarm", "wall"]
    assert all(not [*game.check_loadout(deck, DuelOptions())] for deck in game.sample_loadouts.values())
    assert all(deck.size == DECK_SIZE for deck in game.sample_loadouts.values())
