"""`house:hearts`, a bot for Hearts.

It passes the cards that are most dangerous to hold: high spades without low ones, high hearts, then high cards of short
suits. It leads what is low. While it follows suit it plays its highest card below the one that takes the trick; as the
last player who has to take it, and when a plain suit is led for the first time, it gets rid of its highest. What it
throws away is the queen of spades, else what could still take her, hearts from the top, and high cards of short suits.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from pitboss.bot import Choice, Question, run
from pitboss.parts.suits import RANK_NUMBERS, rank_number
from pitboss.plugins.packs import suit_of

QUEEN: Final = "SQ"
QUEEN_RANK: Final = RANK_NUMBERS["Q"]
OVER_QUEEN: Final = ("SK", "SA")
LOW: Final = 5  # ranks up to the seven


def choose(question: Question) -> Choice:
    """Answer one question."""
    hand: list[str] = question.view["hand"]
    if question.phase == "pass":
        wanted = sorted(hand, key=lambda card: danger(card, hand))[-3:]
        return next(at for at, action in enumerate(question.legal) if {*action["cards"]} == {*wanted})
    cards = [action["card"] for action in question.legal]
    return cards.index(choose_card(question.view, cards, question.hello.seats)) if len(cards) > 1 else 0


def danger(card: str, hand: Sequence[str]) -> float:
    """Return how readily a card of a hand will take points."""
    suit, rank = suit_of(card), rank_number(card)
    held = [rank_number(other) for other in hand if suit_of(other) == suit]
    low = sum(one <= LOW for one in held)
    if suit == "S":
        guards = len([one for one in held if one < QUEEN_RANK])
        return 0.0 if rank < QUEEN_RANK else 30 + rank if card == QUEEN and guards < 4 else 28 - 6 * guards + rank
    return rank * (0.7 if suit == "H" else 1) + 2 * max(0, 3 - len(held)) - 2 * low


def choose_card(view: dict[str, Any], cards: list[str], seats: int) -> str:
    """Return the card to play to the trick."""
    trick = [card for _, card in view["trick"]]
    hand: list[str] = view["hand"]
    if not trick:
        return lead(view, cards)
    led = suit_of(trick[0])
    best = max(rank_number(card) for card in trick if suit_of(card) == led)
    if suit_of(cards[0]) != led:
        return max(cards, key=lambda card: discard_worth(card, hand))
    below = [card for card in cards if rank_number(card) < best]
    if QUEEN in below:
        return QUEEN
    if is_harmless(view, led) and not any(map(points_of, trick)):
        return max(cards, key=rank_number)
    if below:
        return max(below, key=rank_number)
    others = [card for card in cards if card != QUEEN] or cards
    return max(others, key=rank_number) if len(trick) == seats - 1 else min(others, key=rank_number)


def points_of(card: str) -> int:
    """Return what a card counts."""
    return 13 if card == QUEEN else int(suit_of(card) == "H")


def is_harmless(view: dict[str, Any], led: str) -> bool:
    """Return whether hardly anybody can throw points on a trick: a plain suit is led for the first time."""
    before = [suit_of(trick["cards"][0][1]) for trick in view["tricks"]]
    return not before or (led in "CD" and led not in before)


def lead(view: dict[str, Any], cards: list[str]) -> str:
    """Return a low card of a suit of which the others still hold many; no spade that may bring the queen home."""
    gone = [card for trick in view["tricks"] for _, card in trick["cards"]]
    is_queen_gone = QUEEN in gone
    safe = [card for card in cards if is_queen_gone or card not in (QUEEN, *OVER_QUEEN)] or cards

    def risk(card: str) -> float:
        suit = suit_of(card)
        lower = sum(
            suit_of(other) == suit and rank_number(other) < rank_number(card) for other in [*gone, *view["hand"]]
        )
        played = sum(suit_of(other) == suit for other in gone)
        return rank_number(card) - lower + 0.3 * played

    return min(safe, key=risk)


def discard_worth(card: str, hand: Sequence[str]) -> float:
    """Return how glad one is to be rid of a card."""
    if card == QUEEN:
        return 100
    if card in OVER_QUEEN:
        return 50
    return danger(card, hand) + (8 if suit_of(card) == "H" else 0)


if __name__ == "__main__":
    run(choose, name="house:hearts", version="1")
