"""Rounds of stored games: which round a game is of, and from which one another roster holds."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import repeat

from pitboss.errors import ConfigError, PitbossError
from pitboss.text import join_words
from pitboss_tournament.counting.tally import make_tally
from pitboss_tournament.formats.selection import find_format
from pitboss_tournament.rounds.round_progress import Rounds, begin_rounds
from pitboss_tournament.store.field_changes import StoredGames


def find_next_round(stored: StoredGames, joined: Sequence[str]) -> int:
    """Return the round from which another roster holds: the next one, as long as games of the open one are there.

    Raises:
        ConfigError: the tournament is over, or nobody can join any more.
        FormatPluginError: the format fails.
    """
    header = stored.header
    progress, disqualified = replay_rounds(stored)
    if progress.is_static:
        return header.rosters[-1].first_round + 1
    if joined and (why := getattr(find_format(header.format.name), "why_closed", "it was not made for that")):
        who = join_words(joined, "and")
        raise ConfigError(f"{who} cannot join: the format {header.format.name!r} takes nobody in: {why}")
    if progress.is_overlapping:
        return max([progress.rounds_begun, *(opened.number for opened in stored.rounds.read())]) + 1
    open_round = progress.rounds_begun
    with suppress(ConfigError):  # games of the open round are missing
        progress.advance_round(disqualified)
    if progress.is_over:
        raise ConfigError(f"all rounds of the format {header.format.name!r} have been played: no bot joins or leaves")
    return open_round + 1


def replay_rounds(stored: StoredGames, until: int | None = None) -> tuple[Rounds, frozenset[int]]:
    """Return the rounds after the stored results, up to that of game `until`, and the entrants disqualified by then.

    The one round of a static format depends on no result, so none is read.

    Raises:
        ConfigError, FormatPluginError: the format is not installed, fails, or asks for other games than those stored.
    """
    progress, standings = begin_rounds(stored.header, stored.rounds.read()), make_tally(stored.header)
    for result in () if progress.is_static else stored.results(with_times=False):
        progress.advance_to(result.game_id, standings.list_disqualified)
        if until is not None and until < progress.games_end:
            break
        progress.add_result(result)
        standings.add(result)
    return progress, standings.list_disqualified()


def number_rounds(stored: StoredGames) -> Iterator[int | None]:
    """Yield the round of each stored game, from 1; None from where the format does not tell.

    That is if it is not installed here, fails, or asks for other games than those stored.
    """
    header, results = stored.header, stored.results(with_times=False)
    if recorded := [(opened.first_game, opened.number) for opened in stored.rounds.read() if opened.tables]:
        for result in results:
            yield recorded[bisect_right(recorded, (result.game_id + 1,)) - 1][1]
        return
    try:
        progress, standings = begin_rounds(header), make_tally(header)
        if progress.is_static:
            yield from (1 for _ in results)
        for result in results:
            progress.advance_to(result.game_id, standings.list_disqualified)
            progress.add_result(result)
            standings.add(result)
            yield progress.rounds_told
    except PitbossError:
        yield from repeat(None)
