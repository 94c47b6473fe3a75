"""A queue as a table, and as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Final, Literal

from msgspec import Struct

from pitboss.errors import PitbossError
from pitboss.text import format_count
from pitboss_tournament.comparison_queue.queue_folder import ComparisonQueue, QueuedBot, QueueEntry
from pitboss_tournament.showing.version_comparison import ComparisonReport, format_difference
from pitboss_tournament.store.store import Store

QUEUE_HEADING: Final = ("", "Added", "Game", "Old", "New", "State")


class ListedComparison(Struct, frozen=True, kw_only=True):
    """A comparison of a queue, as `pitboss queue list --json` prints it."""

    number: int
    added: str  # in UTC
    game: str
    seed: str | None
    old: QueuedBot
    new: QueuedBot
    state: Literal["waits", "runs", "stopped", "ended", "failed"]
    games: int
    report: ComparisonReport | None  # if it has ended
    why: tuple[str, ...]  # if it has failed
    store: str | None  # None: no game is kept yet


def list_comparisons(queue: ComparisonQueue) -> list[ListedComparison]:
    """Return the comparisons of a queue as they stand now."""
    is_run = queue.is_run()
    return [_list_comparison(queue, entry, is_run) for entry in queue.entries()]


def queue_rows(listed: list[ListedComparison]) -> Iterator[tuple[str, ...]]:
    """Yield the rows of the table."""
    for one in listed:
        when = datetime.fromisoformat(one.added).astimezone().strftime("%Y-%m-%d %H:%M")
        yield str(one.number), when, one.game, one.old.label, one.new.label, _tell_state(one)


def _list_comparison(queue: ComparisonQueue, entry: QueueEntry, is_run: bool) -> ListedComparison:
    games = _count_games(queue.store(entry))
    return ListedComparison(
        number=entry.number,
        added=entry.added,
        game=entry.comparison.settings.game,
        seed=entry.comparison.settings.seed,
        old=entry.old,
        new=entry.new,
        state="stopped" if entry.state == "runs" and not is_run else entry.state,
        games=games or 0,
        report=entry.report,
        why=entry.why,
        store=None if games is None else str(queue.store(entry)),
    )


def _count_games(store: Path) -> int | None:
    """Return the games of a store; None if there is none yet, or it is just being made."""
    with suppress(PitbossError):
        return Store(store).count_games()
    return None


def _tell_state(one: ListedComparison) -> str:
    games = format_count(one.games, "game")
    if one.report is not None:
        return (
            f"{one.report.verdict}: {format_difference(one.report.points, one.report.bounds, one.report.span)}, {games}"
        )
    if one.state == "failed":
        return f"failed: {next(iter(one.why), 'for no reason that is known')}"
    return {"waits": "waits", "runs": f"runs: {games} so far"}.get(one.state, f"stopped after {games}")
