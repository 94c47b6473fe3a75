"""Crazy Eights against OpenSpiel's `crazy_eights`: one deal in both, legal actions at every step, points at the end.

Two to eight play, from six on with two packs, drawing one to five cards; in every second deal with action cards: the
queen skips, the ace reverses, and twos are stacked. There a suit is named in a decision of its own. An eight that is
turned up first goes back into the stock, where ours stays below the next card (D2 of the rule book): such deals are
left out. A deal is blocked there when one more player has passed than there are, and not by the number of turns
(`compared_apart`; D5). What is left in a hand counts below zero, and (in version 2.0.2) number cards count their place
in the deck: see `their_worth`.
"""

from __future__ import annotations

from typing import Any, Final

import pyspiel

from pitboss import Random
from pitboss.game import resolve_options
from pitboss_eights.game import Eights
from pitboss_eights.messages import Draw, Pass, Play
from tests.openspiel.deals import choose_named, number_actions

GAME: Final = Eights()
ACTIONS: Final = {"skip": "Q", "reverse": "A", "draw_two": "2", "stack": True}
MAX_TURNS: Final = 1000

compared_apart = 0  # deals that are blocked there a pass later, or not after so many turns


def compare_eights(number: int) -> int:
    """Play a deal of Crazy Eights; return the number of decisions compared."""
    global compared_apart
    rng, seats, draws = Random(f"eights/{number}"), 2 + number % 7, 1 + number % 5
    has_actions = number % 2 == 1
    flags = f"reshuffle=True,use_special_cards={has_actions}"
    game = f"crazy_eights(players={seats},{flags},max_draw_cards={draws},max_turns=100000)"
    theirs: Any = pyspiel.load_game(game).new_initial_state()
    options = {"deals": 1, "draws": draws, "max_turns": MAX_TURNS, **(ACTIONS if has_actions else {})}
    ours = GAME.deal(seats, resolve_options(GAME, seats, None, options), rng.spawn("deal"))
    if len(ours.faces(ours.played)) > 1:
        return 0
    choose_named(theirs, f"Decide Player {ours.dealer} to be the dealer")
    hands = [ours.faces(hand) for hand in ours.hands]
    for row in range(len(hands[0])):
        for hand in hands:
            deal_card(theirs, hand[row])
    deal_card(theirs, ours.faces(ours.played)[0])
    compared = 0
    while ours.turn is not None:
        seat, legal = ours.turn.seat, ours.legal()
        assert seat == theirs.current_player(), (ours.turn, str(theirs))
        names = {name_of(action) for action in legal}
        assert names == number_actions(theirs).keys(), (legal, number_actions(theirs), str(theirs))
        action = rng.choice(legal)
        choose_named(theirs, name_of(action))
        held = len(ours.faces(ours.hands[seat]))
        ours.play(action)
        if isinstance(action, Draw):
            for face in ours.faces(ours.hands[seat])[held:]:
                deal_card(theirs, face)
        elif isinstance(action, Play) and action.suit and not theirs.is_terminal():
            choose_named(theirs, f"Nominate suit {action.suit}")
        compared += 1
    if not theirs.is_terminal():
        compared_apart += 1
        if ours.turns == MAX_TURNS:
            return compared
        assert ours.passes == seats, str(theirs)
        choose_named(theirs, "Pass")
    held_points = [-float(sum(map(their_worth, ours.faces(hand)))) for hand in ours.hands]
    assert theirs.is_terminal() and held_points == theirs.returns(), (held_points, str(theirs))
    return compared


def deal_card(theirs: Any, face: str) -> None:  # noqa: ANN401 - a state of OpenSpiel
    """Let chance deal a card."""
    choose_named(theirs, f"Deal {face.replace('10', 'T')}")


def their_worth(face: str) -> int:
    """Return what a card counts in OpenSpiel's Crazy Eights: a number card its place in the deck, by rank and suit.

    In the rule books it counts its number, the ace 1 and the court cards 10.
    """
    rank = face[1:]
    if rank in "JQKA":
        return 10
    return 50 if rank == "8" else (int(rank) - 2) * 4 + "CDHS".index(face[0]) + 2


def name_of(action: object) -> str:
    """Return the name of one of our actions in OpenSpiel's Crazy Eights."""
    if isinstance(action, Play):
        return f"Play {action.card.replace('10', 'T')}"
    assert isinstance(action, Draw | Pass)
    return type(action).__name__
