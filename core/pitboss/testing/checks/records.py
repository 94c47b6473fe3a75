"""Records: the record of a game is enough to replay it and to rebuild its log."""

from __future__ import annotations

from functools import lru_cache

import msgspec

from pitboss.records.record import Decision, Record, dumps, loads, replay_events, replay_states
from pitboss.testing.framework.check import CheckFailed, NotApplicable, check
from pitboss.testing.framework.played_game import PlayedGame


@check("played game")
def record_replays(played_game: PlayedGame) -> None:
    """A game's record, written as JSON, read and replayed, gives every decision and the outcome again."""
    if not played_game.is_over:
        raise NotApplicable("the game did not come to an end")
    record = _make_record(played_game)
    for number, state in enumerate(replay_states(loads(dumps(record)), played_game.setup.game)):
        turn = played_game.turns[number] if number < len(played_game) else None
        if state.turn != turn:
            raise CheckFailed(f"decision {number} was {turn}; replayed from the record it is {state.turn}")


@check("played game")
def record_gives_the_log(played_game: PlayedGame) -> None:
    """The event log that is rebuilt from a record is the log of the game, in full and for every seat."""
    if not played_game.is_over:
        raise NotApplicable("the game did not come to an end")
    record = loads(dumps(_make_record(played_game)))
    original = played_game.replay_to(len(played_game)).table
    *_, last = replay_states(record, played_game.setup.game)
    seat = len(played_game) % len(played_game.setup.observers)
    rebuilt = [
        (seat, replay_events(record, played_game.setup.game, seat)),
        *((one, last.table.events(one)) for one in (None, seat, 0)),
    ]
    for one, told in rebuilt:
        expected = original.events(one)
        if not expected or msgspec.json.encode(told) != msgspec.json.encode(expected):
            raise CheckFailed(
                f"the log of seat {one} has {len(expected)} events; "
                f"rebuilt from the record it has {len(told)}, or others"
            )


@lru_cache(maxsize=4)
def _make_record(played_game: PlayedGame) -> Record:
    if played_game.outcome is None:
        raise CheckFailed("the game did not come to an end")
    setting = played_game.setup
    return Record(
        game=setting.game.name,
        game_version=setting.game.version,
        options=setting.options,
        seed=played_game.seed,
        players=[f"bot {seat}" for seat in range(setting.seats)],
        decisions=[
            Decision(seat=turn.seat, action=action)
            for turn, action in zip(played_game.turns, played_game.actions, strict=True)
        ],
        outcome=played_game.outcome,
    )
