"""What follows when a machine plays otherwise than this one: its games are void, and those that follow from them."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Final

from pitboss.text import format_count
from pitboss_tournament.rounds.round_replay import replay_rounds
from pitboss_tournament.running.verified_games import MachineDiffers
from pitboss_tournament.store.rows import void_game
from pitboss_tournament.store.store import Store

DISTRUSTED: Final = "distrusted"  # the cause of such void games


def void_machine(store: Store, found: MachineDiffers) -> str:
    """Take all games of a machine out of a store, with the later rounds that follow from them; return a sentence."""
    games = {number for number, machine in store.machines().items() if machine == found.machine}
    text = f"{found.machine} plays otherwise than this machine: in game {found.game_id} {found.text}"
    removed = sorted({*games, *_list_dependent(store, games)})
    store.remove_games([void_game(number, DISTRUSTED, text) for number in removed])
    return f"{text}; {format_count(len(games), 'game')} of it are void, and it plays no more"


def _list_dependent(store: Store, games: Collection[int]) -> Iterator[int]:
    """Yield the games of the rounds after the first one that has any of these games; a static format has none."""
    if not games:
        return
    progress, _ = replay_rounds(store, until=min(games))
    if not (progress.is_static or progress.is_overlapping):
        yield from (number for number in store.game_ids() if number >= progress.games_end)
