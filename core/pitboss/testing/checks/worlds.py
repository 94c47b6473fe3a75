"""Worlds: they have the cards that a seat knows, vary in the others, and have random streams of their own."""

from __future__ import annotations

from typing import Final, TypeAlias

from pitboss.game import AnyState
from pitboss.simulation.random_play import choose_from, play_decisions, play_on
from pitboss.table.randomness import Random
from pitboss.table.table import Table
from pitboss.table.zones import EMPTY
from pitboss.testing.framework.call_count import count_calls
from pitboss.testing.framework.check import CheckFailed, NotApplicable, check
from pitboss.testing.framework.decision_point import DecisionPoint
from pitboss.testing.framework.expectations import expect_cards_conserved, expect_unchanged
from pitboss.testing.framework.snapshot import describe_difference, take_public_snapshot, take_snapshot

Places: TypeAlias = list[tuple[int, int]]  # zone and index there
Cards: TypeAlias = tuple[int, ...]

COMPARED_WORLDS: Final = 24  # compared with one another
SAMPLED_WORLDS: Final = 96  # for the test of fairness
MIN_HIDDEN: Final = 6  # hidden cards; from that number on nearly all worlds must differ
MIN_SHUFFLED: Final = 5  # cards of a shuffle that is not the same twice by accident: 1 in 120
FUTURES: Final = 6  # worlds that are played on: enough that they do not agree by accident
WORLD_DECISIONS: Final = 150  # decisions that a world is played on
COUNTED_WORLDS: Final = 3
MAX_CALLS: Final = 200_000  # function calls: about 20 ms


@check("point")
def worlds_keep_what_is_known(point: DecisionPoint) -> None:
    """Every card that a seat knows lies in its place in every world of that seat."""
    table = point.state.table
    for seat, world in point.worlds:
        for zone, real, imagined in zip(table.layout.zones, table.zones, world.table.zones, strict=True):
            if len(real) != len(imagined):
                raise CheckFailed(f"{zone.name} holds {len(real)} cards; in a world of seat {seat} {len(imagined)}")
            for place, (card, other) in enumerate(zip(real, imagined, strict=True)):
                if card != other and (card == EMPTY or other == EMPTY or table.known_by[card] >> seat & 1):
                    raise CheckFailed(
                        f"{_describe_card(table, card)} lies at {place} in {zone.name}, and seat {seat} knows it; "
                        f"in its world {_describe_card(table, other)}"
                    )


@check("point")
def worlds_keep_who_knows(point: DecisionPoint) -> None:
    """The seats that know the card in a place are the same in every world: knowledge belongs to places, not cards."""
    table = point.state.table
    for seat, world in point.worlds:
        for zone, real, imagined in zip(table.layout.zones, table.zones, world.table.zones, strict=True):
            for place, (card, other) in enumerate(zip(real, imagined, strict=False)):
                if card != EMPTY and other != EMPTY and table.known_by[card] != world.table.known_by[other]:
                    raise CheckFailed(
                        f"the card at {place} in {zone.name} is known to mask {table.known_by[card]:b}; "
                        f"in a world of seat {seat} to mask {world.table.known_by[other]:b}"
                    )


@check("point")
def worlds_conserve_cards(point: DecisionPoint) -> None:
    """In every world every card of the deck lies in exactly one place."""
    for _, world in point.worlds:
        expect_cards_conserved(world)


@check("point")
def worlds_differ(point: DecisionPoint) -> None:
    """Where cards of three faces or more are hidden from the seat on turn and exchangeable, its worlds differ."""
    groups = _sample_hidden_cards(point, "differ", COMPARED_WORLDS)
    for places, deals in groups:
        if len(set(deals)) == 1:
            raise CheckFailed(
                f"the seat cannot place {len(places)} cards; in {COMPARED_WORLDS} worlds they always lie the same"
            )
    if not groups:
        raise NotApplicable("no cards were hidden and exchangeable")


