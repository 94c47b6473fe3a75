"""Random play on a small table, against two naive models: what each seat saw with its own eyes, and all worlds that it cannot tell apart."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import chain

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

from pitboss import Random, Sight, Table
from pitboss.zones import Kind

from .worlds import Step, TinyLayout, after, at_first, is_possible, lie, play, sees_all

pytestmark = pytest.mark.once

CARDS, SEATS = 4, 2
TINY = TinyLayout(CARDS, SEATS)
PILES = st.sampled_from([TINY.stock, TINY.dark, TINY.light, TINY.well])
HANDS = st.sampled_from(TINY.hands)
ANYWHERE = st.one_of(PILES, HANDS)
Holds = Callable[[Iterable[int | None]], bool]


def says(card: int, is_there: bool) -> Holds:
    """Return a constraint: a card is, or is not, among those of a zone."""

    def holds(cards: Iterable[int | None]) -> bool:
        found = list(cards)
        return None not in found and (card in found) == is_there

    return holds


class TableMachine(RuleBasedStateMachine):
    """A table, and what each of two players and a spectator remembers and cannot exclude."""

    def __init__(self) -> None:
        super().__init__()
        self.table = Table(TINY.layout, Random("machine"), TINY.stock)
        self.ways = [at_first(TINY.layout)] * (SEATS + 1)
        self.remembered = [set(range(CARDS)) for _ in self.ways]
        self.do(Step("shuffle", TINY.stock))

    def do(self, step: Step) -> None:
        """Do a step, if it is possible, on the table and on both models."""
        if not is_possible(self.table, step):
            return
        self._forget(step)
        play(self.table, step)
        for seat, ways in enumerate(self.ways):
            self.ways[seat] = after(TINY.layout, ways, step, lie(self.table), seat)
            self._look(seat, step)

    def _forget(self, step: Step) -> None:
        """Lose sight of what is shuffled, and of all that a hand held when a card of it went who knows where."""
        zones = TINY.layout.zones
        source, target = zones[step.source], zones[step.target]
        held = set(self.table.zones[source])
        leaves_hand = step.verb in ("draw", "pass") and source.kind is Kind.HAND and len(held) > 1
        for seat, cards in enumerate(self.remembered):
            sees_which = sees_all(source, seat) or sees_all(target, seat) or target.sight is Sight.TOP
            if step.verb == "gather":
                cards.clear()
            elif step.verb == "shuffle" or (leaves_hand and not sees_which):
                cards -= held

    def _look(self, seat: int, step: Step) -> None:
        for zone, cards in zip(TINY.layout.zones, self.table.zones, strict=True):
            shown = step.verb == "reveal" and step.source == zone
            lying = cards if shown or sees_all(zone, seat) else cards[-1:] if zone.sight is Sight.TOP else []
            self.remembered[seat] |= set(lying) - {-1}

    @rule(source=st.one_of(st.just(TINY.stock), ANYWHERE), onto=ANYWHERE)
    def draw(self, source: int, onto: int) -> None:
        """Draw the top card of a pile, or of a hand."""
        self.do(Step("draw", source, onto))

    @rule(source=HANDS, onto=ANYWHERE, place=st.integers(0, 2))
    def give(self, source: int, onto: int, place: int) -> None:
        """Let a player choose a card of a hand, to give or play it."""
        self.do(Step("pass", source, onto, place))

    @rule(rack=st.sampled_from(TINY.racks), slot=st.integers(0, 1))
    def fill(self, rack: int, slot: int) -> None:
        """Deal a card into a slot."""
        self.do(Step("deal", TINY.stock, rack, slot))

    @rule(source=PILES, onto=PILES)
    def turn_over(self, source: int, onto: int) -> None:
        """Turn a pile over."""
        self.do(Step("turn_over", source, onto))

    @rule(zone=ANYWHERE)
    def shuffle(self, zone: int) -> None:
        """Shuffle a pile or a hand."""
        self.do(Step("shuffle", zone))

    @rule(zone=st.one_of(HANDS, st.sampled_from(TINY.racks)))
    def reveal(self, zone: int) -> None:
        """Show a hand or a rack."""
        self.do(Step("reveal", zone))

    @rule(zone=ANYWHERE, card=st.integers(0, CARDS - 1), is_there=st.booleans())
    def tell(self, zone: int, card: int, is_there: bool) -> None:
        """Let the rules tell whether a card is in a zone."""
        self.do(Step("constrain", zone, holds=says(card, is_there)))

    @rule(zone=ANYWHERE, among=st.frozensets(st.integers(0, CARDS - 1), min_size=2))
    def confine(self, zone: int, among: frozenset[int]) -> None:
        """Let the rules tell of each card in a zone that it is one of some."""
        self.do(Step("confine", zone, among=among))

    @rule()
    def gather(self) -> None:
        """Collect and shuffle all cards."""
        self.do(Step("gather", TINY.stock))

    @invariant()
    def cards_are_conserved(self) -> None:
        """Every card lies in exactly one place."""
        assert sorted(card for card in chain(*self.table.zones) if card >= 0) == list(range(CARDS))

    @invariant()
    def known_is_what_was_seen(self) -> None:
        """Check that a seat knows the places of exactly the cards that it saw and did not lose sight of."""
        for seat, cards in enumerate(self.remembered):
            for zone in TINY.layout.zones:
                assert self.table.seen(zone, seat) == [card if card in cards else None for card in self.table.zones[zone]]

    @invariant()
    def nobody_knows_what_might_be_otherwise(self) -> None:
        """Check that a card that a seat knows lies there in every world that it cannot exclude."""
        for seat, ways in enumerate(self.ways):
            for zone in TINY.layout.zones:
                known = {card for card in self.table.zones[zone] if card >= 0 and self.table.known[card] >> seat & 1}
                assert all(known <= set(world[zone]) for world in ways)

    @invariant()
    def imagined_worlds_are_possible(self) -> None:
        """Check that what a seat imagines, and what it imagines there, is a world that it cannot exclude."""
        rng = Random("dream")
        for seat, ways in enumerate(self.ways):
            world = self.table.imagine(seat, rng)
            assert lie(world) in ways
            assert lie(world.imagine(seat, rng)) in ways


def test_any_play_of_a_small_table() -> None:
    """Any sequence of verbs keeps all promises of the machine."""
    run_state_machine_as_test(TableMachine, settings=settings(max_examples=60, stateful_step_count=20))
