"""`pitboss standings`: ratings, faults, and the progress of a run."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Annotated

import typer

from pitboss_tournament.cli.output import print_data_lines, print_json, print_table_lines, terminal_width
from pitboss_tournament.cli.parameters import Anchor, Explain, Json, ReduceOption, StoreFiles

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pitboss_tournament.counting.stored_findings import TournamentSummary
    from pitboss_tournament.results.standings_rows import PairRow
    from pitboss_tournament.showing.active_run import ActiveRun
    from pitboss_tournament.store.store import Store


def standings(
    files: StoreFiles,
    pairs: Annotated[bool, typer.Option("--pairs", help="Compare each two bots instead.")] = False,
    pairs_of: Annotated[
        list[str] | None,
        typer.Option("--pairs-of", metavar="NAME", help="Compare this bot with each other one; may be repeated."),
    ] = None,
    rounds: Annotated[
        bool, typer.Option("--rounds", help="Show the rounds instead: who met whom, and the scores after each.")
    ] = False,
    anchor: Anchor = None,
    reduce: ReduceOption = None,
    explain: Explain = False,
    as_json: Json = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="Print CSV instead of text for people.")] = False,
) -> None:
    """Print the standings of a tournament, finished or on its way, what the bots did wrong, how long they thought, and
    who is proven to be better than whom.

    The order is that of the ratings, which count every game at once and consider who sat at the table; if some bots
    cannot be compared, that of the shares of wins. Bots that cannot be told apart share their ranks ("3–5"). Half of a
    bot's decisions took it no longer than p50, 99 of 100 no longer than p99. The verdict says who is proven to be
    better than whom, and about how many more games it would take to know more.

    Several stores of one game, with the same options and clock, are shown as one: each version of a bot by itself.

    While the number of games is open, intervals are wider, so that they hold however often one looks: before the end,
    in a tournament that a test may stop, in one that was made longer or shorter, and in a pool of stores. Those of
    --pairs always are. Of more than 45 bots --pairs shows the first twenty among each other, and each bot beside the
    next one below it that it has met; --pairs-of NAME compares one bot with all others.

    `pitboss schema standings` describes what --json writes. --csv writes a line a bot, or with --pairs a line for each
    two bots, with the keys of --json: of an estimate its mean and its half_width, of faults their number.
    """
    from pitboss_tournament.cli.luck import choose_luck, measure_luck_of_stores
    from pitboss_tournament.counting.stored_findings import TournamentSummary
    from pitboss_tournament.exchange.pooling import open_pooled
    from pitboss_tournament.showing.active_run import find_active_run
    from pitboss_tournament.showing.plain_summary import describe_summary

    running = find_active_run(files[0]) if len(files) == 1 else None
    measure_luck_of_stores(files, reduce)
    with open_pooled(files) as store:
        summary = TournamentSummary(store, anchor, choose_luck(store, reduce))
        if as_json:
            print_json(describe_summary(summary, running))
        elif as_csv:
            _print_csv(summary, pairs, pairs_of or ())
        else:
            _print_heading(summary, running)
            if rounds:
                _print_rounds(store)
            elif pairs or pairs_of:
                _print_pairs(summary, pairs_of or ())
            else:
                print_standings(summary, keeps_store=len(files) == 1, explains=explain)


def _print_heading(summary: TournamentSummary, running: ActiveRun | None) -> None:
    """Print what is played, how far it is, and why it is over."""
    header = summary.store.header
    print_lines(
        [f"{header.game}, {header.seats} at a table, seed {header.seed!r}: {summary.tally.games:,} games played"]
    )
    if running:
        print_lines([running.progress_line(summary.tally.games)])
    if decided := summary.store.end_reason():
        print_lines([f"It is over: {decided}"])


def print_standings(summary: TournamentSummary, *, keeps_store: bool = True, explains: bool = False) -> None:
    """Print the standings, the faults and the verdict; with `explains`, what the numbers mean."""
    from pitboss_tournament.results.model_use import list_model_use
    from pitboss_tournament.results.own_settings import (
        list_run_levels,
        neighbours_text,
        own_settings_text,
        sandbox_text,
    )
    from pitboss_tournament.results.standings_rows import list_bot_rows
    from pitboss_tournament.results.team_columns import SAME_DEALS
    from pitboss_tournament.results.verdict import EXPLANATION, favour_lines, gift_lines, tell_verdict
    from pitboss_tournament.showing.fit_text import tell_fit
    from pitboss_tournament.showing.standings_table import board_lines, explanation_lines, note_lines
    from pitboss_tournament.showing.team_table import team_lines
    from pitboss_tournament.statistics.cycles import MAX_CYCLES, cycle_text
    from pitboss_tournament.text.columns import TableLine

    rows = list_bot_rows(summary)
    print_table_lines(board_lines(rows, terminal_width()))
    if summary.teams:
        print_table_lines([TableLine(""), *team_lines(summary.teams, terminal_width())])
        print_lines([SAME_DEALS])
    notes = note_lines(
        summary.tally, summary.voids, summary.ratings, removal=summary.luck_removal, open_length=summary.open_length
    )
    print_lines([*notes, *tell_fit(summary.ratings.fit, summary.names)])
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
        print_lines(["", EXPLANATION, *columns])
    else:
        print_lines(["What the numbers mean: --explain."])


def print_faults(summary: TournamentSummary, keeps_store: bool = True) -> None:
    """Print how often each bot did wrong, and its first fault; with commands that show it in a store that is kept."""
    from pitboss_tournament.showing.fault_evidence import find_check_command
    from pitboss_tournament.showing.plain_summary import collect_first_faults
    from pitboss_tournament.showing.standings_table import fault_lines

    first = collect_first_faults(summary)
    for standing in summary.standings:
        if standing.faults or standing.substituted:
            kept = summary.store.path if keeps_store else None
            check = find_check_command(summary.store.header, standing.name)
            print_lines(fault_lines(standing, first.get(standing.name), kept, terminal_width(), check))


def _print_pairs(summary: TournamentSummary, bots: Sequence[str]) -> None:
    """Print the pairs of these bots, or else those that one looks at first, and what the numbers mean."""
    from pitboss_tournament.showing.pair_table import pair_explanations, pair_lines

    pairs = _list_pairs_of(summary, bots) if bots else summary.pair_choice.pairs
    rows = _list_rows(summary, pairs)
    print_table_lines(pair_lines(rows, terminal_width()))
    if not bots and (left_out := summary.pair_choice.tell(shlex.quote(str(summary.store.path)))):
        print_lines([left_out])
    print_lines(pair_explanations(rows))


def _list_pairs_of(summary: TournamentSummary, bots: Sequence[str]) -> list[tuple[int, int]]:
    """Return all pairs of these bots.

    Raises:
        ConfigError: no bot has one of these names.
    """
    from pitboss_tournament.counting.pair_choice import list_pairs_of
    from pitboss_tournament.plan.plan import require_bot

    header = summary.store.header
    found = [require_bot("--pairs-of", bot, header.bots) for bot in bots]
    return list_pairs_of([header.bots.index(bot) for bot in found if bot is not None], range(len(header.bots)))


def _list_rows(summary: TournamentSummary, pairs: Sequence[tuple[int, int]] | None) -> list[PairRow]:
    """Return the rows of these pairs, or of all."""
    from pitboss_tournament.results.standings_rows import list_pair_rows
    from pitboss_tournament.showing.pair_table import order_pairs

    numbers = {name: number for number, name in enumerate(summary.names)}
    order = [numbers[line.name] for line in summary.standings]
    return list_pair_rows(summary, order_pairs(summary.compare_pairs(pairs), order))


def _print_csv(summary: TournamentSummary, of_pairs: bool, bots: Sequence[str]) -> None:
    """Print as CSV the rows of bots, of all pairs, or of the pairs of some bots."""
    from pitboss_tournament.results.standings_rows import BotRow, PairRow, list_bot_rows
    from pitboss_tournament.text.columns import struct_lines

    if of_pairs or bots:
        table = struct_lines(PairRow, _list_rows(summary, _list_pairs_of(summary, bots) if bots else None))
    else:
        table = struct_lines(BotRow, list_bot_rows(summary))
    print_data_lines(table)


def _print_rounds(store: Store) -> None:
    """Print the rounds of a format that has several.

    Raises:
        ConfigError: it has one, or is not installed here.
    """
    from pitboss.errors import ConfigError
    from pitboss_tournament.rounds.played_rounds import list_rounds
    from pitboss_tournament.showing.round_lines import ROUNDS_EXPLAINED, round_lines

    if not (tables := list_rounds(store)):
        raise ConfigError(f"--rounds: {store.path} has no rounds to tell of: its format is {store.header.format.name}")
    print_lines([*round_lines(tables), ROUNDS_EXPLAINED])


def print_lines(lines: Iterable[str]) -> None:
    """Print lines of text, folded where the terminal is narrower."""
    from pitboss_tournament.showing.standings_table import fold_lines

    for text, _ in fold_lines(lines, terminal_width()):
        typer.echo(text)
