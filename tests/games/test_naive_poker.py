"""Random hands of each kind of poker, and of the example twists, against a second implementation."""

from __future__ import annotations

import importlib.util
import sys
from functools import cache
from typing import Any, Final, NamedTuple

import pytest
from msgspec import convert, to_builtins

from pitboss import AnyGame, Random
from pitboss.game import resolve_options
from pitboss_poker.game import FiveCardDraw, Poker, SevenCardStud
from tests import ROOT
from tests.games.naive_poker import RANK_ORDER, NaiveAction, NaiveHand

QUICK: Final = 60  # hands of each kind in the quick suite
HANDS: Final = 10_000
TWISTS: Final = ROOT / "examples" / "plugins" / "pitboss-poker-twists"
KINDS: Final = (
    "omaha", "omaha-hi-lo", "short-deck", "draw", "draw-limit", "stud", "stud-hi-lo", "toss", "peek", "pass", "redraw",
    "bounty",
)  # fmt: skip
SHORT_STACK: Final = 150


class NaiveSetting(NamedTuple):
    """A kind of poker: the game, its options, and what the second implementation has to know of these."""

    game: AnyGame
    options: dict[str, Any]
    naive: dict[str, Any]


@cache
def load_twist(name: str) -> AnyGame:
    """Return a game of the examples."""
    module = f"{name}_holdem"
    spec = importlib.util.spec_from_file_location(module, TWISTS / f"{module}.py")
    assert spec is not None and spec.loader is not None
    sys.modules[module] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(sys.modules[module])
    (game,) = sys.modules[module].pitboss_games()
    return game  # type: ignore[no-any-return]


def find_setting(kind: str) -> NaiveSetting:
    """Return how a kind is played here."""
    stud = {"small": 0, "big": 0, "ante": 10, "bring_in": 20, "betting": "limit", "sizes": (50, 50, 100, 100, 100)}
    fixed = {"betting": "limit", "sizes": (100, 100, 200, 200)}
    settings = {
        "omaha": NaiveSetting(Poker(), {"cards": "omaha", "betting": "pot-limit"}, {"betting": "pot-limit"}),
        "omaha-hi-lo": NaiveSetting(Poker(), {"cards": "omaha-hi-lo", "betting": "limit"}, fixed),
        "short-deck": NaiveSetting(Poker(), {"cards": "short-deck", "ante": 50}, {"ante": 50}),
        "draw": NaiveSetting(FiveCardDraw(), {}, {}),
        "draw-limit": NaiveSetting(FiveCardDraw(), {"betting": "limit"}, {"betting": "limit", "sizes": (100, 200)}),
        "stud": NaiveSetting(SevenCardStud(), {}, stud),
        "stud-hi-lo": NaiveSetting(SevenCardStud(), {"cards": "stud-hi-lo"}, stud),
        "bounty": NaiveSetting(load_twist("bounty"), {"bounty": 70}, {"bounty": 70}) if kind == "bounty" else None,
    }
    return settings.get(kind) or NaiveSetting(load_twist(kind), {}, {})


def write_legal(state: Any) -> set[NaiveAction]:  # noqa: ANN401 - a state of any of the games
    """Return the legal actions as the second implementation writes them."""
    return {write_action(to_builtins(entry)) for entry in state.legal()}


def write_action(entry: dict[str, Any]) -> NaiveAction:
    """Return an entry of a legal list as the second implementation writes it."""
    do = entry["do"]
    if do in ("bet", "raise"):
        return (do, *(entry["to"] if isinstance(entry["to"], list | tuple) else (entry["to"], entry["to"])))
    return (do, *(tuple(value) if isinstance(value, list | tuple) else value for value in list(entry.values())[1:]))


def read_action(game: AnyGame, action: NaiveAction) -> Any:  # noqa: ANN401 - an action of any of the games
    """Return an action of the game."""
    names = {"bet": "to", "raise": "to", "discard": "cards", "give": "cards", "bid": "chips"}
    return convert({"do": action[0], **({names[action[0]]: action[1]} if action[1:] else {})}, game.Action)


def play_hand(kind: str, number: int) -> None:
    """Play one hand in both implementations; each decision and the chips at the end must be the same."""
    setting, rng = find_setting(kind), Random(f"{kind}/{number}")
    game, seats = setting.game, 2 + rng.randbelow(4)
    stacks = [SHORT_STACK + rng.randbelow(2_000 if rng.randbelow(2) else 300) for _ in range(seats)]
    options = resolve_options(game, seats, None, {**setting.options, "seat_stacks": stacks, "hands": 1})
    deck = [str(face) for face in options.find_variant(seats).deck.faces]
    order = [*range(len(deck))]
    rng.shuffle(order)
    dealt = [deck[card] for card in order]
    any_game: Any = game
    state = any_game.setup(seats, options, any_game.Position(deck=dealt), rng.spawn("lots"))

    def ask(seat: int, legal: set[NaiveAction]) -> NaiveAction:
        assert state.turn is not None and (state.turn.seat, write_legal(state)) == (seat, legal)
        choices = sorted(legal, key=repr)
        action = choices[rng.randbelow(len(choices))]
        if action[0] == "fold" and rng.randbelow(3):
            action = ("call",)
        if action[0] in ("bet", "raise"):
            lowest, highest = action[1:]
            spread = (0, rng.randbelow(highest - lowest + 1), highest - lowest)[rng.randbelow(3)]
            action = (action[0], lowest + spread // (1 + 3 * (rng.randbelow(3) > 0)))
        state.play(read_action(game, action))
        return action

    naive = NaiveHand(kind.removesuffix("-limit"), dealt, stacks[:], ask, **setting.naive)
    if kind == "bounty":
        naive.bounty_rank = RANK_ORDER[state.find_notes("y")[0][1]]
    won = naive.play()

    assert state.turn is None
    assert won == state.net


@pytest.mark.parametrize("kind", KINDS)
def test_hands_of_a_second_implementation(kind: str) -> None:
    """Both implementations offer the same actions to the same seat and pay the same chips."""
    for number in range(QUICK):
        play_hand(kind, number)


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
def test_many_hands_of_a_second_implementation(kind: str) -> None:
    """Both implementations agree in 10,000 random hands."""
    for number in range(QUICK, QUICK + HANDS):
        play_hand(kind, number)
