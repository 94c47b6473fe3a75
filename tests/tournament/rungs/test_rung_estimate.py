"""A bot's rung: simulated bots of known strength, and the deals that decide where to look."""

from __future__ import annotations

from random import Random
from typing import Final, Literal, NamedTuple

import pytest

from pitboss.plugins.rungs import GameRungs, MeasuredRung
from pitboss_tournament.rungs.rung_estimate import (
    NO_GAMES,
    RungBlock,
    estimate_rung,
    find_nearest,
)
from pitboss_tournament.rungs.rung_match import choose_rung, split_deals

BOTS: Final = 200
STRENGTHS: Final = (-620.0, -480.0, -330.0, -260.0, -140.0, -60.0, 0.0, 50.0, 130.0, 180.0, 260.0, 400.0)
POINTS: Final = (-21.0, -17.0, -11.0, -8.0, -5.5, -2.0, 0.0, 1.0)


class Held(NamedTuple):
    """Whether the range holds the true rung, and the interval the true strength."""

    rung: bool
    strength: bool


def make_table(strengths: tuple[float, ...], half_width: float = 0.0, is_rating: bool = True) -> GameRungs:
    """Return rungs of these strengths, whose intervals have this half-width."""
    rungs = tuple(MeasuredRung(bot=f"bot {one}", strength=one, half_width=half_width, deals=9) for one in strengths)
    unit: Literal["rating", "points"] = "rating" if is_rating else "points"
    return GameRungs(name="magpie", seats=2, preset=None, unit=unit, deals=60, rungs=rungs)


def draw_block(rng: Random, lead: float, comparisons: int, luck: float) -> RungBlock:
    """Return a block of games by the model of ratings; in a share of blocks all games end as the first one does."""
    chance = 1 / (1 + 10 ** (-lead / 400))
    drawn = [rng.random() < chance for _ in range(comparisons)]
    wins = comparisons * drawn[0] if rng.random() < luck else sum(drawn)
    return RungBlock(wins, comparisons - wins, 0, 0.0)


def measure_bot(rng: Random, table: GameRungs, strengths: tuple[float, ...], strength: float, luck: float) -> Held:
    """Return what is held of a bot that plays the table's deals as `arena rung` does."""
    played: dict[int, list[RungBlock]] = {}
    for count in split_deals(table.deals):
        number = choose_rung(table, played)
        lead = strength - strengths[number - 1]
        for _ in range(count):
            if table.unit == "rating":
                block = draw_block(rng, lead, 2, luck)
            else:
                block = NO_GAMES._replace(points=rng.gauss(lead, 7.0))
            played.setdefault(number, []).append(block)
    found = estimate_rung(table, played)
    return Held(
        rung=found.lowest <= find_nearest(strengths, strength) <= found.highest,
        strength=(found.low is None or found.low <= strength) and (found.high is None or strength <= found.high),
    )


@pytest.mark.parametrize(
    ("strengths", "is_rating", "luck"),
    [(STRENGTHS, True, 0.0), (STRENGTHS, True, 0.7), (POINTS, False, 0.0)],
    ids=["games that do not depend on each other", "games that the deal decides", "points"],
)
def test_the_range_holds_the_true_rung(strengths: tuple[float, ...], is_rating: bool, luck: float) -> None:
    """The range holds the rung of 95 of 100 simulated bots, whose strengths are below, among and above the rungs."""
    table, rng = make_table(strengths, is_rating=is_rating), Random(f"rungs {luck}")
    width = strengths[-1] - strengths[0]
    bots = [strengths[0] + width * rng.uniform(-0.1, 1.1) for _ in range(BOTS)]

    held = [measure_bot(rng, table, strengths, strength, luck) for strength in bots]

    assert sum(one.rung for one in held) >= 0.95 * BOTS
    assert sum(one.strength for one in held) >= 0.93 * BOTS


def test_rungs_that_are_known_badly() -> None:
    """The range holds the true rung in 95 of 100 bots also where the strengths of the table are wrong by as much as
    their intervals say.
    """
    rng, held = Random("badly known"), []
    for _ in range(BOTS):
        pairs = sorted((strength + rng.gauss(0.0, 40.0), strength) for strength in STRENGTHS)
        measured, true = (tuple(pair[at] for pair in pairs) for at in (0, 1))
        table = make_table(measured, half_width=1.96 * 40.0)
        held.append(measure_bot(rng, table, true, rng.uniform(-600.0, 380.0), 0.3))

    assert sum(one.rung for one in held) >= 0.95 * BOTS
    assert sum(one.strength for one in held) >= 0.93 * BOTS


@pytest.mark.parametrize("wins", [0, 2])
def test_a_bot_that_always_wins_or_never(wins: int) -> None:
    """A bot that wins all games, or none, is on the last rung on its side, and its interval has one end."""
    table = make_table(STRENGTHS)
    met = len(STRENGTHS) if wins else 1
    found = estimate_rung(table, {met: [RungBlock(wins, 2 - wins, 0, 0.0)] * 20})

    assert (found.rung, found.lowest, found.highest) == (met, met, met)
    assert (found.high is None, found.low is None) == (bool(wins), not wins)


def test_few_deals_tell_little() -> None:
    """With a deal there is no range at all, with two evenly shared ones it is wide."""
    table = make_table(STRENGTHS)
    with pytest.raises(ValueError, match="two deals at least"):
        estimate_rung(table, {1: [RungBlock(1, 1, 0, 0.0)]})

    found = estimate_rung(table, {6: [RungBlock(2, 0, 0, 0.0), RungBlock(0, 2, 0, 0.0)]})

    assert (found.rung, found.lowest, found.highest) == (6, 1, 12)


@pytest.mark.parametrize("deals", [1, 2, 3, 7, 20, 60, 2000])
def test_all_deals_are_played(deals: int) -> None:
    """The batches add up to the deals, and none is empty."""
    batches = split_deals(deals)

    assert sum(batches) == deals
    assert min(batches) > 0


def test_the_next_rung() -> None:
    """The rung in the middle is met first, then the one nearest to the bot, its neighbour once that had its half."""
    table = make_table(STRENGTHS)
    even = [RungBlock(1, 1, 0, 0.0)] * 6
    lost = [RungBlock(0, 2, 0, 0.0)] * 6

    assert choose_rung(table, {}) == 6
    assert choose_rung(table, {6: even}) == 6
    assert choose_rung(table, {6: lost}) == 1
    assert choose_rung(table, {6: lost, 5: even * 3}) == 4
