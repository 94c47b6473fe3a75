"""What commands print of the standings: the table, the notes, the faults, the verdict."""

from __future__ import annotations

import shlex

from pitboss_tournament.cli.output import print_lines, print_table_lines, terminal_width
from pitboss_tournament.counting.stored_findings import StoredFindings
from pitboss_tournament.reporting.plain_summary import collect_first_faults
from pitboss_tournament.results.fault_evidence import find_check_command
from pitboss_tournament.results.fit_text import tell_fit
from pitboss_tournament.results.model_use import list_model_use
from pitboss_tournament.results.notes import note_lines, rare_loss_text
from pitboss_tournament.results.own_settings import list_run_levels, neighbours_text, own_settings_text, sandbox_text
from pitboss_tournament.results.standings_rows import list_bot_rows
from pitboss_tournament.results.team_columns import SAME_DEALS
from pitboss_tournament.results.verdict import explain_verdict, favour_lines, gift_lines, tell_verdict
from pitboss_tournament.showing.standings_table import board_lines, explanation_lines, fault_lines
from pitboss_tournament.showing.team_table import team_lines
from pitboss_tournament.statistics.cycles import MAX_CYCLES, cycle_text
from pitboss_tournament.text.columns import TableLine


def print_standings(summary: StoredFindings, *, keeps_store: bool = True, explains: bool = False) -> None:
    """Print the standings, the faults and the verdict; with `explains`, what the numbers mean."""
    rows = list_bot_rows(summary)
    print_table_lines(board_lines(rows, terminal_width()))
    if summary.teams:
        print_table_lines([TableLine(""), *team_lines(summary.teams, terminal_width())])
        print_lines([SAME_DEALS])
    notes = note_lines(
        summary.tally, summary.voids, summary.ratings, removal=summary.luck_removal, open_length=summary.open_length
    )
    rare_loss = filter(None, [rare_loss_text(summary)])
    print_lines([*notes, *rare_loss, *tell_fit(summary.ratings.fit, summary.names)])
    header = summary.store.header
    sandbox = sandbox_text(list_run_levels(summary.store))
    print_lines(filter(None, [own_settings_text(header), sandbox, neighbours_text(header)]))
    if summary.cycles:
        print_lines(cycle_text(cycle, summary.names) for cycle in summary.cycles[:MAX_CYCLES])
    print_faults(summary, keeps_store)
    print_lines(map(str, list_model_use(summary.store)))
    print_lines([*favour_lines(summary), *gift_lines(summary), *tell_verdict(summary, summary.team_scores)])
    if explains:
        columns = explanation_lines(rows, summary.tally, summary.variance_reduction, summary.anchor)
        print_lines(["", explain_verdict(summary, summary.team_scores), *columns])
    else:
        words = ["pitboss", "standings", str(summary.store.path)] if keeps_store else []
        print_lines([f"What the numbers mean: {shlex.join([*words, '--explain'])}"])


def print_faults(summary: StoredFindings, keeps_store: bool = True) -> None:
    """Print the faults of each bot, and its first fault; with commands that show it in a store that is kept."""
    first = collect_first_faults(summary)
    for standing in summary.standings:
        if standing.faults or standing.substituted:
            kept = summary.store.path if keeps_store else None
            check = find_check_command(summary.store.header, standing.name)
            print_lines(fault_lines(standing, first.get(standing.name), kept, terminal_width(), check))
