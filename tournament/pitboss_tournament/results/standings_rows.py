"""The rows of standings and of pairs of bots, as values, for whoever shows them or exports them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Final

from msgspec import Meta, Struct
from msgspec.structs import asdict, replace

from pitboss_tournament.counting.findings import Findings
from pitboss_tournament.counting.stored_findings import StoredFindings
from pitboss_tournament.counting.tally import Standing
from pitboss_tournament.statistics.pairwise import Comparison, EstimatedDifference
from pitboss_tournament.statistics.proven_ranks import RankRange
from pitboss_tournament.statistics.ratings import BoundKind
from pitboss_tournament.statistics.running_moments import Estimate
from pitboss_tournament.store.header import SHOWN_DIGITS

COUNTED: Final = "points"  # what results count, unless a tournament scores them otherwise


class BotRow(Standing, frozen=True, kw_only=True):
    """A bot in the standings: its games, and how it is rated."""

    unit: Annotated[
        str | None, Meta(description='What the players of the game count points in, as "mbb a hand"; null: in points.')
    ] = None
    points_in_unit: Annotated[Estimate | None, Meta(description="The points in that unit.")] = None

    rating: Annotated[
        Estimate | None, Meta(description="Rating points above zero; null: ratings were not computed.")
    ] = None
    rating_comparison: Annotated[
        float | None,
        Meta(description="A half-width: two bots whose comparison intervals do not overlap differ at 95 %."),
    ] = None
    rating_bound: Annotated[
        BoundKind | None, Meta(description="Of a bot that was never placed behind another, or never ahead.")
    ] = None
    rating_without_gifts: Annotated[
        Estimate | None,
        Meta(
            description="Of a bot that gains by others at its table: without the games with them; null: of any other."
        ),
    ] = None
    group: Annotated[int | None, Meta(description="Only bots of one group can be compared.")] = None
    place: Annotated[
        int | None,
        Meta(description="The place to print, shared by ties; null: it has none, or places are not told here."),
    ] = None
    rank: Annotated[
        RankRange | None,
        Meta(description="Those that it may have; null: no complete block, it is out, or all play together."),
    ] = None
    tier: RankRange | None = None
    ahead_of: Annotated[
        int | None, Meta(description="How many bots it is proven better than, against this field; null: as `rank`.")
    ] = None
    behind: Annotated[int | None, Meta(description="How many bots are proven better, against this field.")] = None
    alpha_rank: Annotated[float | None, Meta(description="0 to 1, where there is a cycle.")] = None
    digest: Annotated[
        str | None, Meta(description="The beginning of SHA-256 of the list of its files; null: it has none.")
    ] = None
    yardstick: Annotated[bool, Meta(description="Whether it only measures the others, and takes no place.")] = False
    left: Annotated[str | None, Meta(description="Why it takes part no more; null: it does.")] = None
    counted: Annotated[str, Meta(description="What `points` are: of the game, or as the tournament scores it.")] = (
        COUNTED
    )


class PairRow(Struct, frozen=True, kw_only=True):
    """Two bots, and how far the first is ahead of the second."""

    bot: str
    other: str
    blocks: Annotated[int, Meta(description="Complete ones in which both sat at one table.")]
    points: EstimatedDifference
    places: EstimatedDifference
    rating: Annotated[Estimate, Meta(description="The difference of their ratings.")]
    rating_chance: Annotated[float | None, Meta(description="That the first is rated higher with good reason.")]
    counted: Annotated[str, Meta(description="What `points` are, as in the standings.")] = COUNTED


def list_bot_rows(rated: Findings) -> list[BotRow]:
    """Return the rows of the standings, in their order; of a cooperative game without what goes by places."""
    rows = _list_all_rows(rated)
    return leave_out_places(rows) if rated.is_cooperative else rows


def leave_out_places(rows: Sequence[BotRow]) -> list[BotRow]:
    """Return rows without ranks, ratings and wins: where all play together nobody is placed before anybody."""
    unknown = Estimate(None, None)
    return [
        replace(
            leave_out_ranks(row),
            wins=unknown,
            rating=None,
            rating_comparison=None,
            rating_bound=None,
            group=None,
        )
        for row in rows
    ]


def leave_out_ranks(row: BotRow) -> BotRow:
    """Return a row without what is proven of other bots."""
    return replace(row, rank=None, tier=None, ahead_of=None, behind=None)


def _list_all_rows(rated: Findings) -> list[BotRow]:
    unit = rated.point_unit
    return [
        replace(
            _add_ranks(row, rated),
            alpha_rank=rated.alpha_ranks.get(row.name),
            unit=None if unit is None else unit.name,
            points_in_unit=None if unit is None else row.points.scale(1 / unit.points),
            counted=rated.score_name,
        )
        for row in list_rated_rows(rated)
    ]


def _add_ranks(row: BotRow, rated: Findings) -> BotRow:
    """Return a row with what is proven of other bots, against this field."""
    rank = rated.rank_ranges.get(row.name)
    if rank is None:
        return row
    bots = len(rated.rank_confidence.order)
    return replace(
        row, rank=rank, tier=rated.tier_ranges.get(row.name), ahead_of=bots - rank.worst, behind=rank.best - 1
    )


def list_rated_rows(rated: Findings) -> list[BotRow]:
    """Return the rows of the standings, in their order, without what takes a test of all pairs: ranks and tiers."""
    ratings = {line.name: line for line in rated.ratings.lines}
    entries = dict(zip(rated.names, rated.entries, strict=True))
    return [
        BotRow(
            **asdict(line),
            rating=ratings[line.name].points,
            rating_comparison=ratings[line.name].comparison,
            rating_bound=ratings[line.name].bound,
            rating_without_gifts=rated.gifts.ratings.get(ratings[line.name].entrant),
            group=ratings[line.name].group,
            digest=entries[line.name].digest[:SHOWN_DIGITS] or None,
            yardstick=entries[line.name].about.yardstick,
            left=entries[line.name].why,
        )
        for line in rated.standings
    ]


def make_idle_row(name: str) -> BotRow:
    """Return the row of a bot without games."""
    unknown = Estimate(None, None)
    return BotRow(
        name=name,
        games=0,
        blocks=0,
        points=unknown,
        wins=unknown,
        faults={},
        substituted={},
        think_ms=None,
        think_p50_ms=None,
        think_p99_ms=None,
        is_out=False,
        rating=unknown,
    )


def number_rows(rows: Sequence[BotRow]) -> list[BotRow]:
    """Return rows whose rank is the number of the line, where no difference is claimed."""
    return [replace(leave_out_ranks(row), rank=RankRange(number, number)) for number, row in enumerate(rows, 1)]


def list_pair_rows(summary: StoredFindings, pairs: Sequence[Comparison]) -> list[PairRow]:
    """Return the rows of pairs of bots."""
    return [
        PairRow(
            bot=summary.names[pair.entrant],
            other=summary.names[pair.other],
            blocks=pair.blocks,
            points=pair.points,
            places=pair.places,
            rating=summary.ratings.difference(pair.entrant, pair.other),
            rating_chance=summary.ratings.chance_better(pair.entrant, pair.other),
            counted=summary.score_name,
        )
        for pair in pairs
    ]
