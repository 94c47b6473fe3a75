"""Strengths of rungs: fitted to duplicate deals of two bots each, with the statistics of tournaments.

The unit is the block, a deal in all its rotations. A rating is that of `statistics.ratings`; where all seats play
together, the unit is points a game, and two bots are compared on the same deals (`statistics.point_differences`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from math import ceil, inf, sqrt
from pathlib import Path
from typing import Final, Literal, NamedTuple, TypeAlias

from msgspec.structs import replace

from pitboss.plugins.rungs import GameRungs, MeasuredRung
from pitboss_tournament.rungs.rung_estimate import RungBlock, score_rung_block
from pitboss_tournament.statistics.point_counts import PointCounts
from pitboss_tournament.statistics.point_differences import PointDifferences, fit_points
from pitboss_tournament.statistics.rankings import RankingCounts
from pitboss_tournament.statistics.ratings import rate_rankings
from pitboss_tournament.statistics.scoring import GameResult, SeatResult

Blocks: TypeAlias = Mapping[tuple[str, str], Sequence[RungBlock]]  # by the two bots; as the first one sees them

MAX_NEEDED_DEALS: Final = 2000
MIN_MEASURED_DEALS: Final = 20  # of a rung
MIN_NEEDED_DEALS: Final = 24
SEARCH_FACTOR: Final = 4 / 3  # a quarter of the deals are played to find out where to look


class RungRatings(NamedTuple):
    """The strengths of bots, the weakest first, above that of one of them."""

    bots: list[str]
    strengths: dict[str, float]
    half_widths: dict[str, float | None]  # of the differences from that one; None: it itself, or not known
    blocks: dict[str, int]
    compare: Callable[[str, str], tuple[float, float]]

    def measure_difference(self, one: str, other: str) -> tuple[float, float]:
        """Return by how much one bot is stronger than another, and the half-width of the 95 % interval."""
        return self.compare(one, other)


def rate_bots(blocks: Blocks, anchor: str) -> RungRatings:
    """Return ratings of all bots that can be compared with the anchor."""
    names = _list_bots(blocks, anchor)
    rankings = RankingCounts()
    for pairing, ((one, other), played) in enumerate(blocks.items()):
        for deal, block in enumerate(played):
            for game in _write_games(block, (names.index(one), names.index(other)), pairing, deal):
                rankings.add(game)
    ratings = rate_rankings(rankings, names, anchor=0)

    def compare(one: str, other: str) -> tuple[float, float]:
        found = ratings.difference(names.index(one), names.index(other))
        return found.mean or 0.0, inf if found.half_width is None else found.half_width

    known = {line.name: line.points.mean for line in ratings.lines if line.points.mean is not None}
    return _gather(blocks, anchor, {name: mean for name, mean in known.items() if mean is not None}, compare)


def measure_points(blocks: Blocks, anchor: str) -> RungRatings:
    """Return by how many points a game teams of each bot are ahead of teams of the anchor."""
    names = _list_bots(blocks, anchor)
    counts = PointCounts()
    for (one, other), played in blocks.items():
        counts.add_all({names.index(one): block.points / 2, names.index(other): -block.points / 2} for block in played)
    differences = PointDifferences(fit_points(counts))

    def compare(one: str, other: str) -> tuple[float, float]:
        found = differences.compare(names.index(one), names.index(other))
        if found is None or found.estimate.mean is None:
            return 0.0, inf
        return found.estimate.mean, inf if found.estimate.half_width is None else found.estimate.half_width

    return _gather(blocks, anchor, {name: compare(name, anchor)[0] for name in names if name != anchor}, compare)


def read_blocks(path: Path) -> dict[tuple[str, str], list[RungBlock]]:
    """Return the measured blocks of a game by the two bots; each line of the file is a block."""
    blocks: dict[tuple[str, str], list[RungBlock]] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        one, other, wins, losses, ties, points = line.split("\t")
        block = RungBlock(int(wins), int(losses), int(ties), float(points))
        blocks.setdefault((one, other), []).append(block)
    return blocks


def build_table(
    game: str, blocks: Blocks, *, seats: int, preset: str | None, unit: Literal["rating", "points"]
) -> GameRungs:
    """Return the rungs of a game: bots that were measured on some deals, each different from its neighbours at 95 %."""
    own = f"house:{game}"
    ratings = rate_bots(blocks, own) if unit == "rating" else measure_points(blocks, own)
    rungs = tuple(
        MeasuredRung(
            bot=bot,
            strength=round(ratings.strengths[bot], 1),
            half_width=None if bot == own else round(ratings.measure_difference(bot, own)[1], 1),
            deals=ratings.blocks[bot],
        )
        for bot in _choose_rungs(ratings, own)
    )
    made = GameRungs(name=game, seats=seats, preset=preset, unit=unit, deals=MIN_NEEDED_DEALS, rungs=rungs)
    return replace(made, deals=count_needed_deals(made, blocks))


def _choose_rungs(ratings: RungRatings, own: str) -> Iterator[str]:
    """Yield bots that differ from each other, the weakest first; the game's own bot is one of them."""
    known = [bot for bot in ratings.bots if ratings.blocks[bot] >= MIN_MEASURED_DEALS or bot == own]
    middle = known.index(own)
    weaker = list(_select_apart(ratings, known[middle::-1]))
    yield from [*reversed(weaker), *list(_select_apart(ratings, known[middle:]))[1:]]


