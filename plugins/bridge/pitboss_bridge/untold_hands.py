"""Hands that a file does not tell, drawn so that they fit the play."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from pitboss import Random
from pitboss.errors import RefusedGame
from pitboss.parts.suits import order_by_rank
from pitboss.plugins.packs import suit_of
from pitboss.table.constrained_deal import ConstrainedDeal
from pitboss_bridge.pbn_deal import ALL_CARDS
from pitboss_bridge.state import HAND, SEATS, BridgeState


class PlayedCard(NamedTuple):
    """A card that a seat has played, and the suit that was led."""

    seat: int
    face: str
    led: str


def follow_play(cards: Sequence[str], leader: int, strain: str, *, in_columns: bool) -> Iterator[PlayedCard]:
    """Yield whose the cards of some tricks are, up to the first trick that is not complete.

    `leader` leads the first trick. `in_columns`: the first card of each trick is this seat's, else its leader's.
    """
    order, lead = order_by_rank(BridgeState.deck, None if strain == "NT" else strain), leader
    for start in range(0, len(cards), SEATS):
        first = leader if in_columns else lead
        row = {(first + place) % SEATS: face for place, face in enumerate(cards[start : start + SEATS])}
        row = {seat: word for seat, word in row.items() if word in ALL_CARDS}
        if lead not in row:
            return
        yield from (PlayedCard(seat, word, suit_of(row[lead])) for seat, word in row.items())
        if len(row) < SEATS:
            return
        seats = [(lead + place) % SEATS for place in range(SEATS)]
        lead = seats[order.find_winner([BridgeState.deck.copies(row[seat])[0] for seat in seats])]


def draw_hands(hands: Sequence[Sequence[str]], played: Iterable[PlayedCard], line: int) -> list[list[str]]:
    """Return the hands, those that are empty drawn from the cards that the others do not hold.

    Raises:
        RefusedGame: no deal fits what was played; the text has this line.
    """
    deck = BridgeState.deck
    told = {face for hand in hands for face in hand}
    drawn: dict[int, list[str]] = {seat: [] for seat, hand in enumerate(hands) if not hand}
    lacking: dict[int, set[str]] = {seat: set() for seat in drawn}
    for seat, face, led in played:
        if seat in drawn and face not in told:
            drawn[seat].append(face)
            told.add(face)
        if seat in drawn and suit_of(face) != led:
            lacking[seat].add(led)
    left = {card: suit_of(face) for card, face in enumerate(map(str, deck.faces)) if face not in told}
    places = [seat for seat, held in drawn.items() for _ in range(HAND - len(held))]
    domains = {seat: frozenset(card for card, suit in left.items() if suit not in lacking[seat]) for seat in drawn}
    deal = ConstrainedDeal([*left], [domains[seat] for seat in places]) if len(places) == len(left) else None
    if deal is None or not deal.is_possible:
        raise RefusedGame(line, "the hands that are not told cannot be dealt so that they fit the play")
    dealt = deal.sample_deal(Random(f"untold:{hands}:{drawn}"))
    for seat, card in zip(places, dealt, strict=True):
        drawn[seat].append(str(deck.faces[card]))
    return [drawn.get(seat, [*hand]) for seat, hand in enumerate(hands)]
