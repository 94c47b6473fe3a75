"""Sampling against brute force: all worlds of the information set are drawn, no others, by their probability.

The named scripts are the cases that one would think of; the numbered ones are random, and go where one would not.
"""

from __future__ import annotations

from collections import Counter
from typing import Final

import pytest

from pitboss import Random
from pitboss.determinization.sampling import sample_world
from tests.core.brute_force_worlds import (
    MAX_CHI_SQUARE_EXCESS,
    CardPositions,
    ScriptStep,
    SmallLayout,
    apply_step,
    card_positions,
    chi_square_excess,
    enumerate_worlds,
    is_possible,
    run_script,
)

LAYOUT: Final = SmallLayout(5, 2)
STOCK, DARK, LIGHT, WELL = LAYOUT.stock, LAYOUT.dark, LAYOUT.light, LAYOUT.well
[ONE, TWO] = LAYOUT.hands
RANDOM_SCRIPTS: Final = 36

SHUFFLE_STEPS: Final = [ScriptStep("shuffle", STOCK)]
DEAL_STEPS: Final = [*SHUFFLE_STEPS, *[ScriptStep("draw", STOCK, ONE), ScriptStep("draw", STOCK, TWO)] * 2]
SCRIPTS: Final = {
    "one shuffle": DEAL_STEPS,
    "an open pile reshuffled": [
        *SHUFFLE_STEPS,
        *[ScriptStep("draw", STOCK, LIGHT)] * 2,
        ScriptStep("draw", STOCK, ONE),
        ScriptStep("turn_over", LIGHT, DARK),
        ScriptStep("shuffle", DARK),
        ScriptStep("draw", DARK, TWO),
        ScriptStep("draw", DARK, ONE),
    ],
    "turned over unshuffled": [
        *SHUFFLE_STEPS,
        *[ScriptStep("draw", STOCK, LIGHT)] * 3,
        ScriptStep("turn_over", LIGHT, DARK),
        ScriptStep("draw", DARK, ONE),
    ],
    "a well turned over": [*DEAL_STEPS, ScriptStep("turn_over", STOCK, WELL), ScriptStep("draw", WELL, ONE)],
    "a card passed from a fresh hand": [*DEAL_STEPS, ScriptStep("pass", ONE, TWO, 1)],
    "a card passed from a hand that the others partly know": [
        *DEAL_STEPS,
        ScriptStep("pass", ONE, LIGHT, 0),
        ScriptStep("draw", LIGHT, TWO),
        ScriptStep("draw", STOCK, TWO),
        ScriptStep("pass", TWO, ONE, 2),
    ],
    "passed on and on": [
        *DEAL_STEPS,
        ScriptStep("pass", ONE, TWO, 0),
        ScriptStep("pass", TWO, ONE, 1),
        ScriptStep("pass", TWO, ONE, 0),
        ScriptStep("pass", ONE, TWO, 2),
    ],
    "a shown hand gives a card away": [*DEAL_STEPS, ScriptStep("reveal", ONE), ScriptStep("pass", ONE, TWO, 0)],
    "a shown hand discards face down": [
        *DEAL_STEPS,
        ScriptStep("reveal", ONE),
        ScriptStep("pass", ONE, DARK, 1),
        ScriptStep("draw", STOCK, ONE),
    ],
    "what was passed comes to light": [
        *DEAL_STEPS,
        ScriptStep("reveal", ONE),
        ScriptStep("pass", ONE, TWO, 0),
        ScriptStep("reveal", TWO),
    ],
    "dark discards reshuffled while others lie in hands": [
        *DEAL_STEPS,
        ScriptStep("pass", ONE, DARK, 0),
        ScriptStep("pass", TWO, DARK, 1),
        ScriptStep("shuffle", DARK),
        ScriptStep("draw", DARK, ONE),
    ],
    "dark and open discards reshuffled together": [
        *DEAL_STEPS,
        ScriptStep("pass", ONE, DARK, 0),
        ScriptStep("pass", TWO, LIGHT, 1),
        ScriptStep("turn_over", LIGHT, DARK),
        ScriptStep("shuffle", DARK),
        ScriptStep("draw", DARK, TWO),
    ],
    "the rest of the stock shuffled again": [
        *DEAL_STEPS[:3],
        ScriptStep("draw", STOCK, LIGHT),
        ScriptStep("shuffle", STOCK),
        ScriptStep("draw", STOCK, ONE),
    ],
    "a pile that is reshuffled again and again": [
        ScriptStep("shuffle", STOCK),
        *[ScriptStep("draw", STOCK, LIGHT)] * 3,
        ScriptStep("turn_over", LIGHT, DARK),
        ScriptStep("shuffle", DARK),
        *[ScriptStep("draw", DARK, LIGHT)] * 3,
        ScriptStep("turn_over", LIGHT, DARK),
        ScriptStep("shuffle", DARK),
        ScriptStep("draw", DARK, ONE),
        *[ScriptStep("draw", DARK, LIGHT)] * 2,
        ScriptStep("turn_over", LIGHT, DARK),
        ScriptStep("shuffle", DARK),
        ScriptStep("draw", DARK, TWO),
    ],
    "mixed, and what stayed behind mixed too": [
        *DEAL_STEPS,
        ScriptStep("reveal", TWO),
        ScriptStep("pass", TWO, ONE, 0),
        ScriptStep("pass", ONE, DARK, 1),
        ScriptStep("pass", TWO, DARK, 0),
        ScriptStep("shuffle", DARK),
    ],
    "played openly after a hidden pass": [
        *DEAL_STEPS,
        ScriptStep("reveal", ONE),
        ScriptStep("pass", ONE, TWO, 0),
        ScriptStep("pass", TWO, LIGHT, 1),
        ScriptStep("pass", TWO, LIGHT, 0),
    ],
    "played openly after a card was passed from a hand that is partly known": [
        *SHUFFLE_STEPS,
        ScriptStep("draw", STOCK, LIGHT),
        ScriptStep("draw", LIGHT, ONE),
        *[ScriptStep("draw", STOCK, ONE), ScriptStep("draw", STOCK, TWO)],
        ScriptStep("pass", ONE, TWO, 0),
        ScriptStep("pass", TWO, LIGHT, 0),
    ],
    "slots": [
        *SHUFFLE_STEPS,
        ScriptStep("deal", STOCK, LAYOUT.racks[0], 1),
        ScriptStep("draw", STOCK, ONE),
        ScriptStep("deal", STOCK, LAYOUT.racks[1], 0),
    ],
    "a hand shuffled": [
        *DEAL_STEPS,
        ScriptStep("reveal", ONE),
        ScriptStep("shuffle", ONE),
        ScriptStep("pass", ONE, TWO, 0),
    ],
    "gathered and dealt again": [
        *DEAL_STEPS,
        ScriptStep("reveal", ONE),
        ScriptStep("gather", STOCK),
        ScriptStep("draw", STOCK, TWO),
    ],
}


