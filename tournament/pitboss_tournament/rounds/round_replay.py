"""Rounds of stored games: which round each game is of, who met whom in it, and how it went.

They are replayed from the results; a round is also where another roster begins to hold.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import repeat

from msgspec import Struct

from pitboss.errors import ConfigError, PitbossError
from pitboss.text import join_words
from pitboss_tournament.counting.tally import make_tally
from pitboss_tournament.formats.selection import find_format
from pitboss_tournament.rounds.round_progress import Rounds, begin_rounds
from pitboss_tournament.statistics.blocks import complete_blocks, score_block
from pitboss_tournament.statistics.head_to_head import HeadToHead
from pitboss_tournament.statistics.scoring import GameResult
from pitboss_tournament.store.field_changes import StoredGames
from pitboss_tournament.store.store import Store


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
        raise ConfigError(f"{who} cannot join: the format {header.format.name!r} takes no newcomers: {why}")
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


class RoundBot(Struct, frozen=True):
    """A bot at a table of a round."""

    bot: str
    wins: float  # in the round; a first place of several counts in parts
    points: float  # in the round, the mean of its games
    score: float  # after the round: the share of the others that it was placed before, a tie half, over complete blocks
    opposition: float  # after the round: the mean score of those that it has met


class RoundTable(Struct, frozen=True):
    """Those who met in a round, the best first, and their games."""

    round: int
    games: int
    bots: list[RoundBot]


def list_rounds(store: Store) -> list[RoundTable]:
    """Return the tables of all rounds, by round; empty for a format that has one round, or is not installed here."""
    if store.header.format.may_grow:
        return []
    tables: list[RoundTable] = []
    results = HeadToHead(len(store.header.labels))
    rounds = number_rounds(store)
    played: list[GameResult] = []
    now = 1
    for number, result in zip(rounds, store.results(with_times=False), strict=False):
        if number is None:
            return []
        if number > now:
            tables += _close_round(store, now, played, results)
            played, now = [], number
        played.append(result)
    return [*tables, *_close_round(store, now, played, results)]


def _close_round(store: Store, number: int, played: list[GameResult], results: HeadToHead) -> Iterator[RoundTable]:
    """Yield the tables of a round; add its blocks to the results of all rounds."""
    header = store.header
    results.add_all(score_block(block, header.sides) for block in complete_blocks(played, header.block_size))
    tables: dict[frozenset[int], list[GameResult]] = {}
    for result in played:
        tables.setdefault(frozenset(seat.entrant for seat in result.seats), []).append(result)
    for games in tables.values():
        wins, points = defaultdict[int, float](float), defaultdict[int, float](float)
        for result in games:
            firsts = sum(seat.place == 1 for seat in result.seats)
            for seat in result.seats:
                wins[seat.entrant] += (seat.place == 1) / firsts
                points[seat.entrant] += seat.points
        bots = [
            RoundBot(
                bot=header.labels[entrant],
                wins=wins[entrant],
                points=points[entrant] / len(games),
                score=results.mean_score(entrant),
                opposition=results.opposition_score(entrant),
            )
            for entrant in sorted(points, key=lambda one: (-wins[one], -points[one], one))
        ]
        yield RoundTable(round=number, games=len(games), bots=bots)
