"""Constraints: what the rules have told everybody stays true in every imagined world, and changes nothing else."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import partial
from typing import Final

import pytest

from pitboss import Deck, Layout, Random, Table, Visibility
from pitboss.determinization.sampling import sample_world
from pitboss.errors import TableError
from pitboss.table.constraints import Constraint
from pitboss.table.knowledge import PRUNE_LIMIT
from pitboss.table.zones import EMPTY
from tests.core.brute_force_worlds import (
    MAX_CHI_SQUARE_EXCESS,
    CardPositions,
    ScriptStep,
    SmallLayout,
    apply_step,
    card_constraint,
    card_positions,
    chi_square_excess,
    enumerate_worlds,
    is_possible,
    run_script,
)

LAYOUT: Final = SmallLayout(5, 2)
STOCK, DARK, LIGHT = LAYOUT.stock, LAYOUT.dark, LAYOUT.light
[ONE, TWO] = LAYOUT.hands
RACK: Final = LAYOUT.racks[0]


def is_rising(cards: Iterable[int | None]) -> bool:
    """Tell whether the cards go up, whatever those are that are not public."""
    found = list(cards)
    return all(low is not None and high is not None and low <= high for low, high in itertools.pairwise(found))


def constrain_steps(zone: int, holds_for: Sequence[int]) -> list[ScriptStep]:
    """Return steps that state for each card whether it is in a zone; untrue ones are left out of the script later."""
    return [
        ScriptStep("constrain", zone, holds=card_constraint(card, is_there))
        for card in holds_for
        for is_there in (True, False)
    ]


def restrict_steps(zone: int) -> list[ScriptStep]:
    """Return steps that restrict the cards of a zone to some; untrue ones are left out of the script later."""
    return [ScriptStep("restrict", zone, among=frozenset(range(5)) - {card}) for card in range(5)]


def make_script(*steps: ScriptStep) -> list[ScriptStep]:
    """Return a script, without the steps that are impossible and the constraints that are not true."""
    script: list[ScriptStep] = []
    table = run_script(LAYOUT, script, "deal")
    for step in steps:
        if is_possible(table, step):
            apply_step(table, step)
            script.append(step)
    return script


DEALT: Final = [ScriptStep("shuffle", STOCK), *[ScriptStep("draw", STOCK, ONE), ScriptStep("draw", STOCK, TWO)] * 2]
SCRIPTS: Final = {
    "of a hand": [*DEALT, *constrain_steps(ONE, [0])],
    "of two hands": [*DEALT, *constrain_steps(ONE, [0, 1]), *constrain_steps(TWO, [2])],
    "then a card is drawn to the hand and one is played from it": [
        *DEALT,
        *constrain_steps(ONE, [0, 3]),
        ScriptStep("draw", STOCK, ONE),
        ScriptStep("pass", ONE, LIGHT, 0),
    ],
    "then a card is passed unseen": [
        *DEALT,
        *constrain_steps(ONE, [0, 1]),
        ScriptStep("draw", STOCK, ONE),
        ScriptStep("pass", ONE, TWO, 1),
    ],
    "of a shown hand that then passes a card unseen": [
        *DEALT,
        ScriptStep("reveal", ONE),
        *constrain_steps(ONE, [0]),
        ScriptStep("pass", ONE, TWO, 0),
    ],
    "of a hand that is then shuffled with others": [
        *DEALT,
        *constrain_steps(ONE, [0, 1]),
        ScriptStep("pass", ONE, DARK, 0),
        ScriptStep("pass", TWO, DARK, 0),
        ScriptStep("shuffle", DARK),
        *constrain_steps(DARK, [4]),
        ScriptStep("draw", DARK, ONE),
    ],
    "of slots, one of them public, that are then reshuffled": [
        ScriptStep("shuffle", STOCK),
        *[ScriptStep("draw", STOCK, LIGHT)] * 2,
        ScriptStep("deal", LIGHT, RACK, 0),
        ScriptStep("draw", STOCK, ONE),
        ScriptStep("constrain", LIGHT, holds=is_rising),
        *constrain_steps(STOCK, [0, 1]),
        ScriptStep("turn_over", LIGHT, DARK),
        ScriptStep("shuffle", DARK),
        ScriptStep("draw", DARK, TWO),
        *constrain_steps(TWO, [2]),
    ],
    "of everything, and then a new deal": [
        *DEALT,
        *constrain_steps(ONE, [0, 1, 2]),
        ScriptStep("gather", STOCK),
        ScriptStep("draw", STOCK, ONE),
    ],
    "of each card of a hand": [*DEALT, *restrict_steps(ONE)],
    "of each card of two hands, the same ones": [
        *DEALT,
        ScriptStep("draw", STOCK, LIGHT),
        *restrict_steps(ONE),
        *restrict_steps(TWO),
    ],
    "of each card of two hands, some the same": [
        *DEALT,
        ScriptStep("draw", STOCK, TWO),
        ScriptStep("restrict", ONE, among=frozenset({0, 1, 2, 3})),
        ScriptStep("restrict", ONE, among=frozenset({0, 2, 3, 4})),
        ScriptStep("restrict", ONE, among=frozenset({1, 2, 3, 4})),
        ScriptStep("restrict", TWO, among=frozenset({0, 1, 3, 4})),
        ScriptStep("restrict", TWO, among=frozenset({0, 1, 2, 4})),
    ],
    "of each card of a hand, and of them together": [*DEALT, *restrict_steps(ONE), *constrain_steps(ONE, [0, 1])],
    "of each card of a hand from which one is then played": [
        *DEALT,
        *restrict_steps(ONE),
        ScriptStep("pass", ONE, LIGHT, 0),
    ],
    "of each card of a hand to which one is drawn, before one is played": [
        *DEALT,
        *restrict_steps(ONE)[:2],
        ScriptStep("draw", STOCK, ONE),
        ScriptStep("pass", ONE, LIGHT, 1),
    ],
    "of each card of a hand to which one is drawn, before that is played": [
        *DEALT,
        *restrict_steps(ONE)[2:4],
        ScriptStep("draw", STOCK, ONE),
        ScriptStep("pass", ONE, LIGHT, 2),
    ],
    "of each card of a hand from which one is passed unseen": [
        *DEALT,
        *restrict_steps(ONE),
        ScriptStep("pass", ONE, TWO, 0),
    ],
    "of each card of slots, and then a new deal": [
        ScriptStep("shuffle", STOCK),
        ScriptStep("deal", STOCK, RACK, 0),
        *restrict_steps(RACK),
        ScriptStep("gather", STOCK),
        ScriptStep("deal", STOCK, RACK, 0),
    ],
    "of each card of a reshuffled pile": [
        ScriptStep("shuffle", STOCK),
        *[ScriptStep("draw", STOCK, LIGHT)] * 3,
        ScriptStep("turn_over", LIGHT, DARK),
        ScriptStep("shuffle", DARK),
        ScriptStep("draw", DARK, ONE),
        *restrict_steps(ONE),
        ScriptStep("draw", STOCK, TWO),
        *restrict_steps(TWO),
    ],
    "of a card that was passed unseen": [
        *DEALT,
        ScriptStep("reveal", ONE),
        ScriptStep("pass", ONE, TWO, 0),
        *constrain_steps(TWO, [0, 1]),
        ScriptStep("pass", TWO, DARK, 0),
        *constrain_steps(DARK, [2]),
    ],
}


def assert_fair(script: list[ScriptStep], depth: int) -> None:
    """Compare the worlds drawn with the worlds that there are, for all seats; each has imagined worlds all along."""
    for seat in range(3):
        table = run_script(LAYOUT, script, "deal", seat)
        expected, drawn, rng = enumerate_worlds(table, script, seat), Counter[CardPositions](), Random(f"worlds/{seat}")
        for _ in range(25 * len(expected) + 100):
            world = sample_world(table, seat, rng)
            for _ in range(depth - 1):
                world = sample_world(world, seat, rng)
            drawn[card_positions(world)] += 1

        assert set(drawn) <= set(expected), f"seat {seat} imagines what cannot be"
        assert chi_square_excess(drawn, expected) < MAX_CHI_SQUARE_EXCESS, f"seat {seat} draws {drawn}, of {expected}"


@pytest.mark.parametrize("depth", [1, pytest.param(3, marks=[pytest.mark.once, pytest.mark.long])])
@pytest.mark.parametrize("name", SCRIPTS)
def test_worlds_in_which_it_is_true(name: str, depth: int) -> None:
    """All worlds in which a constraint is true are drawn, no others, fairly; also by a seat that imagines within what
    it imagined.
    """
    script = make_script(*SCRIPTS[name])

    assert_fair(script, depth)


def test_stated_in_an_imagined_world() -> None:
    """A constraint that an imagined world states holds for its cards in further worlds, and for no other cards."""
    script = make_script(*DEALT, *constrain_steps(TWO, [1]))
    for seed in range(30):
        world = sample_world(run_script(LAYOUT, script, "deal"), 2, Random(f"world/{seed}"))
        low = min(world.zones[ONE])
        world.constrain(card_constraint(low, True), world.zones[ONE])

        further = [sample_world(world, 2, Random(f"further/{seed}/{draw}")) for draw in range(20)]

        assert all(low in one.zones[ONE] for one in further)
        assert {low in one.zones[TWO] for one in further} == {False}
        assert len({card_positions(one) for one in further}) > 3


def test_confined_in_an_imagined_world() -> None:
    """A restriction that an imagined world states holds for each of its cards, however far one imagines on."""
    for seed in range(30):
        world = sample_world(run_script(LAYOUT, DEALT, "deal"), 2, Random(f"world/{seed}"))
        among = frozenset(world.zones[ONE])
        world.restrict(world.zones[ONE], among)
        for draw in range(5):
            world = sample_world(world, 2, Random(f"further/{seed}/{draw}"))
            assert among.issuperset(world.zones[ONE])


def test_confined_to_what_everybody_can_see_is_forgotten() -> None:
    """The list of restrictions does not grow with what is public, and leaves out empty slots."""
    table = run_script(LAYOUT, [*DEALT, ScriptStep("reveal", ONE)], "deal")

    for _ in range(50):
        table.restrict([*table.zones[ONE], EMPTY], frozenset(table.zones[ONE]))

    assert table.card_domains == []


def test_confined_so_that_the_cards_do_not_fit() -> None:
    """A game that states what cannot be is told so, on a plain table and where hidden cards were mixed."""
    for steps in (DEALT, [*DEALT, ScriptStep("reveal", ONE), ScriptStep("pass", ONE, TWO, 0)]):
        table = run_script(LAYOUT, steps, "deal")
        table.restrict(table.zones[STOCK], frozenset())
        with pytest.raises(TableError, match=r"not all .*true|something untrue"):
            sample_world(table, 0, Random("x"))


def test_voids_of_three_hands() -> None:
    """Thirteen cards each, three players void in a suit or two: every world fits, with the counted frequencies."""
    layout = Layout(Deck(range(52)), 4)
    stock, hands = layout.add_pile("stock", Visibility.NOBODY), layout.add_hands()
    table = Table(layout, Random("bridge"), stock)
    suits = [frozenset(range(13 * suit, 13 * suit + 13)) for suit in range(4)]
    held = [
        [*range(13)],
        [*range(13, 20), *range(26, 32)],
        [*range(20, 26), *range(39, 46)],
        [*range(32, 39), *range(46, 52)],
    ]
    table.shuffle(stock, order=[hand[place] for place in range(12, -1, -1) for hand in reversed(held)])
    table.deal(stock, hands, 13)
    limits = [suits[1] | suits[2], suits[1] | suits[3], suits[2] | suits[3]]
    for hand, among in zip(hands[1:], limits, strict=True):
        table.restrict(table.zones[hand], among)

    shares = Counter[int]()
    for draw in range(600):
        world = sample_world(table, 0, Random(f"voids/{draw}"))
        assert all(among.issuperset(world.zones[hand]) for hand, among in zip(hands[1:], limits, strict=True))
        shares[len(suits[1].intersection(world.zones[hands[1]]))] += 1

    # k of suit 1 in the first hand: 13 - k of suit 2 are there too, and the other hands follow: C(13, k) ** 3 ways
    ways = {k: math.comb(13, k) ** 3 for k in range(14)}
    likely = {k: count for k, count in ways.items() if 600 * count / sum(ways.values()) > 5}
    assert (
        chi_square_excess(
            Counter({((k,),): shares[k] for k in likely}), Counter({((k,),): count for k, count in likely.items()})
        )
        < MAX_CHI_SQUARE_EXCESS
    )


def test_what_is_taken_back() -> None:
    """A retracted constraint has no effect; cards that are confined to faces stay confined."""
    table = run_script(LAYOUT, DEALT, "deal")
    low = min(table.zones[ONE])
    table.constrain(card_constraint(low, True), table.zones[ONE])
    table.restrict(table.zones[TWO], frozenset(range(5)) - {low})

    table.retract_constraints()

    drawn = [sample_world(table, 2, Random(f"retract/{draw}")) for draw in range(60)]
    assert {low in world.zones[ONE] for world in drawn} == {True, False}
    assert {low in world.zones[TWO] for world in drawn} == {False}


def test_a_fact_that_some_seats_share() -> None:
    """The worlds of the seats that were told a fact satisfy it, the worlds of others need not; nor do worlds that a
    seat imagines for another, in which it would not have been told.
    """
    layout = Layout(Deck("ABCDEF"), 3)
    stock = layout.add_pile("stock", Visibility.NOBODY)
    hands = layout.add_hands()
    table = Table(layout, Random("shared"), stock)
    table.shuffle(stock, order=[5, 4, 3, 2, 1, 0])
    table.deal(stock, hands, 1)
    table.draw(stock, hands[0])  # seat 0 holds A and D
    table.constrain(is_rising, table.zones[hands[0]], to=[1])

    rng = Random("worlds")

    def imagine(from_table: Table, seat: int) -> set[str]:
        worlds = [sample_world(from_table, seat, rng.spawn(f"{seat}/{number}")) for number in range(120)]
        return {"".join(map(str, world.faces(hands[0]))) for world in worlds}

    rising = {"".join(pair) for pair in itertools.combinations("ACDEF", 2)}
    assert imagine(table, 1) == rising
    assert imagine(table, 2) == {"".join(pair) for pair in itertools.permutations("ABDEF", 2)}
    for number in range(40):
        world = sample_world(table, 2, rng.spawn(f"nested/{number}"))
        is_told = len(world.constraints) == 1
        assert is_told == is_rising(world.zones[hands[0]])
        assert imagine(world, 2) >= {"AB", "BA"}
        pairs = imagine(world, 1)
        assert all(pair == "".join(sorted(pair)) for pair in pairs) == is_told


def test_something_untrue() -> None:
    """A game that states an untrue constraint is told which, and of what cards, on a plain table and where hidden cards
    were mixed; so it is of a domain.
    """
    for steps in (DEALT, [*DEALT, ScriptStep("reveal", ONE), ScriptStep("pass", ONE, TWO, 0)]):
        table = run_script(LAYOUT, steps, "deal")
        table.constrain(has_cards, table.zones[ONE])
        table.constrain(partial(sums_to_more, 99), table.zones[STOCK])

        with pytest.raises(TableError, match=r"constraint 2 of 2, sums_to_more, is not true of cards? ") as raised:
            sample_world(table, 0, Random("x"))
        assert all(f"{card} ({table.layout.deck.faces[card]})" in str(raised.value) for card in table.zones[STOCK])

    table = run_script(LAYOUT, DEALT, "deal")
    [low, *_] = held = sorted(table.zones[ONE])
    table.constrain(lambda cards: None not in cards and low in cards, held)
    table.restrict(held, frozenset(range(5)) - {low})
    with pytest.raises(TableError, match=r"told `restrict` that card \d \(.*\) cannot lie in the place where it lies"):
        sample_world(table, 2, Random("x"))


def has_cards(cards: tuple[int | None, ...]) -> bool:
    """Whether there are cards: those of a predicate can be counted."""
    return len(cards) > 0


def sums_to_more(least: int, cards: tuple[int | None, ...]) -> bool:
    """Whether the numbers of cards sum up to more."""
    return sum(card or 0 for card in cards) > least


def test_what_holds_only_now() -> None:
    """A constraint given as `also` holds in this world and in a world imagined within it, and is not kept."""
    for steps in (DEALT, [*DEALT, ScriptStep("reveal", ONE), ScriptStep("pass", ONE, TWO, 0)]):
        table = run_script(LAYOUT, steps, "deal")
        for seed in range(40):
            rng = Random(f"also/{seed}")
            for _ in range(3):
                low = min(table.zones[STOCK])
                table = sample_world(table, 2, rng, [Constraint(card_constraint(low, True), tuple(table.zones[STOCK]))])
                assert low in table.zones[STOCK]
        assert table.constraints == []


def test_what_everybody_can_see_is_forgotten() -> None:
    """The list of constraints does not grow with what is public; what is not public stays."""
    table = run_script(LAYOUT, [*DEALT, ScriptStep("reveal", ONE)], "deal")
    table.constrain(card_constraint(min(table.zones[TWO]), True), table.zones[TWO])

    for _ in range(100):
        table.constrain(card_constraint(min(table.zones[ONE]), True), table.zones[ONE])

    assert len(table.constraints) <= 2 + 3 * PRUNE_LIMIT
    assert all(min(table.zones[TWO]) in sample_world(table, 2, Random(f"w/{seed}")).zones[TWO] for seed in range(20))


def test_what_everybody_knew_before_it_was_mixed_is_forgotten_too() -> None:
    """Constraints about mixed cards are forgotten, wherever the cards lie, so that their number stays bounded."""
    table = run_script(LAYOUT, [*DEALT, ScriptStep("reveal", ONE), ScriptStep("reveal", TWO)], "deal")
    table.constrain(card_constraint(table.zones[ONE][0], True), table.zones[ONE])
    table.move(table.zones[ONE][0], ONE, TWO)
    table.move(table.zones[TWO][0], TWO, DARK)

    for _ in range(100):
        table.constrain(lambda cards: True, [])

    assert len(table.constraints) <= 3 * PRUNE_LIMIT


def test_empty_slots_in_a_constraint() -> None:
    """An empty slot counts as EMPTY, on a table and in its imagined worlds, and is public."""
    table = run_script(LAYOUT, [ScriptStep("shuffle", STOCK), ScriptStep("deal", STOCK, RACK, 1)], "deal")
    for _ in range(3):
        table.constrain(lambda cards: next(iter(cards)) == EMPTY, table.zones[RACK])
        table = sample_world(table, 2, Random("x"))
    assert len(table.constraints) == 3

    for _ in range(4 * PRUNE_LIMIT):
        table.constrain(lambda cards: next(iter(cards)) == EMPTY, table.zones[RACK])

    assert len(table.constraints) <= PRUNE_LIMIT
