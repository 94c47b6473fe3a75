"""Mixing histories: how hidden cards may have moved where private mixing has happened.

The path of a card is cut at every mixing into *tracks*. A shuffle group has as many output tracks as input tracks, and
no seat can tell which input became which output. A seat that knew the card of a track *pins* that track to the card. A
history joins tracks into paths and assigns a card to each path, so that every pinned track has its card. All histories
are equally likely, since each is one result of every mixing: a uniform world is the end of a uniform history.

Histories are sampled by Gibbs sampling (Geman and Geman 1984): each group is resampled given the others, which is exact
if there is only one. Histories that break a constraint are rejected. After `HISTORY_REJECTION_TRIES` rejections a
Metropolis chain with a uniform target starts from the true history: a swap that breaks a constraint is undone. Where
tracks have domains, which hold rarely by chance, the chain starts at once, and no swap leads out of a domain.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from pitboss.table.knowledge import ShuffleGroup
from pitboss.table.randomness import Random
from pitboss.table.zones import EMPTY

GIBBS_SWEEPS: Final = 8  # each resamples every group
HISTORY_REJECTION_TRIES: Final = 60  # before the Metropolis chain
CHAIN_STEPS_PER_TRACK: Final = 30  # steps of that chain


class MixingHistory:
    """One history for a seat, at first the true one. Lists are by track; EMPTY stands for no card and no track."""

    def __init__(self, shuffle_groups: Sequence[ShuffleGroup], known_by: Sequence[int], seat_mask: int) -> None:
        count = len(known_by)
        self.cards = list(range(count))  # the card of each track
        self.pins = [EMPTY] * count
        self.predecessors = [EMPTY] * count
        self.successors = [EMPTY] * count
        self.source_group = [0] * count  # the group that the track came out of
        self.target_group = [EMPTY] * count  # the group that the track went into
        self.group_inputs: list[list[int]] = []  # by group: the tracks that went in, in the order of its `cards`
        self.group_outputs: list[list[int]] = []  # by group: the tracks that came out
        self.last_track = list(range(count))  # by card of the table: its last track
        self.domains: dict[int, frozenset[int]] = {}  # by track whose place is restricted: the cards that it may hold
        for number, group in enumerate(shuffle_groups):
            self._add_group(number, group, seat_mask)
        for card, track in enumerate(self.last_track):
            self.pins[track] = card if known_by[card] & seat_mask else EMPTY
        self.group_outputs[0] = list(range(count))

    def restrict_tracks(self, tracks: Iterable[int], domain: frozenset[int]) -> None:
        """State that each of the tracks has a card of the domain."""
        for track in tracks:
            self.domains[track] = self.domains[track] & domain if track in self.domains else domain

    def sample_history(self, holds: Callable[[], bool], rng: Random) -> bool:
        """Replace this history by a sampled one that satisfies `holds`; return False if not even the true one does."""
        true_history = self.cards[:], self.predecessors[:], self.successors[:]
        is_true = self._fits_domains() and holds()
        for _ in range(0 if self.domains and is_true else HISTORY_REJECTION_TRIES):
            self._run_gibbs_sweeps(rng)
            if self._fits_domains() and holds():
                return True
        if not is_true:
            return False
        self.cards, self.predecessors, self.successors = true_history
        self._run_swap_chain(holds, rng)
        return True

    def pin_to_one_of(self, card: int, copies: Sequence[int]) -> None:
        """Pin the last track of `card` to one of `copies`, if need be after a swap of paths; else do nothing."""
        track, cards = self.last_track[card], self.current_cards()
        if self.cards[track] not in copies:
            ends = [self.last_track[place] for place, current in enumerate(cards[:-1]) if current in copies]
            for end in ends:
                if self.pins[end] == EMPTY and self._swap_from_last_meeting(track, end):
                    break
        if self.cards[track] in copies:
            self.pins[track] = self.cards[track]

    def current_cards(self) -> list[int]:
        """Return, by card of the table, the card that this history puts in its place (index -1: EMPTY)."""
        return [*map(self.cards.__getitem__, self.last_track), EMPTY]

    def group_input_cards(self) -> list[int]:
        """Return the cards that entered each group, one group after another."""
        return [self.cards[track] for track in self.group_input_tracks()]

    def group_input_tracks(self) -> list[int]:
        """Return the tracks that entered each group, one group after another."""
        return [track for entered in self.group_inputs for track in entered]

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

    def _fits_domains(self) -> bool:
        return all(self.cards[track] in domain for track, domain in self.domains.items())

    # ---- Gibbs sampling

    def _run_gibbs_sweeps(self, rng: Random) -> None:
        groups = range(1, len(self.group_outputs))
        for _ in range(GIBBS_SWEEPS if len(groups) > 1 else 1):
            for number in groups:
                self._resample_group(number, rng)
                self._swap_random_paths(number, rng)
        self._assign_cards(rng)

    def _resample_group(self, number: int, rng: Random) -> None:
        """Join the inputs of a group to its outputs, uniformly over the ways that respect the pins."""
        outs = self.group_outputs[number]
        pinned_out = {pin: out for out in outs if (pin := self._find_pin(out, self.successors)) != EMPTY}
        free_in, pinned_in = [], []
        for track in [self.predecessors[out] for out in outs]:
            pin = self._find_pin(track, self.predecessors)
            if pin in pinned_out:
                self._link_tracks(track, pinned_out.pop(pin))
            elif pin == EMPTY:
                free_in.append(track)
            else:
                pinned_in.append(track)
        free_out = [out for out in outs if self._find_pin(out, self.successors) == EMPTY]
        rng.shuffle(free_out)
        rng.shuffle(free_in)
        for track, out in zip([*pinned_in, *free_in], [*free_out, *pinned_out.values()], strict=True):
            self._link_tracks(track, out)

    def _swap_random_paths(self, number: int, rng: Random) -> None:
        """Swap random pairs of paths that leave a group, across several groups: resampling one group cannot do that."""
        outs = self.group_outputs[number]
        for word in rng.draw_words(len(outs)) if number + 1 < len(self.group_outputs) else ():
            self.swap_paths(outs[word % len(outs)], outs[(word >> 32) % len(outs)])

    def _assign_cards(self, rng: Random) -> None:
        """Give each path the card of its pin, and the rest the remaining cards."""
        starts = self.group_outputs[0]
        pins = [self._find_pin(start, self.successors) for start in starts]
        remaining = sorted(set(starts) - set(pins))
        rng.shuffle(remaining)
        for start, pin in zip(starts, pins, strict=True):
            card, track = remaining.pop() if pin == EMPTY else pin, start
            while track != EMPTY:
                self.cards[track] = card
                track = self.successors[track]

    def _find_pin(self, track: int, links: list[int]) -> int:
        """Return the first pin from `track` on along `links`; EMPTY if there is none."""
        while track != EMPTY:
            if self.pins[track] != EMPTY:
                return self.pins[track]
            track = links[track]
        return EMPTY

    def _link_tracks(self, track: int, successor: int) -> None:
        self.successors[track], self.predecessors[successor] = successor, track

    # ---- swaps

    def swap_paths(self, one: int, two: int) -> bool:
        """Exchange the cards of two tracks of one group until their paths enter the same group, or to the end.

        Returns False, without a change, if a track on the way is pinned or may not hold the other card. A second call
        undoes the first.
        """
        first = self._open_path(one, self.cards[two])
        lengths = {self.target_group[track]: length for length, track in enumerate(first, 1)}
        for length, track in enumerate(second := self._open_path(two, self.cards[one]), 1):
            if self.target_group[track] in lengths:
                self._cross_paths(first[: lengths[self.target_group[track]]], second[:length])
                return True
        return False

    def _swap_from_last_meeting(self, one: int, two: int) -> bool:
        """Swap two paths, given by their last tracks, from the last group that both left; False as in `swap_paths`."""
        paths = [{self.source_group[track]: track for track in self._path_back(end)} for end in (one, two)]
        meeting = max(paths[0].keys() & paths[1].keys())
        return self.swap_paths(paths[0][meeting], paths[1][meeting])

    def _path_back(self, track: int) -> list[int]:
        path = []
        while track != EMPTY:
            path.append(track)
            track = self.predecessors[track]
        return path

    def _open_path(self, track: int, card: int) -> list[int]:
        """Return the tracks from `track` on, up to the first that cannot have another card, or not this one."""
        path, domains = [], self.domains
        while track != EMPTY and self.pins[track] == EMPTY and (track not in domains or card in domains[track]):
            path.append(track)
            track = self.successors[track]
        return path

    def _cross_paths(self, first: list[int], second: list[int]) -> None:
        one, two = self.cards[first[0]], self.cards[second[0]]
        for track in first:
            self.cards[track] = two
        for track in second:
            self.cards[track] = one
        sources = self.predecessors[first[0]], self.predecessors[second[0]]
        sinks = self.successors[first[-1]], self.successors[second[-1]]
        if sources[0] != EMPTY:
            self._link_tracks(sources[0], second[0])
            self._link_tracks(sources[1], first[0])
        if sinks[0] != EMPTY:
            self._link_tracks(first[-1], sinks[1])
            self._link_tracks(second[-1], sinks[0])

    def _run_swap_chain(self, holds: Callable[[], bool], rng: Random) -> None:
        """Swap the paths of random pairs of tracks, except where that would break a constraint."""
        unpinned = [[track for track in outs if self.pins[track] == EMPTY] for outs in self.group_outputs]
        tracks = [track for outs in unpinned for track in outs]
        for word in rng.draw_words(CHAIN_STEPS_PER_TRACK * len(tracks)):
            one = tracks[word % len(tracks)]
            others = unpinned[self.source_group[one]]
            two = others[(word >> 32) % len(others)]
            if self.swap_paths(one, two) and not holds():
                self.swap_paths(one, two)
