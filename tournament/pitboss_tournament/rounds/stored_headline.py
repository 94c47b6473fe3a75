"""The headline of a stored tournament: what its games have proven, and how its format has ranked the bots.

Of a tournament in stages only the games of the last stage prove who has won it: those who play it were chosen by their
results before, and count from zero.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

from msgspec import Meta, Struct

from pitboss.errors import PitbossError
from pitboss.text import format_count
from pitboss_tournament.counting.counts import Counts
from pitboss_tournament.counting.findings import Findings
from pitboss_tournament.counting.scored_results import read_scored_results
from pitboss_tournament.formats.selection import find_format
from pitboss_tournament.formats.stages import list_stage_formats, name_stage_formats
from pitboss_tournament.results.headline import FormatOrder, Headline, add_places, make_headline
from pitboss_tournament.results.standings_rows import BotRow, list_bot_rows
from pitboss_tournament.rounds.round_progress import Rounds
from pitboss_tournament.rounds.round_replay import replay_rounds
from pitboss_tournament.statistics.teams import TeamScores
from pitboss_tournament.store.store import Store


class StageSummary(Struct, frozen=True):
    """A stage of a tournament that has begun."""

    name: str
    first_round: Annotated[int, Meta(description="From 1.")]
    first_game: int
    games: Annotated[int, Meta(description="That have been played in it.")]
    format: Annotated[str, Meta(description="The name of its format.")]


class _Replayed(NamedTuple):
    """The rounds of a store after its last game, and whether the open round has ended."""

    progress: Rounds
    is_round_over: bool


def read_headline(rated: Findings, store: Store, teams: TeamScores | None) -> Headline:
    """Return the headline of the games of a store, which have these findings; `teams` as in a verdict."""
    if (replayed := _replay(store)) is None:
        return make_headline(rated, teams)
    progress = replayed.progress
    if not progress.stages:
        name = store.header.format.name
        groups = progress.place_groups if replayed.is_round_over else None
        return make_headline(rated, teams, FormatOrder(name, progress.is_over, groups))
    formats = list_stage_formats(store.header.format.options)
    stage, chosen = progress.stages[-1], formats[len(progress.stages) - 1]
    is_last = len(progress.stages) == len(formats)
    leaves_open = chosen.is_static or getattr(chosen, "ranks_by_proof", False)
    name = (
        f"{stage.name} ({chosen.name})" if is_last else f"{stage.name}, stage {len(progress.stages)} of {len(formats)},"
    )
    order = FormatOrder(name, progress.is_over, progress.place_groups, leaves_open and is_last)
    return make_headline(_find_stage(store, progress), teams, order)


def list_placed_rows(rated: Findings, store: Store, teams: TeamScores | None) -> list[BotRow]:
    """Return the rows of the standings of a store, with the places of its headline."""
    return add_places(list_bot_rows(rated), read_headline(rated, store, teams))


def list_stages(store: Store) -> list[StageSummary]:
    """Return the stages of a tournament that have begun; none of a format without stages."""
    if store.header.format.name != "stages" or (replayed := _replay(store)) is None:
        return []
    starts, ids = replayed.progress.stages, [result.game_id for result in store.results(with_times=False)]
    ends = [start.first_game for start in starts[1:]]
    formats = name_stage_formats(store.header.format.options)
    return [
        StageSummary(
            start.name,
            start.first_round + 1,
            start.first_game,
            sum(start.first_game <= one < end for one in ids),
            formats[start.name],
        )
        for start, end in zip(starts, [*ends, replayed.progress.games_end], strict=True)
    ]


def tell_stages(store: Store) -> str | None:
    """Return the stages with their games: "Stages: groups, 48 games; finals, 12 games"; None if there are none."""
    stages = list_stages(store)
    said = "; ".join(f"{one.name}, {format_count(one.games, 'game')}" for one in stages)
    return f"Stages: {said}." if stages else None


def _replay(store: Store) -> _Replayed | None:
    """Return the rounds of a store, the next one opened if the last one has ended.

    None where the games alone decide: if the rounds depend on no result or overlap, if a test has ended them or the
    format ranks by proofs itself, or if it is not installed.
    """
    header, end = store.header, store.find_end()
    if header.format.may_grow or not header.has_schedule or next(store.rounds.read(), None) is not None:
        return None
    if end is not None and not end.is_complete:
        return None
    try:
        if getattr(find_format(header.format.name), "ranks_by_proof", False):
            return None
        progress, disqualified = replay_rounds(store)
    except PitbossError:
        return None
    try:
        progress.advance_round(disqualified)
    except PitbossError:  # games of the open round are missing
        return _Replayed(progress, is_round_over=False)
    return _Replayed(progress, is_round_over=True)


def _find_stage(store: Store, progress: Rounds) -> Findings:
    """Return the findings of the games of the latest stage.

    Their number was fixed beforehand if all of them were played, and no run of the tournament planned another number.
    """
    first = progress.stages[-1].first_game
    counts = Counts(store.header)
    counts.add_all(result for result in read_scored_results(store) if result.game_id >= first)
    is_whole = progress.is_over and counts.tally.games == progress.games_end - first
    planned = {run.total for run in store.runs()}
    return Findings(counts, anytime=not is_whole or planned - {progress.games_end} != set())
