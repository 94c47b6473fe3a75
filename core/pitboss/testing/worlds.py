"""Imagined worlds: different where a seat does not know, true where it does, and with a future of their own."""

# ruff: noqa: D401 - the docstring of a check is what a game promises

from __future__ import annotations

from typing import Final

from pitboss.game import AnyState
from pitboss.knowledge import is_plain
from pitboss.randomness import Random
from pitboss.table import Table
from pitboss.testing.examiner import Broken
from pitboss.testing.moment import Moment
from pitboss.testing.placing import expect_conserved
from pitboss.testing.standing import difference, shown, standing
from pitboss.zones import EMPTY

FEW: Final = 24  # worlds that are compared with one another
MANY: Final = 96  # and where it is seen whether they are fair
ENOUGH: Final = 6  # hidden cards from which on the worlds must be as good as all different
SHUFFLED: Final = 5  # cards of a shuffle that is not the same twice by accident: 1 in 120
FUTURES: Final = 6  # worlds that are played on for it: not all the same, nor most as the real one, by accident
AHEAD: Final = 150  # decisions that a world is played on


def worlds_keep_what_is_known(moment: Moment) -> None:
    """Every card that a seat knows lies in its place in every world of that seat."""
    table = moment.state.table
    for seat, world in moment.worlds:
        for zone, real, imagined in zip(table.layout.zones, table.zones, world.table.zones, strict=True):
            if len(real) != len(imagined):
                raise Broken(f"{zone.name} holds {len(real)} cards; in a world of seat {seat} {len(imagined)}")
            for place, (card, other) in enumerate(zip(real, imagined, strict=True)):
                if card != other and (card == EMPTY or other == EMPTY or table.known[card] >> seat & 1):
                    raise Broken(
                        f"{_face(table, card)} lies at {place} in {zone.name}, and seat {seat} knows it; in its world {_face(table, other)}"
                    )


def worlds_keep_who_knows(moment: Moment) -> None:
    """Who knows the card in a place is the same in every world: the others' knowledge does not follow the cards."""
    table = moment.state.table
    for seat, world in moment.worlds:
        for zone, real, imagined in zip(table.layout.zones, table.zones, world.table.zones, strict=True):
            for place, (card, other) in enumerate(zip(real, imagined, strict=False)):
                if card != EMPTY and other != EMPTY and table.known[card] != world.table.known[other]:
                    raise Broken(
                        f"the card at {place} in {zone.name} is known to mask {table.known[card]:b}; "
                        f"in a world of seat {seat} to mask {world.table.known[other]:b}"
                    )


def worlds_conserve_cards(moment: Moment) -> None:
    """In every world every card of the deck lies in exactly one place."""
    for _, world in moment.worlds:
        expect_conserved(world)


def worlds_differ(moment: Moment) -> str | None:
    """Where the seat on turn cannot place two cards or more, and no rule tells where they are, its worlds differ."""
    groups = _exchangeable(moment)
    worlds = _drawn(moment, "differ", FEW) if groups else []
    for places in groups:
        if len({tuple(_at(world.table, places)) for world in worlds}) == 1:
            raise Broken(f"the seat cannot place {len(places)} cards; in {FEW} worlds they always lie the same")
    return None if groups else "no cards were hidden and exchangeable"


def worlds_are_dealt_fairly(moment: Moment) -> str | None:
    """Over many worlds a hidden place gets many cards, not the true one most of the time, and the places do not move together."""
    groups = [places for places in _exchangeable(moment) if len(places) >= ENOUGH]
    worlds = _drawn(moment, "fair", MANY) if groups else []
    for places in groups:
        _expect_fair(moment, places, [tuple(_at(world.table, places)) for world in worlds])
    return None if groups else f"never were {ENOUGH} cards hidden and exchangeable"


def worlds_follow_their_stream(moment: Moment) -> None:
    """The same stream gives the same world."""
    for seat in moment.setting.everyone:
        one, other = (moment.state.imagine(seat, moment.random("stream")) for _ in range(2))
        changed = difference(standing(one), standing(other))
        if changed:
            raise Broken(f"imagined twice with the same stream, the worlds of seat {seat} differ in {changed}")


def worlds_go_their_own_way(moment: Moment) -> None:
    """Playing on in a world leaves the original as it is, its random stream and its log too."""
    before = standing(moment.state)
    for seat, world in moment.imagined("independent", 1):
        _play(world, moment.random(f"play/{seat}"), 60)
        changed = difference(before, standing(moment.state))
        if changed:
            raise Broken(f"playing on in a world of seat {seat} changed {changed}")


def original_leaves_worlds_alone(moment: Moment) -> None:
    """Playing on with the original leaves a world as it is."""
    for seat in moment.setting.everyone:
        original = moment.state.copy()
        world = original.imagine(seat, moment.random("apart"))
        before = standing(world)
        _play(original, moment.random(f"apart/{seat}"), 60)
        changed = difference(before, standing(world))
        if changed:
            raise Broken(f"playing on with the original changed a world of seat {seat}: {changed}")


def worlds_can_be_played(moment: Moment) -> None:
    """In every world the game can be played on, looked at by everybody, copied and imagined again."""
    for seat, world in moment.imagined("play", 1):
        shown(world)
        world.copy()
        for other in moment.setting.everyone:
            again = world.imagine(other, moment.random(f"again/{seat}/{other}"))
            expect_conserved(again)
        _play(again, moment.random(f"again/{seat}"), 40)
        _play(world, moment.random(f"play/{seat}"), AHEAD)
        expect_conserved(world)
        shown(world)


