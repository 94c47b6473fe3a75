"""The opening of a report as sentences: for the page, and for the summary in Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pitboss.errors import PitbossError
from pitboss.text import format_count
from pitboss_tournament.counting.report_findings import ReportFindings
from pitboss_tournament.results.notes import format_fault_counts
from pitboss_tournament.results.verdict import favour_lines, gift_lines
from pitboss_tournament.rounds.round_replay import replay_rounds
from pitboss_tournament.rounds.stored_headline import tell_stages
from pitboss_tournament.store.store import Store


def make_title(store: Store) -> str:
    """Return the title of a tournament; without one, a title that names the game."""
    return store.header.title or f"{store.header.game}: tournament report"


def count_what_was_played(statistics: ReportFindings, store: Store) -> str:
    """Return one sentence with the numbers of bots, games, seats and complete blocks."""
    header, runs, end = statistics.header, store.runs(), store.find_end()
    total = runs[-1].total if runs and not (end and end.is_complete) else None
    played = (
        f"{statistics.tally.games:,} of {total:,} games{'' if end or _list_disqualified(statistics) else ' so far'}"
        if total and statistics.tally.games < total
        else format_count(statistics.tally.games, "game")
    )
    bots, blocks = format_count(len(header.labels), "bot"), format_count(statistics.blocks, "complete block")
    return f"{bots}, {played} of {header.game}, {header.seats} at a table: {blocks}."


def is_over(statistics: ReportFindings, store: Store) -> bool:
    """Return whether a tournament is over: it has ended, or all its games are played."""
    runs = store.runs()
    return store.find_end() is not None or not runs or runs[-1].total == statistics.tally.games


def tell_more(statistics: ReportFindings, store: Store) -> Iterator[str]:
    """Yield what qualifies the verdict: the order of the format, an early end, disqualified bots, favours, gifts."""
    end, out = store.find_end(), _list_disqualified(statistics)
    yield from filter(None, [tell_stages(store)])
    order = _rank_by_format(store)
    if order is not None:
        named = ", ".join(f"{place}. {store.header.labels[entrant]}" for place, entrant in enumerate(order, 1))
        yield f"By the format, {store.header.format.name}, they end in this order: {named}."
    if end and not end.is_complete:
        yield f"It was over before all games were played: {end.why}"
    if out:
        yield f"Out, and in no more games, as they forfeited too often: {', '.join(out)}."
    yield from favour_lines(statistics)
    yield from gift_lines(statistics)


def describe_faults(statistics: ReportFindings) -> str | None:
    """Return the faults of each bot, counted by kind; None if there are none."""
    wrong = [line for line in statistics.standings if line.faults or line.substituted]
    return "; ".join(f"{line.name}: {format_fault_counts(line)}" for line in wrong) + "." if wrong else None


def _list_disqualified(statistics: ReportFindings) -> list[str]:
    return [statistics.header.labels[bot] for bot in sorted(statistics.tally.list_disqualified())]


def _rank_by_format(store: Store) -> Sequence[int] | None:
    """Return the bots in the order of the format; None if it ranks nobody, is not over, or is not installed here."""
    try:
        progress, disqualified = replay_rounds(store)
        progress.advance_round(disqualified)
    except PitbossError:
        return None
    return progress.ranking if progress.is_over else None
