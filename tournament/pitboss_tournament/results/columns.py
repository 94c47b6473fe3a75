"""The columns of standings and of pairs, declared once: the terminal, the report, pages, CSV and JSON show these.

A column's key is the field of its row (`BotRow`, `PairRow`) that it shows; the rows are what `--json` writes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, Generic, Literal, NamedTuple, TypeAlias, TypeVar

from pitboss.text import truncate_text
from pitboss_tournament.results.numbers import (
    UNKNOWN,
    format_interval,
    format_milliseconds,
    format_number,
    format_percent,
    format_share,
    format_width,
    hide_wide,
)
from pitboss_tournament.results.standings_rows import COUNTED, BotRow, PairRow
from pitboss_tournament.results.verdict import rank_text
from pitboss_tournament.statistics.pairwise import EstimatedDifference
from pitboss_tournament.statistics.ratings import find_one_sided
from pitboss_tournament.statistics.running_moments import Estimate

Kind: TypeAlias = Literal["name", "rating", "text", "number", "faults"]  # what a column shows: pages draw some of them

LONGEST_LEFT: Final = 44  # characters of why a bot left; JSON has all

R = TypeVar("R")


class Column(NamedTuple, Generic[R]):
    """A column: what it is called, what it means, and the text of its cell in a row."""

    key: str
    heading: str
    meaning: str
    kind: Kind
    write: Callable[[R, int], str]
    is_shown: Callable[[Sequence[R]], bool] = bool  # for these rows

    def text(self, row: R, digits: int = 1) -> str:
        """Return the text of this column's cell in a row; points have `digits` digits after the point."""
        return self.write(row, digits)


def _has_places(rows: Sequence[BotRow]) -> bool:
    """Tell whether bots are placed before each other, or may be in the first block."""
    return any(row.wins.mean is not None for row in rows) or not any(row.blocks for row in rows)


