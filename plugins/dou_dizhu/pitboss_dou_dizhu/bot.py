"""`house:dou-dizhu`, a bot for Dou Dizhu.

It divides its hand into the combinations that it needs to empty it, fewer where they are high (`strategy`), and
lays what leaves the least need, low and long combinations first. It knows from what has been laid which combinations
nobody can beat, bombs aside, and lays these when they bring it home. It beats others where that costs little, with
bombs only when an opponent has few cards or it wins at once. As a farmer it leaves its partner what is high already,
stops a landlord with a card left, and leads low to a partner with one. It offers to be the landlord with jokers, twos
and aces, and little need.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from msgspec import convert

from pitboss.bot import Choice, Question, run
from pitboss.parts.climbing import ClimbingCombination
from pitboss_dou_dizhu.combinations import code_cards, code_faces, count_higher_cores, list_leads, read_play
from pitboss_dou_dizhu.messages import DouDizhuOptions
from pitboss_dou_dizhu.state import deck_of, rules_of
from pitboss_dou_dizhu.strategy import hold_chance, landlord_worth, need_of

BID_WORTHS: Final = {3: 0.15, 2: 0.05, 1: -0.1}  # the least worth of a hand that bids so much
CALL_WORTH: Final = -0.05
ROB_WORTH: Final = 0.2
LEAD_VALUE: Final = 0.5  # of leading, in what a hand needs
THREATS: Final = (0, 4.0, 2.0, 1.2, 0.7, 0.5, 0.3)  # more, by how many cards an opponent has left
PARTNER_HOLDS: Final = 0.35  # a farmer leaves alone what its partner has laid if it is likely to hold
MIN_CHANCE: Final = 0.03  # that a combination holds
FORCED_CARDS: Final = 10  # hands up to this size are searched for a way to win whatever others do
LEAD_HOLDS: Final = -0.3  # how much better a lead is that is likely to hold
LAST_VALUE: Final = 1.5  # of leading with one combination left, which wins
CARD_VALUE: Final = 0.1  # the same for each of its cards


def choose(question: Question) -> Choice:
    """Answer one question."""
    if len(question.legal) == 1:
        return 0
    if question.phase != "play":
        return choose_call(question)
    return PlayReading(question).choose()


def choose_call(question: Question) -> int:
    """Return the call that the hand is good for."""
    packs = rules_of(convert(question.hello.options, DouDizhuOptions), question.hello.seats).packs
    worth = landlord_worth(code_faces(question.view["hand"]), packs)
    words = [action["do"] for action in question.legal]
    if question.phase == "bid":
        stakes = [action.get("stake", 0) for action in question.legal]
        good = [stake for stake, least in BID_WORTHS.items() if worth >= least and stake in stakes]
        return stakes.index(max(good)) if good else 0
    return words.index(question.phase) if worth >= (CALL_WORTH if question.phase == "call" else ROB_WORTH) else 0


class PlayReading:
    """A play, as the bot sees it."""

    def __init__(self, question: Question) -> None:
        view: dict[str, Any] = question.view
        self.legal, self.seat, self.landlord = question.legal, question.seat, view["landlord"]
        seats = question.hello.seats
        self.rules = rules_of(convert(question.hello.options, DouDizhuOptions), seats)
        deck = deck_of(seats)
        self.pack = code_cards(range(len(deck)), deck)
        self.hand = code_faces(view["hand"])
        self.counts: Sequence[int] = view["counts"]
        laid = sum(code_faces(cards) for _, cards in view["plays"])
        self.unseen = self.pack - laid - self.hand
        self.is_landlord = self.seat == self.landlord
        self.next = (self.seat + 1) % seats
        self.is_first_farmer = self.seat == (self.landlord + 1) % seats
        farmers = [seat for seat in range(seats) if seat != self.landlord]
        self.partners = [] if self.is_landlord else [seat for seat in farmers if seat != self.seat]
        self.enemies = farmers if self.is_landlord else [self.landlord]
        self.fewest = min(self.counts[seat] for seat in self.enemies)
        self.top: ClimbingCombination | None = None
        self.owner: int | None = None
        if view["to_beat"] is not None:
            self.owner, cards = view["to_beat"]
            self.top = next(one for one in read_play(code_faces(cards), self.rules) if one.kind == view["kind"])

    def choose(self) -> int:
        """Return the number of the action."""
        plays = [(number, code_faces(action["cards"])) for number, action in enumerate(self.legal) if "cards" in action]
        for number, cards in plays:
            if self.does_win(cards):
                return number
        if self.top is None:
            return max(plays, key=lambda play: self.rate_lead(play[1]))[0]
        if self.is_left_to_partner(self.top):
            return 0
        rated = max(((self.rate_beating(cards), number) for number, cards in plays), default=(0.0, 0))
        return rated[1] if rated[0] > 0 else 0

    def does_win(self, cards: int) -> bool:
        """Return whether a play ends the deal, or is one of those that nobody can beat and that end it."""
        rest = self.hand - cards
        if not rest:
            return True
        size = self.counts[self.seat]
        return size <= FORCED_CARDS and self.is_unbeatable(cards) and self.wins_leading(rest)

    def wins_leading(self, hand: int) -> bool:
        """Return whether a hand that leads wins whatever others do."""
        leads = [code_faces(play.cards) for play in list_leads(hand, self.rules)]
        if hand in leads:
            return True
        return any(self.is_unbeatable(cards, leads=True) and self.wins_leading(hand - cards) for cards in leads)

    def is_unbeatable(self, cards: int, leads: bool = False) -> bool:
        """Return whether no opponent can beat a play of these cards but with a bomb, for all that is unseen."""
        return self.hold_chance(self.read(cards, leads)) == 1

    def hold_chance(self, combination: ClimbingCombination) -> float:
        """Return how likely it is that no opponent beats a combination: the likelier, the fewer can be out that do."""
        if combination.power or combination.size > max(self.counts[seat] for seat in self.enemies):
            return 1.0
        higher = count_higher_cores(self.unseen, combination)
        if not higher:
            return 1.0
        at_first = count_higher_cores(self.pack, combination)
        return float(max(MIN_CHANCE, hold_chance(combination)) ** (higher / at_first))

    def read(self, cards: int, leads: bool = False) -> ClimbingCombination:
        """Return what cards are read as: on what lies there, or leading."""
        readings = read_play(cards, self.rules)
        return next(one for one in readings if leads or self.top is None or one.beats(self.top))

    def rate_lead(self, cards: int) -> float:
        """Return how good a lead is: little need afterwards, and nothing high that may be needed later."""
        combination, rest = self.read(cards), self.hand - cards
        holds = self.hold_chance(combination)
        rating = (
            -self.need_of(rest) + (LEAD_HOLDS + self.value_of_leading(rest)) * holds + CARD_VALUE * combination.size
        )
        if combination.size == self.fewest < 3:
            rating -= THREATS[1] * (1 - holds)
        if self.next in self.partners and combination.size == self.counts[self.next] == 1:
            rating += THREATS[1] * (1 - holds)
        return rating

    def rate_beating(self, cards: int) -> float:
        """Return how much better it is to beat what lies there than to pass."""
        combination = self.read(cards)
        holds = self.hold_chance(combination)
        gain = self.need_of(self.hand) - self.need_of(self.hand - cards)
        threat = THREATS[min(self.fewest, len(THREATS) - 1)] if self.owner not in self.partners else 0.0
        return gain + holds * (LEAD_VALUE + threat + self.value_of_leading(self.hand - cards))

    def need_of(self, cards: int) -> float:
        """Return the least need of a hand played with a number of packs."""
        return need_of(cards, packs=self.rules.packs)

    def value_of_leading(self, rest: int) -> float:
        """Return how much more it is worth to lead again with what is left: it wins if that is one combination."""
        return LAST_VALUE if read_play(rest, self.rules) else 0.0

    def is_left_to_partner(self, top: ClimbingCombination) -> bool:
        """Return whether a farmer lets a partner's play stand."""
        if self.owner is None or self.owner not in self.partners:
            return False
        if self.counts[self.owner] <= 2 or self.is_first_farmer:
            return True
        if self.counts[self.landlord] == top.size and top.size < 3:
            return False
        return self.hold_chance(top) >= PARTNER_HOLDS


if __name__ == "__main__":
    run(choose, name="house:dou-dizhu", version="1")
