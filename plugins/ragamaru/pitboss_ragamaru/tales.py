"""The tale of a hand: which passes of its owner at once (D9) can be explained by which cards, as far as everybody sees.

A tale has the passes, the cards that have left the hand since, and how many of each batch it held. A hand is possible if every pass can be explained by a card,
one that has left or one that is in it: a *witness*. A witness was held from the pass on until it left, and there were never more witnesses of a batch than
cards of that batch in the hand. Then, and only then, there is a way to tell when each card was drawn.

All hands are imagined that are possible, and no others; how often each, does not weigh in how many ways it explains the past. Only where a tale has grown
very long (`MOST_CLAIMS`, `MOST_GONE`), in the large hands of those who hardly ever play, it is cut short by taking as known which card came when: then too
no hand is imagined that cannot be, but some that could be are not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from pitboss.table.knowledge import ShuffleGroup

NEVER: Final = 1 << 30  # an event that does not come
MOST_CLAIMS: Final = 8  # of a hand; with more, or more cards gone, its past is too long to be explained in all ways
MOST_GONE: Final = 12


class Claim(NamedTuple):
    """At an event one of the cards of a mask was in the hand."""

    fits: int
    event: int


class Place(NamedTuple):
    """Where a card lies in a hand, or lay. Events are numbered; what comes or leaves does so just before."""

    batch: ShuffleGroup
    came: int  # in truth: others may take it for another one of its batch
    left: int = NEVER
    card: int = 0  # that left
    since: int = NEVER  # the card is the witness of a settled claim, of this event
    fresh: bool = False  # D10: it left as one of several cards of which one had just been drawn
    drawn: bool = False  # and in truth it was this one

    def after(self, start: int) -> Place:
        """Return the place for when events are numbered from a later one on."""
        left, since = (event - start if event < NEVER else NEVER for event in (self.left, self.since))
        return self._replace(came=max(0, self.came - start), left=left, since=max(0, since))


class Tale(NamedTuple):
    """What is told of a hand, from the oldest pass on that matters: the passes and the departures are its events."""

    bits: Sequence[int]  # by card: its mask
    claims: tuple[Claim, ...] = ()
    gone: tuple[Place, ...] = ()
    held: tuple[Place, ...] = ()  # as they lay at the last event; cards drawn since lie behind them
    counts: tuple[Mapping[ShuffleGroup, int], ...] = ()  # by event: how many cards of each batch were held then

    def holds(self, cards: Iterable[int | None]) -> bool:
        """Tell whether the hand may consist of these cards; None is one that cannot be a witness."""
        return self.witnesses(cards) is not None

    def witnesses(self, cards: Iterable[int | None]) -> dict[int, int] | None:
        """Return the places of witnesses for all claims, among `gone` and then `held`, and since when they were held; None if there are none."""
        masks = [
            *[self.bits[place.card] for place in self.gone],
            *[0 if card is None else self.bits[card] for card in cards],
        ]
        able = self._able(masks)
        if not all(able):
            return None
        if not self.gone:  # then everybody knows which card came when
            return {}
        pins = {number: place.since for number, place in enumerate(self.gone) if place.since < NEVER}
        return self._explain(0, pins, able, set())

    def _explain(
        self, number: int, found: dict[int, int], able: Sequence[Sequence[int]], vain: set[tuple[int, frozenset[int]]]
    ) -> dict[int, int] | None:
        """Find witnesses for the claims from one on; `vain` are the witnesses in the hand with which that was tried before."""
        if number == len(able):
            return found
        event, places = self.claims[number].event, (*self.gone, *self.held)
        tried = number, frozenset(at for at, since in found.items() if since <= event < places[at].left)
        if tried in vain:
            return None
        vain.add(tried)
        if not tried[1].isdisjoint(able[number]):
            return self._explain(number + 1, found, able, vain)
        for at in able[number]:
            more = {**found, at: event}
            if self._is_room(more, at) and (witnesses := self._explain(number + 1, more, able, vain)) is not None:
                return witnesses
        return None

    def _able(self, masks: Sequence[int]) -> list[list[int]]:
        """Return for each claim the places whose cards may be its witnesses; where none of a batch has left, everybody knows which came when."""
        stirred = {place.batch for place in self.gone}
        spans = [
            (mask, 0 if place.batch in stirred else place.came, place.left, at)
            for at, (mask, place) in enumerate(zip(masks, (*self.gone, *self.held), strict=True))
        ]
        return [
            [at for mask, came, left, at in spans if mask & fits and came <= event < left]
            for fits, event in self.claims
        ]

    def _is_room(self, found: Mapping[int, int], added: int) -> bool:
        """Tell whether a hand has room for one more witness as long as it is held; of fresh cards one was drawn too late to be one."""
        places = (*self.gone, *self.held)
        batch, left = places[added].batch, places[added].left
        spans = [(since, places[at].left) for at, since in found.items() if places[at].batch == batch]
        if places[added].fresh and all(
            at in found for at, one in enumerate(self.gone) if one.fresh and one.left == left
        ):
            return False
        return all(
            sum(since <= event < until for since, until in spans) <= self.counts[event].get(batch, 0)
            for event in range(found[added], min(left, len(self.counts)))
        )

    def orders(self, cards: Sequence[int]) -> dict[ShuffleGroup, dict[int, int]]:
        """Return for each batch of which cards have left an order that explains all claims: for each place of a card that of the one drawn when it was."""
        found = self.witnesses(cards) or {}
        places = (*self.gone, *self.held)
        orders: dict[ShuffleGroup, dict[int, int]] = {}
        for batch in {place.batch for place in self.gone}:
            times = sorted(
                (at for at, place in enumerate(places) if place.batch == batch), key=lambda at: places[at].came
            )
            order = {self._fresh_one(drawn, found): drawn for drawn in times if places[drawn].drawn}
            due = sorted(
                (at for at in times if at not in order), key=lambda at: min(found.get(at, NEVER), places[at].left)
            )
            order.update(zip(due, [at for at in times if not places[at].drawn], strict=True))
            orders[batch] = order
        return orders

    def _fresh_one(self, drawn: int, found: Mapping[int, int]) -> int:
        """D10: return the card that had just been drawn when one had: one that is no witness."""
        left = self.gone[drawn].left
        return next(at for at, place in enumerate(self.gone) if place.fresh and place.left == left and at not in found)

    # ---- what happens

    def caught_up(self, batches: Sequence[ShuffleGroup]) -> Tale:
        """Return the tale with the cards drawn since the last event, before the next one; `batches` are those of the whole hand."""
        drawn = tuple(Place(batch, len(self.counts)) for batch in batches[len(self.held) :])
        return self._replace(held=self.held + drawn)

    def ended(self) -> Tale:
        """Return the tale with what the hand holds after an event."""
        return self._replace(counts=(*self.counts, Counter(place.batch for place in self.held)))

    def is_told(self, fits: int) -> bool:
        """Tell whether it follows that the hand holds one of these cards: from a claim that no card that has left may have fulfilled."""
        return any(
            claim.fits & ~fits == 0
            and not any(claim.fits & self.bits[place.card] and place.left > claim.event for place in self.gone)
            for claim in self.claims
        )

    def without(self, cards: Sequence[tuple[int, int]], drawn: int | None) -> Tale:
        """Return the tale after cards have left, each with its place; `drawn` is the place of the one that had just been drawn, if that is told."""
        event, numbers = len(self.counts), {at for _, at in cards}
        batch = None if drawn is None else self.held[drawn].batch
        gone = tuple(
            self.held[at]._replace(left=event, card=card, fresh=self.held[at].batch == batch, drawn=at == drawn)
            for card, at in cards
        )
        held = tuple(place for at, place in enumerate(self.held) if at not in numbers)
        return self._replace(gone=self.gone + gone, held=held).ended()

    # ---- what matters no more

    def settled(self, has_past: bool) -> Tale:
        """Return the tale without the claims that need no other witness, whatever the hand holds; with a past to tell, the true one."""
        tale = self
        for claim in self.claims:
            for number, place in enumerate(tale.gone):
                if (
                    claim.fits & self.bits[place.card]
                    and claim.event < place.left
                    and not place.fresh
                    and (place.came <= claim.event or not has_past)
                    and tale._is_ample(claim, number)
                ):
                    pinned = place._replace(since=min(place.since, claim.event))
                    gone = (*tale.gone[:number], pinned, *tale.gone[number + 1 :])
                    tale = tale._replace(claims=tuple(one for one in tale.claims if one != claim), gone=gone)
                    break
        return tale._without_the_dead()._shortened(has_past).bounded()

    def _is_ample(self, claim: Claim, number: int) -> bool:
        """Tell whether a card that has left can be the witness of a claim, and there is room for all other witnesses whichever they are."""
        batch, left = self.gone[number].batch, self.gone[number].left
        pins = [
            (one.since, one.left)
            for at, one in enumerate(self.gone)
            if one.since < NEVER and one.batch == batch and at != number
        ]
        pins += [(other.event, NEVER) for other in self.claims if other != claim]
        return all(
            sum(since <= event < until for since, until in pins) < self.counts[event].get(batch, 0)
            for event in range(claim.event, left)
        )

    def _without_the_dead(self) -> Tale:
        """Drop the oldest claims if all that may have been witnesses had left before the next claim."""
        ends = [self._end(claim) for claim in self.claims]
        for count in range(len(ends), 0, -1):
            until = self.claims[count].event if count < len(ends) else NEVER - 1
            if max(ends[:count]) <= until:
                return self._replace(claims=self.claims[count:])
        return self

    def _end(self, claim: Claim) -> int:
        """Return the event by which no card is left that was there at a claim; NEVER if there may be one."""
        return max(
            next((event for event in range(claim.event, len(self.counts)) if not self.counts[event].get(batch)), NEVER)
            for batch in self.counts[claim.event]
        )

    def bounded(self) -> Tale:
        """Return a long tale as if everybody knew when each card came: what it tells then is a little more than can be known, and true."""
        if len(self.gone) <= MOST_GONE and len(self.claims) <= MOST_CLAIMS:
            return self
        claims = tuple(
            claim
            for claim in self.claims
            if not any(
                place.came <= claim.event < place.left and claim.fits & self.bits[place.card] for place in self.gone
            )
        )
        counts = (Counter(one.batch for one in self.held if one.came <= event) for event in range(len(self.counts)))
        return self._replace(claims=claims, gone=(), counts=tuple(counts))

    def _start(self) -> int:
        """Return the event before which nothing has to be retold: from then on cards were held that have to be witnesses."""
        start, before = self.claims[0].event, NEVER
        while start < before:
            before, start = start, min([start, *(place.since for place in self.gone if place.left > start)])
        return start

    def _shortened(self, has_past: bool) -> Tale:
        """Forget what was before the oldest claim."""
        if not self.claims:
            return Tale(self.bits)
        start = self._start() if has_past else self.claims[0].event
        return self._replace(
            claims=tuple(Claim(fits, event - start) for fits, event in self.claims),
            gone=tuple(place.after(start) for place in self.gone if place.left > start),
            held=tuple(place.after(start) for place in self.held),
            counts=self.counts[start:],
        )
