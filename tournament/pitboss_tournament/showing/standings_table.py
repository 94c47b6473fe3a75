"""The scoreboard: standings as text, with faults, thinking times and the runner's lag."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from pitboss.records.record import Incident
from pitboss.text import format_count
from pitboss_tournament.showing.fault_evidence import ask_command, first_fault_lines, game_command
from pitboss_tournament.statistics.control_variate import LEAST_BLOCKS, LuckRemoval
from pitboss_tournament.statistics.ratings import Rating, Ratings
from pitboss_tournament.statistics.running_moments import Estimate
from pitboss_tournament.statistics.running_standings import RunningStandings, Standing, heavy_tail_text
from pitboss_tournament.statistics.time_histogram import overload_text, quantile_ms
from pitboss_tournament.statistics.variance_reduction import VarianceReduction
from pitboss_tournament.text.columns import Column, TableLine, find_fitting_table, fit_table
from pitboss_tournament.text.terminal_text import wrap_text

INTERVALS: Final = "± is a 95 % interval over blocks; a block is one deal in all its rotations."
ANYTIME: Final = (
    "Not all planned games were played, or their number was not fixed: intervals are wider, so that they hold however "
    "often one looks and whenever one stops; with fewer than seven blocks there is none yet (±?)."
)
RATINGS: Final = (
    "with 100 points more a bot is ahead of another in 64 % of games, with 200 in 76 %, ties aside. If the ± of two "
    "bots do not overlap they differ at 95 %, each two judged by themselves; the verdict judges all of them together."
)
CYCLES: Final = (
    "No order of bots in a cycle is right. alpha: a population that always changes to a better bot plays this one for "
    "so much of the time."
)
LEAST_INTERVAL_BLOCKS: Final = 2
LEAST_ANYTIME_BLOCKS: Final = 7  # for an interval that holds whenever one stops
BOUNDS: Final = "≥, ≤: it was never placed behind another, or never ahead: its rating has one bound only."
FEW_BLOCKS: Final = "±?: with fewer than two blocks it cannot be told how far off the mean may be."
EQUAL_BLOCKS: Final = "±?: all its blocks are alike, which does not tell how far off the mean may be."
NOT_COMPARABLE: Final = (
    "Not all bots can be compared: no games connect them, or none was ever placed ahead of the other. "
    "Ratings with one letter belong together; the board goes by wins."
)
TIMES: Final = "p50, p99: half of a bot's decisions, and 99 of 100, took no longer."
FAULTS: Final = "faults: games forfeited, +decisions for which the neutral action was substituted."


def format_interval(estimate: Estimate, scale: float = 1) -> str:
    """Return an estimate: "61.3 ±4.2"; "±?" if the interval is unknown."""
    if estimate.mean is None:
        return "-"
    width = "?" if estimate.half_width is None else f"{estimate.half_width * scale:.1f}"
    return f"{estimate.mean * scale:.1f} ±{width}"


def format_share(estimate: Estimate) -> str:
    """Return a share in percent: "61.3 ±4.2"; "97.0 [89.0, 100.0]" where the interval ends at 0 or 100."""
    ends = estimate.clip(0, 1)
    if estimate.mean is None or ends is None or (0 < ends[0] and ends[1] < 1):
        return format_interval(estimate, 100)
    return f"{estimate.mean * 100:.1f} [{ends[0] * 100:.1f}, {ends[1] * 100:.1f}]"


def format_milliseconds(ms: float | None) -> str:
    """Return milliseconds with up to three significant digits."""
    if ms is None:
        return "-"
    return f"{ms:,.0f}" if ms >= 100 else f"{ms:.1f}" if ms >= 10 else f"{ms:.2f}"


def _fault_cell(line: Standing) -> str:
    """Return the faults of a bot: forfeited games, `+n` substituted decisions, `out`."""
    forfeited, substituted = sum(line.faults.values()), sum(line.substituted.values())
    parts = [f"{forfeited:,}"] if forfeited or substituted else ["-"]
    if substituted:
        parts.append(f"+{substituted:,}")
    if line.is_out:
        parts.append("out")
    return " ".join(parts)


class BoardRow(NamedTuple):
    """A row of the board."""

    rank: str  # aligned to the right
    standing: Standing
    rating: str
    alpha_rank: str
    tier: str


TIER: Final = Column[BoardRow]("tier", lambda row: row.tier)
BLOCKS: Final = Column[BoardRow]("blocks", lambda row: f"{row.standing.blocks:,}")
GAMES: Final = Column[BoardRow]("games", lambda row: f"{row.standing.games:,}")
RATING: Final = Column[BoardRow]("rating", lambda row: row.rating)
ALPHA: Final = Column[BoardRow]("alpha %", lambda row: row.alpha_rank)
POINTS: Final = Column[BoardRow]("points", lambda row: format_interval(row.standing.points))
WINS: Final = Column[BoardRow]("wins %", lambda row: format_share(row.standing.wins))
CONDUCT: Final = (
    Column[BoardRow]("p50 ms", lambda row: format_milliseconds(row.standing.think_p50_ms)),
    Column[BoardRow]("p99 ms", lambda row: format_milliseconds(row.standing.think_p99_ms)),
    Column[BoardRow]("faults", lambda row: _fault_cell(row.standing)),
)


def board_lines(
    standings: Sequence[Standing],
    width: int | None = None,
    ratings: Ratings | None = None,
    alpha_ranks: Mapping[str, float] = {},
    ranks: Mapping[str, str] | None = None,
    tiers: Mapping[str, str] = {},
) -> list[TableLine]:
    """Return the standings as a table, or as two tables if one is too wide.

    `ranks`: what stands before the names, "-" before others; by default the number of the line. `tiers`: the tiers of
    the bots by name, which are left out where there is not enough room.
    """
    if ranks is None:
        ranks = {line.name: str(place) for place, line in enumerate(standings, 1)}
    wide = max(map(len, ranks.values()), default=1)
    written = {} if ratings is None else {line.name: rating_text(line, ratings.group_count) for line in ratings.lines}
    rows = [
        BoardRow(
            ranks.get(line.name, "-").rjust(wide),
            line,
            written.get(line.name, ""),
            f"{alpha_ranks.get(line.name, 0):.0%}"[:-1],
            tiers.get(line.name, "-"),
        )
        for line in standings
    ]
    names = [Column[BoardRow](" " * wide + " bot", lambda row: f"{row.rank} {row.standing.name}")]
    columns = (WINS, POINTS) if any(line.largest_block for line in standings) else (POINTS, WINS)
    rated = () if ratings is None else (RATING, ALPHA) if alpha_ranks else (RATING,)
    results = (*rated, *columns)
    tier = (TIER,) if tiers else ()
    choices = ((*tier, GAMES, BLOCKS, *results, *CONDUCT), (*tier, GAMES, *results, *CONDUCT))
    if (whole := find_fitting_table(rows, names, choices, width)) is not None:
        return whole
    upper = fit_table(rows, names, ((*tier, GAMES, BLOCKS, *results), (*tier, GAMES, *results), results), width)
    return [*upper, TableLine(""), *fit_table(rows, names, (CONDUCT,), width)]


def rating_text(line: Rating, groups: int = 1) -> str:
    """Return a rating with its comparison interval: "+35 ±12"; "≥ +240" for a bot never placed behind another.

    If not all bots can be compared, the letter of its group follows: "+35 ±12 a".
    """
    if line.points.mean is None or line.group is None:
        return "-"
    letter = f" {_group_letter(line.group)}" if groups > 1 else ""
    if line.one_sided is not None:
        return f"{'≥' if line.bound == 'at least' else '≤'} {line.one_sided:+,.0f}{letter}"
    width = "?" if line.comparison is None else f"{line.comparison:,.0f}"
    return f"{line.points.mean:+,.0f} ±{width}{letter}"


def _group_letter(group: int) -> str:
    return chr(ord("a") + group) if group < 26 else f"#{group}"


def fault_lines(
    line: Standing, first: tuple[int, Incident] | None, store: Path | None, width: int | None = None
) -> Iterator[str]:
    """Yield the faults of one bot: counts, the first one, and commands that show it in a store.

    The first one comes with its game, and with both ends of standard error then, folded at `width`.
    """
    yield f"{line.name}: {format_fault_counts(line)}{'; it is out of the tournament' if line.is_out else ''}"
    if first is not None:
        game, fault = first[0], first[1].fault
        yield from first_fault_lines(game, first[1], width)
        if store is not None:
            yield f"  to see it: {game_command('replay', store, game)}"
            yield f"  what was said: {game_command('log', store, game, '--seat', str(fault.seat))}"
            if fault.decision:
                yield f"  to ask it again: {ask_command(store, game, fault.seat)}"


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


def note_lines(
    tally: RunningStandings,
    voids: Mapping[str, int],
    ratings: Ratings | None = None,
    *,
    removal: LuckRemoval | None = None,
    anytime: bool = False,
) -> Iterator[str]:
    """Yield what is unusual about this board.

    A number of games that was not fixed, intervals that are not known or say little, ratings with one bound, bots that
    cannot be compared, luck that was taken out, an overloaded machine, void games.
    """
    if anytime:
        yield ANYTIME
    unknown = [
        line for line in tally.standings() if line.games and None in (line.points.half_width, line.wins.half_width)
    ]
    if not anytime and any(line.blocks < LEAST_INTERVAL_BLOCKS for line in unknown):
        yield FEW_BLOCKS
    if any(line.blocks >= (LEAST_ANYTIME_BLOCKS if anytime else LEAST_INTERVAL_BLOCKS) for line in unknown):
        yield EQUAL_BLOCKS
    if warning := heavy_tail_text(tally.standings()):
        yield warning
    if ratings is not None:
        if any(line.one_sided is not None for line in ratings.lines):
            yield BOUNDS
        if ratings.group_count > 1:
            yield NOT_COMPARABLE
    if removal is not None:
        yield luck_text(removal, tally.games)
    if warning := overload_text(tally.lag):
        yield warning
    if voids:
        games = format_count(sum(voids.values()), "game")
        yield f"Void by no bot's fault, and played again: {games} ({format_kinds(voids)})."


def explanation_lines(
    tally: RunningStandings, saved: VarianceReduction | None = None, anchor: str | None = None
) -> Iterator[str]:
    """Yield what the columns of any board mean, what duplicate deals saved, and the runner's lag."""
    yield INTERVALS
    if fewest := min((line.blocks for line in tally.standings() if line.blocks), default=0):
        yield blind_spot_text(fewest)
    yield f"rating: 0 is {'the bot in the middle' if anchor is None else anchor}; {RATINGS}"
    yield TIMES
    yield FAULTS
    if saved is not None and saved.ratio is not None:
        yield reduction_text(saved)
    if tally.lag:
        half, most = (format_milliseconds(quantile_ms(tally.lag, share)) for share in (0.5, 0.99))
        yield f"The runner's lag in reading answers: p50 {half} ms, p99 {most} ms; billed to nobody."


