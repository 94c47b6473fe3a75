"""Checkpoints: a tournament that is taken up at one is as if all of its games had been read."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from pitboss_tournament.counting.counts import Counts
from pitboss_tournament.counting.live_counts import LiveCounts
from pitboss_tournament.rounds.checkpoint import Checkpoint, encode_checkpoint
from pitboss_tournament.running.tournament import Tournament
from pitboss_tournament.statistics.scoring import GameResult
from pitboss_tournament.store.header import Header, make_header
from pitboss_tournament.store.store import Store
from tests.tournament.rounds.test_overlapping_rounds import OverlappingPlay
from tests.tournament.small_tournaments import load_magpie


class FollowedStore:
    """A store with games that were played on paper, and a checkpoint in the middle of them."""

    def __init__(self, path: Path, seed: int) -> None:
        self.played = OverlappingPlay(6, 2, 2, seed)
        self.played.play(150, 4)
        early = self.header
        self.bots_then = len(early.bots)
        counted = Counts(early)
        counted.add_all(self.results)
        state = self.played.progress.keep_state()
        assert state is not None
        head = encode_checkpoint(Checkpoint(state, self.played.progress.list_counted(), counted.dump()))
        parts = dict(enumerate(counted.rankings.pack_parts(), start=1))
        self.played.play(260, 4)
        self.store = Store.open_to_write(path, self.header)
        self.store.rounds.add(self.played.recorded)
        self.store.add([(result, b"", ()) for result in self.results])
        self.store.rounds.write_checkpoint(head, parts)

    @property
    def header(self) -> Header:
        """The header with all who have ever taken part."""
        made = make_header(self.played.plan, "1", "0")
        return replace(made, rosters=self.played.plan.rosters)

    @property
    def results(self) -> list[GameResult]:
        """The results, in the order in which the games have ended."""
        return list(self.played.results.values())

    def take_up(self) -> tuple[Tournament, Counts]:
        """Take the tournament up, as a league does."""
        live = LiveCounts(self.header)
        tournament = Tournament(self.played.plan, load_magpie(), self.store, live=live)
        return tournament, live._counts


@pytest.fixture(params=[0, 1, 3, 4, 5, 6])
def followed(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[FollowedStore]:
    """Return a store, in each of several courses of its games."""
    made = FollowedStore(tmp_path / "x.pitboss", request.param)
    with closing(made.store):
        yield made


def test_at_a_checkpoint_or_from_the_first_game(followed: FollowedStore) -> None:
    """Rounds, standings and ratings are the same, also where bots have joined since the checkpoint."""
    assert len(followed.header.bots) > followed.bots_then
    at_checkpoint, rated = followed.take_up()
    followed.store.rounds.list_checkpoint_parts = list  # type: ignore[method-assign]
    from_games, rated_anew = followed.take_up()

    assert at_checkpoint.games_before == from_games.games_before == 260
    for kind in ("keep_state", "list_counted"):
        one, other = (msgspec.msgpack.encode(getattr(own.progress, kind)()) for own in (at_checkpoint, from_games))
        assert one == other, kind
    tallies = (from_games.running_standings, at_checkpoint.running_standings, rated_anew.tally, rated.tally)
    games = [[own.count_games(bot) for bot in range(len(own.names))] for own in tallies]
    assert games == [games[0]] * 4
    assert rated.rankings.block_count == rated_anew.rankings.block_count
    means = [
        [own.rate_bots().rating_of(bot).points.mean for bot in range(len(own.names))] for own in (rated, rated_anew)
    ]
    assert means[0] == pytest.approx(means[1], abs=1e-6)