RANK: Final = Column[BotRow](
    "rank",
    "rank",
    "the ranks that the bot may have. 2–4: rank 2, 3 or 4; which of them is not proven.",
    "text",
    lambda row, _: UNKNOWN if row.rank is None else rank_text(row.rank),
    lambda rows: any(row.rank is not None for row in rows) or _has_places(rows),
)
NAME: Final = Column[BotRow]("name", "bot", "the name of the bot.", "name", lambda row, _: row.name)
PROVEN: Final = Column[BotRow](
    "ahead_of",
    "proven",
    "ahead of N: the bot is proven better than N others. behind N: N others are proven better than the bot. Both "
    "against this field.",
    "text",
    lambda row, _: _write_proven(row),
    lambda rows: len([row for row in rows if row.ahead_of is not None]) > 2,
)
GAMES: Final = Column[BotRow](
    "games", "games", "all games of the bot, forfeited games included.", "number", lambda row, _: f"{row.games:,}"
)
BLOCKS: Final = Column[BotRow](
    "blocks",
    "blocks",
    "the complete blocks of the bot. A block is one deal in all its rotations: all bots have the same luck of the "
    "cards.",
    "number",
    lambda row, _: f"{row.blocks:,}",
)
RATING: Final = Column[BotRow](
    "rating",
    "rating",
    "a bot with 100 points more is ahead in 64 % of games, with 200 more in 76 %, ties aside. If the ± of two "
    "bots do not overlap, these two differ at 95 %; the verdict judges all pairs together. "
    "≥ or ≤: the bot was never placed behind another, or never ahead, so its rating has only one bound.",
    "rating",
    lambda row, _: " ".join(filter(None, write_rating(row))),
    lambda rows: any(row.rating is not None for row in rows),
)
WITHOUT_GIFTS: Final = Column[BotRow](
    "rating_without_gifts",
    "no gifts",
    "the rating without the games with bots by which this bot gains more than ratings explain.",
    "number",
    lambda row, _: (
        UNKNOWN
        if row.rating_without_gifts is None
        else format_interval(hide_wide(row.rating_without_gifts, row.blocks), digits=0, has_sign=True)
    ),
    lambda rows: any(row.rating_without_gifts is not None for row in rows),
)
GROUP: Final = Column[BotRow](
    "group",
    "group",
    "compare ratings only within a group: no games connect two groups, or no bot of one group was ever placed "
    "ahead of a bot of the other.",
    "text",
    lambda row, _: UNKNOWN if row.group is None else _group_letter(row.group),
    lambda rows: len({row.group for row in rows} - {None}) > 1,
)
ALPHA_RANK: Final = Column[BotRow](
    "alpha_rank",
    "alpha %",
    "alpha-rank: the share of time in which a population plays this bot, if it always changes to a better bot. It "
    "ranks bots in a cycle, of which no order is right.",
    "number",
    lambda row, _: f"{row.alpha_rank or 0:.0%}"[:-1],
    lambda rows: any(row.alpha_rank is not None for row in rows),
)
POINTS: Final = Column[BotRow](
    "points",
    "points",
    "the mean of a game; ± is a 95 % interval over blocks.",
    "number",
    lambda row, digits: format_interval(hide_wide(row.points, row.blocks), digits=digits),
)
IN_UNIT: Final = Column[BotRow](
    "points_in_unit",
    "in its unit",
    "points in the usual unit of this game.",
    "number",
    lambda row, _: (
        UNKNOWN if row.points_in_unit is None else format_interval(hide_wide(row.points_in_unit, row.blocks))
    ),
    lambda rows: any(row.unit is not None for row in rows),
)
WINS: Final = Column[BotRow](
    "wins",
    "wins %",
    "the share of wins; ± is a 95 % interval over blocks.",
    "number",
    lambda row, _: format_share(hide_wide(row.wins, row.blocks)),
    _has_places,
)
P50: Final = Column[BotRow](
    "think_p50_ms",
    "p50 ms",
    "the median time of a decision.",
    "number",
    lambda row, _: format_milliseconds(row.think_p50_ms),
)
P99: Final = Column[BotRow](
    "think_p99_ms",
    "p99 ms",
    "99 of 100 decisions took no longer than this.",
    "number",
    lambda row, _: format_milliseconds(row.think_p99_ms),
)
FAULTS: Final = Column[BotRow](
    "faults",
    "faults",
    "forfeited games; +N: decisions replaced by the neutral action; out: disqualified.",
    "faults",
    lambda row, _: _fault_text(row),
)
LEFT: Final = Column[BotRow](
    "left",
    "left",
    "why the bot plays no more; its games still count.",
    "text",
    lambda row, _: truncate_text(row.left or "", LONGEST_LEFT),
    lambda rows: any(row.left for row in rows),
)
YARDSTICK: Final = Column[BotRow](
    "yardstick",
    "apart",
    "yardstick: the bot measures the others; it takes no place and wins nothing.",
    "text",
    lambda row, _: "yardstick" if row.yardstick else "",
    lambda rows: any(row.yardstick for row in rows),
)
DIGEST: Final = Column[BotRow](
    "digest",
    "digest",
    "the beginning of the SHA-256 of the bot's files: it changes with the bot.",
    "text",
    lambda row, _: row.digest or UNKNOWN,
    lambda rows: any(row.digest for row in rows),
)
BOT_COLUMNS: Final = (
    *(
        RANK,
        NAME,
        PROVEN,
        GAMES,
        BLOCKS,
        RATING,
        WITHOUT_GIFTS,
        GROUP,
        ALPHA_RANK,
        POINTS,
        IN_UNIT,
        WINS,
        P50,
        P99,
        FAULTS,
        YARDSTICK,
        LEFT,
        DIGEST,
    ),
)

PAIR_COLUMNS: Final = (
    Column[PairRow]("bot", "bot", "the better bot of the pair so far.", "name", lambda row, _: row.bot),
    Column[PairRow]("other", "against", "the other bot.", "name", lambda row, _: row.other),
    Column[PairRow](
        "blocks",
        "blocks",
        "complete blocks in which both sat at one table.",
        "number",
        lambda row, _: f"{row.blocks:,}",
    ),
    Column[PairRow](
        "points",
        "points",
        "the mean lead of the first bot a game.",
        "number",
        lambda row, digits: format_interval(_anytime_estimate(row.points), digits=digits),
    ),
    Column[PairRow](
        "places",
        "places %",
        "the difference of place scores (shares of beaten opponents) of the two bots, with its interval at any time.",
        "number",
        lambda row, _: format_range(row.places, 100),
    ),
    Column[PairRow](
        "chance",
        "chance %",
        "the chance that the first bot is better by places, for one pair, with a fixed number of deals.",
        "number",
        lambda row, _: format_percent(row.places.chance),
    ),
    Column[PairRow](
        "more_blocks",
        "more",
        "how many more blocks would prove this in 80 of 100 cases, if the difference is as it seems.",
        "number",
        lambda row, _: format_more_blocks(row.blocks, row.places.more_blocks),
    ),
)


