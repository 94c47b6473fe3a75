"""`pitboss standings`: ratings, faults, and the progress of a run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from pitboss_tournament.cli.output import print_json, print_table_lines, terminal_width
from pitboss_tournament.cli.parameters import Anchor, Explain, Json, ReduceOption, StoreFile

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pitboss_tournament.results.summary import TournamentSummary
    from pitboss_tournament.store.store import Store


def standings(
    file: StoreFile,
    pairs: Annotated[bool, typer.Option("--pairs", help="Compare each two bots instead.")] = False,
    rounds: Annotated[
        bool, typer.Option("--rounds", help="Show the rounds instead: who met whom, and the scores after each.")
    ] = False,
    anchor: Anchor = None,
    reduce: ReduceOption = None,
    explain: Explain = False,
    as_json: Json = False,
) -> None:
    """Print the standings of a tournament, finished or on its way, what the bots did wrong, how long they thought, and
    who is proven to be better than whom.

    The order is that of the ratings, which count every game at once and consider who sat at the table; if some bots
    cannot be compared, that of the shares of wins. Bots that cannot be told apart share their ranks ("3–5"). Half of a
    bot's decisions took it no longer than p50, 99 of 100 no longer than p99. The verdict says who is proven to be
    better than whom, and about how many more games it would take to know more.

    While the number of games is open, intervals are wider, so that they hold however often one looks: before the end,
    in a tournament that a test may stop, and in one that was made longer. Those of --pairs always are.

    With --json: an object with game, seed, seats, deals, played; decided (null, why it was over before all games were
    played, or the order in which a format ends); anytime (whether the intervals of the standings hold however often one
    looks); running (null, or pid (null if it cannot be seen), began, played_before, total, games_per_second);
    lag_p50_ms, lag_p99_ms; voids (games broken off by no bot's fault, by cause); verdict (its sentences); standings: a
    list of name, games, blocks, points and wins (each mean and half_width of its 95 % interval), largest_block (the
    share of the variance of points that is in one block, where that is too much for its interval, else null), rating
    (the same, above zero), rating_comparison (a half-width: two bots whose comparison intervals do not overlap differ
    at 95 %), rating_bound ("at least" or "at most" for a bot that was never placed behind, or never ahead, else null),
    group (only bots of one group can be compared), rank (best and worst that it may have; null if it has no complete
    block or is out), alpha_rank (where there is a cycle, else null), faults (forfeited games by kind), substituted
    (decisions by kind), think_ms (the mean), think_p50_ms, think_p99_ms, is_out; fit (null with two bots, or pairs of
    places that differ, the shares of them played and predicted in which the bot rated higher was ahead, and misfits:
    better, worse, pairs, played, predicted); seat_ratings: by seat what it is worth (mean and half_width, above the
    mean of the seats; empty if no seat differs from the others at 95 %); cycles: lists of three bots, each proven
    better than the next and the last than the first; pairs: a list of bot, other, blocks, points and places (each
    estimate, chance that more of it is the bot's, more_blocks, and anytime: low and high), rating (mean and half_width
    of the difference) and rating_chance; rounds: of a format with several, the tables of each: round, games, and bots
    (bot, wins, points, score, opposition: the mean score of those it met); duplicates: what they saved (ratio of games,
    low, high, blocks, games); luck: null, or measured (in how many games the luck of the draw is known), points and
    wins (what taking it out saved, as in duplicates); favours: bots that forfeited games with one opponent only (bot,
    opponent, games); and first_faults: a list of bot, game_id, and incident (as records have it).
    """
    from pitboss_tournament.cli.luck import choose_luck
    from pitboss_tournament.results.summary import TournamentSummary
    from pitboss_tournament.showing.active_run import find_active_run
    from pitboss_tournament.showing.plain_summary import describe_summary
    from pitboss_tournament.store.store import Store

    running = find_active_run(file)
    store = Store(file)
    summary = TournamentSummary(store, anchor, choose_luck(store, reduce))
    if as_json:
        print_json(describe_summary(summary, running))
        return
    header = summary.store.header
    print_lines(
        [f"{header.game}, {header.seats} at a table, seed {header.seed!r}: {summary.tally.games:,} games played"]
    )
    if running:
        print_lines([running.progress_line(summary.tally.games)])
    if decided := summary.store.end_reason():
        print_lines([f"It is over: {decided}"])
    if rounds:
        _print_rounds(store)
    elif pairs:
        _print_pairs(summary)
    else:
        print_standings(summary, explains=explain)


def print_standings(summary: TournamentSummary, *, keeps_store: bool = True, explains: bool = False) -> None:
    """Print the standings, the faults and the verdict; with `explains`, what the numbers mean."""
    from pitboss_tournament.results.verdict import EXPLANATIONS, favour_lines, rank_text, tell_verdict
    from pitboss_tournament.showing.fit_text import fit_lines
    from pitboss_tournament.showing.standings_table import CYCLES, board_lines, explanation_lines, note_lines
    from pitboss_tournament.statistics.cycles import MOST_CYCLES, cycle_text

    ranks, tiers = (
        {name: rank_text(span) for name, span in spans.items()} for spans in (summary.rank_ranges, summary.tier_ranges)
    )
    board = board_lines(summary.standings, terminal_width(), summary.ratings, summary.alpha_ranks, ranks, tiers)
    print_table_lines(board)
    notes = note_lines(
        summary.tally, summary.voids, summary.ratings, removal=summary.luck_removal, anytime=summary.anytime
    )
    print_lines([*notes, *fit_lines(summary.ratings.fit, summary.names)])
    if summary.cycles:
        shown = [cycle_text(cycle, summary.names) for cycle in summary.cycles[:MOST_CYCLES]]
        print_lines([*shown, CYCLES])
    print_faults(summary, keeps_store)
    print_lines([*favour_lines(summary), *tell_verdict(summary)])
    if explains:
        print_lines(["", *EXPLANATIONS, *explanation_lines(summary.tally, summary.variance_reduction, summary.anchor)])
    else:
        print_lines(["What the numbers mean: --explain."])


def print_faults(summary: TournamentSummary, keeps_store: bool = True) -> None:
    """Print how often each bot did wrong, and its first fault; with commands that show it in a store that is kept."""
    from pitboss_tournament.showing.plain_summary import collect_first_faults
    from pitboss_tournament.showing.standings_table import fault_lines

    first = collect_first_faults(summary)
    for standing in summary.standings:
        if standing.faults or standing.substituted:
            kept = summary.store.path if keeps_store else None
            print_lines(fault_lines(standing, first.get(standing.name), kept, terminal_width()))


def _print_pairs(summary: TournamentSummary) -> None:
    """Print each two bots side by side, and what the numbers mean."""
    from pitboss_tournament.showing.pair_table import PAIRS_EXPLAINED, order_pairs, pair_lines

    order = [summary.names.index(line.name) for line in summary.standings]
    print_table_lines(pair_lines(order_pairs(summary.comparisons, order), summary.names, terminal_width()))
    print_lines([PAIRS_EXPLAINED])


def _print_rounds(store: Store) -> None:
    """Print the rounds of a format that has several.

    Raises:
        ConfigError: it has one, or is not installed here.
    """
    from pitboss.errors import ConfigError
    from pitboss_tournament.playing.played_rounds import list_rounds
    from pitboss_tournament.showing.round_lines import ROUNDS_EXPLAINED, round_lines

    if not (tables := list_rounds(store)):
        raise ConfigError(f"--rounds: {store.path} has no rounds to tell of: its format is {store.header.format.name}")
    print_lines([*round_lines(tables), ROUNDS_EXPLAINED])


def print_lines(lines: Iterable[str]) -> None:
    """Print lines of text, folded where the terminal is narrower."""
    from pitboss_tournament.showing.standings_table import fold_lines

    for text, _ in fold_lines(lines, terminal_width()):
        typer.echo(text)