def worlds_come_to_an_end(moment: Moment) -> str | None:
    """A world can be played to the end of the game."""
    if moment.number not in (0, len(moment.course) // 2):
        return "looked at in other moments"
    seat = moment.number % moment.setting.seats
    world = moment.state.imagine(seat, moment.random("end"))
    _play(world, moment.random("end/play"), moment.setting.longest)
    if world.turn is not None:
        raise Broken(f"a world of seat {seat} is not over after {moment.setting.longest} decisions")
    world.outcome()
    return None


def worlds_have_their_own_future(moment: Moment) -> str | None:
    """The stream given to a world is its future: later shuffles differ between worlds, and are not the real ones to come."""
    seat = moment.number % len(moment.setting.everyone)
    orders = [_next_shuffle(world, moment.random("future")) for world in _drawn(moment, "future", FUTURES, seat)]
    real = _next_shuffle(moment.state.copy(), moment.random("future"))
    if real is not None and 2 * orders.count(real) > FUTURES:
        raise Broken(f"the next shuffle in most worlds of seat {seat} is the real one to come: {real!r}, by rank")
    if None not in orders and len(set(orders)) == 1:
        raise Broken(f"{FUTURES} worlds of seat {seat}, from different streams, are shuffled alike: {orders[0]!r}, by rank")
    return None if any(order is not None for order in orders) else "nothing was shuffled afterwards"


def _drawn(moment: Moment, name: str, count: int, of: int | None = None) -> list[AnyState]:
    """Return so many worlds of one seat, by default the one on turn."""
    seat = of if of is not None else moment.turn.seat if moment.turn else 0
    rng = moment.random(f"{name}/{seat}")
    return [moment.state.imagine(seat, rng.spawn(str(number))) for number in range(count)]


def _exchangeable(moment: Moment) -> list[list[tuple[int, int]]]:
    """Return the places of cards hidden from the seat on turn, a list for each batch whose cards may lie in any of its places.

    None if a rule may tell more: if the game has stated something. For the other seats it may state one with the phase, which nobody can see.
    """
    table = moment.state.table
    if moment.turn is None or table.constraints or table.confined or not is_plain(table.batches):
        return []
    bit = 1 << moment.turn.seat
    groups: dict[int, list[tuple[int, int]]] = {}
    for index, cards in enumerate(table.zones):
        for place, card in enumerate(cards):
            if card != EMPTY and not table.known[card] & bit:
                groups.setdefault(table.batch[card], []).append((index, place))
    return [places for places in groups.values() if len({_face(table, card) for card in _at(table, places)}) > 2]


def _at(table: Table, places: list[tuple[int, int]]) -> list[int]:
    return [table.zones[index][place] for index, place in places]


def _expect_fair(moment: Moment, places: list[tuple[int, int]], found: list[tuple[int, ...]]) -> None:
    """See that worlds are no mere rotations of the truth, nor the truth with a few cards exchanged.

    All limits are far from what a fair deal gives: with six hidden cards, which is the least, 96 worlds hold about 90 different deals.
    """
    table = moment.state.table
    truth = _at(table, places)
    met = [set(cards) for cards in zip(*found, strict=True)]
    if len(set(found)) < MANY // 3:
        raise Broken(f"the seat cannot place {len(places)} cards, and {MANY} worlds hold only {len(set(found))} different deals")
    true = sum(card == other for world in found for card, other in zip(world, truth, strict=True))
    if 2 * true > MANY * len(places):
        raise Broken(f"over {MANY} worlds, of the {len(places)} hidden cards {true / MANY:.1f} lay as in truth")
    fixed = [card for card, cards in zip(truth, met, strict=True) if len(cards) < ENOUGH // 2]
    if fixed:
        raise Broken(
            f"over {MANY} worlds, in the place of {_face(table, fixed[0])} lay one or two cards only, though it is hidden"
        )


def _play(state: AnyState, rng: Random, longest: int) -> None:
    for _ in range(longest):
        if state.turn is None:
            return
        state.play(rng.choice(state.legal()))


def _next_shuffle(state: AnyState, rng: Random) -> tuple[int, ...] | None:
    """Play on until something is shuffled, and return its order by rank: two streams give two."""
    state.table.log, state.table.chance = None, []
    for _ in range(AHEAD):
        for one in state.table.chance or ():
            if isinstance(one, tuple) and len(one) >= SHUFFLED:
                return _ranks(one)
        if state.turn is None:
            break
        state.play(rng.choice(state.legal()))
    return None


def _ranks(order: tuple[int, ...]) -> tuple[int, ...]:
    place = {card: rank for rank, card in enumerate(sorted(order))}
    return tuple(place[card] for card in order)


def _face(table: Table, card: int) -> object:
    return repr(table.layout.deck.faces[card]) if card != EMPTY else "no card"


OF_A_MOMENT: Final = (
    worlds_keep_what_is_known,
    worlds_keep_who_knows,
    worlds_conserve_cards,
    worlds_differ,
    worlds_are_dealt_fairly,
    worlds_follow_their_stream,
    worlds_go_their_own_way,
    original_leaves_worlds_alone,
    worlds_can_be_played,
    worlds_come_to_an_end,
    worlds_have_their_own_future,
)