def make_random_script(number: int) -> tuple[SmallLayout, list[ScriptStep]]:
    """Return a random script, for four or five cards and two or three players."""
    tiny, rng = SmallLayout(4 + number % 2, 2 + number // 2 % 2), Random(f"script/{number}")
    piles, hands = [tiny.stock, tiny.dark, tiny.light, tiny.well], list(tiny.hands)
    script = [ScriptStep("shuffle", tiny.stock)]
    table = run_script(tiny, script, "deal")
    while len(script) < 6 + number % 13:
        step = {
            "draw": ScriptStep(
                "draw", rng.choice([*piles, tiny.stock, *hands[:1]]), rng.choice([*piles, *hands, *hands])
            ),
            "pass": ScriptStep("pass", rng.choice(hands), rng.choice([*hands, *hands, *piles[1:]]), rng.randbelow(3)),
            "shuffle": ScriptStep("shuffle", rng.choice([tiny.stock, tiny.dark, tiny.well, *hands])),
            "turn_over": ScriptStep("turn_over", rng.choice(piles[1:]), rng.choice(piles[:3])),
            "deal": ScriptStep("deal", tiny.stock, rng.choice(tiny.racks), rng.randbelow(2)),
            "reveal": ScriptStep("reveal", rng.choice([*hands, *tiny.racks, tiny.dark])),
        }[
            rng.choice(
                ["draw", "draw", "draw", "pass", "pass", "pass", "pass", "shuffle", "turn_over", "deal", "reveal"]
            )
        ]
        if is_possible(table, step):
            apply_step(table, step)
            script.append(step)
    return tiny, script


def assert_fair(tiny: SmallLayout, script: list[ScriptStep], depth: int = 1, seed: str = "deal") -> None:
    """Compare, for each seat, the worlds drawn (at a depth of imagination) with the worlds that there are.

    The seat has imagined worlds all along: what it worked out then must not live on.
    """
    for seat in range(tiny.layout.seats + 1):
        table = run_script(tiny, script, seed, seat)
        expected = enumerate_worlds(table, script, seat)
        rng, drawn = Random(f"worlds/{seat}"), Counter[CardPositions]()
        for _ in range(min(25 * len(expected) + 100, 1500)):
            world = table
            for _ in range(depth):
                world = sample_world(world, seat, rng)
            drawn[card_positions(world)] += 1

        assert card_positions(table) in expected
        assert set(drawn) <= set(expected), f"seat {seat} imagines what cannot be: {set(drawn) - set(expected)}"
        assert chi_square_excess(drawn, expected) < MAX_CHI_SQUARE_EXCESS, f"seat {seat} draws {drawn}, of {expected}"


@pytest.mark.parametrize("name", SCRIPTS)
def test_every_world_and_no_other(name: str) -> None:
    """All worlds are drawn that a seat cannot exclude, each as often as it is likely."""
    assert_fair(LAYOUT, SCRIPTS[name])


@pytest.mark.parametrize("seed", range(6))
def test_two_ways_round(seed: int) -> None:
    """One of two known cards may have gone through the stock and come back, or have stayed: both are reckoned with."""
    tiny = SmallLayout(4, 2)
    script = [
        ScriptStep("shuffle", tiny.stock),
        *[ScriptStep("draw", tiny.stock, tiny.light)] * 2,
        *[ScriptStep("turn_over", tiny.light, tiny.dark), ScriptStep("shuffle", tiny.dark)],
        *[ScriptStep("draw", tiny.dark, tiny.stock), ScriptStep("shuffle", tiny.stock)],
        *[
            ScriptStep("draw", tiny.stock, tiny.dark),
            ScriptStep("shuffle", tiny.dark),
            ScriptStep("draw", tiny.dark, tiny.light),
        ],
    ]

    assert_fair(tiny, script, seed=f"deal/{seed}")


@pytest.mark.parametrize(
    "number",
    [
        *range(10),
        *(pytest.param(number, marks=pytest.mark.long) for number in range(10, RANDOM_SCRIPTS)),
    ],
)
def test_random_scripts(number: int) -> None:
    """All worlds that a seat cannot exclude are drawn, each as often as it is likely, wherever random verbs lead."""
    assert_fair(*make_random_script(number))


@pytest.mark.parametrize(
    "name", ["an open pile reshuffled", "passed on and on", "dark and open discards reshuffled together"]
)
def test_imagined_again(name: str) -> None:
    """A seat that imagines within what it imagined draws the same worlds, no more and no fewer."""
    assert_fair(LAYOUT, SCRIPTS[name], depth=3)


@pytest.mark.parametrize("name", SCRIPTS)
def test_somebody_else_imagines_within_an_imagined_world(name: str) -> None:
    """A world that a player samples from a world of the spectator is a world of the spectator."""
    script = SCRIPTS[name]
    table = run_script(LAYOUT, script, "deal")
    expected = enumerate_worlds(table, script, LAYOUT.layout.spectator)
    rng = Random("worlds")

    drawn = Counter(
        card_positions(sample_world(sample_world(table, LAYOUT.layout.spectator, rng), 0, rng))
        for _ in range(20 * len(expected) + 100)
    )

    assert set(drawn) <= set(expected)
    assert chi_square_excess(drawn, expected) < MAX_CHI_SQUARE_EXCESS


@pytest.mark.parametrize("number", range(12))
def test_play_goes_on_in_an_imagined_world(number: int) -> None:
    """Hidden moves in a world of the spectator's leave the spectator as wise as the same moves on the real table."""
    tiny, script = make_random_script(number)
    further = [
        ScriptStep("pass", tiny.hands[0], tiny.hands[1]),
        ScriptStep("pass", tiny.hands[1], tiny.dark),
        ScriptStep("shuffle", tiny.dark),
    ]
    rng, spectator = Random("on"), tiny.layout.spectator
    table = run_script(tiny, script, "deal")
    world = sample_world(table, spectator, rng)
    for step in further:
        if is_possible(table, step):
            apply_step(table, step)
            apply_step(world, step)
            script.append(step)

    expected = enumerate_worlds(table, script, spectator)
    drawn = Counter(
        card_positions(sample_world(world, spectator, rng)) for _ in range(min(25 * len(expected) + 100, 1500))
    )

    assert set(drawn) <= set(expected)
    assert chi_square_excess(drawn, expected) < MAX_CHI_SQUARE_EXCESS


def test_the_scripts_reach_both_kinds_of_table() -> None:
    """Some random scripts leave every batch known, others mix hidden cards."""
    plain = [run_script(*make_random_script(number), "deal").has_only_public_groups for number in range(RANDOM_SCRIPTS)]

    assert min(plain.count(True), plain.count(False)) >= 10


def test_batches_that_are_no_more() -> None:
    """A pile that everybody sees and that is shuffled again and again does not make the table longer."""
    table = run_script(LAYOUT, [ScriptStep("shuffle", STOCK), *[ScriptStep("draw", STOCK, LIGHT)] * 3], "deal")
    for _ in range(20):
        apply_step(table, ScriptStep("shuffle", LIGHT))
        apply_step(table, ScriptStep("draw", LIGHT, ONE))
        apply_step(table, ScriptStep("pass", ONE, LIGHT, 0))

    assert len(table.shuffle_groups) == 2
    assert set(table.shuffle_group_of) <= {0, 1}


def test_who_sees_all_imagines_the_truth() -> None:
    """Where nothing is hidden from a seat, its one world is the real one, and the future its own."""
    table = run_script(LAYOUT, [*SHUFFLE_STEPS, ScriptStep("turn_over", STOCK, LIGHT)], "deal")

    world = sample_world(table, LAYOUT.layout.spectator, Random("future"))

    assert card_positions(world) == card_positions(table)
    assert world.rng.seed == "future"


def test_an_imagined_table_is_shown_alike() -> None:
    """Each seat is shown of a zone in its own worlds what it is really shown.

    Knowledge of a place, and its batch, belong to the place. The real table does not change.
    """
    for number in range(20):
        tiny, script = make_random_script(number)
        table = run_script(tiny, script, "deal")
        before = card_positions(table), table.known_by[:]
        for seat in range(tiny.layout.seats + 1):
            world = sample_world(table, seat, Random(f"{number}/{seat}"))

            for zone in tiny.layout.zones:
                assert world.faces_known_to(zone, seat) == table.faces_known_to(zone, seat)
                lying = list(zip(world.zones[zone], table.zones[zone], strict=True))
                assert all(world.known_by[card] == table.known_by[real] for card, real in lying if real >= 0)
                assert all(
                    world.shuffle_group_of[card] == table.shuffle_group_of[real] for card, real in lying if real >= 0
                )
        assert before == (card_positions(table), table.known_by)
