"""Which card of a deck wins: found at the stated power where it is so, and seldom claimed where it is not."""

from __future__ import annotations

import random
from collections.abc import Mapping
from math import sqrt
from statistics import NormalDist, fmean

import pytest

from pitboss import Random
from pitboss.parts.decks import build_deck
from pitboss.plugins.formats import PlayedBlock
from pitboss_tournament.statistics.head_to_head import HeadToHead
from pitboss_tournament.statistics.part_effects import PartEffect, PartEffects, estimate_part_effects

CARDS = [f"card {number:02}" for number in range(14)]
STRONG = {"card 03": 0.03}  # of the share of wins, for each copy
PROGRAMS = {"weak": 0.0, "good": 0.1}
LUCK = 0.15  # of the deal: what the first seat of a block has in one game, the other has in the other


def simulate_blocks(
    seed: str, decks: Mapping[int, Mapping[str, int]], deals: int, strengths: Mapping[str, float]
) -> tuple[HeadToHead, dict[int, str]]:
    """Return the meetings of a round robin of decks in the hands of two programs, and who plays which."""
    rng, programs = random.Random(seed), [*PROGRAMS]
    hands = {bot: programs[bot % 2] for bot in decks}
    worth = {
        bot: sum(strengths.get(card, 0.0) * count for card, count in deck.items()) + PROGRAMS[hands[bot]]
        for bot, deck in decks.items()
    }
    meetings = HeadToHead(len(decks))
    for one in decks:
        for other in range(one + 1, len(decks)):
            chance = 0.5 + worth[one] - worth[other]
            for _ in range(deals):
                luck = rng.choice((-LUCK, LUCK))
                wins = (rng.random() < chance + luck) + (rng.random() < chance - luck)
                meetings.add(PlayedBlock({one: wins / 2, other: 1 - wins / 2}, {one: 0.0, other: 0.0}))
    return meetings, hands


def draw_decks(seed: str, count: int) -> dict[int, Mapping[str, int]]:
    """Return decks of ten cards at random, none of them more than twice."""
    return {bot: build_deck(CARDS, 10, 2, Random(f"{seed}/{bot}")).cards for bot in range(count)}


def simulate(
    seed: str, count: int, deals: int, strengths: Mapping[str, float], *, anytime: bool = False
) -> PartEffects:
    """Return the effects that a simulated tournament shows."""
    decks = draw_decks(seed, count)
    meetings, hands = simulate_blocks(seed, decks, deals, strengths)
    found = estimate_part_effects(meetings, decks, hands, anytime=anytime)
    assert found is not None
    return found


def find_part(effects: PartEffects, name: str) -> PartEffect:
    """Return the effect of a card."""
    return next(part for part in effects.parts if part.name == name)


def test_a_strong_card_is_found() -> None:
    """A card that wins 3 points of 100 more a copy is proven, and comes first; its program is not taken for it."""
    found = simulate("strong", 40, 8, STRONG)

    best = found.parts[0]
    assert (best.name, best.is_proven, found.blocks, found.identified) == ("card 03", True, 6240, 14)
    assert best.effect.mean == pytest.approx(0.03 * 13 / 14, abs=0.01)
    assert best.visible is not None and best.visible < 0.02


def test_effects_are_relative_where_decks_have_one_size() -> None:
    """Where all decks have ten cards effects are those of a copy in place of an average one: they add up to zero."""
    found = simulate("relative", 30, 2, STRONG)

    assert found.is_relative
    assert sum(part.effect.mean or 0.0 for part in found.parts) == pytest.approx(0.0, abs=1e-9)


def test_effects_of_decks_of_any_size() -> None:
    """Where decks have different sizes the effect of a copy is what it adds."""
    decks: dict[int, Mapping[str, int]] = {
        bot: {card: count for card in ("a", "b") if (count := rng.randrange(3))}
        for bot in range(30)
        for rng in (random.Random(f"size {bot}"),)
    }
    meetings, hands = simulate_blocks("sizes", decks, 30, {"a": 0.04})

    found = estimate_part_effects(meetings, decks, hands)

    assert found is not None and not found.is_relative
    assert find_part(found, "a").effect.mean == pytest.approx(0.04, abs=0.01)
    assert find_part(found, "b").effect.mean == pytest.approx(0.0, abs=0.01)


def test_few_decks_identify_no_effect() -> None:
    """Five decks do not identify the effects of fourteen cards: none is claimed."""
    found = simulate("few", 5, 50, STRONG)

    assert found.identified == 0
    assert all(part.effect.mean is None and not part.is_proven and part.error is None for part in found.parts)
    assert all(part.loadouts >= 1 for part in found.parts)


def test_cards_that_are_always_together() -> None:
    """The effects of two cards that each deck has equally often are not identified."""
    decks = {bot: {**deck, "twin": deck.get(CARDS[0], 0)} for bot, deck in draw_decks("twins", 40).items()}
    meetings, hands = simulate_blocks("twins", decks, 2, {})

    found = estimate_part_effects(meetings, decks, hands)

    assert found is not None
    assert {part.name for part in found.parts if part.effect.mean is None} >= {CARDS[0], "twin"}


