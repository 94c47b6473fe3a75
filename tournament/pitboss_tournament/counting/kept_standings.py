"""Standings that a store keeps: of many games they take seconds to compute.

They are forgotten as soon as a game or the header changes (`schema.KEPT_STANDINGS`), and not used by other code.
"""

from __future__ import annotations

from typing import Final

import msgspec

from pitboss_tournament.counting.findings import KeptStandings, RatedStandings, compute_code_version
from pitboss_tournament.counting.open_length import explain_open_length
from pitboss_tournament.counting.scored_results import read_scored_results
from pitboss_tournament.store.header import Header
from pitboss_tournament.store.store import Store

MIN_KEPT_GAMES: Final = 1_000  # the standings of fewer are computed in a blink


def keep_standings(store: Store) -> None:
    """Compute the standings of a store's games, and keep them in it, if there are enough games for that to matter.

    Raises:
        StoreError: they cannot be read or written.
    """
    games = store.count_games()
    if games >= MIN_KEPT_GAMES:
        standings = RatedStandings(store.header, anytime=explain_open_length(store, games) is not None)
        standings.add_all(read_scored_results(store))
        store.kept.write_standings(msgspec.msgpack.encode(standings.totals()))


def load_kept_standings(store: Store) -> KeptStandings | None:
    """Return the standings that a store keeps; None if there are none, or none that this code has computed.

    They are forgotten as soon as a game or the header changes: see `schema.KEPT_STANDINGS`.
    """
    encoded = store.kept.standings()
    try:
        kept = None if encoded is None else msgspec.msgpack.decode(encoded, type=KeptStandings)
    except msgspec.MsgspecError:
        return None
    if kept is None or kept.code_version != compute_code_version() or not _is_of(kept, store.header):
        return None
    return kept


def _is_of(kept: KeptStandings, header: Header) -> bool:
    """Whether kept standings are of as many bots as a tournament has."""
    tally, bots = kept.tally, len(header.bots)
    by_bot = (
        tally.faults,
        tally.substituted,
        tally.games_of,
        tally.points,
        tally.wins,
        tally.decisions,
        tally.think_us,
    )
    return (
        all(len(one) == bots for one in (*by_bot, tally.think))
        and kept.meetings.fits(bots)
        and kept.ranks.fits(bots)
        and all(bot in range(bots) for cycle in kept.cycles for bot in cycle)
        and all(bot in range(bots) for bot in tally.first_faults)
        and all(
            {one.giver, one.gainer} <= {*range(bots)} and one.gainer in gifts.ratings
            for gifts in (kept.gifts, kept.gifts_anytime)
            for one in gifts.found
        )
        and {line.name for line in kept.ratings.lines} <= set(header.labels)
        and all(
            one.is_whole and one.size == len(kept.ratings.entrants)
            for one in (kept.ratings.covariance, kept.ratings.shared_blocks)
        )
    )
