"""`house:spades`, a bot for Spades.

It bids what its high cards, long spades and short suits are worth, and nil with a hand that can hardly take a trick. In
play it knows which cards are unseen. While its side needs tricks, or its partner's nil has to be covered, it takes them
with the cheapest card that is sure, and leaves to its partner what that one takes already, unless the tricks of its
failed nil help nobody. Once the bid is made, it loses with its highest cards, to have no bags later; unless the others
can be set, who then need each trick.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from pitboss.bot import Choice, Question, run
from pitboss.parts.trick_reading import TrickReading
from pitboss.plugins.packs import rank_of
from pitboss_spades.cards import CARD_RANKS
from pitboss_spades.scoring import helps_partner

NIL_LIMIT: Final = 1.15  # tricks: a hand worth less is bid nil
LONG_SPADE: Final = 0.75  # of each spade from the fourth on
RUFF: Final = 0.6  # of each of the first spades, up to how many cards a short suit lacks to three
HIGH_SPADE_WORTHS: Final = (1.0, 0.9, 0.7, 0.45)  # of the highest spades, from the highest on
HONOUR_WORTHS: Final = {  # of plain suits, by rank and by how many cards of the suit are held
    "A": (0.0, 0.95, 0.95, 0.9, 0.9, 0.75, 0.5),
    "K": (0.0, 0.3, 0.75, 0.75, 0.65, 0.45, 0.2),
    "Q": (0.0, 0.0, 0.2, 0.4, 0.3, 0.15, 0.0),
}


def choose(question: Question) -> Choice:
    """Answer one question."""
    if question.phase == "blind":
        return next(number for number, action in enumerate(question.legal) if action["do"] == "look")
    if question.phase == "bid":
        high_trumps = question.hello.options["high_trumps"]
        return choose_bid(question.view["hand"], [action["tricks"] for action in question.legal], high_trumps)
    cards = [action["card"] for action in question.legal]
    if len(cards) == 1:
        return 0
    return cards.index(PlayerTurn(question.view, question.seat, cards, question.hello.options).choose_card())


def choose_bid(hand: Sequence[str], allowed: Sequence[int], high_trumps: str) -> int:
    """Return the place of the bid among the allowed ones that is nearest to what the hand is worth."""
    worth = estimate_hand(hand, high_trumps)
    wanted = 0 if worth < NIL_LIMIT else max(1, round(worth))
    return min(range(len(allowed)), key=lambda place: (abs(allowed[place] - wanted), allowed[place]))


class PlayerTurn(TrickReading):
    """A card to be played, as the bot sees it."""

    def __init__(self, view: dict[str, Any], seat: int, cards: list[str], options: Mapping[str, Any]) -> None:
        self.ranked = CARD_RANKS[options["high_trumps"]]
        super().__init__(view, self.ranked, trump="S")
        self.seat, self.cards = seat, cards
        bids, won = view["bids"], view["won"]
        partner = (seat + 2) % 4
        self.is_nil = bids[seat] == 0 and won[seat] == 0
        self.partner_is_nil = bids[partner] == 0 and won[partner] == 0
        helps = [helps_partner(bid, options["failed_nil"]) for bid in bids]
        needs = [bid - taken * counts for bid, taken, counts in zip(bids, won, helps, strict=True)]
        needed, other_need = (needs[one] + needs[one + 2] for one in (seat % 2, (seat + 1) % 2))
        self.leaves_to_partner = helps[partner] and not self.partner_is_nil
        self.wants_trick = (needed > 0 and helps[seat]) or self.partner_is_nil or 0 < other_need >= len(self.hand) - 1

    def suit(self, card: str) -> str:
        """Return the suit that a card counts as: jokers are spades."""
        return self.ranked[card][0]

    def rank(self, card: str) -> int:
        """Return the rank of a card among those of its suit."""
        return self.ranked[card][1]

    def choose_card(self) -> str:
        """Return the card to play."""
        if self.is_nil or not self.wants_trick:
            return self.lose_trick()
        return self.take_trick() if self.trick else self.lead_to_take()

    # ---- what to do about it

    def lose_trick(self) -> str:
        """Return the highest card that does not take the trick; else, of the last player, the highest of all."""
        if not self.trick:
            return min(self.cards, key=self.cost)
        losers = self.losers(self.cards)
        if losers:
            return losers[-1]
        is_last = len(self.trick) == 3
        return max(self.cards, key=self.cost) if is_last and not self.is_nil else min(self.cards, key=self.cost)

    def lead_to_take(self) -> str:
        """Return a card that cannot be beaten in its suit; else a low one, of a suit in which little is held."""
        bosses = [card for card in self.cards if self.is_boss(card)]
        plain = [card for card in bosses if self.suit(card) != "S"]
        if plain or bosses:
            return max(plain or bosses, key=lambda card: self.count_unseen(self.suit(card)))
        return min(self.cards, key=self.cost)

    def take_trick(self) -> str:
        """Return the cheapest card that takes the trick for good, or else a low card."""
        winners = self.winners(self.cards)
        holder, card = self.best
        is_last = len(self.trick) == 3
        is_safe = is_last or (self.is_boss(card) and self.suit(card) == self.led)
        is_partners = (holder - self.seat) % 4 == 2
        if not winners or (is_partners and is_safe and self.leaves_to_partner):
            return min(self.cards, key=self.cost)
        if is_last or self.suit(winners[0]) != self.led:
            return winners[0]
        sure = [one for one in winners if self.is_boss(one)]
        if sure:
            return sure[0]
        is_third = len(self.trick) == 2
        return winners[-1] if (is_third and not is_partners) or self.partner_is_nil else min(self.cards, key=self.cost)


def estimate_hand(hand: Sequence[str], high_trumps: str) -> float:
    """Return how many tricks a hand is worth, its cards from the lowest of each suit on."""
    ranked = CARD_RANKS[high_trumps]
    highest = [card for card, (suit, _) in ranked.items() if suit == "S"][::-1]
    worths = dict(zip(highest, HIGH_SPADE_WORTHS, strict=False))
    spades = [card for card in hand if ranked[card][0] == "S"]
    suits = {suit: [rank_of(card) for card in hand if ranked[card][0] == suit] for suit in "HDC"}
    worth = sum(worths.get(one, 0.1 if number < 3 else 0.0) for number, one in enumerate(spades))
    worth += LONG_SPADE * max(0, len(spades) - 3)
    for held in suits.values():
        worth += sum(HONOUR_WORTHS[one][min(len(held), 6)] for one in held if one in HONOUR_WORTHS)
    short = sum(max(0, 2 - len(held)) for held in suits.values())
    low = sum(one not in worths for one in spades[:3])
    return worth + RUFF * min(short, low)


if __name__ == "__main__":
    run(choose, name="house:spades", version="1")