def test_nothing_to_estimate() -> None:
    """Without parts, or without a block, there are no effects."""
    assert estimate_part_effects(HeadToHead(2), {}, {}) is None
    empty = estimate_part_effects(HeadToHead(2), {0: {"a": 1}, 1: {"b": 1}}, {0: "x", 1: "x"})
    assert empty is not None and (empty.blocks, empty.identified) == (0, 0)


def test_the_order_of_bots_does_not_matter() -> None:
    """An effect is the same where the bots have other numbers."""
    decks = draw_decks("order", 20)
    meetings, hands = simulate_blocks("order", decks, 2, STRONG)
    turned, back = HeadToHead(20), {bot: 19 - bot for bot in decks}
    for one, other in meetings.list_pairs():
        for difference, count in meetings.count_differences(one, other).items():
            scores = {back[one]: (1 + difference) / 2, back[other]: (1 - difference) / 2}
            turned.add_all([PlayedBlock(scores, dict.fromkeys(scores, 0.0))] * count)

    again = estimate_part_effects(
        turned, {back[bot]: deck for bot, deck in decks.items()}, {back[bot]: name for bot, name in hands.items()}
    )

    first = estimate_part_effects(meetings, decks, hands)
    assert first is not None and again is not None
    for part in first.parts:
        assert find_part(again, part.name).effect.mean == pytest.approx(part.effect.mean, abs=1e-9)


def test_merged_meetings() -> None:
    """Meetings of groups have those of their bots, from the side of the group; those within a group are left out."""
    meetings = HeadToHead(4)
    for one, other, score in ((0, 2, 1.0), (2, 1, 1.0), (0, 1, 1.0), (3, 0, 1.0)):
        meetings.add(PlayedBlock({one: score, other: 1 - score}, {one: 0.0, other: 0.0}))

    merged = meetings.merge_groups([1, 1, 0, None], 2)

    assert merged.list_pairs() == [(0, 1)]
    assert merged.count_differences(1, 0) == {1.0: 1, -1.0: 1}


def count_claims(tournaments: int, count: int, deals: int, strengths: Mapping[str, float], seed: str) -> list[set[str]]:
    """Return, by tournament, the cards that are proven to matter."""
    return [
        {part.name for part in simulate(f"{seed} {number}", count, deals, strengths).parts if part.is_proven}
        for number in range(tournaments)
    ]


def allow(share: float, tournaments: int) -> float:
    """Return the share that chance exceeds once in a thousand times."""
    return share + 3.1 * sqrt(share * (1 - share) / tournaments)


@pytest.mark.long
@pytest.mark.parametrize(("count", "deals"), [(20, 1), (20, 4), (40, 1)])
def test_cards_without_effect_are_seldom_claimed(count: int, deals: int) -> None:
    """Where no card matters at most 5 of 100 tournaments prove one, also with few blocks."""
    claims = count_claims(600, count, deals, {}, f"null {count} {deals}")

    assert fmean(bool(one) for one in claims) <= allow(0.05, len(claims))


@pytest.mark.long
def test_a_planted_card_is_found_at_the_stated_power() -> None:
    """A card that wins 3 points a copy is proven as often as `visible` and the interval say; others seldom are."""
    tournaments, effect, found, stated, wrong = 400, 0.03 * 13 / 14, 0, [], 0
    for number in range(tournaments):
        parts = simulate(f"planted {number}", 40, 4, STRONG)
        own = find_part(parts, "card 03")
        assert own.effect.half_width is not None and own.visible is not None
        width = own.effect.half_width / 1.96
        stated.append(NormalDist().cdf((effect - own.visible) / width + NormalDist().inv_cdf(0.8)))
        found += own.is_proven
        wrong += any(part.is_proven for part in parts.parts if part.name != "card 03")

    assert 0.7 < fmean(stated) < 0.9
    assert found / tournaments == pytest.approx(fmean(stated), abs=0.07)
    assert wrong / tournaments <= allow(0.05, tournaments)


@pytest.mark.long
def test_intervals_hold_the_effect() -> None:
    """Of 100 intervals at least some 95 hold the effect, of the planted card and of one without effect."""
    held = {"card 03": 0, "card 05": 0}
    for number in range(300):
        parts = simulate(f"intervals {number}", 30, 2, STRONG)
        for name in held:
            effect, true = find_part(parts, name).effect, (0.03 if name in STRONG else 0.0) - 0.03 / 14
            assert effect.mean is not None and effect.half_width is not None
            held[name] += abs(effect.mean - true) <= effect.half_width

    assert all(0.91 <= count / 300 <= 0.99 for count in held.values())


@pytest.mark.long
def test_anytime_claims() -> None:
    """With intervals that hold at any time, cards without effect are claimed in hardly any tournament."""
    claims = [
        any(part.is_proven for part in simulate(f"anytime {number}", 20, 2, {}, anytime=True).parts)
        for number in range(200)
    ]

    assert fmean(claims) <= allow(0.05, len(claims))