def _write_proven(row: BotRow) -> str:
    """Return "ahead of 12, behind 3"; "nothing yet" if neither is proven of any other bot."""
    if row.ahead_of is None or row.behind is None:
        return UNKNOWN
    said = [f"{words} {count:,}" for words, count in (("ahead of", row.ahead_of), ("behind", row.behind)) if count]
    return ", ".join(said) or "nothing yet"


def choose_columns(rows: Sequence[BotRow]) -> list[Column[BotRow]]:
    """Return the columns that tell something of these rows; wins come before points that have a heavy tail."""
    shown = [column for column in BOT_COLUMNS if column.is_shown(rows)]
    if WINS in shown and any(row.largest_block for row in rows):
        shown.remove(WINS)
        shown.insert(shown.index(POINTS), WINS)
    counted = rows[0].counted if rows else COUNTED
    return [
        column._replace(heading=rows[0].unit or "") if column is IN_UNIT else _name_points(column, counted)
        for column in shown
    ]


def choose_pair_columns(rows: Sequence[PairRow]) -> list[Column[PairRow]]:
    """Return the columns of pairs of bots."""
    return [_name_points(column, rows[0].counted if rows else COUNTED) for column in PAIR_COLUMNS]


def _name_points(column: Column[R], counted: str) -> Column[R]:
    """Return the column of points under the name of what they are; any other as it is."""
    if column.key != "points" or counted == COUNTED:
        return column
    meaning = f"{column.meaning} Each game is compared with those of the others who held the same cards."
    return column._replace(heading=counted, meaning=meaning)


def format_range(difference: EstimatedDifference, scale: float = 1) -> str:
    """Return a mean with the ends of its interval at any time: "12.3 (-1.0 to 24.1)"."""
    mean, anytime = difference.estimate.mean, difference.anytime
    if mean is None:
        return UNKNOWN
    ends = "?" if anytime is None else f"{format_number(anytime.low * scale)} to {format_number(anytime.high * scale)}"
    return f"{format_number(mean * scale)} ({ends})"


def format_more_blocks(blocks: int, more_blocks: int | None) -> str:
    """Return the blocks still needed after `blocks`: "sure" if none; "?" if unknown."""
    if more_blocks is None:
        return "?" if blocks else UNKNOWN
    return f"{more_blocks:,}" if more_blocks else "sure"


def _anytime_estimate(difference: EstimatedDifference) -> Estimate:
    """Return a mean with its interval at any time, which is symmetric for points."""
    anytime = difference.anytime
    return Estimate(difference.estimate.mean, None if anytime is None else (anytime.high - anytime.low) / 2)


def write_rating(row: BotRow) -> tuple[str, str]:
    """Return a rating and its comparison interval: "+35" and "±12"; "≥ +240" and "" if it has one bound only."""
    rating = row.rating or Estimate(None, None)
    if row.group is None or rating.mean is None:
        return UNKNOWN, ""
    end = find_one_sided(rating.mean, row.rating_comparison, row.rating_bound)
    if end is not None:
        return f"{'≥' if row.rating_bound == 'at least' else '≤'} {format_number(end, 0, has_sign=True)}", ""
    shown = hide_wide(Estimate(rating.mean, row.rating_comparison), row.blocks)
    return format_number(rating.mean, 0, has_sign=True), format_width(shown.half_width, digits=0)


def _group_letter(group: int) -> str:
    return chr(ord("a") + group) if group < 26 else f"#{group}"


def _fault_text(row: BotRow) -> str:
    """Return the faults of a bot: forfeited games, `+n` substituted decisions, `out`."""
    forfeited, substituted = sum(row.faults.values()), sum(row.substituted.values())
    parts = [f"{forfeited:,}"] if forfeited or substituted else [UNKNOWN]
    if substituted:
        parts.append(f"+{substituted:,}")
    if row.is_out:
        parts.append("out")
    return " ".join(parts)
