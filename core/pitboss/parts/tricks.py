"""Tricks, with cards of suits: faces as those of `pitboss.plugins.packs`, a letter for the suit and then the rank."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from pitboss.plugins.packs import RANKS, rank_of, suit_of

ACE_HIGH: Final = (*RANKS[1:], "A")  # from the lowest rank to the highest


def cards_that_follow(hand: Iterable[str], led: str | None) -> list[str]:
    """Return the cards of a hand that may be played to a trick in which a suit was led: all, if none is of that suit.

    `led` is the suit; None if nothing was led yet.
    """
    cards = list(hand)
    return [face for face in cards if suit_of(face) == led] or cards


def find_winner(trick: Sequence[str], trump: str | None = None, ranks: Sequence[str] = ACE_HIGH) -> int:
    """Return the place in a trick of the card that takes it: the highest trump, or else the highest of the suit led.

    Of equal cards the first one takes it.
    """
    suits = [suit_of(face) for face in trick]
    taking = trump if trump in suits else suits[0]
    places = [place for place, suit in enumerate(suits) if suit == taking]
    return max(places, key=lambda place: ranks.index(rank_of(trick[place])))
