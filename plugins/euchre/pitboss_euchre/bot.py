"""`house:euchre`, a bot for Euchre.

It makes a suit trumps if its hand is likely to take two tricks with it, a little less where its side gets the card that
is turned up, and more where the other side does; it goes alone with a hand that takes nearly all. It names no trumps
with aces in several suits. As a maker it leads its high trumps, otherwise aces and low cards of short suits. It leaves
to its partner what that one takes already, and takes else with the cheapest card that does.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from pitboss.bot import Choice, Question, run
from pitboss.parts.trick_reading import TrickReading
from pitboss_euchre.cards import BEST, LEFT, RIGHT, make_deck, rank_with, suit_with
from pitboss_euchre.messages import NO_TRUMP

ORDER_LIMIT: Final = 2.1  # tricks of a hand that orders up
NAME_LIMIT: Final = 1.9  # of one that names another suit
TURNED_UP: Final = 0.4  # how much less is needed if the partner takes the card, and how much more if an opponent does
ALONE_LIMIT: Final = 3.3
DEFEND_LIMIT: Final = 3.3
HAND: Final = 5
TRUMP_WORTHS: Final = {BEST: 1.0, RIGHT: 0.95, LEFT: 0.8, 12: 0.65, 11: 0.55, 10: 0.5}  # tricks, by rank
LOW_TRUMP: Final = 0.4
LONG_TRUMP: Final = 0.2  # more for each trump from the third on
ACE_WORTHS: Final = (0.0, 0.55, 0.4, 0.25, 0.1)  # of plain aces, by the number of cards held of the suit
KING_WORTH: Final = 0.12  # of a plain king that is not alone
RUFF: Final = 0.2  # of a suit of which none is held, while there are trumps
NO_TRUMP_ACE: Final = 1.1  # without trumps: of an ace, and of each card in a row below it
NO_TRUMP_KING: Final = 0.5  # of a king that is not alone
SUITS: Final = "SHDC"


def choose(question: Question) -> Choice:
    """Answer one question."""
    legal, view, seat = question.legal, question.view, question.seat
    hand: list[str] = view["hand"]
    match question.phase:
        case "call":
            return legal.index(choose_call(legal, view, seat))
        case "discard":
            held = [action["card"] for action in legal]
            return held.index(choose_discard(held, view["trump"]))
        case "defend":
            return int(estimate_worth(hand, view["trump"]) > DEFEND_LIMIT)
        case "benny":
            return 0
        case _:
            cards = [action["card"] for action in legal]
            deck = make_deck(question.hello.options["cards"], question.hello.options["benny"])
            return cards.index(EuchreReading(view, seat, cards, deck).choose_card()) if len(cards) > 1 else 0


def choose_call(legal: list[dict[str, Any]], view: dict[str, Any], seat: int) -> dict[str, Any]:
    """Return the call: the suit that is worth most, if it is enough."""
    farmer = next((action for action in legal if action["do"] in ("throw_in", "go_under")), None)
    if farmer is not None:
        return farmer
    worths = [(worth_of(action, view, seat), number) for number, action in enumerate(legal) if action["do"] != "pass"]
    worth, number = max(worths)
    is_forced = legal[0]["do"] != "pass"
    return legal[number] if worth > 0 or is_forced else legal[0]


def worth_of(action: dict[str, Any], view: dict[str, Any], seat: int) -> float:
    """Return by how much a hand is better than it needs to be for a call, in tricks."""
    dealer, hand = view["dealer"], view["hand"]
    if action["do"] == "name":
        worth, limit = estimate_worth(hand, action["suit"]), NAME_LIMIT
    else:
        trump = view["turned_suit"]
        is_dealer = seat == dealer
        laid_away = choose_discard(hand, trump) if is_dealer else None
        held = [card for card in hand if card != laid_away] + [view["turned_up"]] * is_dealer
        worth, limit = estimate_tricks(held, trump), ORDER_LIMIT
        if not is_dealer:
            limit += -TURNED_UP if (dealer - seat) % 2 == 0 else TURNED_UP
    if action["alone"]:
        limit += -1 if worth > ALONE_LIMIT else HAND
    return worth - limit


def estimate_worth(hand: list[str], trump: str) -> float:
    """Return how many tricks a hand is likely to take with a suit as trumps, or with none."""
    return estimate_no_trump_tricks(hand) if trump == NO_TRUMP else estimate_tricks(hand, trump)


class EuchreReading(TrickReading):
    """A card to be played, as the bot sees it."""

    def __init__(self, view: dict[str, Any], seat: int, cards: list[str], deck: Any) -> None:  # noqa: ANN401
        super().__init__(view, map(str, deck.faces), view["trump"])
        self.seat, self.cards, self.maker = seat, cards, view["maker"]
        self.players = 4 - len(view["loners"])
        self.is_makers_side = (seat - self.maker) % 2 == 0

    def suit(self, card: str) -> str:
        """Return the suit that a card counts as: bowers are trumps."""
        return suit_with(card, self.trump)

    def rank(self, card: str) -> int:
        """Return the rank of a card, bowers above the ace."""
        return rank_with(card, self.trump)

    def choose_card(self) -> str:
        """Return the card to play."""
        if not self.trick:
            return self.lead()
        winners = self.winners(self.cards)
        if not winners or self.is_left_to_partner():
            return self.throw()
        is_last = len(self.trick) == self.players - 1
        if is_last or self.suit(winners[0]) != self.led:
            return winners[0]
        sure = [card for card in winners if self.is_boss(card)]
        if sure:
            return sure[0]
        return winners[-1] if len(self.trick) == self.players - 2 else self.throw()

    def is_left_to_partner(self) -> bool:
        """Return whether the partner takes the trick, or is likely to."""
        holder, card = self.best
        if (holder - self.seat) % 4 != 2:
            return False
        return len(self.trick) == self.players - 1 or self.is_boss(card) or self.suit(card) == self.trump

    def lead(self) -> str:
        """Return a high trump of the makers, an ace, or a low card of a short suit."""
        trumps = sorted([card for card in self.cards if self.suit(card) == self.trump], key=self.rank)
        plain = [card for card in self.cards if self.suit(card) != self.trump]
        if trumps and (self.is_makers_side and (self.is_boss(trumps[-1]) or len(trumps) > 2)):
            return trumps[-1]
        bosses = [card for card in plain if self.is_boss(card)]
        if bosses:
            return max(bosses, key=lambda card: self.count_unseen(self.suit(card)))
        if trumps and (not plain or (self.is_makers_side and self.seat != self.maker)):
            return trumps[-1]
        return min(plain, key=lambda card: (self.count_held(card), self.rank(card)))

    def throw(self) -> str:
        """Return the card that is needed least: a low one, at best the only one of its suit."""
        plain = [card for card in self.cards if self.suit(card) != self.trump]
        if not plain:
            return min(self.cards, key=self.rank)
        return min(plain, key=self.measure_need)

    def measure_need(self, card: str) -> int:
        """Return how much a plain card is needed."""
        return self.rank(card) + (10 if self.is_boss(card) else 2 * (self.count_held(card) > 1))

    def count_held(self, card: str) -> int:
        """Return how many cards are held of the suit of a card."""
        return sum(self.suit(other) == self.suit(card) for other in self.hand)


def estimate_tricks(hand: Sequence[str], trump: str) -> float:
    """Return how many tricks a hand of five is likely to take, or to help its partner to."""
    ranks = [rank_with(card, trump) for card in hand if suit_with(card, trump) == trump]
    worth = sum(TRUMP_WORTHS.get(rank, LOW_TRUMP) for rank in ranks) + LONG_TRUMP * max(0, len(ranks) - 2)
    for suit in SUITS:
        held = [rank_with(card, trump) for card in hand if suit_with(card, trump) == suit]
        if suit == trump:
            continue
        if not held and ranks:
            worth += RUFF
        if 12 in held:
            worth += ACE_WORTHS[min(len(held), 4)]
        elif 11 in held and len(held) > 1:
            worth += KING_WORTH
    return worth


def estimate_no_trump_tricks(hand: Sequence[str]) -> float:
    """Return how many tricks a hand of five is likely to take without trumps, or to help its partner to."""
    worth = 0.0
    for suit in SUITS:
        falling = sorted([rank_with(card, None) for card in hand if suit_with(card, None) == suit], reverse=True)
        row = sum(rank == 12 - place for place, rank in enumerate(falling))  # from the ace down, without a gap
        worth += NO_TRUMP_ACE * row
        if not row and falling[:1] == [11] and len(falling) > 1:
            worth += NO_TRUMP_KING
    return worth


def choose_discard(hand: Sequence[str], trump: str) -> str:
    """Return the card that a hand needs least: a low one, at best the only one of its suit; trumps and aces stay."""

    def measure_need(card: str) -> float:
        suit, rank = suit_with(card, trump), rank_with(card, trump)
        if suit == trump:
            return 100 + rank
        count = sum(suit_with(other, trump) == suit for other in hand)
        return rank + (20 if rank == 12 else 0) + (0 if count == 1 else 3)

    return min(hand, key=measure_need)


if __name__ == "__main__":
    run(choose, name="house:euchre", version="1")
