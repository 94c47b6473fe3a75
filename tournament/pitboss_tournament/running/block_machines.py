"""On which kind of machine each block is played: all games of a block on one, so that no bot is slower in one of them.

A block's kind is that of the machine that plays its first game in this run. When no machine of that kind is left, what
is left of the block may be played on any.
"""

from __future__ import annotations

from collections import Counter
from typing import TypeAlias

from pitboss_tournament.rounds.schedule import GameBatch, ScheduledGame

BlockKey: TypeAlias = tuple[int, int]  # pairing and deal


class BlockMachines:
    """The kinds of machine of the blocks that are begun and not finished."""

    def __init__(self, games_a_block: int) -> None:
        self._games_a_block = games_a_block
        self._kinds: dict[BlockKey, str] = {}
        self._finished: Counter[BlockKey] = Counter()  # games of those blocks
        self._places: Counter[str] = Counter()  # by kind

    def add_place(self, kind: str) -> None:
        """Count a place on a machine of this kind; "": there is only one kind."""
        self._places[kind] += 1

    def remove_place(self, kind: str) -> None:
        """Count a place as gone."""
        self._places[kind] -= 1

    def split(self, games: GameBatch, kind: str) -> tuple[GameBatch, GameBatch]:
        """Return which of these games a machine of this kind may play, and which are for others."""
        if not kind:
            return games, ()
        ours = tuple(game for game in games if self._find_kind(game) in (None, kind))
        return ours, games if not ours else tuple(game for game in games if game not in ours)

    def assign(self, games: GameBatch, kind: str) -> None:
        """Let the blocks of these games be played on this kind."""
        if kind:
            for game in games:
                self._kinds[game.pairing, game.deal] = kind

    def finish(self, games: GameBatch) -> None:
        """Count finished games; a block all of whose games are finished is forgotten."""
        if not self._kinds:
            return
        for game in games:
            key = (game.pairing, game.deal)
            self._finished[key] += 1
            if self._finished[key] >= self._games_a_block:
                del self._finished[key]
                self._kinds.pop(key, None)

    def _find_kind(self, game: ScheduledGame) -> str | None:
        """Return the kind of machine that must play a game; None: any may."""
        found = self._kinds.get((game.pairing, game.deal))
        return found if found is not None and self._places[found] else None
