"""Random play on a small table against two naive models: what each seat saw, and all worlds that fit it."""

from __future__ import annotations

from itertools import chain

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

from pitboss import Random, Table, Visibility
from pitboss.determinization.sampling import sample_world
from pitboss.table.zones import ZoneKind
from tests.core.brute_force_worlds import (
    ScriptStep,
    SmallLayout,
    apply_step,
    card_constraint,
    card_positions,
    filter_worlds,
    initial_worlds,
    is_possible,
    sees_all,
)

pytestmark = pytest.mark.once

CARDS, SEATS = 4, 2
LAYOUT = SmallLayout(CARDS, SEATS)
PILES = st.sampled_from([LAYOUT.stock, LAYOUT.dark, LAYOUT.light, LAYOUT.well])
HANDS = st.sampled_from(LAYOUT.hands)
ANYWHERE = st.one_of(PILES, HANDS)


class TableMachine(RuleBasedStateMachine):
    """A table, and what each of two players and a spectator remembers and cannot exclude."""

    def __init__(self) -> None:
        super().__init__()
        self.table = Table(LAYOUT.layout, Random("machine"), LAYOUT.stock)
        self.ways = [initial_worlds(LAYOUT.layout)] * (SEATS + 1)
        self.remembered = [set(range(CARDS)) for _ in self.ways]
        self.apply_step(ScriptStep("shuffle", LAYOUT.stock))

    def apply_step(self, step: ScriptStep) -> None:
        """Do a step, if it is possible, on the table and on both models."""
        if not is_possible(self.table, step):
            return
        self._forget(step)
        apply_step(self.table, step)
        for seat, ways in enumerate(self.ways):
            self.ways[seat] = filter_worlds(LAYOUT.layout, ways, step, card_positions(self.table), seat)
            self._observe(seat, step)

    def _forget(self, step: ScriptStep) -> None:
        """Lose sight of what is shuffled, and of all that a hand held when a card of it went who knows where."""
        zones = LAYOUT.layout.zones
        source, target = zones[step.source], zones[step.target]
        held = set(self.table.zones[source])
        leaves_hand = step.verb in ("draw", "pass") and source.kind is ZoneKind.HAND and len(held) > 1
        for seat, cards in enumerate(self.remembered):
            sees_which = sees_all(source, seat) or sees_all(target, seat) or target.visibility is Visibility.TOP
            if step.verb == "gather":
                cards.clear()
            elif step.verb == "shuffle" or (leaves_hand and not sees_which):
                cards -= held

    def _observe(self, seat: int, step: ScriptStep) -> None:
        for zone, cards in zip(LAYOUT.layout.zones, self.table.zones, strict=True):
            shown = step.verb == "reveal" and step.source == zone
            lying = cards if shown or sees_all(zone, seat) else cards[-1:] if zone.visibility is Visibility.TOP else []
            self.remembered[seat] |= set(lying) - {-1}

    @rule(source=st.one_of(st.just(LAYOUT.stock), ANYWHERE), onto=ANYWHERE)
    def draw(self, source: int, onto: int) -> None:
        """Draw the top card of a pile, or of a hand."""
        self.apply_step(ScriptStep("draw", source, onto))

    @rule(source=HANDS, onto=ANYWHERE, place=st.integers(0, 2))
    def give(self, source: int, onto: int, place: int) -> None:
        """Let a player choose a card of a hand, to give or play it."""
        self.apply_step(ScriptStep("pass", source, onto, place))

    @rule(rack=st.sampled_from(LAYOUT.racks), slot=st.integers(0, 1))
    def fill(self, rack: int, slot: int) -> None:
        """Deal a card into a slot."""
        self.apply_step(ScriptStep("deal", LAYOUT.stock, rack, slot))

    @rule(source=PILES, onto=PILES)
    def turn_over(self, source: int, onto: int) -> None:
        """Turn a pile over."""
        self.apply_step(ScriptStep("turn_over", source, onto))

    @rule(zone=ANYWHERE)
    def shuffle(self, zone: int) -> None:
        """Shuffle a pile or a hand."""
        self.apply_step(ScriptStep("shuffle", zone))

    @rule(zone=st.one_of(HANDS, st.sampled_from(LAYOUT.racks)))
    def reveal(self, zone: int) -> None:
        """Show a hand or a rack."""
        self.apply_step(ScriptStep("reveal", zone))

    @rule(zone=ANYWHERE, card=st.integers(0, CARDS - 1), is_there=st.booleans())
    def tell(self, zone: int, card: int, is_there: bool) -> None:
        """Let the rules tell whether a card is in a zone."""
        self.apply_step(ScriptStep("constrain", zone, holds=card_constraint(card, is_there)))

    @rule(zone=ANYWHERE, among=st.frozensets(st.integers(0, CARDS - 1), min_size=2))
    def confine(self, zone: int, among: frozenset[int]) -> None:
        """Let the rules tell of each card in a zone that it is one of some."""
        self.apply_step(ScriptStep("confine", zone, among=among))

    @rule()
    def gather(self) -> None:
        """Collect and shuffle all cards."""
        self.apply_step(ScriptStep("gather", LAYOUT.stock))

    @invariant()
    def cards_are_conserved(self) -> None:
        """Every card lies in exactly one place."""
        assert sorted(card for card in chain(*self.table.zones) if card >= 0) == list(range(CARDS))

    @invariant()
    def known_is_what_was_seen(self) -> None:
        """Check that a seat knows the places of exactly the cards that it saw and did not lose sight of."""
        for seat, cards in enumerate(self.remembered):
            for zone in LAYOUT.layout.zones:
                assert self.table.faces_known_to(zone, seat) == [
                    card if card in cards else None for card in self.table.zones[zone]
                ]

    @invariant()
    def nobody_knows_what_might_be_otherwise(self) -> None:
        """Check that a card that a seat knows lies there in every world that it cannot exclude."""
        for seat, ways in enumerate(self.ways):
            for zone in LAYOUT.layout.zones:
                known = {card for card in self.table.zones[zone] if card >= 0 and self.table.known_by[card] >> seat & 1}
                assert all(known <= set(world[zone]) for world in ways)

    @invariant()
    def imagined_worlds_are_possible(self) -> None:
        """Check that what a seat imagines, and what it imagines there, is a world that it cannot exclude."""
        rng = Random("dream")
        for seat, ways in enumerate(self.ways):
            world = sample_world(self.table, seat, rng)
            assert card_positions(world) in ways
            assert card_positions(sample_world(world, seat, rng)) in ways


def test_any_play_of_a_small_table() -> None:
    """Any sequence of verbs keeps all promises of the machine."""
    run_state_machine_as_test(TableMachine, settings=settings(max_examples=60, stateful_step_count=20))
