"""`house:oh-hell`, a bot for Oh Hell.

It bids how many tricks its cards are likely to take: trumps and high cards, less where more players can trump them.
While it needs tricks it takes them, late with the lowest card that does and early with its highest; once it has what it
bid, or holds more high cards than it needs, it loses with the highest card that it can.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from pitboss.bot import Choice, Question, run
from pitboss.parts.suits import RANK_NUMBERS, rank_number
from pitboss.plugins.packs import suit_of

TRUMP: Final = 13  # added to the rank of a trump
PACK: Final = 52
SHARE_PLAYED: Final = 0.5  # of the higher cards that others hold, how many are played to the same trick
MIN_TRUMP: Final = 0.4  # how often the lowest trump takes a trick
SURPLUS: Final = 0.2  # tricks: who is likely to take so many too many loses what it can


def choose(question: Question) -> Choice:
    """Answer one question."""
    view: dict[str, Any] = question.view
    trump = suit_of(view["turned_up"]) if view["turned_up"] else None
    seats = question.hello.seats
    worth = sum(chance_to_take(card, trump, view["hand"], seats) for card in view["hand"])
    if question.phase == "bid":
        return min(range(len(question.legal)), key=lambda at: abs(question.legal[at]["tricks"] - worth))
    cards = [action["card"] for action in question.legal]
    needed = view["bids"][question.seat] - view["won"][question.seat]
    is_wanted = needed > 0 and worth - needed < SURPLUS
    return cards.index(choose_card([card for _, card in view["trick"]], cards, trump, is_wanted, seats))


def chance_to_take(card: str, trump: str | None, hand: Sequence[str], seats: int) -> float:
    """Return how likely a card is to take a trick: the others, of what is dealt, hold none that is higher."""
    dealt = SHARE_PLAYED * min(1.0, len(hand) * (seats - 1) / (PACK - len(hand)))
    higher = len(RANK_NUMBERS) - 1 - rank_number(card)
    if suit_of(card) == trump:
        return max(MIN_TRUMP, float((1 - dealt) ** (higher * 0.8)))
    length = sum(suit_of(other) == suit_of(card) for other in hand)
    unbeaten = (1 - dealt) ** higher if higher < 4 else 0.0
    followed = max(0.2, 1 - 0.1 * (seats - 2) - 0.1 * length) if trump else 0.9
    return unbeaten * followed


def choose_card(trick: Sequence[str], cards: Sequence[str], trump: str | None, is_wanted: bool, seats: int) -> str:
    """Return the card to play: to take the trick if it is wanted, else to lose it."""

    def strength(card: str) -> int:
        return rank_number(card) + (TRUMP if suit_of(card) == trump else 0)

    if not trick:
        return max(cards, key=strength) if is_wanted else min(cards, key=strength)
    led = suit_of(trick[0])
    best = max(strength(card) for card in trick if suit_of(card) in (led, trump))
    taking = [card for card in cards if suit_of(card) in (led, trump) and strength(card) > best]
    losing = [card for card in cards if card not in taking]
    is_last = len(trick) == seats - 1
    if is_wanted and taking:
        return min(taking, key=strength) if is_last else max(taking, key=strength)
    if is_wanted:
        return min(cards, key=strength)
    return max(losing, key=strength) if losing else (max if is_last else min)(taking, key=strength)


if __name__ == "__main__":
    run(choose, name="house:oh-hell", version="1")
