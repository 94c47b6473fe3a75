"""Worlds by brute force: a naive table without masks and shuffle groups.

A script of steps is played on a real table, and then in every way that chance and hidden choices allow. The ways in
which a seat sees, step by step, what it really saw are its worlds; the probability of a world is the share of the ways
that lead to it.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final, NamedTuple, TypeAlias, TypeVar

from pitboss import Deck, Layout, Random, Table, Visibility, Zone
from pitboss.determinization.sampling import sample_world
from pitboss.table.zones import EMPTY, ZoneKind

CardPositions: TypeAlias = tuple[
    tuple[int, ...], ...
]  # the cards of all zones; hands in ascending order, as they have none


ConstraintPredicate: TypeAlias = Callable[[Iterable[int | None]], bool]
World = TypeVar("World")


class ScriptStep(NamedTuple):
    """One step of a script. `place` is a place in a hand or a slot; `holds` and `among` are constraints on a zone."""

    verb: str
    source: int
    target: int = 0
    place: int = 0
    holds: ConstraintPredicate = bool
    among: frozenset[int] = frozenset()

    def is_true(self, cards: Iterable[int]) -> bool:
        """Tell whether what is stated is true of the cards of the zone."""
        return (
            self.holds(cards)
            if self.verb == "constrain"
            else self.among.issuperset(card for card in cards if card != EMPTY)
        )


class SmallLayout:
    """A stock, a face-down and a face-up pile, one whose top alone is seen, two slots for each seat, and hands."""

    def __init__(self, cards: int, seats: int, copies: int = 1) -> None:
        self.layout = Layout(Deck(card // copies for card in range(cards)), seats)
        self.stock = self.layout.add_pile("stock", Visibility.NOBODY)
        self.dark = self.layout.add_pile("dark", Visibility.NOBODY)
        self.light = self.layout.add_pile("light", Visibility.EVERYBODY)
        self.well = self.layout.add_pile("well", Visibility.TOP)
        self.hands = self.layout.add_hands()
        self.racks = self.layout.add_racks("rack", (5, 10))


def run_script(tiny: SmallLayout, script: Sequence[ScriptStep], seed: str, seat: int | None = None) -> Table:
    """Play a script on a real table, a seat imagining a world after every step."""
    table = Table(tiny.layout, Random(seed), tiny.stock)
    for step in script:
        apply_step(table, step)
        if seat is not None:
            sample_world(table, seat, Random("meanwhile"))
    return table


def apply_step(table: Table, step: ScriptStep) -> None:
    """Do one step on a table."""
    zones = table.layout.zones
    source, target = zones[step.source], zones[step.target]
    match step.verb:
        case "shuffle":
            table.shuffle(source)
        case "draw":
            table.draw(source, target)
        case "pass":
            table.move(table.zones[source][step.place], source, target)
        case "turn_over":
            table.turn_over(source, target)
        case "reveal":
            table.reveal(source)
        case "deal":
            table.deal(source, [target], 1, [step.place])
        case "gather":
            table.collect(source)
            table.shuffle(source)
        case "constrain":
            table.constrain(step.holds, table.zones[source])
        case "restrict":
            table.restrict(table.zones[source], step.among)


def is_possible(table: Table, step: ScriptStep) -> bool:
    """Return whether a step is possible: the source holds a card, the slot is free, the constraint is true."""
    cards = table.zones[step.source]
    match step.verb:
        case "draw":
            return bool(cards) and step.source != step.target
        case "pass":
            return step.place < len(cards) and step.source != step.target
        case "deal":
            return bool(cards) and table.zones[step.target][step.place] < 0
        case "turn_over":
            return bool(cards) and step.source != step.target
        case "constrain" | "restrict":
            return step.is_true(cards)
    return True


def card_positions(table: Table) -> CardPositions:
    """Return how the cards lie on a table."""
    return _normalize(table.layout, table.zones)


def enumerate_worlds(table: Table, script: Sequence[ScriptStep], seat: int) -> Counter[CardPositions]:
    """Return all worlds of a seat after a script, each with the number of ways that lead to it."""
    ways = initial_worlds(table.layout)
    for step, true_one in zip(script, _true_positions(table, script), strict=True):
        ways = filter_worlds(table.layout, ways, step, true_one, seat)
    return ways


def initial_worlds(layout: Layout) -> Counter[CardPositions]:
    """Return the one way in which the cards lie before anything was done: the deck in order in the first zone."""
    return Counter(
        [_normalize(layout, [range(len(layout.deck)), *([-1] * len(zone.labels) for zone in layout.zones[1:])])]
    )


def filter_worlds(
    layout: Layout, ways: Counter[CardPositions], step: ScriptStep, true_one: CardPositions, seat: int
) -> Counter[CardPositions]:
    """Return the worlds after a step that really led to `true_one`: those that look the same to the seat."""
    seen = _observe(layout, true_one, step, seat)
    following: Counter[CardPositions] = Counter()
    for lying, count in ways.items():
        for outcome in _successors(layout, lying, step):
            if _observe(layout, outcome, step, seat) == seen:
                following[outcome] += count
    return following


def _true_positions(table: Table, script: Sequence[ScriptStep]) -> Iterator[CardPositions]:
    """Yield how the cards really lay after each step."""
    twin = Table(table.layout, Random(table.rng.seed), table.layout.zones[0])
    for step in script:
        apply_step(twin, step)
        yield card_positions(twin)


def _successors(layout: Layout, lying: CardPositions, step: ScriptStep) -> Iterator[CardPositions]:
    """Yield how the cards may lie after a step, once for every outcome of chance or choice."""
    zones = [list(zone) for zone in lying]
    source, target = zones[step.source], zones[step.target]
    match step.verb:
        case "shuffle":
            for order in itertools.permutations(source):
                zones[step.source] = list(order)
                yield _normalize(layout, zones)
            return
        case "gather":
            for lying in initial_worlds(layout):
                yield from _successors(layout, lying, ScriptStep("shuffle", step.source))
            return
        case "pass" | "draw" if layout.zones[step.source].kind is ZoneKind.HAND:
            for card in source:
                yield _move_card(layout, lying, step, card)
            return
        case "draw":
            yield _move_card(layout, lying, step, source[-1])
            return
        case "deal":
            target[step.place] = source.pop()
        case "turn_over":
            target.extend(source[::-1])
            source.clear()
        case "constrain" | "restrict" if not step.is_true(source):
            return
    yield _normalize(layout, zones)


def _move_card(layout: Layout, lying: CardPositions, step: ScriptStep, card: int) -> CardPositions:
    zones = [list(zone) for zone in lying]
    zones[step.source].remove(card)
    zones[step.target].append(card)
    return _normalize(layout, zones)


def _observe(layout: Layout, lying: CardPositions, step: ScriptStep, seat: int) -> list[object]:
    """Return what a seat sees after a step: the faces in zones that it may look into, the number of cards in others."""
    return [
        cards
        if sees_all(zone, seat) or (step.verb == "reveal" and step.source == zone)
        else (len(cards) - cards.count(-1), cards[-1:] if zone.visibility is Visibility.TOP else ())
        for zone, cards in zip(layout.zones, lying, strict=True)
    ]


def sees_all(zone: Zone, seat: int) -> bool:
    """Tell whether a seat may look at every card of a zone."""
    return zone.visibility is Visibility.EVERYBODY or (zone.visibility is Visibility.OWNER and zone.owner == seat)


def _normalize(layout: Layout, zones: Sequence[Iterable[int]]) -> CardPositions:
    return tuple(
        tuple(sorted(cards)) if zone.kind is ZoneKind.HAND else tuple(cards)
        for zone, cards in zip(layout.zones, zones, strict=True)
    )


def card_constraint(card: int, is_there: bool) -> ConstraintPredicate:
    """Return a constraint: a card is, or is not, among the cards."""

    def holds(cards: Iterable[int | None]) -> bool:
        found = list(cards)
        return None not in found and (card in found) == is_there

    return holds


# ---- comparing


def chi_square_excess(drawn: Counter[World], expected: Counter[World]) -> float:
    """Return how far the draws are from the expected shares: chi-square, as standard deviations above what is usual."""
    draws, ways, free = drawn.total(), expected.total(), len(expected) - 1
    square = sum(
        (drawn[world] - draws * count / ways) ** 2 / (draws * count / ways) for world, count in expected.items()
    )
    return (square - free) / (2 * free) ** 0.5 if free else 0.0


MAX_CHI_SQUARE_EXCESS: Final = 6.0  # standard deviations: with a fixed seed it can only fail for a reason
