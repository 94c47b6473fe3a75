"""What commands print of the standings: the table, the notes, the faults, the verdict."""

from __future__ import annotations

import shlex
from typing import Final

from pitboss_tournament.cli.output import print_lines, print_table_lines, terminal_width
from pitboss_tournament.counting.stored_findings import StoredFindings
from pitboss_tournament.reporting.plain_summary import collect_first_faults
from pitboss_tournament.results.fault_evidence import find_check_command
from pitboss_tournament.results.fit_text import fit_text, misfits_text
from pitboss_tournament.results.model_use import list_model_use
from pitboss_tournament.results.notes import note_lines, rare_loss_text
from pitboss_tournament.results.own_settings import (
    explain_neighbours,
    list_run_levels,
    neighbours_text,
    own_settings_text,
    sandbox_text,
)
from pitboss_tournament.results.standings_rows import list_bot_rows
from pitboss_tournament.results.team_columns import SAME_DEALS
from pitboss_tournament.results.verdict import detail_verdict, explain_verdict, favour_lines, gift_lines, tell_verdict
from pitboss_tournament.rounds.stored_headline import read_headline
from pitboss_tournament.showing.standings_table import board_lines, explanation_lines, fault_lines
from pitboss_tournament.showing.team_table import team_lines
from pitboss_tournament.statistics.cycles import MAX_CYCLES, cycle_text
from pitboss_tournament.text.columns import TableLine

MAX_DETAILED_FAULTS: Final = 3  # bots whose first fault is shown with its evidence


def print_standings(
    summary: StoredFindings, *, keeps_store: bool = True, explains: bool = False, is_brief: bool = False
) -> None:
    """Print the standings, what limits them, the faults and the verdict; with `explains`, details and meanings, too.

    With `is_brief` no further command is named.
    """
    rows = list_bot_rows(summary)
    print_lines([read_headline(summary, summary.store, summary.team_scores).text])
    print_table_lines(board_lines(rows, terminal_width()))
    if summary.teams:
        print_table_lines([TableLine(""), *team_lines(summary.teams, terminal_width())])
        print_lines([SAME_DEALS])
    notes = note_lines(
        summary.tally, summary.voids, summary.ratings, removal=summary.luck_removal, open_length=summary.open_length
    )
    header = summary.store.header
    fit, levels = summary.ratings.fit, list_run_levels(summary.store)
    limits = [rare_loss_text(summary), misfits_text(fit, summary.ranked_names), own_settings_text(header)]
    sandbox = sandbox_text(levels) if len({*levels}) > 1 else None
    neighbours = None if explains else neighbours_text(header)
    print_lines([*notes, *filter(None, [*limits, sandbox, neighbours])])
    if summary.cycles:
        print_lines(cycle_text(cycle, summary.names) for cycle in summary.cycles[:MAX_CYCLES])
    print_faults(summary, keeps_store, None if explains else MAX_DETAILED_FAULTS)
    print_lines(map(str, list_model_use(summary.store)))
    print_lines([*favour_lines(summary), *gift_lines(summary), *tell_verdict(summary, summary.team_scores)])
    if explains:
        details = [*detail_verdict(summary, summary.team_scores), explain_verdict(summary, summary.team_scores)]
        games = filter(None, [fit_text(fit), None if sandbox else sandbox_text(levels), explain_neighbours(header)])
        columns = explanation_lines(rows, summary.tally, summary.variance_reduction, summary.anchor)
        print_lines(["", *details, *games, *columns])
    elif not is_brief:
        words = ["pitboss", "standings", str(summary.store.path)] if keeps_store else []
        print_lines([f"More, and what the numbers mean: {shlex.join([*words, '--explain'])}"])


def print_faults(summary: StoredFindings, keeps_store: bool = True, most_detailed: int | None = None) -> None:
    """Print the faults of each bot, and its first fault; with commands that show it in a store that is kept.

    `most_detailed`: how many bots are shown with their first fault; the others only with counts. None: no limit.
    """
    first = collect_first_faults(summary)
    kept = summary.store.path if keeps_store else None
    faulty = [line for line in summary.standings if line.faults or line.substituted]
    for standing in faulty[:most_detailed]:
        check = find_check_command(summary.store.header, standing.name)
        print_lines(fault_lines(standing, first.get(standing.name), kept, terminal_width(), check))
    if others := [] if most_detailed is None else faulty[most_detailed:]:
        print_lines(next(fault_lines(standing, None, None)) for standing in others)
        if kept is not None:
            print_lines([f"  the first fault of each: {shlex.join(['pitboss', 'why', str(kept)])} BOT"])
