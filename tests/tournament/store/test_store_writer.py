"""The writer: nothing that it has taken is lost."""

from __future__ import annotations

from pathlib import Path

import pytest
import trio

from pitboss_tournament.running.store_writer import MAX_UNWRITTEN_GAMES, StoreWriter
from pitboss_tournament.store.rows import void_game
from pitboss_tournament.store.store import Store
from tests.tournament.stored_games import make_stored_game, make_test_header


@pytest.mark.parametrize("moment", [*range(6)] * 4)  # which of two tasks goes first is drawn by trio
def test_cancelled_at_any_moment(tmp_path: Path, moment: int) -> None:
    """A writing that is cancelled at any moment is completed by the next one: each game is in the store once."""
    store = Store.for_run(tmp_path / "x.pitboss", make_test_header(tmp_path))
    writer = StoreWriter(store)

    async def write() -> None:
        for number in range(2):
            game = make_stored_game(number)
            writer.add_game(game.result, game.record, game.logs)
        writer.add_void(void_game(2, "no_process", "no more processes"))
        async with trio.open_nursery() as nursery:
            nursery.start_soon(writer.write)
            for _ in range(moment):
                await trio.lowlevel.checkpoint()
            nursery.cancel_scope.cancel()
        await writer.write()

    trio.run(write)
    assert list(store.game_ids()) == [0, 1]
    assert store.void_causes() == {"no_process": 1}
    store.close()


def test_a_disk_that_is_slower_than_the_bots(tmp_path: Path) -> None:
    """A game that is one too many for the buffer waits until all are written."""
    store = Store.for_run(tmp_path / "x.pitboss", make_test_header(tmp_path))
    writer = StoreWriter(store)
    there: list[int] = []

    async def play() -> None:
        for number in range(MAX_UNWRITTEN_GAMES):
            there.append(len(list(store.game_ids())))
            game = make_stored_game(number)
            writer.add_game(game.result, game.record, game.logs)
            await writer.write_if_full()

    trio.run(play)
    assert set(there) == {0}
    assert len(list(store.game_ids())) == MAX_UNWRITTEN_GAMES
    store.close()