def _select_apart(ratings: RungRatings, bots: Sequence[str]) -> Iterator[str]:
    """Yield the first bot, and each that differs from the one yielded before at 95 %."""
    last = bots[0]
    yield last
    for bot in bots[1:]:
        difference, half_width = ratings.measure_difference(bot, last)
        if abs(difference) > half_width:
            yield bot
            last = bot


def count_needed_deals(table: GameRungs, blocks: Blocks) -> int:
    """Return how many deals tell a bot's rung within about one rung to either side.

    With them the half-width of an interval is the median distance between neighbouring rungs, for a bot that meets
    the rung nearest to it, with blocks as scattered as those that were measured.
    """
    strengths = {rung.bot: rung.strength for rung in table.rungs}
    gaps = sorted(high - low for low, high in pairwise(sorted(strengths.values())))
    gap = gaps[len(gaps) // 2] if gaps else 1.0
    squares = slopes = 0.0
    count = 0
    for (one, other), played in blocks.items():
        if one in strengths and other in strengths and abs(strengths[one] - strengths[other]) <= 2 * gap:
            for block in played:
                scored = score_rung_block(block, strengths[one] - strengths[other], table.unit == "rating", 0.0)
                squares, slopes, count = squares + scored.score**2, slopes + scored.slope, count + 1
    if not count or not slopes:
        return MAX_NEEDED_DEALS
    error = sqrt(squares / count) / (slopes / count)  # of one block
    return min(max(ceil(SEARCH_FACTOR * (1.96 * error / gap) ** 2 / 10) * 10, MIN_NEEDED_DEALS), MAX_NEEDED_DEALS)


def _list_bots(blocks: Blocks, anchor: str) -> list[str]:
    return list(dict.fromkeys([anchor, *(bot for pair in blocks for bot in pair)]))


def _gather(
    blocks: Blocks, anchor: str, strengths: dict[str, float], compare: Callable[[str, str], tuple[float, float]]
) -> RungRatings:
    strengths = {**strengths, anchor: 0.0}
    played = {bot: sum(len(own) for pair, own in blocks.items() if bot in pair) for bot in strengths}
    widths = {bot: None if bot == anchor else compare(bot, anchor)[1] for bot in strengths}
    bots = sorted((bot for bot in strengths if widths[bot] != inf), key=lambda bot: strengths[bot])
    return RungRatings(bots, strengths, widths, played, compare)


def _write_games(block: RungBlock, pair: tuple[int, int], pairing: int, deal: int) -> list[GameResult]:
    """Return a game of two for each comparison of a block; each bot is named first in half of those that it won."""
    games = []
    for places, count in (((1, 2), block.wins), ((2, 1), block.losses), ((1, 1), block.ties)):
        for number in range(count):
            seats = tuple(
                SeatResult(bot, 0.0, place, 0.0, None, {}, 0, 0, "") for bot, place in zip(pair, places, strict=True)
            )
            games.append(GameResult(0, pairing, deal, number, seats[:: -1 if number % 2 else 1]))
    return games
