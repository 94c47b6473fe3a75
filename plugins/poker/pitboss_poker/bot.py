"""`house:poker`, a bot for every kind of poker here, and `house:caller`, a calling station.

`house:poker` estimates its equity against the players still in the hand: a player that bet or raised holds the better
of two or three random hands, unless it bets and raises all the time in this game. The bot calls where the equity is
worth the price (pot odds), and bets and raises where it is well above a fair share of the pot; with no limit it bets
more the better its hand is. Last to act, it needs a little less.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from math import ceil
from random import Random
from typing import Any, Final

from msgspec import convert

from pitboss.bot import AnnotatedChoice, Choice, Question, run
from pitboss.parts.betting.high_hands import card_key
from pitboss.protocol.messages import Hello, Start
from pitboss_poker.messages import PokerOptions
from pitboss_poker.rules import DRAW, STUD, STUD_HI_LO, PokerVariant, find_variant
from pitboss_poker.strategy import choose_discards, estimate_dealt_equity


def estimate_equity(
    variant: PokerVariant, own: Sequence[int], board: Sequence[int], picks: Sequence[float], samples: int, rng: Random
) -> float:
    """Return the equity of a hand, 0 to 1, against an opponent for each number in `picks`.

    `own` and `board` are keys of cards (`hand_strength.card_key`). An opponent holds the best of a number of random
    hands on this board: 1 hand for an opponent that has shown nothing, more for one that has bet or raised. With 1.3
    hands, three of ten samples take the best of two.
    """
    known = {*own, *board}
    unseen = [key for key in variant.card_keys if key not in known]
    hole, missing = variant.hole_cards, variant.board_size - len(board)
    most = (len(unseen) - missing) // hole  # hands that can be drawn from a small deck
    hands = _limit_picks(picks, most)
    drawn = hole * sum(hands) + missing
    shares = [pick % 1 or 1.0 for pick in picks]  # of the samples in which the last of the hands counts
    won = 0.0
    for _ in range(samples):
        cards = rng.sample(unseen, drawn)
        whole_board = [*board, *cards[:missing]]
        strength = variant.rank(own, whole_board)
        ties, at = 1, missing
        for count, share in zip(hands, shares, strict=True):
            theirs = cards[at : at + hole]
            counted = count - (count > 1 and share < 1 and rng.random() >= share)
            for other in range(at + hole, at + hole * counted, hole):
                rival = cards[other : other + hole]
                if variant.rank(rival, board) > variant.rank(theirs, board):
                    theirs = rival
            at += hole * count
            other_strength = variant.rank(theirs, whole_board)
            if other_strength > strength:
                break
            ties += other_strength == strength
        else:
            won += 1 / ties
    return won / samples


def _limit_picks(picks: Sequence[float], most: int) -> list[int]:
    """Return the numbers, rounded up, so reduced that no more than `most` hands are drawn; each is at least 1."""
    spare = most - len(picks)
    limited = []
    for pick in picks:
        more = min(ceil(pick) - 1, max(spare, 0))
        spare -= more
        limited.append(1 + more)
    return limited


SAMPLES: Final = 150  # of unseen cards; the standard error of an equity is at most 4 %
MAX_PICKS: Final = 3
PRIOR_ACTIONS: Final = 6  # actions that it assumes of each opponent before the first action,
PRIOR_SHARE: Final = 0.2  # and the share of bets and raises among these actions
WILD_SHARE: Final = 0.45  # from which on bets and raises say nothing of the hand
FIRST_BET: Final = 0.22  # of what lies between a fair share and a sure win, that a bet needs
EACH_RAISE: Final = 0.16  # more for each bet or raise before it in the round
LAST_TO_ACT: Final = 0.06  # less
STACK_FEAR: Final = 0.08  # equity beyond the pot odds that a call for the whole stack needs
MIN_SIZE: Final = 0.5  # of a bet, in pots
MAX_SIZE: Final = 1.25
SIZE_SLOPE: Final = 2.0  # pots for each 1.0 of equity beyond what a bet needs
COMMITTED: Final = 0.6  # of its chips: who bets so much bets all


class Opponents:
    """What has been seen of the others in this game: how often each bets or raises."""

    def __init__(self) -> None:
        self._actions: Counter[str] = Counter()  # by seat
        self._raises: Counter[str] = Counter()
        self._hand = 0
        self._seen = 0  # actions of this hand that are counted

    def watch(self, view: Mapping[str, Any]) -> None:
        """Count what has been done since the last question."""
        words = [word for one in view["history"] for word in one.split()]
        if view["hand"] != self._hand:
            self._hand, self._seen = view["hand"], 0
        for word in words[self._seen :]:
            self._actions[word[0]] += 1
            self._raises[word[0]] += word[1] in "br"
        self._seen = len(words)

    def weigh_raise(self, seat: int) -> float:
        """Return how much a bet or raise of a seat says of its hand, 0 to 1."""
        name = str(seat)
        share = (self._raises[name] + PRIOR_ACTIONS * PRIOR_SHARE) / (self._actions[name] + PRIOR_ACTIONS)
        return min(max((WILD_SHARE - share) / (WILD_SHARE - PRIOR_SHARE), 0.0), 1.0)


class PokerBot:
    """The bot, for one process; what it has seen of a game counts for this game alone."""

    def __init__(self) -> None:
        self._opponents = Opponents()

    def begin(self, hello: Hello, start: Start) -> None:
        """Begin a game."""
        self._opponents = Opponents()

    def choose(self, question: Question) -> Choice:
        """Answer one question."""
        self._opponents.watch(question.view)
        if len(question.legal) == 1:
            return 0
        hand = PokerHand(question, self._opponents)
        if "discard" in hand.by_kind:
            return hand.choose_discard()
        equity = hand.estimate_equity()
        return AnnotatedChoice(hand.choose_action(equity), f"equity {equity:.2f}")


class PokerHand:
    """A hand as the bot sees it."""

    def __init__(self, question: Question, opponents: Opponents) -> None:
        self.question = question
        self._seen = opponents
        self.view: dict[str, Any] = question.view
        self.by_kind: dict[str, dict[str, Any]] = {action["do"]: action for action in question.legal}
        self.variant = _find_variant(question)
        gone = {*self.view["folded"], *self.view["out"], question.seat}
        self.opponents = [seat for seat in range(question.hello.seats) if seat not in gone]

    def estimate_equity(self) -> float:
        """Return the equity against all opponents."""
        raises = [word[:-1] for word in self._actions_of("br", self.view["history"])]
        picks = [
            1 + min(raises.count(str(seat)), MAX_PICKS - 1) * self._seen.weigh_raise(seat) for seat in self.opponents
        ]
        own, board = ([card_key(face) for face in self.view[zone]] for zone in ("cards", "board"))
        rng = self.make_random()
        if "up" in self.view:
            up = [[card_key(face) for face in row] for row in self.view["up"]]
            size = sum(street.hole + street.up for street in self.variant.streets)
            others = [up[seat] for seat in self.opponents]
            own += up[self.question.seat]
            rankings, deck = self.variant.rankings, self.variant.card_keys
            return estimate_dealt_equity(rankings, deck, own, others, size, SAMPLES, rng)
        return estimate_equity(self.variant, own, board, picks, SAMPLES, rng)

    def make_random(self) -> Random:
        """Return the source of samples of this question: the same each time."""
        return Random(f"{self.question.start.seed}/{self.view['hand']}/{self.view['history']}")

    def choose_discard(self) -> Choice:
        """Lay away the cards whose exchange promises most."""
        cards = self.view["cards"]
        own, most = [card_key(face) for face in cards], max(len(action["cards"]) for action in self.question.legal)
        gone = choose_discards(self.variant.rankings[0], self.variant.card_keys, own, most, self.make_random())
        return {"do": "discard", "cards": [cards[place] for place in gone]}

    def choose_action(self, equity: float) -> dict[str, Any]:
        """Bet or raise a good hand, call what is worth its price, check or fold the rest."""
        fair = 1 / (len(self.opponents) + 1)
        needed = fair + (1 - fair) * (FIRST_BET + EACH_RAISE * self._count_raises()) - LAST_TO_ACT * self._is_last()
        bet = self.by_kind.get("bet") or self.by_kind.get("raise")
        if bet is not None and equity >= needed:
            return {**bet, "to": self._choose_size(bet["to"], equity - needed)}
        price = self.view["to_call"]
        if not price:
            return self.by_kind["check" if "check" in self.by_kind else "bring-in"]
        odds = price / (self.view["pot"] + price)
        share = price / self.view["stacks"][self.question.seat]
        return self.by_kind["call" if equity >= odds + STACK_FEAR * share else "fold"]

    def _choose_size(self, to: int | list[int], surplus: float) -> int:
        """Return the number of a bet or raise: the better the hand, the more of the pot."""
        if isinstance(to, int):
            return to
        lowest, highest = to
        seat, price = self.question.seat, self.view["to_call"]
        pots = min(MIN_SIZE + SIZE_SLOPE * surplus, MAX_SIZE)
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


def _find_variant(question: Question) -> PokerVariant:
    """Return the kind of poker that is played."""
    hello = question.hello
    if hello.game == "poker":
        return find_variant(convert(hello.options, PokerOptions).cards, hello.seats)
    return {"draw": DRAW, "stud": STUD, "stud-hi-lo": STUD_HI_LO}[hello.options["cards"]]


def call(question: Question) -> Choice:
    """Check or call, whatever it holds."""
    return next((place for place, action in enumerate(question.legal) if action["do"] in ("check", "call")), 0)


def make_bot() -> PokerBot:
    """Return the bot of one table."""
    return PokerBot()


if __name__ == "__main__":
    if sys.argv[1:] == ["caller"]:
        run(call, name="house:caller", version="1")
    else:
        bot = PokerBot()
        run(bot.choose, name="house:poker", version="1", on_start=bot.begin)
