"""A second implementation of some kinds of poker, written from the rule book in the simplest way, for one hand.

The hand calls `ask` for each decision with the seat and the legal actions, and returns what each seat has won. An
action is a tuple: ("fold",), ("check",), ("call",), ("bet", 100), ("raise", 300), ("bring-in",), ("discard", cards),
("give", cards) and ("bid", 200); a legal bet or raise has its lowest and its highest number. Cards are as "SA", "H10".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any, TypeAlias

NaiveAction: TypeAlias = tuple[Any, ...]
Ask: TypeAlias = Callable[[int, set[NaiveAction]], NaiveAction]

RANK_ORDER = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"]


def compare_five(cards: Iterable[str], short: bool = False) -> tuple[Any, ...]:
    """Return what orders five cards: a larger tuple is a better hand."""
    ranks = sorted((RANK_ORDER.index(card[1:]) for card in cards), reverse=True)
    groups = sorted(((count, rank) for rank, count in Counter(ranks).items()), reverse=True)
    shape = [count for count, _ in groups]
    order = [rank for _, rank in groups]
    is_flush = len({card[0] for card in cards}) == 1
    is_straight = len(order) == 5 and order[0] - order[4] == 4
    wheel = [12, 7, 6, 5, 4] if short else [12, 3, 2, 1, 0]
    if order == wheel:
        is_straight, order = True, [*wheel[1:], -1]
    if is_straight and is_flush:
        kind = 8
    elif shape == [4, 1]:
        kind = 7
    elif shape == [3, 2]:
        kind = 5 if short else 6
    elif is_flush:
        kind = 6 if short else 5
    elif is_straight:
        kind = 4
    else:
        kind = {(3, 1, 1): 3, (2, 2, 1): 2, (2, 1, 1, 1): 1, (1, 1, 1, 1, 1): 0}[tuple(shape)]
    return kind, order


def weigh_lowest(card: str) -> tuple[int, int]:
    """Return what orders cards for the bring-in."""
    return RANK_ORDER.index(card[1:]), "CDHS".index(card[0])


def compare_low(cards: Iterable[str]) -> tuple[int, ...] | None:
    """Return what orders five low cards, a larger tuple is a better hand; None if they do not qualify."""
    ranks = sorted({1 if card[1:] == "A" else RANK_ORDER.index(card[1:]) + 2 for card in cards}, reverse=True)
    return tuple(-rank for rank in ranks) if len(ranks) == 5 and ranks[0] <= 8 else None


@dataclass
class NaiveHand:
    """A hand of a kind of poker. Seat 0 is left of the button, which the last seat has."""

    kind: str
    deck: list[str]  # the next card first
    stacks: list[int]
    ask: Ask
    betting: str = "no-limit"
    small: int = 50
    big: int = 100
    ante: int = 0
    bring_in: int = 0
    sizes: Sequence[int] = ()  # fixed bets by street
    bounty_rank: str = ""
    bounty: int = 0
    board: list[str] = field(default_factory=list)

    def play(self) -> list[int]:
        """Play the hand and return what each seat has won."""
        n = self.n = len(self.stacks)
        self.began = self.stacks[:]
        self.hands: list[list[str]] = [[] for _ in range(n)]
        self.ups: list[list[str]] = [[] for _ in range(n)]
        self.live = [*range(n)]
        self.spent = [0] * n  # for antes, blinds and bets
        self.dead = 0  # what acts cost
        self.redrawn: set[int] = set()
        for seat in range(n):
            self.pay(seat, min(self.ante, self.stacks[seat]))
        self.bets = [0] * n
        for number, street in enumerate(self.list_streets()):
            self.street = number
            self.play_street(*street)
            if len(self.live) == 1:
                break
        return self.settle()

    def list_streets(self) -> list[tuple[int, int, int, str]]:
        """Return by street the hidden cards, the open ones, those of the board, and what is done before the betting."""
        if self.kind.startswith("stud"):
            return [(2, 1, 0, ""), (0, 1, 0, ""), (0, 1, 0, ""), (0, 1, 0, ""), (1, 0, 0, "")]
        if self.kind == "draw":
            return [(5, 0, 0, ""), (0, 0, 0, "draw")]
        acts = {"toss": ("toss", "toss", "toss"), "peek": ("bid", "", ""), "pass": ("", "toss", "")}
        before = acts.get(self.kind, ("", "", ""))
        hole = {"omaha": 4, "omaha-hi-lo": 4, "toss": 5, "pass": 3}.get(self.kind, 2)
        return [(hole, 0, 0, ""), (0, 0, 3, before[0]), (0, 0, 1, before[1]), (0, 0, 1, before[2])]

    def play_street(self, hole: int, up: int, board: int, act: str) -> None:
        """Deal a street, do what comes before the betting, and bet."""
        self.board += [self.deck.pop(0) for _ in range(board)]
        for target in [self.hands] * hole + [self.ups] * up:
            for seat in self.live:
                target[seat].append(self.deck.pop(0))
        for seat in self.live if act else []:
            if act == "toss":
                self.lay_away(seat, self.ask(seat, {("discard", (card,)) for card in self.hands[seat]})[1])
            elif act == "draw":
                chosen = {("discard", some) for count in range(6) for some in combinations(self.hands[seat], count)}
                gone = self.ask(seat, chosen)[1]
                self.lay_away(seat, gone)
                self.hands[seat] += [self.deck.pop(0) for _ in gone]
        if act == "bid":
            self.auction()
        self.bet_street()
        if self.kind == "pass" and self.street == 0 and len(self.live) > 1:
            given = {seat: self.ask(seat, {("give", (card,)) for card in self.hands[seat]})[1] for seat in self.live}
            for seat in self.live:
                self.lay_away(seat, given[seat])
            for place, seat in enumerate(self.live):
                self.hands[self.live[(place + 1) % len(self.live)]] += given[seat]

    def lay_away(self, seat: int, cards: Iterable[str]) -> None:
        """Take cards out of a hand."""
        self.hands[seat] = [card for card in self.hands[seat] if card not in cards]

    def auction(self) -> None:
        """Let each bid in turn, and the highest bidder pay."""
        best, who = 0, -1
        for seat in self.live:
            allowed = [chips for chips in (100, 200, 400) if best < chips < self.stacks[seat]]
            chips = self.ask(seat, {("bid", 0), *(("bid", chips) for chips in allowed)})[1]
            if chips:
                best, who = chips, seat
        if best:
            self.stacks[who] -= best
            self.dead += best

    # ---- betting

    def pay(self, seat: int, chips: int) -> None:
        """Move chips of a seat into the middle."""
        self.stacks[seat] -= chips
        self.spent[seat] += chips
        if hasattr(self, "bets"):
            self.bets[seat] += chips

    def bet_street(self) -> None:
        """Play the betting of a street."""
        n = self.n
        self.bets, self.current, self.full, self.count = [0] * n, 0, 0, 0
        self.step = self.big or self.ante
        self.has_acted: set[int] = set()
        self.asked_to_redraw: set[int] = set()
        seat = 0
        if self.street == 0 and self.big:
            small, big = (n - 1, 0) if n == 2 else (0, 1)
            self.pay(small, min(self.small, self.stacks[small]))
            self.pay(big, min(self.big, self.stacks[big]))
            self.current = self.full = self.big
            self.count, seat = 1, (big + 1) % n
        elif sum(self.stacks[one] > 0 for one in self.live) < 2:
            return
        elif self.street == 0:
            able = [one for one in self.live if self.stacks[one]]
            seat = min(
                able, key=lambda one: (RANK_ORDER.index(self.ups[one][0][1:]), "CDHS".index(self.ups[one][0][0]))
            )
            self.act_bring_in(seat)
            seat = (seat + 1) % n
        elif self.kind.startswith("stud"):
            able = [one for one in self.live if self.stacks[one]]
            seat = max(able, key=lambda one: (self.weigh_open(one), -one))
        while not self.is_closed():
            if self.must_act(seat):
                self.act(seat)
            seat = (seat + 1) % n

    def weigh_open(self, seat: int) -> tuple[list[int], list[int]]:
        """Return what orders open cards: groups first, then ranks."""
        counts = Counter(RANK_ORDER.index(card[1:]) for card in self.ups[seat])
        groups = sorted(((count, rank) for rank, count in counts.items()), reverse=True)
        return [count for count, _ in groups], [rank for _, rank in groups]

    def must_act(self, seat: int) -> bool:
        """Return whether a seat still has to act in this round."""
        is_behind = self.bets[seat] < self.current
        return seat in self.live and self.stacks[seat] > 0 and (seat not in self.has_acted or is_behind)

    def is_closed(self) -> bool:
        """Return whether the round is over."""
        able = [seat for seat in self.live if self.stacks[seat]]
        if len(self.live) == 1 or not any(map(self.must_act, range(self.n))):
            return True
        return len(able) == 1 and self.bets[able[0]] >= max(self.bets[seat] for seat in self.live)

    def act_bring_in(self, seat: int) -> None:
        """Let the lowest open card bring in or bet."""
        size = min(self.sizes[0], self.stacks[seat])
        others = [one for one in self.live if one != seat and self.stacks[one]]
        action = self.ask(seat, {("bring-in",), ("bet", size, size)} if others else {("bring-in",)})
        self.has_acted.add(seat)
        if action[0] == "bring-in":
            self.pay(seat, min(self.bring_in, self.stacks[seat]))
            self.current = self.bring_in
        else:
            self.raise_to(seat, action[1])

    def act(self, seat: int) -> None:
        """Let a seat act."""
        owed = self.current - self.bets[seat]
        legal: set[NaiveAction] = {("fold",), ("call",)} if owed > 0 else {("check",)}
        word = "raise" if self.current else "bet"
        if bounds := self.find_bounds(seat, owed):
            legal.add((word, *bounds))
        if self.kind == "redraw" and self.street in (1, 2) and seat not in self.redrawn:
            legal |= {("discard", (card,)) for card in self.hands[seat]}
        action = self.ask(seat, legal)
        if action[0] == "discard":
            self.redrawn.add(seat)
            self.lay_away(seat, action[1])
            self.hands[seat].append(self.deck.pop(0))
            self.act(seat)
            return
        self.has_acted.add(seat)
        if action[0] == "fold":
            self.live.remove(seat)
        elif action[0] == "call":
            self.pay(seat, min(owed, self.stacks[seat]))
        elif action[0] == word:
            self.raise_to(seat, action[1])

    def find_bounds(self, seat: int, owed: int) -> tuple[int, int] | None:
        """Return the lowest and the highest bet or raise, None if there is none."""
        most = self.bets[seat] + self.stacks[seat]
        rivals = [one for one in self.live if one != seat and self.stacks[one]]
        if most <= self.current or not any(self.bets[one] + self.stacks[one] > self.current for one in rivals):
            return None
        if self.betting == "limit":
            size = self.sizes[self.street]
            if self.count >= 4 or (seat in self.has_acted and owed < size / 2):
                return None
            return (min(self.full + size, most),) * 2
        if seat in self.has_acted and owed < self.step:
            return None
        least = min(self.current + self.step, most)
        if self.betting == "no-limit":
            return least, most
        pot = sum(self.spent) + self.dead
        return least, min(most, max(least, self.current + pot + owed))

    def raise_to(self, seat: int, to: int) -> None:
        """Bet or raise."""
        if self.betting == "limit":
            if to - self.full >= self.sizes[self.street] / 2:
                self.full, self.count = to, self.count + 1
        elif to - self.current >= self.step:
            self.step = to - self.current
        self.pay(seat, to - self.bets[seat])
        self.current = to

    # ---- the end

    def settle(self) -> list[int]:
        """Pay out the pots, and return what each seat has won."""
        top, second = sorted(self.spent, reverse=True)[:2]
        back = self.spent.index(top)
        self.stacks[back] += top - second
        self.spent[back] = second
        left, dead, collected = self.spent[:], self.dead, [0] * self.n
        while sum(left) or dead:
            depth = min((left[seat] for seat in self.live if left[seat]), default=0)
            entitled = [seat for seat in self.live if left[seat] or not depth]
            is_last = len({left[seat] for seat in entitled}) == 1
            taken = left[:] if is_last else [min(depth, chips) for chips in left]
            left = [chips - gone for chips, gone in zip(left, taken, strict=True)]
            self.share(sum(taken) + dead, entitled, collected)
            dead = 0
        winners = [seat for seat in range(self.n) if collected[seat]]
        self.stacks = [stack + chips for stack, chips in zip(self.stacks, collected, strict=True)]
        if self.bounty and len(winners) == 1 and any(card[1:] == self.bounty_rank for card in self.hands[winners[0]]):
            for seat in range(self.n):
                chips = min(self.bounty, self.stacks[seat]) if seat != winners[0] else 0
                self.stacks[seat] -= chips
                self.stacks[winners[0]] += chips
        return [after - before for after, before in zip(self.stacks, self.began, strict=True)]

    def share(self, chips: int, entitled: list[int], collected: list[int]) -> None:
        """Share a pot: all of it, or two halves."""
        if len(self.live) == 1:
            collected[self.live[0]] += chips
            return
        lows = {}
        if self.kind.endswith("hi-lo"):
            found = {seat: [low for five in self.list_fives(seat) if (low := compare_low(five))] for seat in entitled}
            lows = {seat: max(one) for seat, one in found.items() if one}
        highs = {seat: self.find_best(seat) for seat in entitled}
        for part, ranked in ((chips - chips // 2, highs), (chips // 2, lows)) if lows else ((chips, highs),):
            best = [seat for seat in entitled if seat in ranked and ranked[seat] == max(ranked.values())]
            for place, seat in enumerate(best):
                collected[seat] += part // len(best) + (place < part % len(best))

    def find_best(self, seat: int) -> tuple[Any, ...]:
        """Return what orders the best hand of a seat."""
        return max(compare_five(five, self.kind == "short-deck") for five in self.list_fives(seat))

    def list_fives(self, seat: int) -> list[tuple[str, ...]]:
        """Return each five cards that can be the hand of a seat."""
        own = self.hands[seat] + self.ups[seat]
        if self.kind.startswith("omaha"):
            return [(*two, *three) for two in combinations(own, 2) for three in combinations(self.board, 3)]
        return [*combinations(own + self.board, 5)]