@check("point")
def worlds_are_dealt_fairly(point: DecisionPoint) -> None:
    """Over many worlds hidden cards are dealt in many ways; every place gets several cards, mostly not the true one."""
    groups = _sample_hidden_cards(point, "fair", SAMPLED_WORLDS, MIN_HIDDEN)
    for places, deals in groups:
        _expect_fair_deal(point, places, deals)
    if not groups:
        raise NotApplicable(f"never were {MIN_HIDDEN} cards hidden and exchangeable")


@check("point")
def worlds_follow_their_stream(point: DecisionPoint) -> None:
    """The same random stream gives the same world."""
    for seat in point.setup.observers:
        one, other = (point.state.imagine(seat, point.random_stream("stream")) for _ in range(2))
        changed = describe_difference(take_snapshot(one), take_snapshot(other))
        if changed:
            raise CheckFailed(f"imagined twice with the same stream, the worlds of seat {seat} differ in {changed}")


@check("point")
def worlds_go_their_own_way(point: DecisionPoint) -> None:
    """Playing on in a world leaves the original as it is, its random stream and its log too."""
    for seat, world in point.sample_worlds("independent", 1):
        with expect_unchanged(point.state, f"playing on in a world of seat {seat} changed"):
            play_on(world, choose_from(point.random_stream(f"play/{seat}")), 60)


@check("point")
def original_leaves_worlds_alone(point: DecisionPoint) -> None:
    """Playing on with the original leaves a world as it is."""
    for seat in point.setup.observers:
        original = point.state.copy()
        world = original.imagine(seat, point.random_stream("apart"))
        with expect_unchanged(world, f"playing on with the original changed a world of seat {seat}:"):
            play_on(original, choose_from(point.random_stream(f"apart/{seat}")), 60)


@check("point")
def worlds_are_quick(point: DecisionPoint) -> None:
    """To sample a world takes at most two hundred thousand function calls: a search samples hundreds a decision.

    Calls are counted, not seconds: the count is the same on a slow machine.
    """
    for seat in point.setup.observers:
        with count_calls() as calls:
            for number in range(COUNTED_WORLDS):
                point.state.imagine(seat, point.random_stream(f"quick/{seat}/{number}"))
        if calls.count > MAX_CALLS * COUNTED_WORLDS:
            raise CheckFailed(
                f"{COUNTED_WORLDS} worlds of seat {seat} took {calls.count} function calls; "
                f"at most {MAX_CALLS} for each were expected"
            )


@check("point")
def worlds_can_be_played(point: DecisionPoint) -> None:
    """Every world can be played on, shown to every seat, copied, and sampled from again."""
    for seat, world in point.sample_worlds("play", 1):
        take_public_snapshot(world)
        world.copy()
        for other in point.setup.observers:
            again = world.imagine(other, point.random_stream(f"again/{seat}/{other}"))
            expect_cards_conserved(again)
        play_on(again, choose_from(point.random_stream(f"again/{seat}")), 40)
        play_on(world, choose_from(point.random_stream(f"play/{seat}")), WORLD_DECISIONS)
        expect_cards_conserved(world)
        take_public_snapshot(world)


