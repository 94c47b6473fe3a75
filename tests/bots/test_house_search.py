"""What `house:search` finds: positions of which the rules say what is best, and the pieces that it is made of."""

from __future__ import annotations

from collections import Counter
from math import log, sqrt
from random import Random as Quick
from typing import Final

import msgspec
import pytest

from pitboss import AnyState, Outcome, PositionError, Random, Sides, solo_sides
from pitboss.game import resolve_options
from pitboss.options import convert_value
from pitboss.plugins.registry import Registry
from pitboss.testing.framework.expectations import require_positions
from pitboss.testing.framework.snapshot import write_position
from pitboss_house_bots.evaluation import GainEvaluator, GainScale, leads_over_others, shares_beaten
from pitboss_house_bots.playout import SimulationRandom
from pitboss_house_bots.search import Advice, advise
from pitboss_house_bots.tree import Edge, Node, best_edge

pytestmark = pytest.mark.once

GAMES: Final = Registry().games
WORLDS: Final = 300
PAIRS: Final = ((0, 2), (1, 3))


def set_up_state(name: str, written: dict[str, object], seats: int = 2, **given: object) -> AnyState:
    """Return a game in the middle."""
    game = require_positions(GAMES[name])
    position = convert_value(written, game.Position, "position", PositionError)
    return game.setup(seats, resolve_options(game, seats, overrides=given), position, Random("laid"))


def search_position(state: AnyState, worlds: int = WORLDS, seed: str = "s") -> Advice:
    """Return what a search of so many worlds finds."""
    assert state.turn is not None
    return advise(state, state.turn.seat, 60.0, Random(seed), sides_of(state), worlds=worlds)


def sides_of(state: AnyState) -> Sides:
    """Return the sides of a state without partners."""
    return solo_sides(state.table.layout.seats)


def deal_state(name: str, seats: int, preset: str | None = None) -> AnyState:
    """Return a game as it begins."""
    game = GAMES[name]
    return game.deal(seats, resolve_options(game, seats, preset), Random("a"))


# Rack-O: slot 25 alone is wrong; what lies between 14 and 28 would do. The round ends with it, and is won.
RACKS: Final = [[1, 5, 9, 14, 39, 28, 31, 36, 37, 40], [8, 3, 12, 2, 30, 19, 27, 33, 35, 38]]
# Rummy: all but one card of the hand, or all of it, is a meld. The deal ends with it, and pays.
MELD: Final = {
    "hands": [["S5", "S6", "S7"], ["HK", "D4"]],
    "phase": "play",
    "drawn": "S7",
    "discard": ["D3"],
    "turn": 0,
}
TAKE: Final = {"hands": [["S5", "S6"], ["HK", "D4"]], "discard": ["D3", "S7"], "turn": 0}


@pytest.mark.parametrize(
    ("name", "position", "best"),
    [
        ("racko", {"racks": RACKS, "discard": [16, 23], "stock": [6, 7, 10], "turn": 0}, {"do": "take", "slot": 25}),
        (
            "racko",
            {"racks": RACKS, "discard": [16], "stock": [6, 7, 10], "turn": 0, "phase": "place", "drawn": 23},
            {"do": "swap", "slot": 25},
        ),
        (
            "racko",
            {"racks": RACKS, "discard": [16, 10], "stock": [23, 7, 6], "stock_public": True, "turn": 0},
            {"do": "draw"},  # the stock was turned over, so that the seat knows what is on top of it
        ),
        ("rummy", MELD, {"do": "meld", "cards": ["S5", "S6", "S7"]}),
        ("rummy", TAKE, {"do": "take"}),
    ],
)
def test_one_step_from_going_out(name: str, position: dict[str, object], best: object) -> None:
    """The search finds the one action that wins the round, or leads to winning it."""
    assert msgspec.json.decode(msgspec.json.encode(search_position(set_up_state(name, position)).best.action)) == best


def test_the_same_seed() -> None:
    """The same seed, state and number of worlds give the same advice, whatever the clock says."""
    first, second = (search_position(deal_state("ragamaru", 3), 60) for _ in range(2))

    assert first == second
    assert first.worlds == 60


def test_the_state_stays_as_it_is() -> None:
    """A search leaves the state as it is."""
    state = deal_state("rummy", 3)
    before = write_position(state)

    search_position(state, 40)

    assert write_position(state) == before


def test_nothing_hidden_is_used() -> None:
    """Two tables that the seat cannot tell apart get the same advice: what is really in the other hands makes no
    difference.
    """
    state = deal_state("rummy", 2)
    assert state.turn is not None
    other = state.imagine(state.turn.seat, Random("other"))
    assert write_position(other) != write_position(state)

    counts = [sum(one.visits for one in search_position(one, 50).ranked) for one in (state, other)]

    assert counts == [50, 50]


