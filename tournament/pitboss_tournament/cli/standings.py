"""`pitboss standings`: ratings, faults, and the progress of a run."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from pitboss.errors import ConfigError
from pitboss_tournament.cli.luck import choose_luck, measure_luck_of_stores
from pitboss_tournament.cli.output import print_data_lines, print_json, print_lines, print_table_lines, terminal_width
from pitboss_tournament.cli.standings_output import print_standings
from pitboss_tournament.counting.pair_choice import list_pairs_of, order_pairs
from pitboss_tournament.counting.stored_findings import StoredFindings
from pitboss_tournament.exchange.pooling import open_pooled
from pitboss_tournament.plan.plan import require_bot
from pitboss_tournament.reporting.plain_summary import describe_summary
from pitboss_tournament.results.headline import place_lines
from pitboss_tournament.results.reversals import reversal_lines
from pitboss_tournament.results.standings_rows import BotRow, PairRow, list_pair_rows
from pitboss_tournament.rounds.round_lines import ROUNDS_EXPLAINED, round_lines, tell_end
from pitboss_tournament.rounds.round_replay import list_rounds
from pitboss_tournament.rounds.stored_headline import list_placed_rows, read_headline, tell_stages
from pitboss_tournament.running.active_run import ActiveRun, find_active_run
from pitboss_tournament.showing.pair_table import pair_explanations, pair_lines
from pitboss_tournament.text.columns import struct_lines

if TYPE_CHECKING:
    from pitboss_tournament.store.store import Store


def standings(
    files: list[Path],
    pairs: bool,
    pairs_of: list[str] | None,
    rounds: bool,
    places: bool,
    anchor: str | None,
    reduce: Literal["none", "luck"] | None,
    explain: bool,
    as_json: bool,
    as_csv: bool,
) -> None:
    """Run `pitboss standings`."""
    running = find_active_run(files[0]) if len(files) == 1 else None
    measure_luck_of_stores(files, reduce)
    with open_pooled(files) as store:
        summary = StoredFindings(store, anchor, choose_luck(store, reduce))
        if as_json:
            print_json(describe_summary(summary, running))
        elif as_csv:
            _print_csv(summary, pairs, pairs_of or ())
        else:
            _print_heading(summary, running)
            if rounds:
                _print_rounds(store)
            elif places:
                headline = read_headline(summary, store, summary.team_scores)
                print_lines([headline.text, *place_lines(headline)])
            elif pairs or pairs_of:
                _print_pairs(summary, pairs_of or ())
            else:
                print_standings(summary, keeps_store=len(files) == 1, explains=explain)


def _print_heading(summary: StoredFindings, running: ActiveRun | None) -> None:
    """Print what is played, how far it is, and why it is over."""
    header = summary.store.header
    print_lines(
        [f"{header.game}, {header.seats} at a table, seed {header.seed!r}: {summary.tally.games:,} games played"]
    )
    if running:
        print_lines([running.progress_line(summary.tally.games)])
    if stages := tell_stages(summary.store):
        print_lines([stages])
    if end := summary.store.find_end():
        print_lines([tell_end(header, end)])


def _print_pairs(summary: StoredFindings, bots: Sequence[str]) -> None:
    """Print the pairs of these bots, or else those that one looks at first, and what the numbers mean."""
    pairs = _list_pairs_of(summary, bots) if bots else summary.pair_choice.pairs
    rows = _list_rows(summary, pairs)
    print_table_lines(pair_lines(rows, terminal_width()))
    if not bots and (left_out := summary.pair_choice.tell(shlex.quote(str(summary.store.path)))):
        print_lines([left_out])
    print_lines(reversal_lines(summary, {frozenset(pair) for pair in pairs}))
    print_lines(pair_explanations(rows))


def _list_pairs_of(summary: StoredFindings, bots: Sequence[str]) -> list[tuple[int, int]]:
    """Return all pairs of these bots.

    Raises:
        ConfigError: no bot has one of these names.
    """
    header = summary.store.header
    found = [require_bot("--pairs-of", bot, header.bots) for bot in bots]
    return list_pairs_of([header.bots.index(bot) for bot in found if bot is not None], range(len(header.bots)))


def _list_rows(summary: StoredFindings, pairs: Sequence[tuple[int, int]] | None) -> list[PairRow]:
    """Return the rows of these pairs, or of all."""
    numbers = {name: number for number, name in enumerate(summary.names)}
    order = [numbers[line.name] for line in summary.standings]
    return list_pair_rows(summary, order_pairs(summary.compare_pairs(pairs), order))


def _print_csv(summary: StoredFindings, of_pairs: bool, bots: Sequence[str]) -> None:
    """Print as CSV the rows of bots, of all pairs, or of the pairs of some bots."""
    if of_pairs or bots:
        table = struct_lines(PairRow, _list_rows(summary, _list_pairs_of(summary, bots) if bots else None))
    else:
        table = struct_lines(BotRow, list_placed_rows(summary, summary.store, summary.team_scores))
    print_data_lines(table)


def _print_rounds(store: Store) -> None:
    """Print the rounds of a format that has several.

    Raises:
        ConfigError: it has one, or is not installed here.
    """
    if not (tables := list_rounds(store)):
        raise ConfigError(f"--rounds: {store.path} has no rounds to show: its format is {store.header.format.name}")
    print_lines([*round_lines(tables), ROUNDS_EXPLAINED])
