"""The scoreboard: standings as text, with faults, thinking times and the runner's lag."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from pitboss.records.record import Incident
from pitboss_tournament.counting.tally import Standing, Tally
from pitboss_tournament.results.columns import (
    BLOCKS,
    DIGEST,
    FAULTS,
    GAMES,
    LEFT,
    NAME,
    P50,
    P99,
    PROVEN,
    RANK,
    WINS,
    Column,
    choose_columns,
)
from pitboss_tournament.results.fault_evidence import advise_incident, ask_command, first_fault_lines, game_command
from pitboss_tournament.results.notes import blind_spot_text, format_fault_counts, reduction_text
from pitboss_tournament.results.numbers import format_milliseconds
from pitboss_tournament.results.standings_rows import BotRow
from pitboss_tournament.statistics.time_histogram import quantile_ms
from pitboss_tournament.statistics.variance_reduction import VarianceReduction
from pitboss_tournament.text.columns import TableLine, TextColumn, find_fitting_table, fit_table
from pitboss_tournament.text.terminal_text import set_behind_margin


def board_lines(rows: Sequence[BotRow], width: int | None = None) -> list[TableLine]:
    """Return the standings as a table, or as two if one is too wide; digests, blocks and games go for want of room."""
    wide = max((len(RANK.text(row)) for row in rows), default=1)
    ranks = RANK.heading if wide >= len(RANK.heading) else ""  # numbers of lines, and single ranks, need no heading
    names = [TextColumn[BotRow](f"{ranks:>{wide}} bot", lambda row: f"{RANK.text(row).rjust(wide)} {row.name}")]
    if not RANK.is_shown(rows):
        names = [TextColumn[BotRow]("bot", lambda row: row.name)]
    shown = [column for column in choose_columns(rows) if column not in (RANK, NAME)]
    conduct = [column for column in shown if column in (P50, P99, FAULTS, LEFT)]
    results = [column for column in shown if column not in (PROVEN, GAMES, BLOCKS, DIGEST, *conduct)]
    if (
        whole := find_fitting_table(rows, names, _leave_out(shown, [(), (DIGEST,), (DIGEST, BLOCKS)]), width)
    ) is not None:
        return whole
    upper = [column for column in shown if column not in (*conduct, DIGEST)]
    choices = [*_leave_out(upper, [(), (BLOCKS,), (BLOCKS, GAMES)]), _table_columns(results)]
    return [
        *fit_table(rows, names, choices, width),
        TableLine(""),
        *fit_table(rows, names, [_table_columns(conduct)], width),
    ]


def _leave_out(
    columns: Sequence[Column[BotRow]], choices: Sequence[Sequence[Column[BotRow]]]
) -> list[list[TextColumn[BotRow]]]:
    """Return for each choice the columns that the choice leaves in."""
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
