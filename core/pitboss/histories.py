"""Histories: how the cards may have come to lie where they lie, where hidden cards were mixed with others.

Cut the way of each card at every mixing that it went through: the pieces are *tokens*. A batch takes some tokens in and lets as many out, and nobody
can tell which became which; but a seat that knew a token's card at its end has *pinned* it. A history, for a seat, is any way to join the tokens into
ways and to name the cards, in which every pinned token has its card. All histories are equally likely (each is one result of every
mixing), so a fair world is the end of a history drawn uniformly.

They are drawn by redrawing one batch after another, given the others: exact for one batch, and a Markov chain that mixes fast for several.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from pitboss.zones import EMPTY

if TYPE_CHECKING:
    from pitboss.knowledge import Batch
    from pitboss.randomness import Random

ROUNDS: Final = 8  # of redrawing every batch, for a fair draw
FAIR_DRAWS: Final = 60  # tried before the chain that minds the conditions at every step
SWEEPS: Final = 30  # steps of that chain, per token


class History:
    """One history of a seat: at first the true one. Lists are by token; EMPTY stands for no card and no token."""

    def __init__(self, batches: Sequence[Batch], known: Sequence[int], bit: int) -> None:
        count = len(known)
        self.cards = list(range(count))  # the card that each token is
        self.pins = [EMPTY] * count
        self.before = [EMPTY] * count
        self.after = [EMPTY] * count
        self.maker = [0] * count  # the batch that it came out of
        self.taker = [EMPTY] * count  # the batch that it went into
        self.entered: list[list[int]] = []  # by batch: the tokens that went in, in the order of `Batch.cards`
        self.made: list[list[int]] = []  # by batch: the tokens that came out
        self.last = list(range(count))  # by card, as the table lies: its last token
        for number, batch in enumerate(batches):
            self._enter(number, batch, bit)
        for card, token in enumerate(self.last):
            self.pins[token] = card if known[card] & bit else EMPTY
        self.made[0] = list(range(count))

    def draw(self, holds: Callable[[], bool], rng: Random) -> bool:
        """Draw a history for which `holds`, and tell whether the true one does."""
        true_one = self.cards[:], self.before[:], self.after[:]
        for _ in range(FAIR_DRAWS):
            self._redraw(rng)
            if holds():
                return True
        self.cards, self.before, self.after = true_one
        if not holds():
            return False
        self._exchange_pairs(holds, rng)
        return True

    def now(self) -> list[int]:
        """Return what lies where each card lies; at the end what lies in an empty slot, whose number is -1."""
        return [*map(self.cards.__getitem__, self.last), EMPTY]

    def then(self) -> list[int]:
        """Return what went into all batches, one after another."""
        return [self.cards[token] for entered in self.entered for token in entered]

    def _enter(self, number: int, batch: Batch, bit: int) -> None:
        self.entered.append([self.last[card] for card in batch.cards])
        self.made.append([])
        for card, seats in zip(batch.cards, batch.known or (bit,) * len(batch.cards), strict=True):
            old, new = self.last[card], len(self.cards)
            self.pins[old] = card if seats & bit else EMPTY
            self.taker[old], self.after[old] = number, new
            self.cards.append(card)
            self.pins.append(EMPTY)
            self.before.append(old)
            self.after.append(EMPTY)
            self.maker.append(number)
            self.taker.append(EMPTY)
            self.made[number].append(new)
            self.last[card] = new

    # ---- a fair draw

    def _redraw(self, rng: Random) -> None:
        batches = range(1, len(self.made))
        for _ in range(ROUNDS if len(batches) > 1 else 1):
            for number in batches:
                self._redraw_batch(number, rng)
                self._reroute(number, rng)
        self._name(rng)

    def _redraw_batch(self, number: int, rng: Random) -> None:
        """Join what went into a batch to what came out of it, in one of all possible ways."""
        outs = self.made[number]
        pinned_out = {pin: out for out in outs if (pin := self._pin(out, self.after)) != EMPTY}
        free_in, named_in = [], []
        for token in [self.before[out] for out in outs]:
            pin = self._pin(token, self.before)
            if pin in pinned_out:
                self._join(token, pinned_out.pop(pin))
            elif pin == EMPTY:
                free_in.append(token)
            else:
                named_in.append(token)
        free_out = [out for out in outs if self._pin(out, self.after) == EMPTY]
        rng.shuffle(free_out)
        rng.shuffle(free_in)
        for token, out in zip([*named_in, *free_in], [*free_out, *pinned_out.values()], strict=True):
            self._join(token, out)

    def _reroute(self, number: int, rng: Random) -> None:
        """Exchange pairs that came out of a batch and meet again: redrawing one batch at a time cannot do that."""
        made = self.made[number]
        for word in rng.words(len(made)) if number + 1 < len(self.made) else ():
            self.exchange(made[word % len(made)], made[(word >> 32) % len(made)])

    def _name(self, rng: Random) -> None:
        """Name the cards: ways with a pinned token have its card, the others get what is left."""
        ways = [self._pin(token, self.after) for token in self.made[0]]
        left = sorted(set(self.made[0]) - set(ways))
        rng.shuffle(left)
        for start, pin in zip(self.made[0], ways, strict=True):
            card, token = left.pop() if pin == EMPTY else pin, start
            while token != EMPTY:
                self.cards[token] = card
                token = self.after[token]

    def _pin(self, token: int, onward: list[int]) -> int:
        """Return the first pin on the way from a token on, in one direction."""
        while token != EMPTY:
            if self.pins[token] != EMPTY:
                return self.pins[token]
            token = onward[token]
        return EMPTY

    def _join(self, token: int, out: int) -> None:
        self.after[token], self.before[out] = out, token

    # ---- one step

    def exchange(self, one: int, two: int) -> bool:
        """Let the cards of two tokens of one batch go each other's way until they meet again, or to the end; if that cannot be, return False.

        The same again takes it back.
        """
        first = self._unpinned(one)
        meets = {self.taker[token]: index for index, token in enumerate(first, 1)}
        for index, token in enumerate(second := self._unpinned(two), 1):
            if self.taker[token] in meets:
                self._cross(first[: meets[self.taker[token]]], second[:index])
                return True
        return False

    def _unpinned(self, token: int) -> list[int]:
        way = []
        while token != EMPTY and self.pins[token] == EMPTY:
            way.append(token)
            token = self.after[token]
        return way

    def _cross(self, first: list[int], second: list[int]) -> None:
        one, two = self.cards[first[0]], self.cards[second[0]]
        for token in first:
            self.cards[token] = two
        for token in second:
            self.cards[token] = one
        sources, sinks = (self.before[first[0]], self.before[second[0]]), (self.after[first[-1]], self.after[second[-1]])
        if sources[0] != EMPTY:
            self._join(sources[0], second[0])
            self._join(sources[1], first[0])
        if sinks[0] != EMPTY:
            self._join(first[-1], sinks[1])
            self._join(second[-1], sinks[0])

    def _exchange_pairs(self, holds: Callable[[], bool], rng: Random) -> None:
        """Exchange random pairs of tokens as long as all stays true."""
        loose = [[token for token in made if self.pins[token] == EMPTY] for made in self.made]
        tokens = [token for made in loose for token in made]
        for word in rng.words(SWEEPS * len(tokens)):
            one = tokens[word % len(tokens)]
            others = loose[self.maker[one]]
            two = others[(word >> 32) % len(others)]
            if self.exchange(one, two) and not holds():
                self.exchange(one, two)
