"""Cribbage against OpenSpiel's `cribbage`: whole games of two, three and four in both, every decision and all totals.

There who has passed or has no cards is asked again in each round, with a pass as the only answer (D7). The crib counts
a flush of four, as a hand does (C10): the dealer has four points more from then on, and the game may end sooner. When
a side has 121 points the rest of the show is still counted, from seat 0 on, and totals go beyond 121 (C12, D2).

What a card of the play pegs, and what hands and crib count, is compared with the package `cribbage-scorer` too.
"""

from __future__ import annotations

import re
from typing import Any, Final

import pyspiel
from cribbage_scorer import cribbage_scorer

from pitboss import Random
from pitboss.game import resolve_options
from pitboss.plugins.packs import SUITS, rank_of
from pitboss_cribbage.game import Cribbage
from pitboss_cribbage.messages import CribbageAction, Go, LayAway, PlayToCount
from pitboss_cribbage.scoring import DECK, count_play, count_show
from pitboss_cribbage.state import CribbageState, list_sides
from tests.openspiel.deals import choose_named, number_actions

GAME: Final = Cribbage()
FLUSH: Final = 4
counted_apart = 0  # cribs with a flush of four


def compare_cribbage(number: int) -> int:
    """Play a game of Cribbage, up to where it is over in one of the two; return the number of decisions compared."""
    rng = Random(f"cribbage/{number}")
    seats = 2 + number % 3
    theirs: Any = pyspiel.load_game(f"cribbage(players={seats})").new_initial_state()
    ours = GAME.deal(seats, resolve_options(GAME, seats), rng.spawn("deal"))
    compared, more = 0, [0] * seats  # for flushes in the crib
    while ours.turn is not None and not theirs.is_terminal():
        deal_cards(ours, theirs)
        dealer, deal_no, flush = ours.dealer, ours.deal_no, 0
        while ours.deal_no == deal_no and ours.turn is not None and not theirs.is_terminal():
            legal: dict[str, CribbageAction] = {name_action(action): action for action in ours.legal()}
            assert legal.keys() == number_actions(theirs).keys(), (legal, str(theirs))
            name = rng.choice(sorted(legal))
            choose_named(theirs, name)
            ours.play(legal[name])
            compared += 1
            if isinstance(legal[name], LayAway) and ours.table.zones[ours.starter]:
                choose_named(theirs, f"Deal {spell(ours.faces(ours.starter)[0])}")
                flush = compare_shows(ours)
            elif isinstance(legal[name], PlayToCount) and ours.series:
                compare_series(ours)
            pass_on(ours, theirs, deal_no)
            if ours.deal_no > deal_no:
                for partner in next(side for side in list_sides(seats) if dealer in side):
                    more[partner] += flush
            compare_totals(ours, theirs, more)
    assert theirs.is_terminal(), str(theirs)
    return compared


def deal_cards(ours: CribbageState, theirs: Any) -> None:  # noqa: ANN401 - a state of OpenSpiel
    """Deal the same cards there: all of a hand, the hands by seat, and then the one of the crib."""
    for zone in (*ours.hands, ours.crib):
        for face in ours.faces(zone):
            choose_named(theirs, f"Deal {spell(face)}")


def pass_on(ours: CribbageState, theirs: Any, deal_no: int) -> None:  # noqa: ANN401
    """Let all pass who are asked there alone, up to the next decision or deal, or the end of the game."""
    while not theirs.is_terminal() and not theirs.is_chance_node():
        asked = (theirs.current_player(), *read_numbers(theirs, "Running total"))
        if ours.turn is not None and ours.deal_no == deal_no and asked == (ours.turn.seat, ours.count):
            return
        choose_named(theirs, "Pass")


def read_numbers(theirs: Any, label: str) -> list[int]:  # noqa: ANN401
    """Return the numbers behind a label in the text of a state."""
    found = re.search(rf"^{label}:(.*)$", str(theirs), re.MULTILINE)
    assert found is not None, str(theirs)
    return [int(float(word)) for word in found[1].split()]


def compare_totals(ours: CribbageState, theirs: Any, more: list[int]) -> None:  # noqa: ANN401
    """Compare the totals; of a game that is over here, only that it is over there, and that nobody has fewer.

    A game that may be over there for flushes alone is not compared at its end.
    """
    if theirs.is_terminal() and any(more):
        return
    expected = [total + extra for total, extra in zip(ours.totals, more, strict=True)]
    found = read_numbers(theirs, "Scores")
    if ours.turn is not None:
        assert expected == found, (ours.totals, more, str(theirs))
        return
    assert all(one <= other for one, other in zip(expected, found, strict=True)), (expected, str(theirs))
    if any(ours.table.zones[hand] for hand in ours.hands):  # it was over before the last card, and so before the show
        loser = ours.outcome().places.index(2)
        assert expected[loser] == found[loser], (expected, str(theirs))


def compare_series(ours: CribbageState) -> None:
    """Compare with `cribbage-scorer` what the last card of the play pegs."""
    cards = [card for _, card in ours.series]
    _, points, _ = cribbage_scorer.play_score_ongoing([number_card(card) for card in cards])
    assert points == count_play([card >> 2 for card in cards], ours.count), cards


def compare_shows(ours: CribbageState) -> int:
    """Compare all hands and the crib with `cribbage-scorer`; return what OpenSpiel counts more in the crib."""
    global counted_apart
    zones = ours.table.zones
    [starter] = zones[ours.starter]
    for zone in (*ours.hands, ours.crib):
        is_crib = zone == ours.crib
        cards = [number_card(card) for card in zones[zone]]
        points, _ = cribbage_scorer.show_calc_score(number_card(starter), cards, is_crib)
        assert points == count_show(zones[zone], starter, is_crib), (cards, starter)
    suits = [card & 3 for card in zones[ours.crib]]
    is_apart = len({*suits}) == 1 and starter & 3 != suits[0]
    counted_apart += is_apart
    return FLUSH * is_apart


def number_card(card: int) -> tuple[int, str]:
    """Return a card as `cribbage-scorer` has it: its rank from 1 on, and its suit."""
    return (card >> 2) + 1, SUITS[card & 3]


def spell(face: str) -> str:
    """Return a card as OpenSpiel writes it: "TH"."""
    return f"{rank_of(face).replace('10', 'T')}{face[0]}"


def name_action(action: CribbageAction) -> str:
    """Return the name of one of our actions in OpenSpiel's Cribbage, where two cards stand by rank and suit."""
    match action:
        case PlayToCount(card):
            return f"Choose {spell(card)}"
        case LayAway(faces):
            cards = sorted(DECK.find_cards(faces), key=lambda card: (card >> 2, "CDHS".index(SUITS[card & 3])))
            return f"Choose {' '.join(spell(str(DECK.faces[card])) for card in cards)}"
        case _:
            assert isinstance(action, Go)
            return "Pass"
