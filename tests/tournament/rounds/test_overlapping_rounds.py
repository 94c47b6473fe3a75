"""Rounds that overlap: whoever follows a tournament again, from its beginning or a state, finds it as it was."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random
from typing import NamedTuple

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from pitboss.errors import ConfigError
from pitboss_tournament.formats.ladder import MAX_OPEN_TABLES
from pitboss_tournament.plan.plan import BotAbout, Entrant, Plan, Roster, StopRules
from pitboss_tournament.rounds.recorded_rounds import RoundsState
from pitboss_tournament.rounds.round_progress import LiveRounds, Rounds, begin_rounds
from pitboss_tournament.rounds.schedule import GameBatch, ScheduledGame
from pitboss_tournament.statistics.scoring import GameResult
from pitboss_tournament.store.rows import RecordedRound
from tests.tournament.random_results import draw_result, make_random_plan


class Kept(NamedTuple):
    """What a checkpoint has: where the tournament was, and the games of open tables that were counted."""

    state: RoundsState
    counted: list[int]


class OverlappingPlay:
    """A ladder that is played at several tables at a time, on paper; bots join and leave, and are disqualified."""

    def __init__(self, bots: int, seats: int, deals: int, seed: int) -> None:
        self.rng = Random(seed)
        made = make_random_plan("ladder", bots, seats, deals, {"overlapping": True, "placing": 3})
        self.plan = replace(made, rosters=(Roster(first_round=1, entries=tuple(range(bots)), deals=deals),))
        self.recorded: list[RecordedRound] = []
        self.progress = begin_rounds(self.plan, on_open=self.recorded.append)
        self.pending = self.progress.batches()
        self.results: dict[int, GameResult] = {}
        self.out: set[int] = set()
        self.kept: list[Kept] = []

    def play(self, steps: int, tables: int) -> None:
        """Play so many games, at so many tables; afterwards some are in play."""
        in_play: list[list[ScheduledGame]] = []
        while len(self.results) < steps:
            while len(in_play) < tables and (batch := self._next_batch(in_play)):
                in_play.append(list(batch))
            assert in_play, "nobody can play"
            batch_in_play = self.rng.choice(in_play)
            self._finish(batch_in_play.pop(0))
            if not batch_in_play:
                in_play.remove(batch_in_play)
            if self.rng.random() < 0.05:
                self._change_field()
            if self.rng.random() < 0.02 and len(self._list_active()) > self.plan.seats + 1:
                self.out.add(self.rng.choice(self._list_active()))
            if self.rng.random() < 0.1:
                state = msgspec.msgpack.decode(pack_state(self.progress), type=RoundsState)
                self.kept.append(Kept(state, self.progress.list_counted()))

    def _next_batch(self, in_play: list[list[ScheduledGame]]) -> GameBatch | None:
        for _ in range(2):
            for batch in self.pending:
                if self.out.isdisjoint(batch[0].entrants) and self.progress.absent.isdisjoint(batch[0].entrants):
                    return batch
            begun = [games[0].game_id for games in in_play]
            self.progress.advance_round(frozenset(self.out), begun)
            self.pending = self.progress.batches(self.progress.rounds_begun - 1)
        return None

    def _finish(self, game: ScheduledGame) -> None:
        result = draw_result(game)
        self.results[game.game_id] = result
        self.progress.add_result(result)

    def _list_active(self) -> list[int]:
        return [bot for bot in self.plan.rosters[-1].entries if bot not in self.out]

    def _change_field(self) -> None:
        entries = list(self.plan.rosters[-1].entries)
        entrants = list(self.plan.entrants)
        leaver = self.rng.choice(entries)
        if self.rng.random() < 0.5 and len(self._list_active()) > self.plan.seats + 1:
            entries.remove(leaver)
        elif (away := sorted(self.progress.absent)) and self.rng.random() < 0.5:
            entries.append(self.rng.choice(away))
        else:
            about = BotAbout(owner=self.rng.choice(("ann", "bob")))
            entries.append(len(entrants))
            entrants.append(Entrant(name=f"b{len(entrants)}", command=("true",), about=about))
        begins = self.progress.rounds_begun + 1
        before = [one for one in self.plan.rosters if one.first_round < begins]
        rosters = (*before, Roster(first_round=begins, entries=tuple(entries), deals=self.plan.deals))
        self.plan = replace(self.plan, entrants=tuple(entrants), rosters=rosters)
        self.progress.change_field(self.plan)


def follow(plan: Plan, recorded: Iterable[RecordedRound], results: dict[int, GameResult]) -> Rounds:
    """Return the rounds after these results, from the beginning on."""
    progress = begin_rounds(plan, recorded)
    for number in sorted(results):
        assert progress.advance_to(number, frozenset)
        assert progress.is_awaited(number)
        progress.add_result(results[number])
    return progress


def pack_state(progress: Rounds) -> bytes:
    """Return where a tournament is, as it is stored."""
    state = progress.keep_state()
    assert state is not None
    return msgspec.msgpack.encode(state)


def list_open(progress: Rounds, results: dict[int, GameResult]) -> list[ScheduledGame]:
    """Return the games that are still to be played."""
    return [game for batch in progress.batches() for game in batch if game.game_id not in results]


@settings(max_examples=60, deadline=None)
@given(
    bots=st.integers(4, 9),
    seats=st.integers(2, 3),
    deals=st.integers(1, 3),
    seed=st.integers(0, 1 << 30),
    steps=st.integers(1, 300),
    tables=st.integers(1, 5),
)
def test_a_tournament_is_followed_again(bots: int, seats: int, deals: int, seed: int, steps: int, tables: int) -> None:
    """A follower of a tournament, from the first game or from any state kept, has the same games to play.

    The format knows the same, and the round that comes next is the same.
    """
    played = OverlappingPlay(bots, seats, deals, seed)
    played.play(steps, tables)
    wanted = played.progress
    again = follow(played.plan, iter(played.recorded), played.results)
    again.open_recorded(frozenset)
    found = [again]
    for kept in played.kept:
        resumed = begin_rounds(played.plan, iter(played.recorded[kept.state.rounds_begun :]), state=kept.state)
        for number in sorted(played.results):
            if number >= resumed.first_open_game and resumed.advance_to(number, frozenset):
                if resumed.is_awaited(number):
                    resumed.add_result(played.results[number])
                else:
                    assert number < kept.state.games_end
        resumed.open_recorded(frozenset)
        found.append(resumed)
        awaited = {game for game in played.results if game < kept.state.games_end and resumed.is_awaited(game)}
        assert set(kept.counted) >= awaited & set(kept.counted)
    for one in found:
        assert list_open(one, played.results) == list_open(wanted, played.results)
        assert pack_state(one) == pack_state(wanted)
        opened = list[RecordedRound]()
    for one in (*found, wanted):
        assert isinstance(one, LiveRounds)
        one._on_open = opened.append
        one.advance_round(frozenset(played.out))
    assert all(one == opened[0] for one in opened)


def test_many_rounds_are_followed() -> None:
    """A league of a class has a hundred thousand rounds in a year: their number bounds nothing."""
    played = OverlappingPlay(4, 2, 1, 7)
    for _ in range(3_000):
        for batch in played.pending:
            for game in batch:
                played._finish(game)
        played.progress.advance_round(frozenset())
        played.pending = played.progress.batches(played.progress.rounds_begun - 1)

    again = follow(played.plan, iter(played.recorded), played.results)
    again.open_recorded(frozenset)

    assert pack_state(again) == pack_state(played.progress)


def test_a_game_that_is_held_when_its_round_has_closed() -> None:
    """A worker that has not yet let go of a game that has ended ends no tournament: the rounds go on without it."""
    play = OverlappingPlay(bots=4, seats=2, deals=1, seed=7)
    play.play(60, tables=1)
    ended = [game for game in play.results if not play.progress.is_awaited(game)]

    begun = play.progress.rounds_begun
    play.progress.advance_round(frozenset(), ended)

    assert len(ended) > 20
    assert play.progress.rounds_begun == begun + 1


def test_a_slow_table_holds_up_nobody_else() -> None:
    """While one table is played for ever, the others get rounds; its bots get four tables at most."""
    played = OverlappingPlay(8, 2, 1, 5)
    slow = next(played.pending)[0]
    for _ in range(200):
        batch = next(
            (one for one in played.pending if one[0].pairing != slow.pairing or one[0].deal != slow.deal), None
        )
        if batch is None:
            played.progress.advance_round(frozenset(), [slow.game_id])
            played.pending = played.progress.batches(played.progress.rounds_begun - 1)
            continue
        for game in batch:
            played._finish(game)
    state = played.progress.keep_state()
    assert state is not None
    assert played.progress.rounds_begun > 15
    assert state.tables[0] == (0, 0)
    assert MAX_OPEN_TABLES == 4


def test_rounds_that_overlap_have_no_verdict_in_between() -> None:
    """A tournament whose rounds overlap does not stop by a verdict: it is told so."""
    made = make_random_plan("ladder", 4, 2, 1, {"overlapping": True})
    with pytest.raises(ConfigError, match=r"\[stop\] is for rounds in turn"):
        begin_rounds(replace(made, stop=StopRules(ranking=True)))
