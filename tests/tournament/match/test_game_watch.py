"""What a worker shows of its games: each decision once and in order, from the beginning, only while it is watched."""

from __future__ import annotations

import trio

from pitboss.game import resolve_options
from pitboss.records.record import Decision
from pitboss_tournament.match.match import Match
from pitboss_tournament.running.game_watch import GameWatch
from pitboss_tournament.running.worker_protocol import ShownDecisions
from tests.tournament.match.test_simultaneous import RecordingSeat
from tests.tournament.small_tournaments import load_magpie

BATCH, GAME = 5, 40


def make_match() -> Match:
    """Return a game for two that choose the last legal action."""
    game = load_magpie()
    return Match(game, resolve_options(game, 2, overrides={"turns": 5}), [RecordingSeat(0), RecordingSeat(1)], "s")


def play(match: Match) -> None:
    """Play a game to its end."""
    trio.run(match.play, GAME, ["a", "b"])


def read_news(news: ShownDecisions | None) -> tuple[bool, list[Decision]]:
    """Return whether a message begins a game, and its decisions."""
    assert news is not None
    assert (news.batch, news.game_id) == (BATCH, GAME)
    return news.begins, news.decisions


def test_a_game_from_its_beginning() -> None:
    """The first message tells that a game begins, the rest has all its decisions; then it is no longer watched."""
    watch, match = GameWatch(), make_match()
    watch.begin_batch(BATCH)
    watch.watch(BATCH)
    before = watch.take_news(BATCH)
    watch.begin_game(BATCH, GAME, match)
    first, nothing = watch.take_news(BATCH), watch.take_news(BATCH)
    play(match)
    rest = watch.end_game(BATCH, GAME)

    assert (before, nothing) == (None, None)
    assert read_news(first) == (True, [])
    assert read_news(rest) == (False, list(match.decisions))
    assert watch.watched == []


def test_a_game_that_is_over_before_anybody_looks() -> None:
    """A game that is over before anybody looks is shown whole in one message."""
    watch, match = GameWatch(), make_match()
    watch.begin_batch(BATCH)
    watch.begin_game(BATCH, GAME, match)
    watch.watch(BATCH)
    play(match)

    assert read_news(watch.end_game(BATCH, GAME)) == (True, list(match.decisions))


def test_a_game_that_is_played_again() -> None:
    """A void game begins anew when it is played again."""
    watch, void, again = GameWatch(), make_match(), make_match()
    watch.begin_batch(BATCH)
    watch.watch(BATCH)
    watch.begin_game(BATCH, GAME, void)
    play(void)
    shown = watch.take_news(BATCH)
    watch.begin_game(BATCH, GAME, again)

    assert read_news(shown) == (True, list(void.decisions))
    assert read_news(watch.take_news(BATCH)) == (True, [])


def test_nobody_watches() -> None:
    """A table without a request shows nothing, and a request for a batch that has ended is ignored."""
    watch, match = GameWatch(), make_match()
    watch.begin_batch(BATCH)
    watch.begin_game(BATCH, GAME, match)
    play(match)
    shown = watch.take_news(BATCH), watch.end_game(BATCH, GAME)
    watch.end_batch(BATCH)
    watch.watch(BATCH)

    assert shown == (None, None)
    assert watch.watched == []
