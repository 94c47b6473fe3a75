"""`house:poker`, a bot for every kind of poker here, and `house:caller`, a calling station.

`house:poker` estimates its equity against those who still have a hand: who has bet or raised holds the better of two or
three random hands. It calls where the equity is worth the price (pot odds), and bets and raises where it is well above
a fair share of the pot; with no limit it bets more the better its hand is. Last to act, it needs a little less.
"""

from __future__ import annotations

import sys
from random import Random
from typing import Any, Final

from msgspec import convert

from pitboss.bot import AnnotatedChoice, Choice, Question, run
from pitboss_poker.equity import estimate_equity
from pitboss_poker.hand_strength import card_key
from pitboss_poker.options import PokerOptions
from pitboss_poker.variant import find_variant

SAMPLES: Final = 150  # of unseen cards; the standard error of an equity is at most 4 %
MOST_PICKS: Final = 3
FIRST_BET: Final = 0.22  # of what lies between a fair share and a sure win, that a bet needs
EACH_RAISE: Final = 0.16  # more for each bet or raise before it in the round
LAST_TO_ACT: Final = 0.06  # less
STACK_FEAR: Final = 0.08  # equity beyond the pot odds that a call for the whole stack needs
LEAST_SIZE: Final = 0.5  # of a bet, in pots
MOST_SIZE: Final = 1.25
SIZE_SLOPE: Final = 2.0  # pots for each 1.0 of equity beyond what a bet needs
COMMITTED: Final = 0.6  # of its chips: who bets so much bets all


def choose(question: Question) -> Choice:
    """Answer one question."""
    if len(question.legal) == 1:
        return 0
    hand = PokerHand(question)
    equity = hand.estimate_equity()
    return AnnotatedChoice(hand.choose_action(equity), f"equity {equity:.2f}")


class PokerHand:
    """A hand as the bot sees it."""

    def __init__(self, question: Question) -> None:
        self.question = question
        self.view: dict[str, Any] = question.view
        self.by_kind = {action["do"]: action for action in question.legal}
        self.variant = find_variant(convert(question.hello.options, PokerOptions).cards, question.hello.seats)
        gone = {*self.view["folded"], *self.view["out"], question.seat}
        self.opponents = [seat for seat in range(question.hello.seats) if seat not in gone]

    def estimate_equity(self) -> float:
        """Return the equity against all opponents."""
        raises = [word[:-1] for word in self._actions_of("br", self.view["history"])]
        picks = [min(1 + sum(raiser == str(seat) for raiser in raises), MOST_PICKS) for seat in self.opponents]
        own, board = ([card_key(face) for face in self.view[zone]] for zone in ("cards", "board"))
        rng = Random(f"{self.question.start.seed}/{self.view['hand']}/{self.view['history']}")
        return estimate_equity(self.variant, own, board, picks, SAMPLES, rng)

    def choose_action(self, equity: float) -> dict[str, Any]:
        """Bet or raise a good hand, call what is worth its price, check or fold the rest."""
        fair = 1 / (len(self.opponents) + 1)
        needed = fair + (1 - fair) * (FIRST_BET + EACH_RAISE * self._count_raises()) - LAST_TO_ACT * self._is_last()
        bet = self.by_kind.get("bet") or self.by_kind.get("raise")
        if bet is not None and equity >= needed:
            return {**bet, "to": self._choose_size(bet["to"], equity - needed)}
        price = self.view["to_call"]
        if not price:
            return self.by_kind["check"]
        odds = price / (self.view["pot"] + price)
        share = price / self.view["stacks"][self.question.seat]
        return self.by_kind["call" if equity >= odds + STACK_FEAR * share else "fold"]

    def _choose_size(self, to: int | list[int], surplus: float) -> int:
        """Return the number of a bet or raise: the better the hand, the more of the pot."""
        if isinstance(to, int):
            return to
        lowest, highest = to
        seat, price = self.question.seat, self.view["to_call"]
        pots = min(LEAST_SIZE + SIZE_SLOPE * surplus, MOST_SIZE)
        wanted = self.view["bets"][seat] + price + round(pots * (self.view["pot"] + price))
        all_chips = self.view["bets"][seat] + self.view["stacks"][seat]
        if wanted >= COMMITTED * all_chips:
            wanted = highest
        return int(min(max(wanted, lowest), highest))

    def _count_raises(self) -> int:
        """Return the bets and raises of this round; the big blind is none."""
        return len(self._actions_of("br", self.view["history"][-1:]))

    def _is_last(self) -> bool:
        """Whether nobody who can act comes later in this round: all others have acted, or cannot."""
        acted = {int(word[0]) for word in self._actions_of("fkcbr", self.view["history"][-1:])}
        return all(seat in acted or seat in self.view["all_in"] for seat in self.opponents)

    def _actions_of(self, letters: str, rounds: list[str]) -> list[str]:
        """Return seat and letter of the actions of these kinds: ["2r", "0b"]."""
        words = [word for one in rounds for word in one.split()]
        return [word[:2] for word in words if word[1] in letters]


def call(question: Question) -> Choice:
    """Check or call, whatever it holds."""
    return next(place for place, action in enumerate(question.legal) if action["do"] in ("check", "call"))


if __name__ == "__main__":
    if sys.argv[1:] == ["caller"]:
        run(call, name="house:caller", version="1")
    else:
        run(choose, name="house:poker", version="1")
