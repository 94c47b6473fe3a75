"""Imagining, against brute force: every world that a seat cannot tell from the real one is drawn, no other, each as often as it is likely.

The named scripts are the cases that one would think of; the numbered ones are random, and go where one would not.
"""

from __future__ import annotations

from collections import Counter
from typing import Final

import pytest

from pitboss import Random
from pitboss.knowledge import is_plain

from .worlds import SAFE, Lie, Step, TinyLayout, is_possible, lie, play, played, surprise, worlds

TINY: Final = TinyLayout(5, 2)
STOCK, DARK, LIGHT, WELL = TINY.stock, TINY.dark, TINY.light, TINY.well
[ONE, TWO] = TINY.hands
RANDOM_SCRIPTS: Final = 36

SHUFFLED: Final = [Step("shuffle", STOCK)]
DEALT: Final = [*SHUFFLED, *[Step("draw", STOCK, ONE), Step("draw", STOCK, TWO)] * 2]
SCRIPTS: Final = {
    "one shuffle": DEALT,
    "an open pile reshuffled": [
        *SHUFFLED,
        *[Step("draw", STOCK, LIGHT)] * 2,
        Step("draw", STOCK, ONE),
        Step("turn_over", LIGHT, DARK),
        Step("shuffle", DARK),
        Step("draw", DARK, TWO),
        Step("draw", DARK, ONE),
    ],
    "turned over unshuffled": [
        *SHUFFLED,
        *[Step("draw", STOCK, LIGHT)] * 3,
        Step("turn_over", LIGHT, DARK),
        Step("draw", DARK, ONE),
    ],
    "a well turned over": [*DEALT, Step("turn_over", STOCK, WELL), Step("draw", WELL, ONE)],
    "a card passed from a fresh hand": [*DEALT, Step("pass", ONE, TWO, 1)],
    "a card passed from a hand that the others partly know": [
        *DEALT,
        Step("pass", ONE, LIGHT, 0),
        Step("draw", LIGHT, TWO),
        Step("draw", STOCK, TWO),
        Step("pass", TWO, ONE, 2),
    ],
    "passed on and on": [
        *DEALT,
        Step("pass", ONE, TWO, 0),
        Step("pass", TWO, ONE, 1),
        Step("pass", TWO, ONE, 0),
        Step("pass", ONE, TWO, 2),
    ],
    "a shown hand gives a card away": [*DEALT, Step("reveal", ONE), Step("pass", ONE, TWO, 0)],
    "a shown hand discards face down": [*DEALT, Step("reveal", ONE), Step("pass", ONE, DARK, 1), Step("draw", STOCK, ONE)],
    "what was passed comes to light": [*DEALT, Step("reveal", ONE), Step("pass", ONE, TWO, 0), Step("reveal", TWO)],
    "dark discards reshuffled while others lie in hands": [
        *DEALT,
        Step("pass", ONE, DARK, 0),
        Step("pass", TWO, DARK, 1),
        Step("shuffle", DARK),
        Step("draw", DARK, ONE),
    ],
    "dark and open discards reshuffled together": [
        *DEALT,
        Step("pass", ONE, DARK, 0),
        Step("pass", TWO, LIGHT, 1),
        Step("turn_over", LIGHT, DARK),
        Step("shuffle", DARK),
        Step("draw", DARK, TWO),
    ],
    "the rest of the stock shuffled again": [
        *DEALT[:3],
        Step("draw", STOCK, LIGHT),
        Step("shuffle", STOCK),
        Step("draw", STOCK, ONE),
    ],
    "a pile that is reshuffled again and again": [
        Step("shuffle", STOCK),
        *[Step("draw", STOCK, LIGHT)] * 3,
        Step("turn_over", LIGHT, DARK),
        Step("shuffle", DARK),
        *[Step("draw", DARK, LIGHT)] * 3,
        Step("turn_over", LIGHT, DARK),
        Step("shuffle", DARK),
        Step("draw", DARK, ONE),
        *[Step("draw", DARK, LIGHT)] * 2,
        Step("turn_over", LIGHT, DARK),
        Step("shuffle", DARK),
        Step("draw", DARK, TWO),
    ],
    "mixed, and what stayed behind mixed too": [
        *DEALT,
        Step("reveal", TWO),
        Step("pass", TWO, ONE, 0),
        Step("pass", ONE, DARK, 1),
        Step("pass", TWO, DARK, 0),
        Step("shuffle", DARK),
    ],
    "played openly after a hidden pass": [
        *DEALT,
        Step("reveal", ONE),
        Step("pass", ONE, TWO, 0),
        Step("pass", TWO, LIGHT, 1),
        Step("pass", TWO, LIGHT, 0),
    ],
    "played openly after a card was passed from a hand that is partly known": [
        *SHUFFLED,
        Step("draw", STOCK, LIGHT),
        Step("draw", LIGHT, ONE),
        *[Step("draw", STOCK, ONE), Step("draw", STOCK, TWO)],
        Step("pass", ONE, TWO, 0),
        Step("pass", TWO, LIGHT, 0),
    ],
    "slots": [*SHUFFLED, Step("deal", STOCK, TINY.racks[0], 1), Step("draw", STOCK, ONE), Step("deal", STOCK, TINY.racks[1], 0)],
    "a hand shuffled": [*DEALT, Step("reveal", ONE), Step("shuffle", ONE), Step("pass", ONE, TWO, 0)],
    "gathered and dealt again": [*DEALT, Step("reveal", ONE), Step("gather", STOCK), Step("draw", STOCK, TWO)],
}


