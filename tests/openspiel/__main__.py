"""Compare the example games with OpenSpiel's: the same deals and actions, legal actions and returns at every step.

    tox -e openspiel                        10,000 games of each

Each game has a module, which says what differs. In OpenSpiel's Crazy Eights a suit is named in a decision of its own,
the first player sits left of a dealer drawn by lot, and an eight is not turned up first. What is left in a hand counts
below zero, and (in version 2.0.2) number cards count their place in the deck: see `their_worth`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from time import perf_counter
from typing import Any, Final

import pyspiel

from crazy_eights import CrazyEights, Draw, EightsOptions
from crazy_eights import Pass as PassTurn
from crazy_eights import Play as PlayCard
from pitboss import Random
from tests.openspiel import bridge, cribbage, dou_dizhu, euchre, fireworks, gin_rummy, hearts, oh_hell, poker, spades
from tests.openspiel.deals import choose_named, number_actions

GAMES: Final = 10_000


def compare_eights(number: int) -> int:
    """Play Crazy Eights; return the number of decisions compared."""
    rng = Random(f"eights/{number}")
    seats = 2 + number % 4
    game = f"crazy_eights(players={seats},reshuffle=True,max_draw_cards=3,max_turns=100000)"
    theirs = pyspiel.load_game(game).new_initial_state()
    ours: Any = CrazyEights().deal(seats, EightsOptions(hand=7 if seats == 2 else 5), rng.spawn("deal"))
    if ours.faces(ours.played)[0].endswith("8"):
        return 0  # they turn up another card
    choose_named(theirs, f"Decide Player {seats - 1} to be the dealer")
    hands = [ours.faces(hand) for hand in ours.hands]
    for row in range(len(hands[0])):
        for hand in hands:
            choose_named(theirs, f"Deal {hand[row].replace('10', 'T')}")
    choose_named(theirs, f"Deal {ours.faces(ours.played)[0].replace('10', 'T')}")
    compared = 0
    while ours.turn is not None:
        seat, legal = ours.turn.seat, ours.legal()
        assert seat == theirs.current_player()
        names = {name_of(action) for action in legal}
        assert sorted(names) == sorted(number_actions(theirs)), (legal, sorted(number_actions(theirs)), str(theirs))
        action = rng.choice(legal)
        choose_named(theirs, name_of(action))
        ours.play(action)
        if isinstance(action, Draw):
            choose_named(theirs, f"Deal {ours.faces(ours.hands[seat])[-1].replace('10', 'T')}")
        elif isinstance(action, PlayCard) and action.suit and not theirs.is_terminal():
            choose_named(theirs, f"Nominate suit {action.suit}")
        compared += 1
    assert theirs.is_terminal(), str(theirs)
    held = [ours.faces(hand) for hand in ours.hands]
    assert [-float(sum(map(their_worth, faces))) for faces in held] == theirs.returns()
    return compared


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
    if isinstance(action, PlayCard):
        return f"Play {action.card.replace('10', 'T')}"
    assert isinstance(action, Draw | PassTurn)
    return type(action).__name__


GAMES_COMPARED: Final[tuple[tuple[str, Callable[[int], int]], ...]] = (
    ("Hearts", hearts.compare_hearts),
    ("Crazy Eights", compare_eights),
    ("Spades", spades.compare_spades),
    ("Cribbage", cribbage.compare_cribbage),
    ("Dou Dizhu", dou_dizhu.compare_dou_dizhu),
    ("Euchre", euchre.compare_euchre),
    ("Fireworks", fireworks.compare_fireworks),
    ("Fireworks, Hanabi Learning Environment", fireworks.compare_with_environment),
    ("Gin Rummy", gin_rummy.compare_gin_rummy),
    ("Oh Hell", oh_hell.compare_oh_hell),
    ("Bridge", bridge.compare_bridge),
    ("Kuhn", poker.compare_kuhn),
    ("Leduc", poker.compare_leduc),
    ("ACPC limit", poker.compare_acpc_limit),
    ("ACPC no limit", poker.compare_acpc_no_limit),
    ("No limit, short stacks", poker.compare_short_stacks),
)


def main() -> None:
    """Compare, and print the counts."""
    games = int(sys.argv[1]) if len(sys.argv) > 1 else GAMES
    for name, compare in GAMES_COMPARED:
        began = perf_counter()
        compared = [compare(number) for number in range(games)]
        played = sum(map(bool, compared))
        print(f"{name}: {played:,} games, {sum(compared):,} decisions agree ({perf_counter() - began:.0f} s)")
    print(
        f"Spades: {spades.compared_apart:,} of these are leads after spades were broken, where ours allows spades too"
    )
    print(f"Cribbage: in {cribbage.counted_apart:,} cribs four of a suit are counted, where ours has no flush")
    print(f"Gin Rummy: apart are {gin_rummy.compared_apart}: see D2 and D6 of its rule book, and G14")
    for reason, count in dou_dizhu.differences.items():
        print(f"Dou Dizhu: {count:,} actions more in one list than in the other: {reason}")
    print(f"poker: {poker.compared_apart:,} of these came after a short all-in, where other raises are legal")


if __name__ == "__main__":
    main()
