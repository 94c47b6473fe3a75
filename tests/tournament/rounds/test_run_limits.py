"""Runs that end before their tournament: a number of games, a hold; and durations as people write them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
import trio
import typer

from pitboss_tournament.cli.number_args import parse_duration
from pitboss_tournament.counting.tally import Tally
from pitboss_tournament.plan.plan import Entrant, FaultRules, FormatChoice, Plan, StopRules
from pitboss_tournament.rounds.game_numbers import GameNumbers
from pitboss_tournament.rounds.round_progress import Rounds, begin_rounds
from pitboss_tournament.running.dispatcher import Assignment, Dispatcher
from pitboss_tournament.running.run_end import EndCause, RunLimits
from pitboss_tournament.showing.version_comparison import carry_on_hint
from pitboss_tournament.store.store import Store
from tests.tournament.random_results import draw_result, make_random_plan
from tests.tournament.small_tournaments import (
    FinishedTournament,
    games_without_times,
    make_plan,
    open_tournament,
    play_tournament,
    zoo_entrant,
)


@pytest.mark.parametrize(
    ("given", "seconds"), [("8h", 28_800), ("90m", 5_400), ("30s", 30), ("1h30m", 5_400), ("2h0m5s", 7_205)]
)
def test_a_duration(given: str, seconds: int) -> None:
    """A duration is hours, minutes and seconds, in this order."""
    assert parse_duration(given) == seconds


@pytest.mark.parametrize("given", ["", "0s", "8", "h", "30m1h", "1.5h", "-3s", "8 h", "9999999s", "٣s"])
def test_what_is_no_duration(given: str) -> None:
    """A text that is no duration is refused with what is allowed."""
    with pytest.raises(typer.BadParameter, match=r"as 8h, 90m, 30s or 1h30m\."):
        parse_duration(given)


def make_dispatcher(plan: Plan, most_games: int | None) -> tuple[Dispatcher, Rounds]:
    """Return the dispatcher of a run that may play so many games."""
    progress = begin_rounds(plan)
    return Dispatcher(progress, Tally(plan.bots, plan.seats, 10), GameNumbers(), most_games), progress


def assign_all(dispatcher: Dispatcher) -> list[Assignment]:
    """Assign all that may be assigned to idle workers."""
    found = []
    while (one := trio.run(dispatcher.next_assignment, True)) is not None:
        found.append(one)
    return found


def count_games(assignments: Sequence[Assignment]) -> int:
    """Return the number of games of assignments."""
    return sum(len(one.games) for one in assignments)


@pytest.fixture
def plan(tmp_path: Path) -> Plan:
    """Return a plan of two entrants and fifty games: four batches of twenty and of five."""
    return make_plan(tmp_path / "x", *(Entrant(name=name, command=(name,)) for name in "ab"), deals=25)


@pytest.mark.parametrize("most", [1, 20, 33])
def test_a_run_is_assigned_no_more_games_than_it_may_play(plan: Plan, most: int) -> None:
    """A batch is divided where a run's number of games is reached; the others are left for the next run."""
    dispatcher, _ = make_dispatcher(plan, most)

    assert count_games(assign_all(dispatcher)) == most
    assert dispatcher.has_held_games


@pytest.mark.parametrize("most", [None, 50, 51])
def test_a_limit_that_keeps_nothing_from_being_played(plan: Plan, most: int | None) -> None:
    """No limit, or one of as many games as there are or more, leaves nothing behind."""
    dispatcher, _ = make_dispatcher(plan, most)

    assert count_games(assign_all(dispatcher)) == 50
    assert not dispatcher.has_held_games


def test_games_that_come_back_may_be_assigned_again(plan: Plan) -> None:
    """The games of a worker that died, and of a batch that ended early, may be assigned again: the run still plays its
    number.
    """
    dispatcher, _ = make_dispatcher(plan, 30)
    lost, cut = assign_all(dispatcher)
    for game in list(lost.remaining)[:2]:
        assert lost.finish(game.game_id)
    for game in list(cut.remaining)[:7]:
        assert cut.finish(game.game_id)

    dispatcher.take_back([lost], have_begun=True)
    dispatcher.end_assignment(cut)

    assert count_games(assign_all(dispatcher)) == 30 - 2 - 7


def test_a_hold(plan: Plan) -> None:
    """A hold assigns nothing more, whatever comes back; what came back is left."""
    dispatcher, _ = make_dispatcher(plan, None)
    first = trio.run(dispatcher.next_assignment, True)
    assert first is not None

    dispatcher.hold()
    dispatcher.end_assignment(first)

    assert assign_all(dispatcher) == []
    assert dispatcher.has_held_games


