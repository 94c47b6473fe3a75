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

from pitboss.table.zones import EMPTY

if TYPE_CHECKING:
    from pitboss.table.knowledge import ShuffleGroup
    from pitboss.table.randomness import Random

GIBBS_SWEEPS: Final = 8  # of redrawing every batch, for a fair draw
REJECTION_TRIES: Final = 60  # tried before the chain that minds the conditions at every step
CHAIN_STEPS_PER_TRACK: Final = 30  # steps of that chain, per token


class MixingHistory:
    """One history of a seat: at first the true one. Lists are by token; EMPTY stands for no card and no token."""

    def __init__(self, shuffle_groups: Sequence[ShuffleGroup], known_by: Sequence[int], seat_mask: int) -> None:
        count = len(known_by)
        self.cards = list(range(count))  # the card that each token is
        self.pins = [EMPTY] * count
        self.predecessors = [EMPTY] * count
        self.successors = [EMPTY] * count
        self.source_group = [0] * count  # the batch that it came out of
        self.target_group = [EMPTY] * count  # the batch that it went into
        self.group_inputs: list[list[int]] = []  # by batch: the tokens that went in, in the order of `Batch.cards`
        self.group_outputs: list[list[int]] = []  # by batch: the tokens that came out
        self.last_track = list(range(count))  # by card, as the table lies: its last token
        for number, batch in enumerate(shuffle_groups):
            self._add_group(number, batch, seat_mask)
        for card, token in enumerate(self.last_track):
            self.pins[token] = card if known_by[card] & seat_mask else EMPTY
        self.group_outputs[0] = list(range(count))

    def sample_history(self, holds: Callable[[], bool], rng: Random) -> bool:
        """Draw a history for which `holds`, and tell whether the true one does."""
        true_one = self.cards[:], self.predecessors[:], self.successors[:]
        for _ in range(REJECTION_TRIES):
            self._run_gibbs_sweeps(rng)
            if holds():
                return True
        self.cards, self.predecessors, self.successors = true_one
        if not holds():
            return False
        self._run_swap_chain(holds, rng)
        return True

    def current_cards(self) -> list[int]:
        """Return what lies where each card lies; at the end what lies in an empty slot, whose number is -1."""
        return [*map(self.cards.__getitem__, self.last_track), EMPTY]

    def group_input_cards(self) -> list[int]:
        """Return what went into all batches, one after another."""
        return [self.cards[token] for entered in self.group_inputs for token in entered]

    def _add_group(self, number: int, group: ShuffleGroup, seat_mask: int) -> None:
        self.group_inputs.append([self.last_track[card] for card in group.cards])
        self.group_outputs.append([])
        for card, seats in zip(group.cards, group.known_by or (seat_mask,) * len(group.cards), strict=True):
            old, new = self.last_track[card], len(self.cards)
            self.pins[old] = card if seats & seat_mask else EMPTY
            self.target_group[old], self.successors[old] = number, new
            self.cards.append(card)
            self.pins.append(EMPTY)
            self.predecessors.append(old)
            self.successors.append(EMPTY)
            self.source_group.append(number)
            self.target_group.append(EMPTY)
            self.group_outputs[number].append(new)
            self.last_track[card] = new

    # ---- a fair draw

    def _run_gibbs_sweeps(self, rng: Random) -> None:
        batches = range(1, len(self.group_outputs))
        for _ in range(GIBBS_SWEEPS if len(batches) > 1 else 1):
            for number in batches:
                self._resample_group(number, rng)
                self._swap_random_paths(number, rng)
        self._assign_cards(rng)

    def _resample_group(self, number: int, rng: Random) -> None:
        """Join what went into a batch to what came out of it, in one of all possible ways."""
        outs = self.group_outputs[number]
        pinned_out = {pin: out for out in outs if (pin := self._find_pin(out, self.successors)) != EMPTY}
        free_in, named_in = [], []
        for token in [self.predecessors[out] for out in outs]:
            pin = self._find_pin(token, self.predecessors)
            if pin in pinned_out:
                self._link_tracks(token, pinned_out.pop(pin))
            elif pin == EMPTY:
                free_in.append(token)
            else:
                named_in.append(token)
        free_out = [out for out in outs if self._find_pin(out, self.successors) == EMPTY]
        rng.shuffle(free_out)
        rng.shuffle(free_in)
        for token, out in zip([*named_in, *free_in], [*free_out, *pinned_out.values()], strict=True):
            self._link_tracks(token, out)

    def _swap_random_paths(self, number: int, rng: Random) -> None:
        """Exchange pairs that came out of a batch and meet again: redrawing one batch at a time cannot do that."""
        made = self.group_outputs[number]
        for word in rng.draw_words(len(made)) if number + 1 < len(self.group_outputs) else ():
            self.swap_paths(made[word % len(made)], made[(word >> 32) % len(made)])

    def _assign_cards(self, rng: Random) -> None:
        """Name the cards: ways with a pinned token have its card, the others get what is left."""
        ways = [self._find_pin(token, self.successors) for token in self.group_outputs[0]]
        left = sorted(set(self.group_outputs[0]) - set(ways))
        rng.shuffle(left)
        for start, pin in zip(self.group_outputs[0], ways, strict=True):
            card, token = left.pop() if pin == EMPTY else pin, start
            while token != EMPTY:
                self.cards[token] = card
                token = self.successors[token]

    def _find_pin(self, track: int, links: list[int]) -> int:
        """Return the first pin on the way from a token on, in one direction."""
        while track != EMPTY:
            if self.pins[track] != EMPTY:
                return self.pins[track]
            track = links[track]
        return EMPTY

    def _link_tracks(self, track: int, successor: int) -> None:
        self.successors[track], self.predecessors[successor] = successor, track

    # ---- one step

    def swap_paths(self, one: int, two: int) -> bool:
        """Let the cards of two tokens of one batch go each other's way until they meet again, or to the end; if that cannot be, return False.

        The same again takes it back.
        """
        first = self._unpinned_path(one)
        meets = {self.target_group[token]: index for index, token in enumerate(first, 1)}
        for index, token in enumerate(second := self._unpinned_path(two), 1):
            if self.target_group[token] in meets:
                self._cross_paths(first[: meets[self.target_group[token]]], second[:index])
                return True
        return False

    def _unpinned_path(self, track: int) -> list[int]:
        way = []
        while track != EMPTY and self.pins[track] == EMPTY:
            way.append(track)
            track = self.successors[track]
        return way

    def _cross_paths(self, first: list[int], second: list[int]) -> None:
        one, two = self.cards[first[0]], self.cards[second[0]]
        for token in first:
            self.cards[token] = two
        for token in second:
            self.cards[token] = one
        sources, sinks = (
            (self.predecessors[first[0]], self.predecessors[second[0]]),
            (self.successors[first[-1]], self.successors[second[-1]]),
        )
        if sources[0] != EMPTY:
            self._link_tracks(sources[0], second[0])
            self._link_tracks(sources[1], first[0])
        if sinks[0] != EMPTY:
            self._link_tracks(first[-1], sinks[1])
            self._link_tracks(second[-1], sinks[0])

    def _run_swap_chain(self, holds: Callable[[], bool], rng: Random) -> None:
        """Exchange random pairs of tokens as long as all stays true."""
        loose = [[token for token in made if self.pins[token] == EMPTY] for made in self.group_outputs]
        tokens = [token for made in loose for token in made]
        for word in rng.draw_words(CHAIN_STEPS_PER_TRACK * len(tokens)):
            one = tokens[word % len(tokens)]
            others = loose[self.source_group[one]]
            two = others[(word >> 32) % len(others)]
            if self.swap_paths(one, two) and not holds():
                self.swap_paths(one, two)