def test_one_legal_action() -> None:
    """Where there is nothing to choose no time is spent."""
    state = deal_state("lucky-maker", 3)
    while state.turn is not None and len(state.legal()) > 1:
        state.play(state.legal()[0])

    advice = search_position(state)

    assert (advice.worlds, advice.best.index, advice.note) == (0, 0, "nothing to choose")


def test_a_search_without_time() -> None:
    """Without time for a single world the first action is as good as any, and the note says so."""
    state = deal_state("racko", 2)
    assert state.turn is not None

    advice = advise(state, state.turn.seat, 0.0, Random("s"), sides_of(state))

    assert (advice.worlds, advice.best.index, advice.note) == (0, 0, "no time to look ahead")


def test_the_clock_is_kept() -> None:
    """The search stops before its time is over, judged by what one world has taken on average."""
    state, ticks = deal_state("racko", 2), iter(range(10_000))
    assert state.turn is not None

    advice = advise(state, state.turn.seat, 20.5, Random("s"), sides_of(state), clock=lambda: float(next(ticks)))

    assert advice.worlds == 20  # each look at the clock is a second later


def test_a_new_deal() -> None:
    """A future notices when the whole deck is shuffled, and not when a part of it is."""
    future = SimulationRandom(Quick(1), 5)

    future.spawn("round-2").shuffle([1, 2, 3])
    before = future.is_redealt
    future.spawn("round-3").copy().shuffle([1, 2, 3, 4, 5])

    assert (before, future.is_redealt) == (False, True)


def test_every_order_is_equally_likely() -> None:
    """A simulated shuffle gives each order of three cards about as often."""
    future, counts = SimulationRandom(Quick(1), 60), Counter[tuple[int, ...]]()
    for _ in range(6000):
        cards = [4, 5, 6]
        future.shuffle(cards)
        counts[tuple(cards)] += 1

    assert len(counts) == 6
    assert all(abs(count - 1000) < 130 for count in counts.values())  # 4.5 standard deviations


@pytest.mark.parametrize(
    ("places", "points", "sides", "beaten"),
    [
        ((1, 2), (9.0, 3.0), ((0,), (1,)), [1.0, 0.0]),
        ((1, 1), (9.0, 9.0), ((0,), (1,)), [0.5, 0.5]),
        ((1, 2, 2, 4), (9.0, 3.0, 3.0, 0.0), ((0,), (1,), (2,), (3,)), [1.0, 0.5, 0.5, 0.0]),
        ((2, 1, 2, 1), (3.0, 9.0, 3.0, 9.0), PAIRS, [0.0, 1.0, 0.0, 1.0]),
    ],
)
def test_utility_of_places(
    places: tuple[int, ...], points: tuple[float, ...], sides: tuple[tuple[int, ...], ...], beaten: list[float]
) -> None:
    """A place is worth the share of the other sides that it is before, ties half; partners share it."""
    assert shares_beaten(Outcome(points, places, sides)) == beaten


def test_points_of_sides() -> None:
    """The lead of a side is its points less the mean of the other sides' points."""
    assert leads_over_others([10, 4, 10, 4], PAIRS) == [6, -6, 6, -6]
    assert leads_over_others([9, 3, 0], ((0,), (1,), (2,))) == [7.5, -1.5, -6.0]


def test_worth_of_points_and_places() -> None:
    """Points are worth more the more they are, within 0 and 1; at the end the place counts as much."""
    scale = GainScale([[-10.0, 10.0], [10.0, -10.0]])
    won = Outcome((1.0, 0.0), (1, 2), ((0,), (1,)))

    ahead, far = scale.values([5.0, -5.0], None), scale.values([500.0, -500.0], None)
    ended = scale.values([0.0, 0.0], won)

    assert ahead is not None
    assert 0.5 < ahead[0] < 1.0 < 1.5 - ahead[1]
    assert (far, ended) == ([1.0, 0.0], [0.75, 0.25])
    assert scale.values(None, won) == [1.0, 0.0]


def test_partners_want_the_same() -> None:
    """In a game of partners a seat's prospects are its side's."""
    state = deal_state("racko", 4, "partners")
    ahead = GainEvaluator(state, PAIRS).leads(state)

    assert (ahead[0], ahead[1]) == (ahead[2], ahead[3])


def test_availability() -> None:
    """An action that could seldom be taken is not tried the more for it."""
    node = Node()
    for actions in ((b"a", b"b"), (b"a",), (b"a",)):
        node.enter(actions)
    always, seldom = node.edges[b"a"], node.edges[b"b"]
    for edge in (always, seldom):
        edge.visits, edge.total_value = 1, 0.5

    assert (always.available, seldom.available) == (3, 1)
    assert best_edge([Edge(), seldom, always], 1.0) == 2
    seldom.total_value = 0.5 + sqrt(log(3)) + 0.01
    assert best_edge([Edge(), seldom, always], 1.0) == 1
