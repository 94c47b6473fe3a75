"""The calls of language models in a store without a schedule, found by the cards and the players of their games.

A merged store has given games other numbers, and versions of bots other names, than the tournament that is played
again.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from msgspec.structs import replace

from pitboss_tournament.models.calls import CallPlace, CallRow
from pitboss_tournament.plan.plan import find_base_name
from pitboss_tournament.store.store import Store

if TYPE_CHECKING:
    from pitboss_tournament.models.broker import CallRecord


class DealtGame(NamedTuple):
    """The seed of a game's cards, and who plays, by seat."""

    seed: str
    players: Sequence[str]


class ReplayedCalls:
    """Calls by the places of the games that are played now."""

    def __init__(self, store: Store, find_game: Callable[[int], DealtGame]) -> None:
        """Read which games a store has; `find_game`: the game of a number now."""
        self._store = store
        self._find_game = find_game
        self._numbers = defaultdict[DealtGame, list[int]](list)
        for number, record in store.records():
            self._numbers[_strip_versions(record.seed, record.players)].append(number)

    def find_call(self, place: CallPlace, digest: str) -> CallRow | None:
        """Return the call that was made there with a request of this digest; None if there is none."""
        game = self._find_game(place.game_id)
        for number in self._numbers.get(_strip_versions(game.seed, game.players), ()):
            if (row := self._store.calls.find_call(place._replace(game_id=number), digest)) is not None:
                return replace(row, place=place, bot=game.players[place.seat])
        return None


def find_replays(store: Store, find_game: Callable[[int], DealtGame]) -> CallRecord:
    """Return the calls of a store by the places of the games that are played now."""
    return store.calls if store.header.has_schedule else ReplayedCalls(store, find_game)


def _strip_versions(seed: str, players: Sequence[str]) -> DealtGame:
    return DealtGame(seed, tuple(map(find_base_name, players)))
