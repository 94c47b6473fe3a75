"""Fireworks against OpenSpiel's `hanabi` and the Hanabi Learning Environment, whose rules that one has.

Legal actions, what hints have told of each card, and the points are compared at every step, with 2 to 5 players, 2 to 5
colours and other numbers of cards, hints and lives. There is no difference: a hand is dealt to one player after the
other there, and to all in turn here, so that our deck is stacked accordingly; their colours are R Y G W B, by number.
Every second game is played well, with a card that fits whenever there is one, so that games get far.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import pyspiel

from pitboss import Random
from pitboss.game import resolve_options
from pitboss_fireworks.cards import PLAIN_COLOURS, write_seed
from pitboss_fireworks.game import Fireworks
from pitboss_fireworks.messages import Discard, FireworksAction, Hint
from pitboss_fireworks.state import FireworksState
from tests.openspiel.deals import choose_named, number_actions

try:
    from hanabi_learning_environment import pyhanabi
except ImportError:  # it could not be built
    pyhanabi = None

GAME: Final = Fireworks()
COLOURS: Final = "RYGWB"


def write_theirs(word: str) -> str:
    """Return a card, a sign or signs of ours with their colours."""
    return "".join(COLOURS[PLAIN_COLOURS.index(one)] if one in PLAIN_COLOURS else one for one in word)


def read_theirs(card: str) -> str:
    """Return a card of theirs as ours has it."""
    return PLAIN_COLOURS[COLOURS.index(card[0])] + card[1]


def draw_settings(number: int) -> dict[str, int]:
    """Return what a game is played with, in the names of theirs: every third one is the standard game."""
    rng = Random(f"fireworks/settings/{number}")
    seats = 2 + number % 4
    if number % 3 == 0:
        return {"players": seats, "colors": 5, "hand_size": 5 if seats < 4 else 4, "max_information_tokens": 8,
                "max_life_tokens": 3}  # fmt: skip
    colours = 2 + rng.randbelow(4)
    return {
        "players": seats,
        "colors": colours,
        "hand_size": 2 + rng.randbelow(min(4, 10 * colours // seats - 2)),
        "max_information_tokens": 1 + rng.randbelow(8),
        "max_life_tokens": 1 + rng.randbelow(3),
    }


def deal_ours(settings: dict[str, int], seed: str) -> FireworksState:
    """Return our game with these settings."""
    given = {"colours": settings["colors"], "hand": settings["hand_size"], "lives": settings["max_life_tokens"],
             "tokens": settings["max_information_tokens"]}  # fmt: skip
    return GAME.deal(settings["players"], resolve_options(GAME, settings["players"], None, given), Random(seed))


def name_action(ours: FireworksState, action: FireworksAction) -> str:
    """Return one of our actions as they write it."""
    if isinstance(action, Hint):
        assert ours.turn is not None
        kind = "rank" if action.sign.isdigit() else "color"
        offset = (action.seat - ours.turn.seat) % ours.seats
        return f"(Reveal player +{offset} {kind} {write_theirs(action.sign)})"
    return f"({'Discard' if isinstance(action, Discard) else 'Play'} {action.slot - 1})"


def choose_name(ours: FireworksState, names: Sequence[str], rng: Random, *, is_good: bool) -> str:
    """Return an action: with `is_good` one that plays a card that fits, or else one that costs no life."""
    assert ours.turn is not None
    if is_good and rng.randbelow(8):
        held = ours.table.zones[ours.hands[ours.turn.seat]]
        cards = ours.cards
        fits = [place for place, card in enumerate(held) if ours.heights[cards.rows[card]] + 1 == cards.numbers[card]]
        wanted = [f"(Play {place})" for place in fits] or [name for name in names if "Play" not in name]
        names = wanted or names
    return rng.choice(sorted(names))


def read_knowledge(text: str) -> list[list[str]]:
    """Return by hand and card what is possible, from the end of a line such as "R1 || XX|RYGWB12345"."""
    hands: list[list[str]] = [[]]
    for line in text.partition("Hands:\n")[2].partition("Deck size")[0].splitlines():
        if line.startswith("-----"):
            hands.append([])
        elif "|" in line:
            hands[-1].append(line.rpartition("|")[2])
    return hands


def assert_same(ours: FireworksState, text: str) -> None:
    """Compare what everybody sees, and what hints have told."""
    told = [[write_theirs(signs) for signs in possible] for possible in ours.possible]
    theirs = read_knowledge(text)
    assert [[sorted(signs) for signs in hand] for hand in told] == [
        [sorted(signs) for signs in hand] for hand in theirs
    ]
    assert f"Life tokens: {ours.lives}\nInfo tokens: {ours.tokens}\n" in text, (ours.view(0), text)
    assert sorted(map(write_theirs, ours.faces(ours.discards))) == sorted(text.partition("Discards:")[2].split())


def compare_fireworks(number: int) -> int:
    """Play a game of Fireworks and one of OpenSpiel; return the number of decisions compared."""
    rng, settings = Random(f"fireworks/{number}"), draw_settings(number)
    theirs: Any = pyspiel.load_game("hanabi", settings).new_initial_state()
    ours = deal_ours(settings, f"fireworks/{number}/deal")
    for hand in ours.hands:
        for face in ours.faces(hand):
            choose_named(theirs, f"(Deal {write_theirs(face)})")
    compared = 0
    while ours.turn is not None:
        assert ours.turn.seat == theirs.current_player(), (ours.turn, str(theirs))
        legal = {name_action(ours, action): action for action in ours.legal()}
        assert legal.keys() == number_actions(theirs).keys(), (legal, number_actions(theirs), str(theirs))
        assert_same(ours, str(theirs))
        name = choose_name(ours, [*legal], rng, is_good=number % 2 == 0)
        seat, had_stock = ours.turn.seat, bool(ours.table.zones[ours.stock])
        choose_named(theirs, name)
        ours.play(legal[name])
        if had_stock and not isinstance(legal[name], Hint) and not theirs.is_terminal():
            choose_named(theirs, f"(Deal {write_theirs(ours.faces(ours.hands[seat])[-1])})")
        compared += 1
    assert theirs.is_terminal(), str(theirs)
    assert [*ours.outcome().points] == theirs.returns(), (ours.outcome(), str(theirs))
    return compared


def compare_with_environment(number: int) -> int:
    """Play a game of the Hanabi Learning Environment again; return the number of decisions compared."""
    if pyhanabi is None:
        return 0
    rng, settings = Random(f"environment/{number}"), draw_settings(number)
    their_game = pyhanabi.HanabiGame({**settings, "seed": number})  # it has to outlive its states
    theirs = their_game.new_initial_state()
    steps: list[tuple[int, list[str], str, str]] = []
    while not theirs.is_terminal():
        if theirs.cur_player() == pyhanabi.CHANCE_PLAYER_ID:
            theirs.deal_random_card()
            continue
        moves = {str(move): move for move in theirs.legal_moves()}
        cautious = [name for name in moves if "Play" not in name] if number % 2 else []
        name = rng.choice(sorted(cautious if cautious and rng.randbelow(6) else moves))
        steps.append((theirs.cur_player(), [*moves], name, str(theirs)))
        theirs.apply_move(moves[name])
    dealt = [str(one.move()).split()[1].rstrip(")") for one in theirs.move_history() if "Deal" in str(one.move())]
    ours = deal_ours(settings, write_seed(_stack(settings, [read_theirs(card) for card in dealt])))
    for seat, names, name, text in steps:
        legal = {name_action(ours, action): action for action in ours.legal()}
        assert ours.turn is not None and ours.turn.seat == seat, (ours.turn, text)
        assert legal.keys() == {*names}, (legal, names, text)
        assert_same(ours, text)
        ours.play(legal[name])
    assert ours.turn is None
    assert ours.outcome().points[0] == theirs.score(), (ours.outcome(), str(theirs))
    return len(steps)


def _stack(settings: dict[str, int], dealt: Sequence[str]) -> list[str]:
    """Return our deck, in which hands are dealt in turn, from the cards that were dealt there hand by hand."""
    seats, size = settings["players"], settings["hand_size"]
    hands = [dealt[seat * size + row] for row in range(size) for seat in range(seats)]
    drawn = [*hands, *dealt[seats * size :]]
    faces = [*map(str, deal_ours(settings, "all cards").table.layout.deck.faces)]
    for face in drawn:
        faces.remove(face)
    return [*drawn, *faces]