def blind_spot_text(blocks: int) -> str:
    """Return what intervals of points over so many blocks cannot know, by the rule of three."""
    share = f"{min(100.0, 300 / blocks):.1f}".removesuffix(".0")
    return (
        f"points: what happened in none of {format_count(blocks, 'block')} may happen in {share} % of "
        "all; what that can cost (in poker a stack) no interval of points knows."
    )


def reduction_text(saved: VarianceReduction) -> str:
    """Return a sentence on the variance reduction by duplicate deals."""
    return (
        f"Duplicate deals: as narrow intervals of points would take {_saving_text(saved)} "
        "if each were a deal of its own."
    )


def luck_text(removal: LuckRemoval, games: int) -> str:
    """Return a sentence on the removal of the luck of the draw, which is measured in some of the games."""
    saved = removal.estimate_reduction("points")
    if saved.blocks <= LEAST_BLOCKS or saved.ratio is None:
        return f"Luck of the draw: it is taken out from {LEAST_BLOCKS + 1} blocks on."
    return (
        f"Luck of the draw, measured in {len(removal.luck):,} of {games:,} games: it is taken out of points and wins, "
        f"not out of places and ratings; with it as narrow intervals of points would take {_saving_text(saved)}."
    )


def _saving_text(saved: VarianceReduction) -> str:
    ends = "" if saved.low is None or saved.high is None else f" (95 %: {saved.low:.2f} to {saved.high:,.2f})"
    return f"{saved.ratio:.2f} times the games{ends}"


def format_kinds(counts: Mapping[str, int]) -> str:
    """Return counts, the greatest first: "late 3, crashed 1"."""
    return ", ".join(
        f"{kind} {count:,}" for kind, count in sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    )


def fold_lines(lines: Iterable[str], width: int | None) -> Iterator[TableLine]:
    """Yield lines of text, escaped and wrapped."""
    for line in lines:
        yield from (TableLine(part) for part in wrap_text(line.replace("\n", " "), width))
