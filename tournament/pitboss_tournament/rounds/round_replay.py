"""Rounds of stored games: which round each game is of, who met whom in it, and how it went.

They are replayed from the results; a round is also where another roster begins to hold.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence, Set
from contextlib import suppress
from itertools import repeat
from typing import NamedTuple

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
    chosen = find_format(header.format.name)
    if joined and (why := progress.why_closed or getattr(chosen, "why_closed", "it was not made for that")):
        who = join_words(joined, "and")
        raise ConfigError(f"{who} cannot join: the format {header.format.name!r} takes no newcomers: {why}")
    if progress.is_overlapping:
        return max([progress.rounds_begun, *(opened.number for opened in stored.rounds.read())]) + 1
    open_round = progress.rounds_begun
    with suppress(ConfigError):  # games of the open round are missing
        progress.advance_round(disqualified)
    if progress.is_over and joined:
        raise ConfigError(f"all rounds of the format {header.format.name!r} have been played: no bot joins")
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
    return (None if place is None else place.round for place in _find_places(stored))


class _PlaceInRounds(NamedTuple):
    """Where a game belongs: to a round, and there to the deals that extend its match or not."""

    round: int
    is_extension: bool
    stage: str = ""


def _find_places(stored: StoredGames) -> Iterator[_PlaceInRounds | None]:
    """Yield the place of each stored game; None from where the format does not tell (`number_rounds`)."""
    header, results = stored.header, stored.results(with_times=False)
    if recorded := [(opened.first_game, opened.number) for opened in stored.rounds.read() if opened.tables]:
        for result in results:
            yield _PlaceInRounds(recorded[bisect_right(recorded, (result.game_id + 1,)) - 1][1], is_extension=False)
        return
    try:
        progress, standings = begin_rounds(header), make_tally(header)
        if progress.is_static:
            yield from repeat(_PlaceInRounds(1, is_extension=False), stored.count_games())
            return
        for result in results:
            progress.advance_to(result.game_id, standings.list_disqualified)
            progress.add_result(result)
            standings.add(result)
            stage = progress.stages[-1].name if progress.stages else ""
            yield _PlaceInRounds(progress.rounds_told, progress.is_extension, stage)
    except PitbossError:
        yield from repeat(None)


class RoundBot(Struct, frozen=True):
    """A bot at a table of a round."""

    bot: str
    wins: float  # in the round; a first place of several counts in parts
    tie_break_wins: float  # those of `wins` that are of tie-break deals
    points: float  # in the round, the mean of its games
    score: float  # after the round: the share of the others that it was placed before, a tie half, over complete blocks
    opposition: float  # after the round: the mean score of those that it has met


class RoundTable(Struct, frozen=True):
    """Those who met in a round, the best first, and their games."""

    round: int
    games: int
    tie_break_games: int  # those of `games` that were played because the match was level
    bots: list[RoundBot]
    stage: str = ""  # of a format that has several


def list_rounds(store: Store) -> list[RoundTable]:
    """Return the tables of all rounds, by round; empty for a format that has one round, or is not installed here."""
    if store.header.format.may_grow:
        return []
    tables: list[RoundTable] = []
    results = HeadToHead(len(store.header.labels))
    places = _find_places(store)
    played: list[GameResult] = []
    extending = set[int]()  # games of the round
    now: _PlaceInRounds | None = None
    for place, result in zip(places, store.results(with_times=False), strict=False):
        if place is None:
            return []
        if now is not None and place.round > now.round:
            tables += _close_round(store, now, played, extending, results)
            played, extending = [], set()
        now = place
        played.append(result)
        if place.is_extension:
            extending.add(result.game_id)
    return [*tables, *(_close_round(store, now, played, extending, results) if now is not None else ())]


def _close_round(
    store: Store, now: _PlaceInRounds, played: list[GameResult], extending: Set[int], results: HeadToHead
) -> Iterator[RoundTable]:
    """Yield the tables of a round; add its blocks to the results of all rounds."""
    header = store.header
    results.add_all(score_block(block, header.sides) for block in complete_blocks(played, header.block_size))
    tables: dict[frozenset[int], list[GameResult]] = {}
    for result in played:
        tables.setdefault(frozenset(seat.entrant for seat in result.seats), []).append(result)
    for games in tables.values():
        wins, points = defaultdict[int, float](float), defaultdict[int, float](float)
        tie_break_wins = defaultdict[int, float](float)
        for result in games:
            firsts = sum(seat.place == 1 for seat in result.seats)
            for seat in result.seats:
                won = (seat.place == 1) / firsts
                wins[seat.entrant] += won
                tie_break_wins[seat.entrant] += won if result.game_id in extending else 0.0
                points[seat.entrant] += seat.points
        bots = [
            RoundBot(
                bot=header.labels[entrant],
                wins=wins[entrant],
                tie_break_wins=tie_break_wins[entrant],
                points=points[entrant] / len(games),
                score=results.mean_score(entrant),
                opposition=results.opposition_score(entrant),
            )
            for entrant in sorted(points, key=lambda one: (-wins[one], -points[one], one))
        ]
        tie_break = sum(result.game_id in extending for result in games)
        yield RoundTable(now.round, games=len(games), tie_break_games=tie_break, bots=bots, stage=now.stage)