@check("point")
def worlds_come_to_an_end(point: DecisionPoint) -> None:
    """A world can be played to the end of the game."""
    if point.number not in (0, len(point.played_game) // 2):
        raise NotApplicable("tested at other decisions")
    seat = point.number % point.setup.seats
    world = point.state.imagine(seat, point.random_stream("end"))
    play_on(world, choose_from(point.random_stream("end/play")), point.setup.max_decisions)
    if world.turn is not None:
        raise CheckFailed(f"a world of seat {seat} is not over after {point.setup.max_decisions} decisions")
    world.outcome()


@check("point")
def worlds_have_their_own_future(point: DecisionPoint) -> None:
    """The stream given to `imagine` is the world's future: later shuffles differ among worlds and from the real one."""
    seat = point.number % len(point.setup.observers)
    orders = [
        _play_to_next_shuffle(world, point.random_stream("future"))
        for world in point.sample_worlds_of(seat, "future", FUTURES)
    ]
    real = _play_to_next_shuffle(point.state.copy(), point.random_stream("future"))
    if real is not None and 2 * orders.count(real) > FUTURES:
        raise CheckFailed(f"the next shuffle in most worlds of seat {seat} is the real one to come: {real!r}, by rank")
    if None not in orders and len(set(orders)) == 1:
        raise CheckFailed(
            f"{FUTURES} worlds of seat {seat}, from different streams, are shuffled alike: {orders[0]!r}, by rank"
        )
    if all(order is None for order in orders):
        raise NotApplicable("nothing was shuffled afterwards")


def _sample_hidden_cards(
    point: DecisionPoint, name: str, count: int, least: int = 0
) -> list[tuple[Places, list[Cards]]]:
    """Return the places of cards hidden from the acting seat, by shuffle group, and the cards there in `count` worlds.

    Groups of fewer than `least` cards or three faces are left out. Empty if the game has stated constraints or cards
    were mixed privately: the cards of a group may then not be exchangeable.
    """
    table = point.state.table
    if point.turn is None or table.constraints or table.card_domains or not table.has_only_public_groups:
        return []
    bit = 1 << point.turn.seat
    groups: dict[int, Places] = {}
    for index, cards in enumerate(table.zones):
        for place, card in enumerate(cards):
            if card != EMPTY and not table.known_by[card] & bit:
                groups.setdefault(table.shuffle_group_of[card], []).append((index, place))
    faces = table.layout.deck.faces
    chosen = [
        places
        for places in groups.values()
        if len(places) >= least and len({faces[card] for card in _cards_at(table, places)}) > 2
    ]
    worlds = list(point.sample_worlds_of(point.turn.seat, name, count)) if chosen else []
    return [(places, [_cards_at(world.table, places) for world in worlds]) for places in chosen]


def _cards_at(table: Table, places: Places) -> Cards:
    return tuple(table.zones[index][place] for index, place in places)


def _expect_fair_deal(point: DecisionPoint, places: Places, samples: list[Cards]) -> None:
    """Fail if sampled worlds are mere rotations of the real deal, or the real deal with a few cards exchanged.

    The limits are far from a fair deal's: six hidden cards give about 90 different deals in 96 worlds.
    """
    table = point.state.table
    truth = _cards_at(table, places)
    met = [set(cards) for cards in zip(*samples, strict=True)]
    count, deals = len(places), len(set(samples))
    if deals < SAMPLED_WORLDS // 3:
        raise CheckFailed(
            f"the seat cannot place {count} cards, and {SAMPLED_WORLDS} worlds hold only {deals} different deals"
        )
    true = sum(card == other for world in samples for card, other in zip(world, truth, strict=True)) / SAMPLED_WORLDS
    if 2 * true > count:
        raise CheckFailed(f"over {SAMPLED_WORLDS} worlds, of the {count} hidden cards {true:.1f} lay as in truth")
    fixed = [card for card, cards in zip(truth, met, strict=True) if len(cards) < MIN_HIDDEN // 2]
    if fixed:
        raise CheckFailed(
            f"over {SAMPLED_WORLDS} worlds, in the place of {_describe_card(table, fixed[0])} "
            f"lay one or two cards only, though it is hidden"
        )


def _play_to_next_shuffle(state: AnyState, rng: Random) -> Cards | None:
    """Play on to the next shuffle; return its order as the ranks of its cards, None if nothing was shuffled."""
    state.table.log, state.table.chance_events = None, []
    for _ in play_decisions(state, choose_from(rng), WORLD_DECISIONS):
        if _find_shuffle(state.table):
            break
    order = _find_shuffle(state.table)
    if order is None:
        return None
    ranks = {card: rank for rank, card in enumerate(sorted(order))}
    return tuple(ranks[card] for card in order)


def _find_shuffle(table: Table) -> Cards | None:
    return next((one for one in table.chance_events or () if isinstance(one, tuple) and len(one) >= MIN_SHUFFLED), None)


def _describe_card(table: Table, card: int) -> object:
    return repr(table.layout.deck.faces[card]) if card != EMPTY else "no card"