def random_script(number: int) -> tuple[TinyLayout, list[Step]]:
    """Return a random script, for four or five cards and two or three players."""
    tiny, rng = TinyLayout(4 + number % 2, 2 + number // 2 % 2), Random(f"script/{number}")
    piles, hands = [tiny.stock, tiny.dark, tiny.light, tiny.well], list(tiny.hands)
    script = [Step("shuffle", tiny.stock)]
    table = played(tiny, script, "deal")
    while len(script) < 6 + number % 13:
        step = {
            "draw": Step("draw", rng.choice([*piles, tiny.stock, *hands[:1]]), rng.choice([*piles, *hands, *hands])),
            "pass": Step("pass", rng.choice(hands), rng.choice([*hands, *hands, *piles[1:]]), rng.below(3)),
            "shuffle": Step("shuffle", rng.choice([tiny.stock, tiny.dark, tiny.well, *hands])),
            "turn_over": Step("turn_over", rng.choice(piles[1:]), rng.choice(piles[:3])),
            "deal": Step("deal", tiny.stock, rng.choice(tiny.racks), rng.below(2)),
            "reveal": Step("reveal", rng.choice([*hands, *tiny.racks, tiny.dark])),
        }[rng.choice(["draw", "draw", "draw", "pass", "pass", "pass", "pass", "shuffle", "turn_over", "deal", "reveal"])]
        if is_possible(table, step):
            play(table, step)
            script.append(step)
    return tiny, script


def assert_fair(tiny: TinyLayout, script: list[Step], depth: int = 1, seed: str = "deal") -> None:
    """Compare, for each seat, the worlds drawn (at a depth of imagination) with the worlds that there are.

    The seat has imagined worlds all along: what it worked out then must not live on.
    """
    for seat in range(tiny.layout.seats + 1):
        table = played(tiny, script, seed, seat)
        expected = worlds(table, script, seat)
        rng, drawn = Random(f"worlds/{seat}"), Counter[Lie]()
        for _ in range(min(25 * len(expected) + 100, 1500)):
            world = table
            for _ in range(depth):
                world = world.imagine(seat, rng)
            drawn[lie(world)] += 1

        assert lie(table) in expected
        assert set(drawn) <= set(expected), f"seat {seat} imagines what cannot be: {set(drawn) - set(expected)}"
        assert surprise(drawn, expected) < SAFE, f"seat {seat} draws {drawn}, of {expected}"


@pytest.mark.parametrize("name", SCRIPTS)
def test_every_world_and_no_other(name: str) -> None:
    """All worlds are drawn that a seat cannot exclude, each as often as it is likely."""
    assert_fair(TINY, SCRIPTS[name])


@pytest.mark.parametrize("seed", range(6))
def test_two_ways_round(seed: int) -> None:
    """One of two known cards may have gone through the stock and come back, or have stayed: both are reckoned with."""
    tiny = TinyLayout(4, 2)
    script = [
        Step("shuffle", tiny.stock),
        *[Step("draw", tiny.stock, tiny.light)] * 2,
        *[Step("turn_over", tiny.light, tiny.dark), Step("shuffle", tiny.dark)],
        *[Step("draw", tiny.dark, tiny.stock), Step("shuffle", tiny.stock)],
        *[Step("draw", tiny.stock, tiny.dark), Step("shuffle", tiny.dark), Step("draw", tiny.dark, tiny.light)],
    ]

    assert_fair(tiny, script, seed=f"deal/{seed}")


@pytest.mark.parametrize("number", range(RANDOM_SCRIPTS))
def test_random_scripts(number: int) -> None:
    """The same, wherever random verbs lead."""
    assert_fair(*random_script(number))


@pytest.mark.parametrize("name", ["an open pile reshuffled", "passed on and on", "dark and open discards reshuffled together"])
def test_imagined_again(name: str) -> None:
    """A seat that imagines within what it imagined draws the same worlds, no more and no fewer."""
    assert_fair(TINY, SCRIPTS[name], depth=3)


@pytest.mark.parametrize("name", SCRIPTS)
def test_somebody_else_imagines_within_an_imagined_world(name: str) -> None:
    """What a player imagines in a world of the spectator's is a world of the spectator's, as likely as any: it knows no less."""
    script = SCRIPTS[name]
    table = played(TINY, script, "deal")
    expected = worlds(table, script, TINY.layout.spectator)
    rng = Random("worlds")

    drawn = Counter(lie(table.imagine(TINY.layout.spectator, rng).imagine(0, rng)) for _ in range(20 * len(expected) + 100))

    assert set(drawn) <= set(expected)
    assert surprise(drawn, expected) < SAFE


@pytest.mark.parametrize("number", range(12))
def test_play_goes_on_in_an_imagined_world(number: int) -> None:
    """Hidden moves in a world of the spectator's leave the spectator as wise as the same moves on the real table."""
    tiny, script = random_script(number)
    further = [Step("pass", tiny.hands[0], tiny.hands[1]), Step("pass", tiny.hands[1], tiny.dark), Step("shuffle", tiny.dark)]
    rng, spectator = Random("on"), tiny.layout.spectator
    table = played(tiny, script, "deal")
    world = table.imagine(spectator, rng)
    for step in further:
        if is_possible(table, step):
            play(table, step)
            play(world, step)
            script.append(step)

    expected = worlds(table, script, spectator)
    drawn = Counter(lie(world.imagine(spectator, rng)) for _ in range(min(25 * len(expected) + 100, 1500)))

    assert set(drawn) <= set(expected)
    assert surprise(drawn, expected) < SAFE


def test_the_scripts_reach_both_kinds_of_table() -> None:
    """Some random scripts leave every batch known, others mix hidden cards."""
    plain = [is_plain(played(*random_script(number), "deal").batches) for number in range(RANDOM_SCRIPTS)]

    assert min(plain.count(True), plain.count(False)) >= 10


def test_batches_that_are_no_more() -> None:
    """A pile that everybody sees and that is shuffled again and again does not make the table longer."""
    table = played(TINY, [Step("shuffle", STOCK), *[Step("draw", STOCK, LIGHT)] * 3], "deal")
    for _ in range(20):
        play(table, Step("shuffle", LIGHT))
        play(table, Step("draw", LIGHT, ONE))
        play(table, Step("pass", ONE, LIGHT, 0))

    assert len(table.batches) == 2
    assert set(table.batch) <= {0, 1}


def test_who_sees_all_imagines_the_truth() -> None:
    """Where nothing is hidden from a seat, its one world is the real one, and the future its own."""
    table = played(TINY, [*SHUFFLED, Step("turn_over", STOCK, LIGHT)], "deal")

    world = table.imagine(TINY.layout.spectator, Random("future"))

    assert lie(world) == lie(table)
    assert world.rng.seed == "future"


def test_an_imagined_table_is_shown_alike() -> None:
    """What each seat is shown of a zone in its own worlds is what it is really shown.

    What is known of a place, and its batch, belong to the place. The real table does not change.
    """
    for number in range(20):
        tiny, script = random_script(number)
        table = played(tiny, script, "deal")
        before = lie(table), table.known[:]
        for seat in range(tiny.layout.seats + 1):
            world = table.imagine(seat, Random(f"{number}/{seat}"))

            for zone in tiny.layout.zones:
                assert world.seen(zone, seat) == table.seen(zone, seat)
                lying = list(zip(world.zones[zone], table.zones[zone], strict=True))
                assert all(world.known[card] == table.known[real] for card, real in lying if real >= 0)
                assert all(world.batch[card] == table.batch[real] for card, real in lying if real >= 0)
        assert before == (lie(table), table.known)
