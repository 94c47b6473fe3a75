"""Randomness: the same words and shuffles on every platform and every Python, and fair."""

from __future__ import annotations

import hashlib
from collections import Counter

import pytest

from pitboss import Random, StackedRandom

SEED = "friday/deal-12"

# Computed with the functions by hand below.
FIRST_WORDS = (1839040503287454764, 16440422431418596523, 7378263205766742458)
SECOND_WORDS = (12769809670834491268, 9696642419375387467)
TEN_SHUFFLED = [1, 7, 0, 9, 5, 6, 3, 8, 2, 4]


def reference_words(draw: int, count: int) -> list[int]:
    """Compute the words of a draw from the definition, with nothing of Pitboss."""
    digest = hashlib.shake_256(SEED.encode() + b"\0" + str(draw).encode()).digest(8 * count)
    return [int.from_bytes(digest[8 * at : 8 * at + 8], "little") for at in range(count)]


def reference_shuffle(items: list[int]) -> list[int]:
    """Shuffle by definition: each word swaps the item at word mod (number left) with the last one left."""
    items = items[:]
    for done, word in enumerate(reference_words(0, len(items))):
        last = len(items) - 1 - done
        at = word % (last + 1)
        items[at], items[last] = items[last], items[at]
    return items


def test_the_words_of_a_seed() -> None:
    """The words of a seed are those of SHAKE-256 over seed, NUL and the number of the draw, for ever."""
    rng = Random(SEED)

    assert rng.draw_words(3) == FIRST_WORDS
    assert rng.draw_words(2) == SECOND_WORDS
    assert (list(FIRST_WORDS), list(SECOND_WORDS)) == (reference_words(0, 3), reference_words(1, 2))


def test_a_shuffle_of_ten() -> None:
    """A seed's first shuffle is the same for ever, and as the documentation says."""
    items = list(range(10))

    Random(SEED).shuffle(items)

    assert items == TEN_SHUFFLED
    assert items == reference_shuffle(list(range(10)))


@pytest.mark.parametrize("settled", [0, 1, 4, 9, 10, 99])
def test_a_part_of_a_shuffle_is_that_of_the_whole(settled: int) -> None:
    """The shuffle of a part has the items at the end of the whole shuffle, all items are there, and the stream goes on
    alike.
    """
    whole, part = Random(SEED), Random(SEED)
    one, other = list(range(10)), list(range(10))
    whole.shuffle(one)
    part.shuffle(other, settled)

    assert other[max(0, 10 - settled) :] == one[max(0, 10 - settled) :]
    assert sorted(other) == list(range(10))
    assert part.draws == whole.draws


def test_a_copy_goes_on_alike() -> None:
    """A copy gives what the stream would have given, and neither moves the other."""
    rng = Random(SEED)
    rng.draw_words(3)

    twin = rng.copy()

    assert twin.draw_words(2) == SECOND_WORDS
    assert rng.draw_words(2) == SECOND_WORDS


def test_a_spawned_stream() -> None:
    """A spawned stream depends on the two names alone, not on what was drawn before."""
    fresh, used = Random("friday"), Random("friday")
    used.draw_words(7)

    assert used.spawn("deal-12").draw_words(3) == FIRST_WORDS
    assert fresh.spawn("deal-12").seed == SEED
    assert fresh.spawn("deal-13").draw_words(3) != FIRST_WORDS


def test_a_seed_is_any_text() -> None:
    """A seed may hold letters beyond ASCII, or none at all, and makes a stream of its own."""
    assert len({Random(seed).draw_words(1) for seed in ("", "a", "ä", "札", "a/1")}) == 5


def test_lots_are_fair() -> None:
    """Each of six lots comes up about equally often (the bounds are eight standard deviations wide)."""
    rng = Random("dice")

    found = Counter(rng.randbelow(6) for _ in range(12_000))

    assert set(found) == set(range(6))
    assert all(abs(count - 2000) < 8 * 41 for count in found.values())


def test_shuffles_are_fair() -> None:
    """Each of the 24 orders of four comes up about equally often."""
    rng = Random("orders")
    found: Counter[tuple[int, ...]] = Counter()

    for _ in range(24 * 500):
        items = [0, 1, 2, 3]
        rng.shuffle(items)
        found[tuple(items)] += 1

    assert len(found) == 24
    assert all(abs(count - 500) < 8 * 22 for count in found.values())


def test_a_choice() -> None:
    """A choice is one of the items, and each can come."""
    rng = Random("choice")

    assert {rng.choice("abc") for _ in range(100)} == {"a", "b", "c"}


@pytest.mark.parametrize("limit", [0, -1])
def test_a_lot_below_nothing(limit: int) -> None:
    """A lot of fewer than one number is refused; the error names the limit."""
    with pytest.raises(ValueError, match=rf"randbelow\({limit}\): the limit must be at least 1"):
        Random("x").randbelow(limit)


def test_a_stacked_deck() -> None:
    """The written orders and lots come first, then the ordinary stream of the seed."""
    rng = StackedRandom(SEED, orders=[(2, 0, 1)], lots=[4])
    first, then = [0, 1, 2], list(range(10))

    lot = rng.randbelow(6)
    rng.shuffle(first)
    rng.shuffle(then)

    assert (lot, first, then) == (4, [2, 0, 1], TEN_SHUFFLED)


def test_a_stacked_order_of_other_cards() -> None:
    """A stacked order of other cards is refused, and the error shows both orders."""
    with pytest.raises(ValueError, match=r"the stacked order \(0, 5\) is not an order of \[0, 1\]"):
        StackedRandom("x", orders=[(0, 5)]).shuffle([1, 0])


def test_a_written_lot_too_high() -> None:
    """A written lot that is too high is refused, and the error names it and the range."""
    with pytest.raises(ValueError, match=r"the written lot 6 is not in 0..5"):
        StackedRandom("x", lots=[6]).randbelow(6)


def test_a_closed_stack_runs_out() -> None:
    """Nothing is drawn that was not written."""
    rng = StackedRandom("x", strict=True)

    with pytest.raises(ValueError, match="is not an order of"):
        rng.shuffle([0, 1])
    with pytest.raises(ValueError, match="the written lot -1"):
        rng.randbelow(2)


def test_copies_and_children_of_a_stack() -> None:
    """A copy has a stack of its own; a spawned stream takes from the same one."""
    rng = StackedRandom("x", lots=[1, 2], strict=True)

    assert rng.copy().randbelow(3) == 1
    assert rng.spawn("round").randbelow(3) == 1
    assert rng.randbelow(3) == 2


def test_a_stream_is_shown_as_it_is_made() -> None:
    """The text of a stream can be typed in to make it again."""
    rng = Random(SEED)
    rng.draw_words(1)

    assert repr(rng) == "Random('friday/deal-12', 1)"
