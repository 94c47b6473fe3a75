"""The scoreboard: standings as text, with faults, thinking times and the runner's lag."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from pitboss.records.record import Incident
from pitboss.text import format_count
from pitboss_tournament.counting.tally import Standing, Tally, heavy_tail_text
from pitboss_tournament.results.columns import (
    BLOCKS,
    DIGEST,
    FAULTS,
    GAMES,
    LEFT,
    NAME,
    P50,
    P99,
    RANK,
    TIER,
    WINS,
    Column,
    choose_columns,
)
from pitboss_tournament.results.numbers import format_milliseconds
from pitboss_tournament.results.standings_rows import BotRow
from pitboss_tournament.showing.fault_evidence import advise_incident, ask_command, first_fault_lines, game_command
from pitboss_tournament.statistics.control_variate import MIN_FITTED_BLOCKS, LuckRemoval
from pitboss_tournament.statistics.ratings import Ratings
from pitboss_tournament.statistics.time_histogram import overload_text, quantile_ms
from pitboss_tournament.statistics.variance_reduction import VarianceReduction
from pitboss_tournament.text.columns import TableLine, TextColumn, find_fitting_table, fit_table
from pitboss_tournament.text.terminal_text import set_behind_margin

ANYTIME: Final = (
    "{open_length}: intervals are wider, so that they hold however often one looks and whenever one stops; with fewer "
    "than seven blocks there may be none yet (±?)."
)
MIN_INTERVAL_BLOCKS: Final = 2
MIN_ANYTIME_BLOCKS: Final = 7  # for an interval that holds whenever one stops
FEW_BLOCKS: Final = "±?: with fewer than two blocks it cannot be told how far off the mean may be."
EQUAL_BLOCKS: Final = "±?: all its blocks are alike, which does not tell how far off the mean may be."
NOT_COMPARABLE: Final = (
    "Not all bots can be compared: no games connect them, or none was ever placed ahead of the other. "
    "Ratings of one group belong together; the board goes by wins."
)


def board_lines(rows: Sequence[BotRow], width: int | None = None) -> list[TableLine]:
    """Return the standings as a table, or as two if one is too wide; what has no room is left out: digests, tiers."""
    wide = max((len(RANK.text(row)) for row in rows), default=1)
    names = [TextColumn[BotRow](" " * wide + " bot", lambda row: f"{RANK.text(row).rjust(wide)} {row.name}")]
    shown = [column for column in choose_columns(rows) if column not in (RANK, NAME)]
    conduct = [column for column in shown if column in (P50, P99, FAULTS, LEFT)]
    results = [column for column in shown if column not in (TIER, GAMES, BLOCKS, DIGEST, *conduct)]
    if (
        whole := find_fitting_table(rows, names, _leave_out(shown, [(), (DIGEST,), (DIGEST, BLOCKS)]), width)
    ) is not None:
        return whole
    upper = [column for column in shown if column not in (*conduct, DIGEST)]
    choices = [*_leave_out(upper, [(), (BLOCKS,)]), _table_columns(results)]
    return [
        *fit_table(rows, names, choices, width),
        TableLine(""),
        *fit_table(rows, names, [_table_columns(conduct)], width),
    ]


def _leave_out(
    columns: Sequence[Column[BotRow]], choices: Sequence[Sequence[Column[BotRow]]]
) -> list[list[TextColumn[BotRow]]]:
    """Return for each choice the columns without those of it."""
    return [_table_columns([column for column in columns if column not in without]) for without in choices]


def _table_columns(columns: Sequence[Column[BotRow]]) -> list[TextColumn[BotRow]]:
    return [TextColumn(column.heading, column.text) for column in columns]


def fault_lines(
    line: Standing, first: tuple[int, Incident] | None, store: Path | None, width: int | None = None, check: str = ""
) -> Iterator[str]:
    """Yield the faults of one bot: counts, the first one, what to do about it, and commands that show it in a store.

    The first one comes with its game, and with both ends of standard error then, folded at `width`. `check` is the
    command that checks the bot.
    """
    yield f"{line.name}: {format_fault_counts(line)}{'; it is out of the tournament' if line.is_out else ''}"
    if first is not None:
        game, fault = first[0], first[1].fault
        yield from first_fault_lines(game, first[1], width)
        yield from set_behind_margin(f"what to do: {advise_incident(first[1])}", "     ", width, first="  ")
        if check:
            yield f"  to check it: {check}"
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
    if not anytime and any(line.blocks < MIN_INTERVAL_BLOCKS for line in unknown):
        yield FEW_BLOCKS
    if any(line.blocks >= (MIN_ANYTIME_BLOCKS if anytime else MIN_INTERVAL_BLOCKS) for line in unknown):
        yield EQUAL_BLOCKS
    if warning := heavy_tail_text(tally.standings()):
        yield warning
    if ratings is not None and ratings.group_count > 1:
        yield NOT_COMPARABLE
    if removal is not None:
        yield luck_text(removal, tally.games)
    late = [line.name for line in tally.standings() if "late" in {*line.faults, *line.substituted}]
    if warning := overload_text(tally.lag, late):
        yield warning
    if voids:
        games = format_count(sum(voids.values()), "game")
        yield f"Void by no bot's fault, and played again: {games} ({format_kinds(voids)})."


def explanation_lines(
    rows: Sequence[BotRow], tally: Tally, saved: VarianceReduction | None = None, anchor: str | None = None
) -> Iterator[str]:
    """Yield what the columns of these rows mean, what duplicate deals saved, and the runner's lag."""
    yield from (f"{column.heading}: {column.meaning}" for column in choose_columns(rows))
    if WINS in choose_columns(rows):
        yield f"The 0 of ratings is {anchor or 'the bot in the middle'}."
    if fewest := min((row.blocks for row in rows if row.blocks), default=0):
        yield blind_spot_text(fewest)
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
    if saved.blocks <= MIN_FITTED_BLOCKS or saved.ratio is None:
        return f"Luck of the draw: it is taken out from {MIN_FITTED_BLOCKS + 1} blocks on."
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
