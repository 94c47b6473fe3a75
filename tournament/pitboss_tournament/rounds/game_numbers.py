"""A set of games, by their numbers, in a bit for each: a tournament may have a hundred million."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Final

CHUNK_BYTES: Final = 512  # made when the first of its games is added
CHUNK_GAMES: Final = 8 * CHUNK_BYTES


class GameNumbers:
    """A set of game numbers."""

    def __init__(self, games: Iterable[int] = ()) -> None:
        self._chunks: defaultdict[int, bytearray] = defaultdict(lambda: bytearray(CHUNK_BYTES))
        for game_id in games:
            self.add(game_id)

    def add(self, game_id: int) -> None:
        """Add a game."""
        chunk, place = divmod(game_id, CHUNK_GAMES)
        self._chunks[chunk][place >> 3] |= 1 << (place & 7)

    def __contains__(self, game_id: int) -> bool:
        chunk, place = divmod(game_id, CHUNK_GAMES)
        return chunk in self._chunks and bool(self._chunks[chunk][place >> 3] & 1 << (place & 7))