@pytest.mark.parametrize("is_last", [True, False])
async def test_a_hold_at_the_end_of_a_round(is_last: bool) -> None:
    """A hold at the end of a round closes the round, whose end may be that of the tournament; the next round is opened,
    but not begun.
    """
    dispatcher, progress = make_dispatcher(make_random_plan("swiss", 4, 2, 1, {"rounds": 1 if is_last else 2}), None)
    for _ in range(4):
        handed = await dispatcher.next_assignment(is_idle=True)
        assert handed is not None
        for slot in handed.games:
            assert handed.finish(slot.game_id)
            progress.add_result(draw_result(slot))
        dispatcher.end_assignment(handed)

    dispatcher.hold()

    assert await dispatcher.next_assignment(is_idle=True) is None
    assert (progress.is_over, dispatcher.has_held_games) == (is_last, not is_last)


async def test_who_waits_for_the_next_round_is_told_of_a_hold() -> None:
    """A worker that waits for the next round is told of a hold when the last game of the round is over, so that the run
    can end.
    """
    dispatcher, progress = make_dispatcher(make_random_plan("swiss", 4, 2, 1, {"rounds": 2}), 4)
    handed = [await dispatcher.next_assignment(is_idle=True) for _ in range(4)]

    with trio.fail_after(60):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(dispatcher.next_assignment, True)
            nursery.start_soon(dispatcher.next_assignment, True)
            for one in handed:
                assert one is not None
                for slot in one.games:
                    assert one.finish(slot.game_id)
                    progress.add_result(draw_result(slot))
                dispatcher.end_assignment(one)

    assert progress.rounds_begun == 2
    assert dispatcher.has_held_games


def test_a_comparison_that_was_asked_to_end(tmp_path: Path) -> None:
    """A comparison that was asked to end is carried on by the same command; more games are needed only where all have
    been played.
    """
    begun = open_tournament(make_plan(tmp_path / "x.pitboss", zoo_entrant("good", "a"), zoo_entrant("good", "b")))

    said = []
    for cause in ("request", "complete"):
        begun.end_cause = cause
        said.append(carry_on_hint(begun))

    again = f"; the same command with --store {tmp_path / 'x.pitboss'}"
    assert said == [f"{again} carries on", f"{again} and more --games carries on"]


def play_in_parts(made: Plan, games: int) -> tuple[FinishedTournament, list[EndCause | None]]:
    """Play a tournament in runs of so many games; return the last one and why each ended."""
    causes = list[EndCause | None]()
    while not causes or causes[-1] == "games":
        ended = play_tournament(made, RunLimits(games=games))
        causes.append(ended.tournament.end_cause)
        assert ended.tournament.running_standings.games - ended.tournament.games_before <= games
    return ended, causes


@pytest.mark.long
@pytest.mark.once
def test_a_swiss_in_parts(tmp_path: Path) -> None:
    """Runs that end in the middle of a round, and at its end, play the games of an uninterrupted tournament."""
    bots = [zoo_entrant("good", f"bot-{number}") for number in range(5)]
    choice = FormatChoice(name="swiss", options={"rounds": 3}, may_grow=False)
    whole = play_tournament(make_plan(tmp_path / "whole.pitboss", *bots, deals=1, format=choice))

    ended, causes = play_in_parts(make_plan(tmp_path / "parts.pitboss", *bots, deals=1, format=choice), 6)

    assert games_without_times(ended) == games_without_times(whole)
    assert causes == ["games", "complete"]
    assert ended.tournament.ranking == whole.tournament.ranking is not None


@pytest.mark.long
@pytest.mark.once
def test_a_disqualification_in_parts(tmp_path: Path) -> None:
    """A bot that goes out takes its games with it, in whichever run they were to be played; the last is complete."""
    bots = [zoo_entrant("exits_with_3", "bad"), zoo_entrant("good", "a"), zoo_entrant("good", "b")]
    rules = {"deals": 4, "faults": FaultRules(disqualify_after=3), "workers": 1, "games_at_once": 1}
    whole = play_tournament(make_plan(tmp_path / "whole.pitboss", *bots, **rules))

    ended, causes = play_in_parts(make_plan(tmp_path / "parts.pitboss", *bots, **rules), 6)

    assert games_without_times(ended) == games_without_times(whole)
    assert causes == ["games", "complete"]


@pytest.mark.long
@pytest.mark.once
def test_a_verdict_in_parts(tmp_path: Path) -> None:
    """The rule that ends the tournament early sees the same blocks, and comes to the same verdict."""
    bots = [zoo_entrant("exits_with_3", "loser"), zoo_entrant("good", "winner")]
    rules = {"deals": 500, "stop": StopRules(bot="winner", better_than="loser")}
    whole = play_tournament(make_plan(tmp_path / "whole.pitboss", *bots, **rules))

    ended, causes = play_in_parts(make_plan(tmp_path / "parts.pitboss", *bots, **rules), 9)

    assert set(causes[:-1]) == {"games"}
    assert causes[-1] == "decided"
    assert (
        ended.tournament.stop_reason == whole.tournament.stop_reason == Store(ended.tournament.plan.store).end_reason()
    )
