"""The rules of Lucky Maker once more, word by word from the rule book and on the printed cards.

Slow, and without a look at the game's code.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

DECK: Final = [f"{a}{n}{b}{11 - n}" for a, b in ("RB", "RG", "RY", "BG", "BY", "GY") for n in range(1, 11)]


def card_numbers(card: str) -> dict[str, int]:
    """Return the numbers of a card by its suits."""
    return {suit: int(number) for suit, number in re.findall(r"([RBGY])(\d+)", card)}


def legal_cards(hand: Sequence[str], master: str) -> list[str]:
    """2.1: a player who has a card with one of the master's suits plays such a card, anyone else any card."""
    following = [card for card in hand if card_numbers(card).keys() & card_numbers(master).keys()]
    return sorted(following or hand, key=DECK.index)


class ReferenceTrick(NamedTuple):
    """How a trick was decided."""

    follow: str | None
    winner: int | None  # a seat
    points: int
    rules: tuple[int, ...]
    next_lead: int


def decide_trick(master: str, plays: Sequence[tuple[int, str]], tie_lead: str, void_lead: str) -> ReferenceTrick:
    """2.2 and 2.3: decide a trick; plays are (seat, card) in time order."""
    leader, of_master = plays[0][0], card_numbers(master)
    count = {suit: sum(suit in card_numbers(card) for _, card in plays) for suit in of_master}
    if not any(count.values()):
        return ReferenceTrick(None, None, 0, (3,), leader if void_lead == "same" else (leader + 1) % len(plays))
    rules = []
    follow = max(count, key=lambda suit: count[suit])
    if len(set(count.values())) == 1:
        rules.append(1)
        follow = max(of_master, key=lambda suit: of_master[suit])
    [other] = of_master.keys() - {follow}
    with_suit = [(seat, card_numbers(card)[follow]) for seat, card in plays if follow in card_numbers(card)]
    best = max(number for _, number in with_suit)
    if of_master[follow] > best:
        return ReferenceTrick(follow, None, 0, (*rules, 2), leader)
    *_, winner = (seat for seat, number in with_suit if number == best)
    is_tie = [of_master[follow], *(number for _, number in with_suit)].count(best) >= 2
    if is_tie:
        rules.append(4)
    return ReferenceTrick(
        follow, winner, of_master[other], tuple(rules), leader if is_tie and tie_lead == "same" else winner
    )
