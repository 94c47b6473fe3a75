"""Notes on standings, in sentences: what is unusual about them, what duplicate deals saved, and counts of faults."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from pitboss.text import format_count
from pitboss_tournament.counting.findings import Findings
from pitboss_tournament.counting.tally import Standing, Tally, heavy_tail_text
from pitboss_tournament.results.numbers import MIN_SHOWN_BLOCKS
from pitboss_tournament.statistics.control_variate import MIN_FITTED_BLOCKS, LuckRemoval
from pitboss_tournament.statistics.ratings import Ratings
from pitboss_tournament.statistics.time_histogram import overload_text
from pitboss_tournament.statistics.variance_reduction import VarianceReduction

ANYTIME: Final = (
    "{open_length}: intervals are wider, so that they hold however often you look and whenever you stop; a bot "
    "with fewer than seven blocks may have no interval yet (±?)."
)
MIN_ANYTIME_BLOCKS: Final = 7  # for an interval that holds whenever one stops
FEW_BLOCKS: Final = (
    f"±?: a bot with fewer than {MIN_SHOWN_BLOCKS} blocks has no interval yet; its numbers can be far off."
)
EQUAL_BLOCKS: Final = (
    "±?: every block of this bot ended alike, for example all won, so the blocks cannot show how far off its number is."
)
NOT_COMPARABLE: Final = (
    "Not all bots can be compared: no games connect them, or none was ever placed ahead of the other. "
    "Compare ratings within a group only; the table is not sorted by them."
)
NEVER_SEPARATED: Final = (
    "Partners whom no game has separated are rated and ranked as one: nothing tells which of them is the better bot."
)


def note_lines(
    tally: Tally,
    voids: Mapping[str, int],
    ratings: Ratings | None = None,
    *,
    removal: LuckRemoval | None = None,
    open_length: str | None = None,
) -> Iterator[str]:
    """Yield what is unusual about this board.

    Why the number of games was not fixed (of `explain_open_length`), intervals that are not known or say little, bots
    that cannot be compared, luck that was taken out, an overloaded machine, void games.
    """
    anytime = open_length is not None
    if anytime:
        yield ANYTIME.format(open_length=open_length)
    unknown = [
        line for line in tally.standings() if line.games and None in (line.points.half_width, line.wins.half_width)
    ]
    if not anytime and any(line.games and line.blocks < MIN_SHOWN_BLOCKS for line in tally.standings()):
        yield FEW_BLOCKS
    if any(line.blocks >= (MIN_ANYTIME_BLOCKS if anytime else MIN_SHOWN_BLOCKS) for line in unknown):
        yield EQUAL_BLOCKS
    if warning := heavy_tail_text(tally.standings()):
        yield warning
    if ratings is not None and ratings.group_count > 1:
        yield NOT_COMPARABLE
    if ratings is not None and ratings.partners:
        yield NEVER_SEPARATED
    if removal is not None:
        yield luck_text(removal, tally.games)
    late = [line.name for line in tally.standings() if "late" in {*line.faults, *line.substituted}]
    if warning := overload_text(tally.lag, late):
        yield warning
    if voids:
        games = format_count(sum(voids.values()), "game")
        yield f"Void without a fault of a bot, and played again: {games} ({format_kinds(voids)})."


def rare_loss_text(rated: Findings) -> str | None:
    """Return a warning where points count and a loss that no block shows could cost more than an interval holds.

    By the rule of three: what happened in none of n blocks happens with 95 % in at most 3 / n of all.
    """
    widths = [(line.blocks, line.points.half_width) for line in rated.standings if line.points.half_width is not None]
    if rated.header.rank != "points" or rated.worst_loss is None or not widths:
        return None
    blocks, width = min(widths)
    cost = min(1.0, 3 / blocks) * rated.worst_loss
    if cost <= width:
        return None
    return (
        f"Rare losses: a game can cost up to {rated.worst_loss:,.0f} points. Such a loss may be missing from all "
        f"{format_count(blocks, 'block')} of a bot and still cost it up to {cost:,.1f} points a game on average. No "
        "interval of points shows that."
    )


def blind_spot_text(blocks: int) -> str:
    """Return which events intervals of points over `blocks` blocks can miss, by the rule of three."""
    share = f"{min(100.0, 300 / blocks):.1f}".removesuffix(".0")
    return (
        f"points: what happened in none of {format_count(blocks, 'block')} may still happen in {share} % of all. No "
        "interval of points includes what that can cost (in poker a stack)."
    )


def reduction_text(saved: VarianceReduction) -> str:
    """Return a sentence on the variance reduction by duplicate deals."""
    return f"Duplicate deals: without them, equally narrow intervals of points would need {_saving_text(saved)}."


def luck_text(removal: LuckRemoval, games: int) -> str:
    """Return a sentence on the removal of the luck of the draw, which is measured in some of the games."""
    saved = removal.estimate_reduction("points")
    if saved.blocks <= MIN_FITTED_BLOCKS or saved.ratio is None:
        return f"Luck of the draw: it is taken out from {MIN_FITTED_BLOCKS + 1} blocks on."
    return (
        f"Luck of the draw, measured in {len(removal.luck):,} of {games:,} games: it is taken out of points and wins, "
        "not out of places and ratings; without this, equally narrow intervals of points would need "
        f"{_saving_text(saved)}."
    )


def _saving_text(saved: VarianceReduction) -> str:
    ends = "" if saved.low is None or saved.high is None else f" (95 %: {saved.low:.2f} to {saved.high:,.2f})"
    return f"{saved.ratio:.2f} times the games{ends}"


def format_kinds(counts: Mapping[str, int]) -> str:
    """Return counts, the greatest first: "late 3, crashed 1"."""
    return ", ".join(
        f"{kind} {count:,}" for kind, count in sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    )


def format_fault_counts(line: Standing) -> str:
    """Return the faults of one bot by kind: "2 games forfeited (late 2), 1 decision substituted (illegal 1)"."""
    parts = []
    if line.faults:
        parts.append(f"{format_count(sum(line.faults.values()), 'game')} forfeited ({format_kinds(line.faults)})")
    if line.substituted:
        parts.append(
            f"{format_count(sum(line.substituted.values()), 'decision')} substituted ({format_kinds(line.substituted)})"
        )
    return ", ".join(parts)
